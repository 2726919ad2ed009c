//! Tables of keys: one declaration makes the type, its parser, its part of the JSON schema and its
//! rows in the documentation.
//!
//! [`table!`] declares a table, [`words!`] a choice of words. A doc comment of a field is the
//! description of its key everywhere.

pub(crate) mod place;
pub mod value;

use serde_json::{Map, Value as Json, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::BoardErrorKind;
use crate::limits::LIST_MAX;
use crate::reader::{Entry, Raw, Reader, Span, quoted};
use place::Place;
use value::{KeyName, Name, Pin};

/// A thing of which a board has one: a pin, a name, a key of the keyboard, a place on the face.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Claim<'a> {
    /// The pin of a key, and its index in the key's list.
    Pin(&'static str, usize, &'a Pin),
    /// The name of the part, or of one of its buttons.
    Name(&'static str, &'a Name),
    Key(&'a KeyName),
    Place(&'a Place),
}

/// A type that a key of a board file can have.
pub(crate) trait Value: Sized {
    /// Whether the value is a table.
    const IS_TABLE: bool = false;
    /// Returns a description of the values for the documentation.
    fn shape() -> String;
    /// Returns a value in TOML.
    fn example() -> String;
    /// Returns the JSON schema.
    fn json() -> Json;
    /// Reads a value; reports its errors.
    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self>;
    /// Returns a value with which the checks continue after an error, if they do not depend on it.
    fn fallback() -> Option<Self> {
        None
    }
    /// Adds the claims of the value.
    fn claims<'a>(&'a self, _key: &'static str, _index: usize, _found: &mut Vec<Claim<'a>>) {}
}

/// Whether a key can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Required,
    Optional,
    /// Can be left out; the value is then this text, word or number.
    Default(Literal),
}

/// The default of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    Text(&'static str),
    Whole(i64),
    Bool(bool),
}

impl Literal {
    pub(crate) fn raw(self) -> Raw<'static> {
        match self {
            Self::Text(text) => Raw::Text(text),
            Self::Whole(number) => Raw::Whole(Some(number)),
            Self::Bool(value) => Raw::Bool(value),
        }
    }

    fn json(self) -> Json {
        match self {
            Self::Text(text) => json!(text),
            Self::Whole(number) => json!(number),
            Self::Bool(value) => json!(value),
        }
    }

    /// Returns the default as it is written in a file.
    pub fn written(self) -> String {
        match self {
            Self::Text(text) => format!("\"{text}\""),
            Self::Whole(number) => number.to_string(),
            Self::Bool(value) => value.to_string(),
        }
    }
}

impl From<&'static str> for Literal {
    fn from(text: &'static str) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Literal {
    fn from(number: i64) -> Self {
        Self::Whole(number)
    }
}

impl From<bool> for Literal {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// A key of a table.
#[derive(Clone, Debug)]
pub struct KeyRow {
    pub key: &'static str,
    /// Description of the key in one or more sentences.
    pub about: String,
    /// Description of the values.
    pub shape: String,
    pub presence: Presence,
    /// JSON schema of the values.
    pub json: Json,
}

/// A table of a board file.
pub(crate) trait Table: Sized {
    /// The table as messages name it: "a button".
    const NOUN: &'static str;
    /// Returns the description of the table.
    fn about() -> String;
    /// Returns the keys in the order of the documentation.
    fn keys() -> Vec<KeyRow>;
    fn key_names() -> Vec<&'static str>;
    fn read_table(table: &DeTable<'_>, span: Span, reader: &mut Reader) -> Option<Self>;
}

/// Joins the lines of a doc comment.
pub(crate) fn sentence(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    lines.join(" ")
}

/// Returns the JSON schema of a table.
pub(crate) fn table_json<T: Table>() -> Json {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for row in T::keys() {
        let mut json = row.json;
        if let Json::Object(fields) = &mut json {
            fields.insert("description".into(), json!(row.about.replace('`', "")));
            if let Presence::Default(literal) = row.presence {
                fields.insert("default".into(), literal.json());
            }
        }
        if row.presence == Presence::Required {
            required.push(row.key);
        }
        properties.insert(row.key.into(), json);
    }
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "required": required,
    })
}

/// Keys of the board itself that no table has.
pub(crate) const OF_THE_BOARD: [&str; 5] = ["board", "chip", "flash", "crystal", "program"];

/// The values of a table, found by their keys.
pub(crate) struct Fields<'a> {
    noun: &'static str,
    table: &'a DeTable<'a>,
    span: Span,
}

impl<'a> Fields<'a> {
    /// Reports the keys that the table does not have.
    pub(crate) fn new<T: Table>(table: &'a DeTable<'a>, span: Span, reader: &mut Reader) -> Self {
        let known = T::key_names();
        for (key, _) in table.iter() {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                if OF_THE_BOARD.contains(&name) {
                    let kind = BoardErrorKind::KeyOfTheBoard { table: T::NOUN, key: quoted(name) };
                    reader.report(Span::of(key), kind);
                    continue;
                }
                let kind = BoardErrorKind::UnknownKey {
                    table: T::NOUN,
                    key: quoted(name),
                    known: known.clone(),
                };
                reader.report(Span::of(key), kind);
            }
        }
        Self { noun: T::NOUN, table, span }
    }

    fn entry(&self, key: &'static str) -> Option<Entry<'a>> {
        let found = self.table.iter().find(|(name, _)| {
            let name: &str = name.get_ref();
            name == key
        });
        let (_, value): (_, &'a Spanned<DeValue<'a>>) = found?;
        Some(Entry { key, span: Span::of(value), raw: Raw::of(value.get_ref()) })
    }

    pub(crate) fn required<T: Value>(&self, key: &'static str, reader: &mut Reader) -> Option<T> {
        match self.entry(key) {
            Some(entry) => T::read(entry, reader).or_else(T::fallback),
            None => {
                let (table, example) = (self.noun, T::example());
                reader.report(self.span, BoardErrorKind::MissingKey { table, key, example });
                T::fallback()
            }
        }
    }

    /// Returns `Some(None)` for a key that the file leaves out.
    pub(crate) fn optional<T: Value>(
        &self,
        key: &'static str,
        reader: &mut Reader,
    ) -> Option<Option<T>> {
        match self.entry(key) {
            Some(entry) => T::read(entry, reader).or_else(T::fallback).map(Some),
            None => Some(None),
        }
    }

    pub(crate) fn or<T: Value>(
        &self,
        key: &'static str,
        default: Literal,
        reader: &mut Reader,
    ) -> Option<T> {
        let missing = Entry { key, span: self.span, raw: default.raw() };
        T::read(self.entry(key).unwrap_or(missing), reader).or_else(T::fallback)
    }
}

impl<T: Value> Value for Vec<T> {
    fn shape() -> String {
        format!("list: {}", T::shape())
    }

    fn example() -> String {
        format!("[{}]", T::example())
    }

    fn json() -> Json {
        json!({ "type": "array", "items": T::json(), "maxItems": LIST_MAX })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let list = match entry.raw {
            Raw::List(list) => list,
            Raw::Table(_) if T::IS_TABLE => {
                let kind = BoardErrorKind::SingleTable { table: entry.key };
                return reader.refuse(entry.span, kind);
            }
            _ => return wrong_type::<Self, Self>(entry, reader),
        };
        if list.len() > LIST_MAX {
            let kind = BoardErrorKind::LongList { key: entry.key, found: list.len() };
            return reader.refuse(entry.span, kind);
        }
        let read = |value: &Spanned<DeValue<'_>>| {
            let inner =
                Entry { key: entry.key, span: Span::of(value), raw: Raw::of(value.get_ref()) };
            T::read(inner, reader)
        };
        // Reads all values before it drops the list, so that each error is reported.
        let values: Vec<Option<T>> = list.iter().map(read).collect();
        if T::IS_TABLE {
            // The other checks continue with the tables that are right.
            return Some(values.into_iter().flatten().collect());
        }
        values.into_iter().collect()
    }

    fn claims<'a>(&'a self, key: &'static str, _index: usize, found: &mut Vec<Claim<'a>>) {
        for (index, value) in self.iter().enumerate() {
            value.claims(key, index, found);
        }
    }
}

/// Reports a value of another type than `T` takes.
pub(crate) fn wrong_type<T: Value, R>(entry: Entry<'_>, reader: &mut Reader) -> Option<R> {
    let Entry { key, span, raw } = entry;
    let (found, expected, example) = (raw.noun(), T::shape(), T::example());
    let noun = if T::IS_TABLE { "table" } else { expected.split(':').next().unwrap_or_default() };
    let expected = match noun.chars().next() {
        Some(first) if "aeiou".contains(first) => format!("an {noun}"),
        Some(first) if first.is_ascii_alphabetic() => format!("a {noun}"),
        _ => noun.to_owned(),
    };
    reader.refuse(span, BoardErrorKind::WrongType { key, found, expected, example })
}

/// Type of a field.
macro_rules! field_type {
    (optional $Value:ty) => { Option<$Value> };
    ($presence:ident $Value:ty) => { $Value };
}

macro_rules! field_presence {
    (required) => {
        $crate::table::Presence::Required
    };
    (optional) => {
        $crate::table::Presence::Optional
    };
    (list) => {
        $crate::table::Presence::Optional
    };
    (default $literal:expr) => {
        $crate::table::Presence::Default($literal.into())
    };
}

macro_rules! read_field {
    ($fields:ident, $reader:ident, $key:expr, $Value:ty, required) => {
        $fields.required::<$Value>($key, $reader)
    };
    ($fields:ident, $reader:ident, $key:expr, $Value:ty, optional) => {
        $fields.optional::<$Value>($key, $reader)
    };
    ($fields:ident, $reader:ident, $key:expr, $Value:ty, list) => {
        $fields.optional::<$Value>($key, $reader).map(Option::unwrap_or_default)
    };
    ($fields:ident, $reader:ident, $key:expr, $Value:ty, default $literal:expr) => {
        $fields.or::<$Value>($key, $literal.into(), $reader)
    };
}

macro_rules! field_claims {
    ($value:expr, $key:expr, $found:ident, optional) => {
        if let Some(value) = &$value {
            $crate::table::Value::claims(value, $key, 0, $found);
        }
    };
    ($value:expr, $key:expr, $found:ident, $presence:ident) => {
        $crate::table::Value::claims(&$value, $key, 0, $found);
    };
}

/// Declares a table: `key: Type = required`, `= optional`, `= list` (a list that can be left out)
/// or `= default("value")`.
macro_rules! table {
    (
        $(#[doc = $about:literal])+
        $Table:ident, $noun:literal {
            $(
                $(#[doc = $doc:literal])+
                $field:ident: $Value:ty = $presence:ident $(($literal:expr))?;
            )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Table {
            /// Place of the table in the file.
            pub span: $crate::reader::Span,
            $($(#[doc = $doc])+ pub $field: $crate::table::field_type!($presence $Value),)*
        }

        impl $crate::table::Table for $Table {
            const NOUN: &'static str = $noun;

            fn about() -> String {
                $crate::table::sentence(&[$($about),+])
            }

            fn keys() -> Vec<$crate::table::KeyRow> {
                vec![$($crate::table::KeyRow {
                    key: stringify!($field),
                    about: $crate::table::sentence(&[$($doc),+]),
                    shape: <$Value as $crate::table::Value>::shape(),
                    presence: $crate::table::field_presence!($presence $($literal)?),
                    json: <$Value as $crate::table::Value>::json(),
                },)*]
            }

            fn key_names() -> Vec<&'static str> {
                vec![$(stringify!($field)),*]
            }

            fn read_table(
                table: &toml::de::DeTable<'_>,
                span: $crate::reader::Span,
                reader: &mut $crate::reader::Reader,
            ) -> Option<Self> {
                let fields = $crate::table::Fields::new::<Self>(table, span, reader);
                // Reads all fields before the first `?`, so that each error is reported.
                $(let $field = $crate::table::read_field!(
                    fields, reader, stringify!($field), $Value, $presence $($literal)?
                );)*
                Some(Self { span, $($field: $field?,)* })
            }
        }

        impl $crate::table::Value for $Table {
            const IS_TABLE: bool = true;

            fn shape() -> String {
                let keys: Vec<String> = <Self as $crate::table::Table>::keys()
                    .into_iter()
                    .map(|row| format!("`{}`", row.key))
                    .collect();
                format!("{} with {}", $noun, keys.join(", "))
            }

            fn example() -> String {
                let rows = <Self as $crate::table::Table>::keys();
                let needed = rows
                    .iter()
                    .filter(|row| row.presence == $crate::table::Presence::Required)
                    .map(|row| format!("{} = …", row.key));
                format!("{{ {} }}", needed.collect::<Vec<_>>().join(", "))
            }

            fn json() -> serde_json::Value {
                $crate::table::table_json::<Self>()
            }

            fn read(
                entry: $crate::reader::Entry<'_>,
                reader: &mut $crate::reader::Reader,
            ) -> Option<Self> {
                match entry.raw {
                    $crate::reader::Raw::Table(table) => {
                        <Self as $crate::table::Table>::read_table(table, entry.span, reader)
                    }
                    _ => $crate::table::wrong_type::<Self, Self>(entry, reader),
                }
            }

            fn claims<'a>(
                &'a self,
                _key: &'static str,
                _index: usize,
                found: &mut Vec<$crate::table::Claim<'a>>,
            ) {
                $($crate::table::field_claims!(self.$field, stringify!($field), found, $presence);)*
            }
        }
    };
}

/// Declares a choice of words.
macro_rules! words {
    (
        $(#[doc = $about:literal])+
        $Words:ident { $($(#[doc = $doc:literal])+ $Variant:ident = $word:literal,)+ }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Words { $($(#[doc = $doc])+ $Variant,)+ }

        impl $Words {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$Variant)),+];

            /// Returns the word in a board file.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$Variant => $word,)+ }
            }

            /// Returns the words of all choices.
            pub fn words() -> impl Iterator<Item = &'static str> {
                Self::WORDS.iter().map(|(word, _)| *word)
            }

            /// Returns the choice with that word.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, choice)| *choice)
            }
        }

        impl $crate::table::Value for $Words {
            fn shape() -> String {
                let all = [$((
                    $word, $crate::table::sentence(&[$($doc),+])
                )),+];
                let all = all.map(|(word, about)| {
                    let about = about.trim_end_matches('.').to_owned();
                    format!("`\"{word}\"` ({about})")
                });
                format!("word: {}", all.join(", "))
            }

            fn example() -> String {
                format!("\"{}\"", Self::WORDS[0].0)
            }

            fn json() -> serde_json::Value {
                let words: Vec<&str> = Self::WORDS.iter().map(|(word, _)| *word).collect();
                serde_json::json!({ "enum": words })
            }

            fn read(
                entry: $crate::reader::Entry<'_>,
                reader: &mut $crate::reader::Reader,
            ) -> Option<Self> {
                let $crate::reader::Raw::Text(text) = entry.raw else {
                    return $crate::table::wrong_type::<Self, Self>(entry, reader);
                };
                if let Some(choice) = Self::from_word(text) {
                    return Some(choice);
                }
                let kind = $crate::error::BoardErrorKind::UnknownWord {
                    key: entry.key,
                    word: $crate::reader::quoted(text),
                    known: Self::WORDS.iter().map(|(word, _)| *word).collect(),
                };
                reader.refuse(entry.span, kind)
            }
        }
    };
}

pub(crate) use {field_claims, field_presence, field_type, read_field, table, words};
