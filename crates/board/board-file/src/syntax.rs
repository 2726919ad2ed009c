//! The next step after a syntax error: what a person wrote who expected another format than TOML.
//!
//! It is read off the line with the error and the lines above it; the words of the parser have no
//! influence.

use core::fmt;

use crate::quoted::quoted;

/// The next step after a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxStep {
    /// The file is JSON.
    Json,
    /// Lines end with CR only.
    CarriageReturns,
    /// A quotation mark that is none of TOML.
    CurlyQuotes,
    /// A comment with the mark of another language.
    Comment,
    /// A table of a list in single brackets, twice.
    TableTwice { table: String, line: usize },
    /// Brackets of a table that do not match.
    Brackets { table: String },
    /// `key: value`.
    Colon { key: String },
    /// A key that the table already has.
    KeyTwice { key: String, line: usize },
    /// A quotation mark that is missing.
    OpenQuote,
    /// A backslash between double quotes.
    Backslash,
    /// A hexadecimal number without `0x`.
    Hexadecimal { key: String, digits: String },
    /// A text without quotes.
    Unquoted { key: String, value: String },
    /// A comma or semicolon after a value.
    MarkAfterValue(char),
    /// None of these.
    Unknown,
}

impl SyntaxStep {
    /// Returns the next step after an error at a byte of the text.
    pub(crate) fn at(text: &str, byte: usize) -> Self {
        if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
            return Self::Json;
        }
        let mut pairs = text.bytes().zip(text.bytes().skip(1).chain([0]));
        if pairs.any(|pair| pair.0 == b'\r' && pair.1 != b'\n') {
            return Self::CarriageReturns;
        }
        let before = text.get(..byte).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].lines().next().unwrap_or_default().trim();
        of_line(&text[..start], line)
    }

    /// Returns whether the further errors of the file have the same cause.
    pub(crate) fn explains_all(&self) -> bool {
        matches!(self, Self::Json | Self::CarriageReturns | Self::TableTwice { .. })
    }
}

/// Returns the next step for a line with an error; `above` are the lines above it.
fn of_line(above: &str, line: &str) -> SyntaxStep {
    if line.contains(['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}']) {
        return SyntaxStep::CurlyQuotes;
    }
    if ["//", "/*", "--", ";"].iter().any(|mark| line.starts_with(mark)) {
        return SyntaxStep::Comment;
    }
    if line.starts_with('[') {
        let table = quoted(line.trim_matches(['[', ']']));
        return match line_of(above, |other| {
            other.starts_with('[') && other.trim_matches(['[', ']']) == table
        }) {
            Some(line) => SyntaxStep::TableTwice { table, line },
            None => SyntaxStep::Brackets { table },
        };
    }
    let Some((key, value)) = line.split_once('=') else {
        return match line.split_once(':') {
            Some((key, _)) => SyntaxStep::Colon { key: quoted(key.trim()) },
            None => SyntaxStep::Unknown,
        };
    };
    let (key, value) = (key.trim(), value.trim());
    let table = above.rfind("\n[").map_or(0, |at| at + 1);
    let same = |other: &str| other.split_once('=').is_some_and(|(other, _)| other.trim() == key);
    if let Some(line) = line_of(&above[table..], same) {
        let line = line + above[..table].lines().count();
        return SyntaxStep::KeyTwice { key: quoted(key), line };
    }
    of_value(key, value)
}

fn of_value(key: &str, value: &str) -> SyntaxStep {
    if value.starts_with('"') && value.contains('\\') {
        return SyntaxStep::Backslash;
    }
    if value.starts_with('"') && !value.matches('"').count().is_multiple_of(2) {
        return SyntaxStep::OpenQuote;
    }
    let bare = value.trim_end_matches([',', ';']);
    let (key_text, first) = (quoted(key), bare.chars().next());
    if bare.starts_with("true") || bare.starts_with("false") || bare.starts_with(['"', '\'']) {
        return value[bare.len()..]
            .chars()
            .next()
            .map_or(SyntaxStep::Unknown, SyntaxStep::MarkAfterValue);
    }
    let is_hexadecimal = bare.len() <= 4 && bare.chars().all(|digit| digit.is_ascii_hexdigit());
    if !bare.is_empty() && is_hexadecimal && ["address", "register", "answer"].contains(&key) {
        return SyntaxStep::Hexadecimal { key: key_text, digits: bare.to_owned() };
    }
    match first {
        Some(first) if first.is_alphanumeric() || first == '#' => {
            SyntaxStep::Unquoted { key: key_text, value: quoted(bare) }
        }
        _ => SyntaxStep::Unknown,
    }
}

/// Returns the number of the last line that `is_same` accepts, from 1.
fn line_of(text: &str, is_same: impl Fn(&str) -> bool) -> Option<usize> {
    let same = text.lines().enumerate().filter(|(_, line)| is_same(line.trim()));
    same.last().map(|(at, _)| at + 1)
}

impl fmt::Display for SyntaxStep {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json => out.write_str(
                "the file is JSON; `nudge board import` makes a board file of a diagram.json",
            ),
            Self::CarriageReturns => {
                out.write_str("its lines end with CR only; save it with LF or CR LF")
            }
            Self::CurlyQuotes => out.write_str("write straight quotation marks: `\"`"),
            Self::Comment => out.write_str("a comment begins with `#`"),
            Self::TableTwice { table, line } => write!(
                out,
                "`{table}` is in line {line} already; of several, write each as `[[{table}]]`"
            ),
            Self::Brackets { table } => write!(out, "write the line as `[[{table}]]`"),
            Self::Colon { key } => write!(out, "write `=` instead of the colon: `{key} = …`"),
            Self::KeyTwice { key, line } => {
                write!(out, "`{key}` is in line {line} already: remove one of the lines")
            }
            Self::OpenQuote => out.write_str("add the missing `\"` after the text"),
            Self::Backslash => out.write_str(
                "a backslash between `\"` begins an escape: write `/` in paths, or quote with `'`",
            ),
            Self::Hexadecimal { key, digits } => {
                write!(out, "a hexadecimal number begins with `0x`: `{key} = 0x{digits}`")
            }
            Self::Unquoted { key, value } => {
                write!(out, "write quotation marks: `{key} = \"{value}\"`")
            }
            Self::MarkAfterValue(mark) => write!(out, "remove the `{mark}` after the value"),
            Self::Unknown => out.write_str("docs/board-file.md has a file to start from"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_that_of_the_line_with_the_error() {
        let of = |text: &str, marked: &str| SyntaxStep::at(text, text.find(marked).unwrap());
        let text = "[[button]]\nname = \"A\"\n[[button]]\nname = \"B\"\npin = GP2\nname = 1\n";
        let unquoted = SyntaxStep::Unquoted { key: "pin".into(), value: "GP2".into() };
        assert_eq!(of(text, "GP2"), unquoted);
        assert_eq!(of(text, "name = 1"), SyntaxStep::KeyTwice { key: "name".into(), line: 4 });
        assert_eq!(of("a = true\n=\n", "=\n"), SyntaxStep::Unknown);
        assert_eq!(SyntaxStep::at("", 0), SyntaxStep::Unknown);
        assert_eq!(
            SyntaxStep::at("ä = x", 99),
            SyntaxStep::Unquoted { key: "ä".into(), value: "x".into() }
        );
    }
}
