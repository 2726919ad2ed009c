//! `export` and `import` as they are typed on the console: their words, and what these lead to.
//!
//! An `=` separates words as a space does, so that the lines of an export are the commands of an import.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::import::Stated;
use super::refusal::{Refusal, number};
use super::state::{App, Memory};
use crate::storage::files::FileKind;
use crate::storage::name::Name;

const EXPORT: &str = "export [game|log NAME]";
const BEGIN: &str = "import game NAME|log NAME bytes N [over]";
const TEXT: &str = "import text|part=QUOTED";
const END: &str = "import end NAME [lines N] [sum CRC]";
const STOP: &str = "import stop";

/// What can be typed, and what it does.
pub(super) const FILE_COMMANDS: [(&str, &str); 5] = [
    (EXPORT, "tells what is stored, or sends a saved game or a log as lines of import"),
    (BEGIN, "begins a saved game or a log that comes line by line"),
    (TEXT, "a line of it in double quotes, or a part of one"),
    (END, "stores it, if so many lines with this CRC-32 have come"),
    (STOP, "drops it"),
];

impl<M: DerefMut<Target = Memory>> App<M> {
    /// `export`, with what stands behind it.
    pub(super) fn export_command<'l, F: NorFlash>(
        &mut self,
        rest: &'l str,
        flash: &mut F,
    ) -> Result<(), Refusal<'l>> {
        let mut words = words(rest);
        match (words.next(), words.next(), words.next()) {
            (None, ..) => self.tell_files(flash),
            (Some(kind), Some(name), None) => {
                let kind = kind_named(kind).ok_or(Refusal::Usage(EXPORT))?;
                self.begin_export(kind, name_of(name)?, flash)
            }
            _ => Err(Refusal::Usage(EXPORT)),
        }
    }

    /// `import`, with what stands behind it.
    pub(super) fn import_command<'l, F: NorFlash>(
        &mut self,
        rest: &'l str,
        flash: &mut F,
    ) -> Result<(), Refusal<'l>> {
        let rest = rest.trim();
        for (key, is_whole) in [("text=", true), ("part=", false)] {
            if let Some(quoted) = rest.strip_prefix(key) {
                let text = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                return self.import_text(text.ok_or(Refusal::Usage(TEXT))?, is_whole, flash);
            }
        }
        let mut words = words(rest);
        match words.next() {
            Some("end") => {
                let name = name_of(words.next().ok_or(Refusal::Usage(END))?)?;
                let mut stated = Stated::default();
                while let Some(key) = words.next() {
                    let value = words.next().ok_or(Refusal::Usage(END))?;
                    match key {
                        "lines" => stated.lines = Some(number(value)?),
                        "sum" => stated.sum = Some(sum(value)?),
                        _ => return Err(Refusal::Usage(END)),
                    }
                }
                self.end_import(name, &stated, flash)
            }
            Some("stop") if words.next().is_none() => self.stop_import(),
            Some("stop") => Err(Refusal::Usage(STOP)),
            Some("text" | "part") => Err(Refusal::Usage(TEXT)),
            kind => {
                let kind = kind.and_then(kind_named).ok_or(Refusal::Usage(BEGIN))?;
                let name = name_of(words.next().ok_or(Refusal::Usage(BEGIN))?)?;
                let (mut length, mut over) = (None, false);
                while let Some(key) = words.next() {
                    match (key, kind) {
                        ("over", _) => over = true,
                        ("bytes", FileKind::Log) => {
                            let value = words.next().ok_or(Refusal::Usage(BEGIN))?;
                            length = Some(number(value)?);
                        }
                        _ => return Err(Refusal::Usage(BEGIN)),
                    }
                }
                let length = match kind {
                    FileKind::Game => 0,
                    FileKind::Log => length.ok_or(Refusal::Usage(BEGIN))?,
                };
                self.begin_import(kind, name, length, over, flash)
            }
        }
    }
}

fn words(rest: &str) -> impl Iterator<Item = &str> {
    rest.split([' ', '=']).filter(|word| !word.is_empty())
}

fn kind_named(word: &str) -> Option<FileKind> {
    [FileKind::Game, FileKind::Log].into_iter().find(|kind| kind.name() == word)
}

fn name_of(word: &str) -> Result<Name, Refusal<'_>> {
    Name::new(word).ok_or(Refusal::NoName(word))
}

/// A CRC-32 in hexadecimal digits.
fn sum(word: &str) -> Result<u32, Refusal<'_>> {
    let digits = word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let sum = digits.then(|| u32::from_str_radix(word, 16).ok()).flatten();
    sum.ok_or(Refusal::NoSum(word))
}
