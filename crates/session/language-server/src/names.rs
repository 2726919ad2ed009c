//! Names: where an include, a board or a button is defined, and the new name of a button.

use std::collections::HashMap;
use std::path::PathBuf;

use lsp_types::{Location, Position, Range, TextEdit, WorkspaceEdit};
use thiserror::Error;
use trace::BOARD_KEY;

use crate::document::{Document, Kind};
use crate::files::OpenTexts;
use crate::uri::{plain, uri_of};
use crate::words::{Word, is_time, unquoted, words};

/// Reason why a name cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RenameError {
    #[error("there is no button here; only names of buttons in a trace can be changed")]
    NoButton,
    #[error(
        "`{0}` cannot be the name of a button: it begins with a letter and has letters, digits, `_` and `-`"
    )]
    NotAName(String),
}

/// Returns the definition of the word at `position`: the included file, the board file, or the button in it.
pub fn definition(document: &Document, position: Position, open: &OpenTexts) -> Option<Location> {
    if !document.kind.has_trace_lines() {
        return None;
    }
    let folder = document.path.parent()?;
    let line = document.line(position.line as usize);
    let words = words(line);
    match words.first()?.text {
        "include" => start_of(plain(&folder.join(words.get(1)?.text))),
        BOARD_KEY => start_of(plain(&folder.join(words.get(1)?.text))),
        _ => {
            let byte = document.byte(position);
            let word = buttons(&words).find(|word| word.start <= byte && byte <= word.end())?;
            in_board(document, word.text, open)
        }
    }
}

/// Returns the range of the button at `position`.
pub fn button_at(document: &Document, position: Position) -> Option<Range> {
    let line = document.line(position.line as usize);
    let byte = document.byte(position);
    let words = words(line);
    let word = buttons(&words).find(|word| word.start <= byte && byte <= word.end())?;
    (document.kind.has_trace_lines())
        .then(|| document.range(position.line as usize, word.start, word.end()))
}

/// Returns the edits that give the button at `position` another name, in this file.
///
/// # Errors
/// If there is no button, or the name cannot be one.
pub fn rename(
    document: &Document,
    position: Position,
    name: &str,
) -> Result<WorkspaceEdit, RenameError> {
    let range = button_at(document, position).ok_or(RenameError::NoButton)?;
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if !begins || !trace::is_name(name) {
        return Err(RenameError::NotAName(name.chars().take(40).collect()));
    }
    let line = document.line(position.line as usize);
    let (start, end) = (document.byte(range.start), document.byte(range.end));
    let old = &line[start..end];
    let mut edits = Vec::new();
    for (number, line) in document.lines() {
        let words = words(line);
        for word in buttons(&words).filter(|word| word.text == old) {
            let range = document.range(number, word.start, word.end());
            edits.push(TextEdit { range, new_text: name.to_owned() });
        }
    }
    let uri = document.uri.parse().map_err(|_| RenameError::NoButton)?;
    Ok(WorkspaceEdit { changes: Some(HashMap::from([(uri, edits)])), ..WorkspaceEdit::default() })
}

/// Returns the word of a line that names a button.
fn buttons<'a>(words: &'a [Word<'a>]) -> impl Iterator<Item = &'a Word<'a>> {
    let text = |at: usize| words.get(at).map_or("", |word| word.text);
    let at = match (is_time(text(0)), text(1), text(2)) {
        (true, "tap" | "press" | "release", _) => Some(2),
        (true, "fault", "stuck" | "bounce") => Some(3),
        (true, "fault", "none") if !matches!(text(3), "spi" | "uart" | "noise" | "flash") => {
            Some(3)
        }
        _ => None,
    };
    at.and_then(|at| words.get(at)).into_iter()
}

/// Returns the line of the board file that gives a button its name.
fn in_board(document: &Document, button: &str, open: &OpenTexts) -> Option<Location> {
    let path = board_path(document)?;
    let text = match open.get(&path) {
        Some(text) => String::from_utf8_lossy(text).into_owned(),
        None => String::from_utf8(board_file::read(&path).ok()?).ok()?,
    };
    let mut board = Document::new("", path.clone(), Kind::Board);
    board.set(text, 0);
    let line = board.lines().position(|(_, line)| {
        let value = line.split_once('=').filter(|(key, _)| key.trim() == "name");
        value.and_then(|(_, value)| unquoted(words(value.trim()).first()?.text)).as_deref()
            == Some(button)
    })?;
    let range = board.range(line, 0, board.line(line).len());
    Some(Location { uri: uri_of(&path)?, range })
}

/// Returns the path of the board file that the header of a trace names.
pub fn board_path(document: &Document) -> Option<PathBuf> {
    if document.kind == Kind::Included {
        return runner::board_of_included(&document.path).map(|path| plain(&path));
    }
    let mut header = document
        .lines()
        .take_while(|(_, line)| !words(line).first().is_some_and(|word| is_time(word.text)));
    let value = header.find_map(|(_, line)| {
        let words = words(line);
        (words.first()?.text == BOARD_KEY).then(|| words.get(1).map(|word| word.text.to_owned()))?
    })?;
    Some(plain(&document.path.parent()?.join(value)))
}

fn start_of(path: PathBuf) -> Option<Location> {
    let uri = path.is_file().then(|| uri_of(&path))??;
    Some(Location { uri, range: Range::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::document;

    #[test]
    fn a_button_is_renamed_where_it_is_a_button() {
        let text = "trace 1\n0ms power on\n+1s tap B1 # B1\n+1s expect text \"B1\"\n+1s fault stuck B1\n+1s fault none B1\n+1s tap B2\n";
        let document = document(text);
        let edit = rename(&document, Position::new(2, 9), "FIRE").unwrap();
        let edits = edit.changes.unwrap().into_values().next().unwrap();
        let places: Vec<(u32, u32)> =
            edits.iter().map(|edit| (edit.range.start.line, edit.range.start.character)).collect();
        assert_eq!(places, [(2, 8), (4, 16), (5, 15)]);
        assert_eq!(rename(&document, Position::new(3, 18), "X"), Err(RenameError::NoButton));
        let refused = rename(&document, Position::new(2, 9), "A B").unwrap_err();
        assert!(matches!(refused, RenameError::NotAName(_)), "{refused}");
    }

    #[test]
    fn a_button_is_defined_in_the_board_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("x.board.toml"), "name = \"x\"\n[[button]]\nname = \"FIRE\" # red\n")
            .unwrap();
        std::fs::write(at("boot.inc"), "0ms power on\n").unwrap();
        let mut document =
            document("trace 1\nboard x.board.toml\ninclude boot.inc\n+1s tap FIRE\n");
        document.path = at("t.trace");
        let line = |line, character| {
            definition(&document, Position::new(line, character), &OpenTexts::new()).map(|found| {
                (found.uri.as_str().rsplit('/').next().unwrap().to_owned(), found.range.start.line)
            })
        };
        assert_eq!(line(1, 8), Some(("x.board.toml".into(), 0)));
        assert_eq!(line(2, 10), Some(("boot.inc".into(), 0)));
        assert_eq!(line(3, 9), Some(("x.board.toml".into(), 2)));
        assert_eq!(line(3, 5), None);
    }
}
