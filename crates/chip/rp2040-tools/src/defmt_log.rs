//! defmt: messages whose texts are in the ELF file; the program sends only their numbers and
//! arguments.
//!
//! [`DefmtLog`] converts the bytes of an RTT channel into lines. [`defmt_decoder`] reads the tables
//! of the ELF and decodes frames, in the versions of the wire format that it knows (3 and 4). This
//! module adds the rest: frames that are cut anywhere, damaged frames, levels and the text of a
//! line. It needs the feature `defmt` of this crate; without it [`DefmtLog::new`] returns an error.
//!
//! A frame of defmt's usual encoding (rzCOBS) ends with a zero, so a damaged one is left out and
//! the next one is decoded. The raw encoding has no marks: after a damaged frame nothing more can
//! be decoded.

use std::fmt;
use std::str::FromStr;

/// Reason why messages cannot be decoded. `Display` is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DefmtError {
    /// This library was built without the decoder.
    #[error("this nudge was built without its feature `defmt`")]
    NotBuilt,
    /// The file has no table of messages.
    #[error("it has no section .defmt: it logs nothing by defmt, or is linked without `-Tdefmt.x`")]
    NoTable,
    /// The table cannot be read.
    #[error("its table of defmt messages cannot be read: {0}")]
    Table(String),
}

/// Reason why a word is not a filter. `Display` is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelsError {
    /// A level in the filter is unknown.
    #[error("{0:?} is no level; the levels are trace, debug, info, warn, error and off")]
    NoLevel(String),
}

/// Reason why a word is not a format. `Display` is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// A field in the format is unknown.
    #[error(
        "{{{0}}} is no field; the fields are {{t}}, {{L}}, {{s}}, {{c}}, {{m}}, {{f}}, {{F}} and {{l}}"
    )]
    NoField(String),
    /// The message field is missing.
    #[error("the format has no {{s}}, the message")]
    NoMessage,
    /// A brace is not closed.
    #[error("the format ends within a field")]
    Open,
}

/// Severity of a message. A message without a level, as of `defmt::println!`, is always shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    #[default]
    Trace,
    Debug,
    Info,
    Warn,
    /// `defmt::error!`
    Error,
    /// In a filter only: no message is shown.
    Off,
}

impl Level {
    const ALL: [(&'static str, Self); 6] = [
        ("trace", Self::Trace),
        ("debug", Self::Debug),
        ("info", Self::Info),
        ("warn", Self::Warn),
        ("error", Self::Error),
        ("off", Self::Off),
    ];
}

impl FromStr for Level {
    type Err = LevelsError;

    fn from_str(word: &str) -> Result<Self, LevelsError> {
        let found = Self::ALL.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word.trim()));
        found.map(|(_, level)| level).ok_or_else(|| LevelsError::NoLevel(word.to_owned()))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(_, level)| level == self).map_or("", |(name, _)| name);
        out.pad(&name.to_ascii_uppercase())
    }
}

/// Lowest level that is shown, in general and per module, in the syntax of `DEFMT_LOG` at build
/// time: `info`, `warn,app::radio=trace`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    general: Level,
    /// Paths of modules with their levels, longest first.
    modules: Vec<(String, Level)>,
}

impl FromStr for Levels {
    type Err = LevelsError;

    fn from_str(words: &str) -> Result<Self, LevelsError> {
        let mut levels = Self::default();
        for word in words.split(',').filter(|word| !word.trim().is_empty()) {
            match word.split_once('=') {
                Some((module, level)) => {
                    levels.modules.push((module.trim().to_owned(), level.parse()?));
                }
                None => levels.general = word.parse()?,
            }
        }
        levels.modules.sort_by_key(|(module, _)| std::cmp::Reverse(module.len()));
        Ok(levels)
    }
}

impl Levels {
    /// Returns whether a message of `level` in the module of this path is shown. A setting for a
    /// module also applies to the modules in it.
    pub fn show(&self, level: Option<Level>, module: Option<&str>) -> bool {
        let Some(level) = level else { return true };
        let is_in = |path: &str| {
            module
                .and_then(|module| module.strip_prefix(path))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let least = self.modules.iter().find(|(path, _)| is_in(path));
        level >= least.map_or(self.general, |(_, level)| *level)
    }

    /// Returns whether any module has a level of its own.
    pub fn name_modules(&self) -> bool {
        !self.modules.is_empty()
    }
}

/// A field of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Time,
    Level,
    Message,
    Crate,
    Module,
    File,
    Path,
    Line,
}

/// Format of a line: texts and fields, as in `{t} [{L}] {s}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(Field),
}

/// The named formats.
const FORMATS: [(&str, &str); 2] =
    [("oneline", "{t} [{L}] {s} ({c} {f}:{l})"), ("full", "{t} {L} {s}\n└─ {m} @ {F}:{l}")];

impl Default for Format {
    fn default() -> Self {
        FORMATS[0].1.parse().unwrap_or(Self { parts: vec![Part::Field(Field::Message)] })
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(word: &str) -> Result<Self, FormatError> {
        let named = FORMATS.iter().find(|(name, _)| *name == word);
        let mut rest = named.map_or(word, |(_, format)| format);
        let mut parts = Vec::new();
        while let Some((text, after)) = rest.split_once('{') {
            if !text.is_empty() {
                parts.push(Part::Text(text.to_owned()));
            }
            let (name, after) = after.split_once('}').ok_or(FormatError::Open)?;
            parts.push(Part::Field(match name {
                "t" => Field::Time,
                "L" => Field::Level,
                "s" => Field::Message,
                "c" => Field::Crate,
                "m" => Field::Module,
                "f" => Field::File,
                "F" => Field::Path,
                "l" => Field::Line,
                _ => return Err(FormatError::NoField(name.to_owned())),
            }));
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        if parts.contains(&Part::Field(Field::Message)) {
            Ok(Self { parts })
        } else {
            Err(FormatError::NoMessage)
        }
    }
}

#[cfg(feature = "defmt")]
mod decode;
#[cfg(feature = "defmt")]
mod line;
#[cfg(feature = "defmt")]
pub use decode::DefmtLog;

/// Placeholder for the decoder, which is not built.
#[cfg(not(feature = "defmt"))]
#[derive(Debug)]
pub enum DefmtLog {}

#[cfg(not(feature = "defmt"))]
impl DefmtLog {
    /// Returns the error that there is no decoder.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: &[u8], _: Levels, _: Format) -> Result<Self, DefmtError> {
        Err(DefmtError::NotBuilt)
    }

    /// Returns the lines of these bytes.
    pub fn take(&mut self, _: &[u8]) -> String {
        match *self {}
    }

    /// Returns descriptions of the problems.
    pub fn problems(&self) -> Vec<String> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_has_a_level_and_modules_with_theirs() {
        let levels: Levels = "warn,app::radio=trace,app=off".parse().unwrap();
        let shown = |level, module| levels.show(Some(level), Some(module));
        assert!(shown(Level::Warn, "other") && !shown(Level::Info, "other"));
        assert!(shown(Level::Trace, "app::radio::link") && !shown(Level::Error, "app::radios"));
        assert!(levels.show(None, Some("app")) && levels.show(Some(Level::Warn), None));
        assert!(Levels::default().show(Some(Level::Trace), None));
        let said = "app=loud".parse::<Levels>().unwrap_err().to_string();
        assert_eq!(
            said,
            "\"loud\" is no level; the levels are trace, debug, info, warn, error and off"
        );
    }

    #[test]
    fn a_format_without_its_message_is_refused() {
        let said = |format: &str| format.parse::<Format>().unwrap_err();
        assert_eq!(said("{t}"), FormatError::NoMessage);
        assert_eq!(said("{s} {x}"), FormatError::NoField("x".into()));
        assert_eq!(said("{s} {"), FormatError::Open);
    }
}
