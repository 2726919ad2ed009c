//! Reads values of TOML with their places, and collects errors.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{BoardError, BoardErrorKind, BoardErrors};
use crate::limits::{COLLECTED_MAX, ERRORS_MAX};
pub(crate) use crate::quoted::quoted;

/// Place of a value in the file, in bytes.
///
/// All spans are equal: two descriptions are equal if they describe the same board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Span {}

impl Span {
    pub(crate) fn of<T>(value: &Spanned<T>) -> Self {
        let span = value.span();
        Self { start: span.start, end: span.end }
    }
}

/// A value of TOML, or the default of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Raw<'a> {
    Text(&'a str),
    /// A whole number; `None` if it does not fit into 64 bits.
    Whole(Option<i64>),
    Fraction,
    Bool(bool),
    Date,
    List(&'a [Spanned<DeValue<'a>>]),
    Table(&'a DeTable<'a>),
}

impl<'a> Raw<'a> {
    pub(crate) fn of(value: &'a DeValue<'a>) -> Self {
        match value {
            DeValue::String(text) => Self::Text(text),
            DeValue::Integer(whole) => {
                let digits = whole.as_str().replace('_', "");
                Self::Whole(i64::from_str_radix(&digits, whole.radix()).ok())
            }
            DeValue::Float(_) => Self::Fraction,
            DeValue::Boolean(value) => Self::Bool(*value),
            DeValue::Datetime(_) => Self::Date,
            DeValue::Array(list) => Self::List(list),
            DeValue::Table(table) => Self::Table(table),
        }
    }

    /// Returns the kind of value as a noun, for messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Whole(_) => "a number",
            Self::Fraction => "a fraction",
            Self::Bool(_) => "a boolean",
            Self::Date => "a date",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

/// A value to be read: its key, its place and its content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) key: &'static str,
    pub(crate) span: Span,
    pub(crate) raw: Raw<'a>,
}

/// The errors found so far.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    found: Vec<(Span, BoardErrorKind)>,
    dropped: usize,
}

impl Reader {
    pub(crate) fn report(&mut self, span: Span, kind: BoardErrorKind) {
        if self.found.len() < COLLECTED_MAX {
            self.found.push((span, kind));
        } else {
            self.dropped += 1;
        }
    }

    /// Reports an error and returns no value.
    pub(crate) fn refuse<T>(&mut self, span: Span, kind: BoardErrorKind) -> Option<T> {
        self.report(span, kind);
        None
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns the first errors in order of their places.
    pub(crate) fn into_errors(mut self, file: &str, lines: &Lines<'_>) -> BoardErrors {
        self.found.sort_by_key(|(span, _)| span.start);
        let more = self.dropped + self.found.len().saturating_sub(ERRORS_MAX);
        self.found.truncate(ERRORS_MAX);
        let error = |(span, kind): (Span, BoardErrorKind)| {
            let (line, column) = lines.place(span.start);
            BoardError { file: file.to_owned(), line, column, kind }
        };
        BoardErrors { list: self.found.into_iter().map(error).collect(), more }
    }
}

/// The lines of a file, to find the line of a byte.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// First byte of each line.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// Returns the line and the column of a byte, both from 1.
    pub(crate) fn place(&self, byte: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= byte).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        let before = self.text.get(start..byte.min(self.text.len())).unwrap_or_default();
        (line, before.chars().count() + 1)
    }

    pub(crate) fn line(&self, span: Span) -> usize {
        self.place(span.start).0
    }
}
