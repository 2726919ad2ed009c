//! Reads a trace, line by line. The first fault ends it, with its exact place.
//!
//! [`LineReader`] reads one line after another and keeps only what the next one depends
//! on; the recorder puts every line it writes through one as well, so what is recorded
//! is what can be read. It knows no file: [`load`] does. Verbs are read in `action`, what
//! `expect` looks at in `expect`, words that stand in many lines in `words`.

mod action;
mod expect;
mod fault;
mod frame_check;
mod words;

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::document::{HeaderEntry, Line, Trace, When};
use super::error::{LineFault, LoadError, ParseError, ParseErrorKind};
use super::limits::{FILE_BYTES_MAX, LINE_BYTES_MAX, LINES_MAX, VERSION};
use super::nearest::nearest;
use super::number::{looks_timed, moment, time_at};
use super::place::Place;
use super::sequence::Sequence;
use super::token::{Cursor, Word};
use crate::lfs::is_pointer;
use action::{VERBS, action};

/// Reads the trace in the file at `path`; at most [`FILE_BYTES_MAX`] bytes of it.
pub fn load(path: &Path) -> Result<Trace, LoadError> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    File::open(path)
        // One byte more than allowed tells a file that is too large, even an endless one.
        .and_then(|file| file.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| LoadError::Io { file: name.clone(), error })?;
    let mut trace = parse_bytes(&name, &bytes).map_err(LoadError::Parse)?;
    trace.folder = path.parent().map(Path::to_owned);
    Ok(trace)
}

/// Reads a trace. `file` is what errors call it.
pub fn parse(file: &str, text: &str) -> Result<Trace, ParseError> {
    parse_bytes(file, text.as_bytes())
}

/// Reads a trace that may not even be text: UTF-8, with or without a byte order mark,
/// lines ended by LF or CRLF. `file` is what errors call it.
pub fn parse_bytes(file: &str, bytes: &[u8]) -> Result<Trace, ParseError> {
    let error = |line, fault: LineFault| ParseError {
        file: file.to_owned(),
        place: Place { line, column: fault.column },
        kind: fault.kind,
    };
    if bytes.len() > FILE_BYTES_MAX {
        return Err(error(1, LineFault::new(1, ParseErrorKind::FileTooLarge)));
    }
    if is_pointer(bytes) {
        return Err(error(1, LineFault::new(1, ParseErrorKind::LfsPointer)));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);

    let mut reader = LineReader::new();
    let mut trace = Trace::default();
    let mut comments = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let read = reader.read(line);
        match read.map_err(|fault| error(reader.line.max(1), fault))? {
            Item::Blank => {}
            Item::Comment(comment) => comments.push(comment),
            Item::Version(comment) => {
                (trace.above, trace.comment) = (std::mem::take(&mut comments), comment);
            }
            Item::Header(mut entry) => {
                entry.above = std::mem::take(&mut comments);
                trace.header.push(entry);
            }
            Item::Timed(mut line) => {
                line.above = std::mem::take(&mut comments);
                trace.lines.push(line);
            }
        }
    }
    trace.closing = comments;
    reader.finish().map_err(|fault| error(reader.line.max(1), fault))?;
    Ok(trace)
}

/// What a line turned out to be.
#[derive(Debug)]
pub(super) enum Item {
    Blank,
    Comment(String),
    /// `trace 1`, with its comment.
    Version(Option<String>),
    Header(HeaderEntry),
    Timed(Line),
}

/// Reads line after line.
#[derive(Debug)]
pub(super) struct LineReader {
    /// The number of the line read last; 0 before the first.
    pub(super) line: u32,
    versioned: bool,
    /// The line in which each header key stands.
    keys: HashMap<String, u32>,
    sequence: Sequence,
}

impl LineReader {
    pub(super) fn new() -> Self {
        Self { line: 0, versioned: false, keys: HashMap::new(), sequence: Sequence::new() }
    }

    /// Whether `end` has been read.
    pub(super) fn has_ended(&self) -> bool {
        self.sequence.has_ended()
    }

    /// Reads the next line, without its line end.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<Item, LineFault> {
        self.line += 1;
        if self.line > LINES_MAX {
            return Err(LineFault::new(1, ParseErrorKind::TooManyLines));
        }
        let text = decode(bytes)?;
        let mut cursor = Cursor::new(text);
        let Some(first) = cursor.word() else {
            let comment = cursor.finish("a blank line")?;
            return Ok(comment.map_or(Item::Blank, Item::Comment));
        };
        if !self.versioned {
            self.versioned = true;
            version(first, &mut cursor).map(Item::Version)
        } else if looks_timed(first.text) {
            self.timed(first, cursor).map(Item::Timed)
        } else if self.sequence.has_started() {
            Err(LineFault::new(first.column, untimed(first.text)))
        } else {
            self.header(first, cursor).map(Item::Header)
        }
    }

    /// Says what is missing once all lines are read.
    pub(super) fn finish(&self) -> Result<(), LineFault> {
        if !self.versioned {
            Err(LineFault::new(1, ParseErrorKind::Empty))
        } else if !self.sequence.has_started() {
            Err(LineFault::new(1, ParseErrorKind::NoTimedLine))
        } else {
            Ok(())
        }
    }

    fn header(
        &mut self,
        first: Word<'_>,
        mut cursor: Cursor<'_>,
    ) -> Result<HeaderEntry, LineFault> {
        let key = first.text;
        let fault = |kind| Err(LineFault::new(first.column, kind));
        if VERBS.contains(&key) {
            return fault(untimed(key));
        }
        if key == "trace" {
            return fault(ParseErrorKind::SecondVersion);
        }
        let in_alphabet =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !key.starts_with(|first: char| first.is_ascii_lowercase())
            || !key.bytes().all(in_alphabet)
        {
            return fault(ParseErrorKind::NotAKey(key.to_owned()));
        }
        let value = cursor.value(&format!("header key `{key}`"))?;
        let comment = cursor.finish("a value")?;
        if let Some(line) = self.keys.insert(key.to_owned(), self.line) {
            return fault(ParseErrorKind::SecondKey { key: key.to_owned(), line });
        }
        let place = |word: Word<'_>| Place { line: self.line, column: word.column };
        Ok(HeaderEntry {
            key: key.to_owned(),
            value: value.text.to_owned(),
            key_place: place(first),
            value_place: place(value),
            above: Vec::new(),
            comment,
        })
    }

    fn timed(&mut self, first: Word<'_>, mut cursor: Cursor<'_>) -> Result<Line, LineFault> {
        let when = when(first, &cursor)?;
        let verb = cursor.need("a time", &format!("a verb: {}", VERBS.join(", ")))?;
        let action = action(verb, &mut cursor)?;
        let comment = cursor.finish(&format!("`{}`", action.noun()))?;
        self.sequence
            .accept(self.line, when, &action)
            .map_err(|error| LineFault::new(verb.column, error))?;
        let place = Place { line: self.line, column: verb.column };
        Ok(Line { when, action, place, above: Vec::new(), comment })
    }
}

/// The bytes of a line as text without control characters.
fn decode(bytes: &[u8]) -> Result<&str, LineFault> {
    if bytes.len() > LINE_BYTES_MAX {
        return Err(LineFault::new(1, ParseErrorKind::LineTooLong(bytes.len())));
    }
    let column = |before: &str| before.chars().count() as u32 + 1;
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let (valid, rest) = bytes.split_at(error.valid_up_to());
        let byte = rest.first().copied().unwrap_or_default();
        let before = std::str::from_utf8(valid).unwrap_or_default();
        LineFault::new(column(before), ParseErrorKind::NotUtf8(byte))
    })?;
    match text.char_indices().find(|(_, letter)| letter.is_control() && *letter != '\t') {
        None => Ok(text),
        Some((at, letter)) => {
            let kind = match letter {
                '\0' => ParseErrorKind::NulByte,
                _ => ParseErrorKind::ControlCharacter(letter),
            };
            Err(LineFault::new(column(&text[..at]), kind))
        }
    }
}

fn version(first: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Option<String>, LineFault> {
    if first.text != "trace" {
        let kind = ParseErrorKind::NotATrace(first.text.to_owned());
        return Err(LineFault::new(first.column, kind));
    }
    let number = cursor.need("`trace`", "its version: `trace 1`")?;
    if number.text != VERSION.to_string() {
        let kind = ParseErrorKind::UnknownVersion(number.text.to_owned());
        return Err(LineFault::new(number.column, kind));
    }
    cursor.finish("the version")
}

/// Why a line without a time cannot stand here.
fn untimed(word: &str) -> ParseErrorKind {
    let text = word.to_owned();
    match nearest(word, &VERBS) {
        Some(verb) => ParseErrorKind::NoTime { word: text, verb },
        None => ParseErrorKind::NeitherTimeNorVerb(text),
    }
}

fn when(first: Word<'_>, behind: &Cursor<'_>) -> Result<When, LineFault> {
    let next = behind.clone().word().map_or("", |word| word.text);
    let joined = format!("{}{next}", first.text);
    let read = match first.text.strip_prefix('+') {
        Some("") => {
            return Err(LineFault::new(first.column, ParseErrorKind::PlusWithoutTime));
        }
        Some(span) => time_at(span, first.column + 1).map(When::After),
        None => moment(first).map(When::At),
    };
    read.map_err(|fault| {
        // `250 ms tap B3`: the unit is there, behind a blank.
        let whole = joined.strip_prefix('+').unwrap_or(&joined);
        let blank = !next.is_empty() && time_at(whole, 1).is_ok();
        if !blank {
            return fault;
        }
        let number = first.text.to_owned();
        LineFault::new(first.column, ParseErrorKind::BlankBeforeUnit { number, joined })
    })
}
