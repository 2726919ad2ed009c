//! A text in the editor, and its positions: a trace counts characters, the protocol UTF-16 units.

use std::path::{Path, PathBuf};

use lsp_types::{Position, Range};

/// Maximum number of bytes of a document that is read as it is typed.
pub const TEXT_BYTES_MAX: usize = 4 << 20;

/// Kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Trace,
    /// A file that traces include.
    Included,
    Board,
    Panel,
}

impl Kind {
    /// Returns the kind of a document by its name, otherwise by the language that the editor gives it.
    pub fn of(path: &Path, language: &str) -> Option<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let in_panels = path
            .parent()
            .and_then(Path::file_name)
            .is_some_and(|folder| folder.eq_ignore_ascii_case("panels"));
        if name.ends_with(".trace") {
            Some(Self::Trace)
        } else if name.ends_with(".inc") && (language.is_empty() || language.starts_with("nudge")) {
            Some(Self::Included)
        } else if name.ends_with(".board.toml") {
            Some(Self::Board)
        } else if name.ends_with(".panel.toml") || in_panels && name.ends_with(".toml") {
            Some(Self::Panel)
        } else {
            match language {
                "nudge-trace" => Some(Self::Trace),
                "nudge-board" => Some(Self::Board),
                "nudge-panel" => Some(Self::Panel),
                _ => None,
            }
        }
    }

    /// Returns whether the document has lines of a trace.
    pub fn has_trace_lines(self) -> bool {
        matches!(self, Self::Trace | Self::Included)
    }
}

/// A text in the editor.
#[derive(Clone, Debug)]
pub struct Document {
    pub uri: String,
    /// Path of the file; for a text that is not saved, only its name.
    pub path: PathBuf,
    pub kind: Kind,
    /// The text; empty if it is too large.
    pub text: String,
    pub version: i32,
    /// Number of bytes of a text that is too large.
    pub too_large: Option<usize>,
    /// Whether the file on the disk has this text.
    pub is_saved: bool,
    starts: Vec<usize>,
}

impl Document {
    pub fn new(uri: &str, path: PathBuf, kind: Kind) -> Self {
        Self {
            uri: uri.to_owned(),
            path,
            kind,
            text: String::new(),
            version: 0,
            too_large: None,
            is_saved: true,
            starts: vec![0],
        }
    }

    /// Replaces the text.
    pub fn set(&mut self, text: String, version: i32) {
        self.version = version;
        self.too_large = (text.len() > TEXT_BYTES_MAX).then_some(text.len());
        self.text = if self.too_large.is_some() { String::new() } else { text };
        let ends = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        self.starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
    }

    /// Returns the name of the document in errors.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line with this number, from 0, without its end; empty after the last one.
    pub fn line(&self, number: usize) -> &str {
        let Some(&start) = self.starts.get(number) else { return "" };
        let end = self.starts.get(number + 1).map_or(self.text.len(), |next| next - 1);
        let line = &self.text[start..end];
        line.strip_suffix('\r').unwrap_or(line)
    }

    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (0..self.line_count()).map(|number| (number, self.line(number)))
    }

    /// Returns the text of the first `count` lines.
    pub fn first_lines(&self, count: usize) -> &str {
        self.starts.get(count).map_or(&*self.text, |end| &self.text[..*end])
    }

    /// Returns the range of bytes of a line.
    pub fn range(&self, number: usize, start: usize, end: usize) -> Range {
        let line = self.line(number);
        let at = |byte| Position::new(number as u32, units(&line[..floor(line, byte)]));
        Range::new(at(start), at(end))
    }

    /// Returns the byte in its line of a position of the protocol.
    pub fn byte(&self, position: Position) -> usize {
        let line = self.line(position.line as usize);
        let mut left = position.character;
        for (at, letter) in line.char_indices() {
            if left == 0 {
                return at;
            }
            left = left.saturating_sub(letter.len_utf16() as u32);
        }
        line.len()
    }

    /// Returns the byte in its line of a column in characters, from 1.
    pub fn byte_of_column(&self, number: usize, column: usize) -> usize {
        let line = self.line(number);
        line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(at, _)| at)
    }

    /// Returns the range of the whole text.
    pub fn whole(&self) -> Range {
        let last = self.line_count() - 1;
        let end = self.range(last, 0, self.line(last).len()).end;
        Range::new(Position::new(0, 0), end)
    }
}

fn units(text: &str) -> u32 {
    text.chars().map(char::len_utf16).sum::<usize>() as u32
}

/// Returns the nearest boundary of a character at or before `byte`.
fn floor(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Returns a trace with this text, for tests.
#[cfg(test)]
pub(crate) fn document(text: &str) -> Document {
    let mut document = Document::new("file:///t.trace", "/t.trace".into(), Kind::Trace);
    document.set(text.to_owned(), 1);
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_units_of_utf_16() {
        let document = document("trace 1\r\n+1s type \"😀ü\" # x\n");
        assert_eq!(document.line(0), "trace 1");
        assert_eq!(document.line(1), "+1s type \"😀ü\" # x");
        let range = document.range(1, 9, 17);
        assert_eq!((range.start.character, range.end.character), (9, 14));
        assert_eq!(document.byte(Position::new(1, 12)), 14);
        assert_eq!(document.byte(Position::new(1, 900)), document.line(1).len());
        assert_eq!(document.byte_of_column(1, 12), 14);
        assert_eq!((document.line(9), document.line_count()), ("", 3));
    }

    #[test]
    fn the_kind_follows_the_name_and_then_the_language() {
        let kind = |path: &str, language: &str| Kind::of(Path::new(path), language);
        assert_eq!(kind("/a/win.trace", "plaintext"), Some(Kind::Trace));
        assert_eq!(kind("/a/boot.inc", "nudge-trace"), Some(Kind::Included));
        assert_eq!(kind("/a/boot.inc", "cpp"), None);
        assert_eq!(kind("/a/x.board.toml", "toml"), Some(Kind::Board));
        assert_eq!(kind("/panels/st7789.toml", "toml"), Some(Kind::Panel));
        assert_eq!(kind("/a/Cargo.toml", "toml"), None);
        assert_eq!(kind("Untitled-1", "nudge-trace"), Some(Kind::Trace));
    }
}
