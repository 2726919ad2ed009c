//! Reads a trace, line by line. The first fault ends it, with its exact place.
//!
//! [`LineReader`] reads one line after another and keeps only what the next one depends
//! on; the recorder puts every line it writes through one as well, so what is recorded
//! is what can be read. It knows no file: [`load`] does. Verbs are read in `action`, what
//! `expect` looks at in `expect`, words that stand in many lines in `words`.

mod action;
mod expect;
mod fault;
pub(super) mod frame_check;
mod words;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::document::{HeaderEntry, Line, Place, Trace, When};
use super::limits::{FILE_BYTES_MAX, LINE_BYTES_MAX, LINES_MAX, VERSION};
use thiserror::Error;

use super::nearest::{did_you_mean, nearest};
use super::number::{looks_timed, moment, time_at};
use super::sequence::Sequence;
use super::token::{Cursor, Fault, Word, abbreviated};
use action::{VERBS, action};
use words::listed;

const HOW_A_TRACE_BEGINS: &str = "a trace begins with `trace 1`";

/// Why a trace cannot be read, and where: `win.trace:41:9: release of B3, which is not down`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{place}: {message}")]
pub struct ParseError {
    /// The file's name, as it was given.
    pub file: String,
    /// Where the fault is.
    pub place: Place,
    /// The fact, the limit and the next step.
    pub message: String,
}

/// Why [`load`] has no trace.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{file}: {error}")]
    Io {
        /// Its name.
        file: String,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// It can be read, but is no trace.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

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
    let error = |line, fault: Fault| ParseError {
        file: file.to_owned(),
        place: Place { line, column: fault.column },
        message: fault.message,
    };
    if bytes.len() > FILE_BYTES_MAX {
        let limit = FILE_BYTES_MAX >> 20;
        return Err(error(1, Fault::new(1, format!("the file is larger than {limit} MiB"))));
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
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<Item, Fault> {
        self.line += 1;
        if self.line > LINES_MAX {
            return Err(Fault::new(1, format!("a trace has at most {LINES_MAX} lines")));
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
            Err(Fault::new(first.column, untimed(first.text)))
        } else {
            self.header(first, cursor).map(Item::Header)
        }
    }

    /// Says what is missing once all lines are read.
    pub(super) fn finish(&self) -> Result<(), Fault> {
        if !self.versioned {
            Err(Fault::new(1, format!("nothing stands here; {HOW_A_TRACE_BEGINS}")))
        } else if !self.sequence.has_started() {
            Err(Fault::new(1, "no timed line follows; a trace needs at least `0ms power on`"))
        } else {
            Ok(())
        }
    }

    fn header(&mut self, first: Word<'_>, mut cursor: Cursor<'_>) -> Result<HeaderEntry, Fault> {
        let key = first.text;
        let fault = |message: String| Err(Fault::new(first.column, message));
        if VERBS.contains(&key) {
            return fault(untimed(key));
        }
        if key == "trace" {
            return fault("`trace` stands once, in the first line".into());
        }
        let in_alphabet =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !key.starts_with(|first: char| first.is_ascii_lowercase())
            || !key.bytes().all(in_alphabet)
        {
            let key = abbreviated(key);
            return fault(format!(
                "{key} is no header key; a key is a lower-case letter, then lower-case letters, digits and -"
            ));
        }
        let value = cursor.value(&format!("header key `{key}`"))?;
        let comment = cursor.finish("a value")?;
        if let Some(line) = self.keys.insert(key.to_owned(), self.line) {
            return fault(format!("header key `{key}` stands in line {line} already"));
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

    fn timed(&mut self, first: Word<'_>, mut cursor: Cursor<'_>) -> Result<Line, Fault> {
        let when = when(first, &cursor)?;
        let verb = cursor.need("a time", &format!("a verb: {}", listed(&VERBS)))?;
        let action = action(verb, &mut cursor)?;
        let comment = cursor.finish(&format!("`{}`", action.noun()))?;
        self.sequence
            .accept(self.line, when, &action)
            .map_err(|message| Fault::new(verb.column, message))?;
        let place = Place { line: self.line, column: verb.column };
        Ok(Line { when, action, place, above: Vec::new(), comment })
    }
}

/// The bytes of a line as text without control characters.
fn decode(bytes: &[u8]) -> Result<&str, Fault> {
    if bytes.len() > LINE_BYTES_MAX {
        let length = bytes.len();
        return Err(Fault::new(
            1,
            format!("the line has {length} bytes; a line has at most {LINE_BYTES_MAX}"),
        ));
    }
    let column = |before: &str| before.chars().count() as u32 + 1;
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let (valid, rest) = bytes.split_at(error.valid_up_to());
        let byte = rest.first().copied().unwrap_or_default();
        let before = std::str::from_utf8(valid).unwrap_or_default();
        Fault::new(column(before), format!("byte 0x{byte:02X} is not UTF-8; a trace is plain text"))
    })?;
    match text.char_indices().find(|(_, letter)| letter.is_control() && *letter != '\t') {
        None => Ok(text),
        Some((at, letter)) => {
            let what = match letter {
                '\0' => "a NUL byte".to_owned(),
                _ => format!("the control character U+{:04X}", u32::from(letter)),
            };
            Err(Fault::new(
                column(&text[..at]),
                format!("{what} stands here; a trace is plain text"),
            ))
        }
    }
}

fn version(first: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Option<String>, Fault> {
    if first.text != "trace" {
        let word = abbreviated(first.text);
        let hint = did_you_mean(first.text, &["trace"]);
        return Err(Fault::new(
            first.column,
            format!("{HOW_A_TRACE_BEGINS}, not with {word}{hint}"),
        ));
    }
    let number = cursor.need("`trace`", "its version: `trace 1`")?;
    if number.text != VERSION.to_string() {
        let word = abbreviated(number.text);
        return Err(Fault::new(
            number.column,
            format!("version {word} of the format is unknown; this build reads version {VERSION}"),
        ));
    }
    cursor.finish("the version")
}

/// Why a line without a time cannot stand here.
fn untimed(word: &str) -> String {
    let text = abbreviated(word);
    match nearest(word, &VERBS) {
        Some(verb) => {
            format!("{text} lacks its time; a timed line begins with one, like `+0ms {verb} …`")
        }
        None => format!(
            "{text} is no time; below the first timed line each begins with one, like `250ms` or `+2s`"
        ),
    }
}

fn when(first: Word<'_>, behind: &Cursor<'_>) -> Result<When, Fault> {
    let next = behind.clone().word().map_or("", |word| word.text);
    let joined = format!("{}{next}", first.text);
    let read = match first.text.strip_prefix('+') {
        Some("") => {
            return Err(Fault::new(first.column, "`+` needs its time right behind it, like `+2s`"));
        }
        Some(span) => time_at(span, first.column + 1).map(When::After),
        None => moment(first).map(When::At),
    };
    read.map_err(|fault| {
        // `250 ms tap B3`: the unit is there, behind a blank.
        let whole = joined.strip_prefix('+').unwrap_or(&joined);
        let blank = !next.is_empty() && time_at(whole, 1).is_ok();
        let hint =
            format!("{} lacks its unit; write `{joined}` without a blank", abbreviated(first.text));
        if blank { Fault::new(first.column, hint) } else { fault }
    })
}
