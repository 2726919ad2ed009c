//! Reads a board file.

use std::collections::BTreeSet;
use std::path::Path;

use toml::de::DeTable;

use crate::check::check;
use crate::error::{BoardErrorKind, BoardErrors, BoardFileError};
use crate::limits::FILE_BYTES_MAX;
use crate::parts::BoardFile;
use crate::reader::{Lines, Reader, Span, quoted};
use crate::syntax::SyntaxStep;
use crate::table::Table;

/// Returns the description in the file at `path`.
///
/// # Errors
/// If the file cannot be read or has errors.
pub fn load(path: &Path) -> Result<BoardFile, BoardFileError> {
    Ok(parse_bytes(&path.display().to_string(), &read(path)?)?)
}

/// Returns the bytes of the file at `path`, or one more than a board file can have.
///
/// # Errors
/// If the file cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, BoardFileError> {
    host::input_files::read(path, FILE_BYTES_MAX)
        .map_err(|error| BoardFileError::Read { path: path.to_owned(), error })
}

/// Returns the description in a file's bytes. `file` is the file's name in errors.
///
/// # Errors
/// All errors, at most 20.
pub fn parse_bytes(file: &str, bytes: &[u8]) -> Result<BoardFile, BoardErrors> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(too_large(file));
    }
    if is_utf16(bytes) {
        let mut reader = Reader::default();
        reader.report(Span::default(), BoardErrorKind::Utf16);
        return Err(reader.into_errors(file, &Lines::new("")));
    }
    match str::from_utf8(bytes) {
        Ok(text) => parse(file, text),
        Err(error) => {
            let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let mut reader = Reader::default();
            let end = Span { start: valid.len(), end: valid.len() };
            reader.report(end, BoardErrorKind::NotUtf8);
            Err(reader.into_errors(file, &Lines::new(&valid)))
        }
    }
}

/// Returns the description in a text. `file` is the file's name in errors.
///
/// # Errors
/// All errors, at most 20.
pub fn parse(file: &str, text: &str) -> Result<BoardFile, BoardErrors> {
    if text.len() > FILE_BYTES_MAX {
        return Err(too_large(file));
    }
    let lines = Lines::new(text);
    let mut reader = Reader::default();
    let mut wrong_lines = BTreeSet::new();
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let span = error.span().unwrap_or_default();
        let span = Span { start: span.start, end: span.end };
        // The errors after the first one of a line are consequences of it.
        if !wrong_lines.insert(lines.line(span)) {
            continue;
        }
        let step = SyntaxStep::at(text, span.start);
        let explains_all = step.explains_all();
        reader.report(span, BoardErrorKind::Syntax { message: message(error.message()), step });
        if explains_all {
            break;
        }
    }
    if !reader.is_clean() {
        // Tables recovered from broken text would be reported as errors that are not in the file.
        return Err(reader.into_errors(file, &lines));
    }
    let start = Span { start: 0, end: 0 };
    if root.get_ref().is_empty() {
        reader.report(start, BoardErrorKind::Empty);
        return Err(reader.into_errors(file, &lines));
    }
    let board = BoardFile::read_table(root.get_ref(), start, &mut reader);
    if !root.get_ref().iter().any(|(key, _)| &**key.get_ref() == "display") {
        reader.report(start, BoardErrorKind::NoDisplay);
    }
    if let Some(board) = &board {
        check(board, &lines, &mut reader);
    }
    match board.filter(|_| reader.is_clean()) {
        Some(board) => Ok(board),
        None => Err(reader.into_errors(file, &lines)),
    }
}

/// Returns whether a text is UTF-16: by its byte order mark, or by the zero byte in its first letter.
fn is_utf16(bytes: &[u8]) -> bool {
    match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => true,
        [first, second, ..] => (*first == 0) != (*second == 0),
        _ => false,
    }
}

/// Returns a message of the TOML parser as one line.
fn message(text: &str) -> String {
    let mut line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.chars().count() > 200 {
        line = quoted(&line);
    }
    line
}

fn too_large(file: &str) -> BoardErrors {
    let mut reader = Reader::default();
    reader.report(Span::default(), BoardErrorKind::TooLarge { max: FILE_BYTES_MAX });
    reader.into_errors(file, &Lines::new(""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::OF_THE_BOARD;

    #[test]
    fn the_keys_of_the_board_are_keys_before_the_first_table() {
        for key in OF_THE_BOARD {
            assert!(BoardFile::key_names().contains(&key), "{key}");
        }
    }
}
