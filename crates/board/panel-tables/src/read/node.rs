//! Keys and values of a file with their positions. The module does not know their meaning.

use core::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Found, Problem, TableError};

/// The text of the file, for positions.
pub(super) struct Source<'a> {
    text: &'a str,
}

impl<'a> Source<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// Returns line and column, from 1, of a byte.
    pub(super) fn place(&self, offset: usize) -> (usize, usize) {
        let mut end = offset.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (line, before[start..].chars().count() + 1)
    }

    /// Creates an error at the start of `span`.
    pub(super) fn error(&self, span: Range<usize>, problem: Problem) -> TableError {
        let (line, column) = self.place(span.start);
        TableError { line, column, problem }
    }
}

/// The keys of a part of the file.
pub(super) struct Fields<'a> {
    source: &'a Source<'a>,
    entries: &'a DeTable<'a>,
    span: Range<usize>,
    /// Name of the part in messages.
    part: String,
}

/// A value and its key.
pub(super) struct Node<'a> {
    source: &'a Source<'a>,
    pub(super) key: String,
    key_span: Range<usize>,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Fields<'a> {
    /// Creates the fields of the whole file, which has the keys `known`.
    pub(super) fn of_document(
        source: &'a Source<'a>,
        document: &'a Spanned<DeTable<'a>>,
        known: &[&str],
    ) -> Result<Self, TableError> {
        let entries = document.get_ref();
        let fields = Self { source, entries, span: 0..0, part: "the table".to_owned() };
        fields.check_keys(known)?;
        Ok(fields)
    }

    /// Reports the first key in the file that is not one of `known`.
    fn check_keys(&self, known: &[&str]) -> Result<(), TableError> {
        let wrong = self.entries.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        let Some(first) = wrong.min_by_key(|key| key.span().start) else { return Ok(()) };
        let known = known.iter().map(|key| (*key).to_owned()).collect();
        let found = Found { word: first.get_ref().to_string(), known };
        Err(self.source.error(first.span(), Problem::Key { found }))
    }

    /// Creates an error at this part.
    pub(super) fn error(&self, problem: Problem) -> TableError {
        self.source.error(self.span.clone(), problem)
    }

    pub(super) fn optional(&self, key: &str) -> Option<Node<'a>> {
        let (key, value) = self.entries.get_key_value(key)?;
        Some(Node {
            source: self.source,
            key: key.get_ref().to_string(),
            key_span: key.span(),
            value,
        })
    }

    pub(super) fn required(&self, key: &'static str) -> Result<Node<'a>, TableError> {
        let missing = || self.error(Problem::Missing { key, part: self.part.clone() });
        self.optional(key).ok_or_else(missing)
    }

    /// Returns all keys with their values, in the order of the file.
    pub(super) fn all(&self) -> Vec<Node<'a>> {
        let node = |(key, value): (&'a Spanned<_>, &'a Spanned<DeValue<'a>>)| Node {
            source: self.source,
            key: toml::de::DeString::to_string(key.get_ref()),
            key_span: key.span(),
            value,
        };
        let mut nodes: Vec<_> = self.entries.iter().map(node).collect();
        nodes.sort_by_key(|node| node.key_span.start);
        nodes
    }
}

impl<'a> Node<'a> {
    /// Creates an error at the value.
    pub(super) fn error(&self, problem: Problem) -> TableError {
        self.source.error(self.value.span(), problem)
    }

    /// Creates an error at the key.
    pub(super) fn key_error(&self, problem: Problem) -> TableError {
        self.source.error(self.key_span.clone(), problem)
    }

    /// Creates an error `offset` bytes into a string.
    pub(super) fn error_in(&self, offset: usize, problem: Problem) -> TableError {
        let start = self.value.span().start + 1 + offset;
        self.source.error(start..start, problem)
    }

    /// Returns line and column of the value.
    pub(super) fn place(&self) -> (usize, usize) {
        self.source.place(self.value.span().start)
    }

    fn type_error(&self, expected: &'static str) -> TableError {
        let found = match self.value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a number with a point",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.error(Problem::Type { key: self.key.clone(), found, expected })
    }

    pub(super) fn text(&self) -> Result<&'a str, TableError> {
        match self.value.get_ref() {
            DeValue::String(text) => Ok(text.as_ref()),
            _ => Err(self.type_error("a string")),
        }
    }

    pub(super) fn boolean(&self) -> Result<bool, TableError> {
        match self.value.get_ref() {
            DeValue::Boolean(value) => Ok(*value),
            _ => Err(self.type_error("true or false")),
        }
    }

    /// Returns an integer in a range.
    pub(super) fn integer(&self, least: i128, most: i128) -> Result<i128, TableError> {
        let DeValue::Integer(integer) = self.value.get_ref() else {
            return Err(self.type_error("an integer"));
        };
        // A number with more digits than 128 bits is out of every range.
        let value = i128::from_str_radix(integer.as_str(), integer.radix()).unwrap_or(i128::MAX);
        if (least..=most).contains(&value) {
            return Ok(value);
        }
        Err(self.error(Problem::Range { key: self.key.clone(), value, least, most }))
    }

    /// Returns an integer of at most 16 bits in a range.
    pub(super) fn number(&self, least: u16, most: u16) -> Result<u16, TableError> {
        let value = self.integer(least.into(), most.into())?;
        Ok(u16::try_from(value).unwrap_or(most))
    }

    /// Returns the value whose word the string is.
    pub(super) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, TableError> {
        let text = self.text()?;
        let known = || words.iter().map(|(word, _)| (*word).to_owned()).collect();
        words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let found = Found { word: text.to_owned(), known: known() };
            self.error(Problem::Word { key: self.key.clone(), found })
        })
    }

    pub(super) fn list(&self) -> Result<Vec<Self>, TableError> {
        let DeValue::Array(values) = self.value.get_ref() else {
            return Err(self.type_error("a list"));
        };
        let node = |value| Self {
            source: self.source,
            key: self.key.clone(),
            key_span: self.key_span.clone(),
            value,
        };
        Ok(values.iter().map(node).collect())
    }

    /// Returns the value as a part of the file with the keys `known`.
    pub(super) fn fields(&self, known: &[&str]) -> Result<Fields<'a>, TableError> {
        let fields = self.open_fields()?;
        fields.check_keys(known)?;
        Ok(fields)
    }

    /// Returns the value as a part of the file with any keys.
    pub(super) fn open_fields(&self) -> Result<Fields<'a>, TableError> {
        let DeValue::Table(entries) = self.value.get_ref() else {
            return Err(self.type_error("a table"));
        };
        // The span of a table after its header begins at the header.
        let span = self.key_span.clone();
        Ok(Fields { source: self.source, entries, span, part: format!("`{}`", self.key) })
    }
}
