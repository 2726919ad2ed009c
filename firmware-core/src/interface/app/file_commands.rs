//! The console commands `export` and `import`: parses their words and starts the transfers.
//!
//! An `=` separates words as a space does, so that the lines of an export are the commands of an
//! import.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::import::TransferSummary;
use super::refusal::{Refusal, number};
use super::state::{App, Memory};
use crate::game::history::text::{TYPED_WORDS, typed_words};
use crate::storage::files::FileKind;
use crate::storage::name::Name;

const EXPORT: &str = "export [game|log NAME]";
const BEGIN: &str = "import game NAME|log NAME bytes N [over]";
const TEXT: &str = "import text|part=QUOTED";
const END: &str = "import end NAME [lines N] [sum CRC]";
const STOP: &str = "import stop";

/// Commands and their descriptions.
pub(super) const FILE_COMMANDS: [(&str, &str); 5] = [
    (EXPORT, "tells what is stored, or sends it as lines of import"),
    (BEGIN, "begins one that comes line by line"),
    (TEXT, "a line of it, or a part of one"),
    (END, "stores it"),
    (STOP, "drops it"),
];

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Executes `export` with its words.
    pub(super) fn export_command<'l, F: NorFlash>(
        &mut self,
        words: [&'l str; TYPED_WORDS],
        flash: &mut F,
    ) -> Result<(), Refusal<'l>> {
        match words {
            [_, "", ..] => self.print_files(flash),
            [_, kind, name, "", ..] if !name.is_empty() => {
                let kind = kind_named(kind).ok_or(Refusal::Usage(EXPORT))?;
                self.begin_export(kind, name_of(name)?, flash)
            }
            _ => Err(Refusal::Usage(EXPORT)),
        }
    }

    /// Executes `import` with its line and words.
    pub(super) fn import_command<'l, F: NorFlash>(
        &mut self,
        line: &'l str,
        words: [&'l str; TYPED_WORDS],
        flash: &mut F,
    ) -> Result<(), Refusal<'l>> {
        match words {
            [_, key @ ("text" | "part"), ..] => {
                let text = quoted(line, key).ok_or(Refusal::Usage(TEXT))?;
                self.import_text(text, key == "text", flash)
            }
            [_, "stop", "", ..] => self.stop_import(),
            [_, "stop", ..] => Err(Refusal::Usage(STOP)),
            [_, "end", name, stated @ ..] if !name.is_empty() => {
                let name = name_of(name)?;
                let stated = stated_of(stated)?;
                self.end_import(name, &stated, flash)
            }
            [_, "end", ..] => Err(Refusal::Usage(END)),
            [_, kind, name, ..] => {
                let kind = kind_named(kind).filter(|_| !name.is_empty());
                let kind = kind.ok_or(Refusal::Usage(BEGIN))?;
                let (length, over, end) = match (kind, words) {
                    (FileKind::Game, [.., over, end, _, _, _]) => (0, over, end),
                    (FileKind::Log, [_, _, _, "bytes", length, over, end, _])
                        if !length.is_empty() =>
                    {
                        (number(length)?, over, end)
                    }
                    _ => return Err(Refusal::Usage(BEGIN)),
                };
                if !end.is_empty() || !["", "over"].contains(&over) {
                    return Err(Refusal::Usage(BEGIN));
                }
                self.begin_import(kind, name_of(name)?, length, !over.is_empty(), flash)
            }
        }
    }
}

/// Returns the text of a line `import KEY="…"`: up to the last quote.
fn quoted<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let begin = line.bytes().position(|byte| byte == b'"')?;
    let end = line.bytes().rposition(|byte| byte == b'"')?;
    // Only the two words before the text, and blanks after it, are allowed.
    let [_, word, "", ..] = typed_words(line.get(..begin)?, b'=') else { return None };
    let ["", ..] = typed_words(line.get(end + 1..)?, b' ') else { return None };
    if word == key { line.get(begin + 1..end) } else { None }
}

/// Parses the words after `end NAME`.
fn stated_of<'l>(words: [&'l str; TYPED_WORDS - 3]) -> Result<TransferSummary, Refusal<'l>> {
    let mut stated = TransferSummary::default();
    let mut rest = &words[..];
    while let [key, value, more @ ..] = rest
        && !key.is_empty()
    {
        match *key {
            "lines" if !value.is_empty() => stated.lines = Some(number(value)?),
            "sum" if !value.is_empty() => stated.sum = Some(sum(value)?),
            _ => return Err(Refusal::Usage(END)),
        }
        rest = more;
    }
    match rest {
        ["", ..] | [] => Ok(stated),
        _ => Err(Refusal::Usage(END)),
    }
}

fn kind_named(word: &str) -> Option<FileKind> {
    [FileKind::Game, FileKind::Log].into_iter().find(|kind| kind.name() == word)
}

fn name_of(word: &str) -> Result<Name, Refusal<'_>> {
    Name::new(word).ok_or(Refusal::NoName(word))
}

/// Parses a CRC-32 in hexadecimal digits.
fn sum(word: &str) -> Result<u32, Refusal<'_>> {
    let mut sum = 0;
    for letter in word.chars() {
        sum = sum << 4 | letter.to_digit(16).ok_or(Refusal::NoSum(word))?;
    }
    if word.len() == 8 { Ok(sum) } else { Err(Refusal::NoSum(word)) }
}
