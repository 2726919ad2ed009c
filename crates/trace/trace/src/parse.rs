//! Reads one line after another, and stores only what the next one depends on.
//!
//! [`super::reading`] passes the lines of a file through a [`LineReader`]; the recorder passes
//! every line that it writes through one as well, so every recording can be read. The reader
//! continues after a wrong line. It knows no file. `action` reads verbs, `control` the lines that
//! move a control, `display` the display that a line names, `expect` the arguments of `expect`,
//! `words` the words that occur in many lines.

mod action;
mod control;
mod display;
mod expect;
mod fault;
mod frame_check;
mod led;
mod text_check;
mod touch;
mod words;

use std::collections::HashMap;
use std::sync::Arc;

use super::Action;
use super::board_parts::BoardParts;
use super::document::{HeaderEntry, Line, When};
use super::error::{IncludeError, LineFault, ParseErrorKind};
use super::header_note;
use super::include::{INCLUDE, check_path};
use super::limits::{LINE_BYTES_MAX, LINES_MAX, VERSION};
use super::nearest::nearest;
use super::number::{instant, is_time_like, time_at};
use super::place::Place;
use super::sequence::{Sequence, SourceLine};
use super::token::{Cursor, Word};
use action::{VERBS, action};

/// The content of a line.
#[derive(Debug)]
pub(super) enum Item {
    Blank,
    Comment(String),
    /// `trace 1`, with its comment.
    Version(Option<String>),
    Header(HeaderEntry),
    Timed(Line),
    /// `include PATH`: the columns of both words, the path, the comment.
    Include {
        column: u32,
        path: String,
        path_column: u32,
        comment: Option<String>,
    },
}

/// Reads the action of a timed line, without its time: `tap B3 for 200ms`. `parts` are those of the
/// board. Does not check whether the action can follow another line. Drops a comment after the
/// action.
///
/// # Errors
/// The first error in the text.
pub fn parse_action(text: &str, parts: &BoardParts) -> Result<Action, ParseErrorKind> {
    let read = || {
        let mut cursor = Cursor::new(decode(text.as_bytes())?);
        let verb = cursor.need("nothing", &format!("a verb: {}", VERBS.join(", ")))?;
        let action = action(verb, &mut cursor, parts)?;
        cursor.finish(&format!("`{}`", action.noun()))?;
        Ok(action)
    };
    read().map_err(|fault: LineFault| fault.kind)
}

/// Reads a trace line by line.
#[derive(Debug)]
pub(super) struct LineReader {
    /// The last line that was read; 0 before the first line of a file.
    at: SourceLine,
    /// Number of lines read, in all files.
    lines: u32,
    /// Whether the line is in an included file.
    included: bool,
    /// Number of the line with `trace 1`.
    version: Option<u32>,
    /// Line number of each header key.
    keys: HashMap<String, u32>,
    sequence: Sequence,
    parts: BoardParts,
}

impl LineReader {
    /// Creates a reader for a trace that errors call `file`.
    pub(super) fn new(file: &str) -> Self {
        Self {
            at: SourceLine { file: Arc::from(file), line: 0 },
            lines: 0,
            included: false,
            version: None,
            keys: HashMap::new(),
            sequence: Sequence::new(),
            parts: BoardParts::lcd_board(),
        }
    }

    /// Creates a reader for an included file that is read by itself: the lines before it are
    /// unknown.
    pub(super) fn of_included(file: &str) -> Self {
        let mut reader = Self { included: true, version: Some(0), ..Self::new(file) };
        reader.sequence.recover(None, None, None);
        reader
    }

    /// Reads lines of a board with these parts from now on.
    pub(super) fn set_parts(&mut self, parts: BoardParts) {
        self.parts = parts;
    }

    /// Reads the names of the parts of this action from now on.
    pub(super) fn learn(&mut self, action: &Action) {
        if let Some(button) = action.button() {
            self.parts.buttons.rename(button);
        }
        if let Some(control) = action.control() {
            self.parts.controls.learn(control);
        }
        if let Some(led) = action.led() {
            self.parts.leds.learn(led);
        }
        if let Some(display) = action.display() {
            self.parts.displays.learn(display);
        }
    }

    /// Returns the parts of the board whose lines are read.
    pub(super) fn parts(&self) -> &BoardParts {
        &self.parts
    }

    /// Returns the last line that was read.
    pub(super) fn at(&self) -> &SourceLine {
        &self.at
    }

    /// Continues with the first line of the included `file`; returns the argument for
    /// [`leave`](Self::leave).
    pub(super) fn enter(&mut self, file: Arc<str>) -> (SourceLine, bool) {
        let at = core::mem::replace(&mut self.at, SourceLine { file, line: 0 });
        (at, core::mem::replace(&mut self.included, true))
    }

    /// Returns to the file that was left by [`enter`](Self::enter).
    pub(super) fn leave(&mut self, before: (SourceLine, bool)) {
        (self.at, self.included) = before;
    }

    /// Returns whether a line with a time has been read.
    pub(super) fn has_started(&self) -> bool {
        self.sequence.has_started()
    }

    /// Returns whether `end` has been read.
    pub(super) fn has_ended(&self) -> bool {
        self.sequence.has_ended()
    }

    /// Undoes the count of the last line, which was refused.
    pub(super) fn undo_count(&mut self) {
        self.at.line -= 1;
        self.lines -= 1;
    }

    /// Reads the next line, without its line end.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<Item, LineFault> {
        self.at.line += 1;
        self.lines += 1;
        if self.lines > LINES_MAX {
            return Err(LineFault::new(1, ParseErrorKind::TooManyLines));
        }
        let text = decode(bytes)?;
        let mut cursor = Cursor::new(text);
        let Some(first) = cursor.word() else {
            let comment = cursor.finish("a blank line")?;
            return Ok(comment.map_or(Item::Blank, Item::Comment));
        };
        if self.version.is_none() {
            self.version = Some(self.at.line);
            version(first, &mut cursor).map(Item::Version)
        } else if is_time_like(first.text) {
            self.timed(first, cursor).map(Item::Timed)
        } else if first.text == INCLUDE {
            include(first, cursor)
        } else if self.included {
            Err(LineFault::new(first.column, untimed_in_included(first.text)))
        } else if self.sequence.has_started() {
            Err(LineFault::new(first.column, untimed(first.text)))
        } else {
            self.header(first, cursor).map(Item::Header)
        }
    }

    /// Continues after a line that [`read`](Self::read) has refused, so that errors of later lines
    /// that only follow from this one are not reported. Returns false if nothing more can be read.
    pub(super) fn recover(&mut self, bytes: &[u8], fault: &LineFault) -> bool {
        let is_version = self.version.is_none_or(|line| line == self.at.line && !self.included);
        if is_version || fault.kind == ParseErrorKind::TooManyLines {
            return false;
        }
        let mut cursor = Cursor::new(decode(bytes).unwrap_or_default());
        let Some(first) = cursor.word() else {
            self.lose();
            return true;
        };
        let timed = is_time_like(first.text);
        if timed {
            let blank = matches!(fault.kind, ParseErrorKind::BlankBeforeUnit { .. });
            let unit = if blank { cursor.word() } else { None };
            let time = format!("{}{}", first.text, unit.map_or("", |unit| unit.text));
            let when = when(Word { text: &time, column: 1 }, &cursor).ok();
            let verb = cursor.word();
            let read = verb.and_then(|verb| action(verb, &mut cursor, &self.parts).ok());
            self.sequence.recover(when, verb.map(|verb| verb.text), read.as_ref());
            return true;
        }
        if let Some(verb) = nearest(first.text, &VERBS) {
            // The line is a verb without its time.
            let read = action(Word { text: verb, ..first }, &mut cursor, &self.parts).ok();
            self.sequence.recover(None, Some(verb), read.as_ref());
        } else if let Some(verb) = cursor.word().filter(|second| VERBS.contains(&second.text)) {
            // The line begins with a time that does not look like one, such as `Oms`.
            let read = action(verb, &mut cursor, &self.parts).ok();
            self.sequence.recover(None, Some(verb.text), read.as_ref());
        } else if first.text == INCLUDE {
            self.lose();
        }
        true
    }

    /// Continues after unreadable lines, which may have had any effect.
    pub(super) fn lose(&mut self) {
        self.sequence.recover(None, None, None);
    }

    /// Returns an error if a required line is missing after all lines are read.
    pub(super) fn finish(&self) -> Result<(), LineFault> {
        if self.version.is_none() {
            Err(LineFault::new(1, ParseErrorKind::Empty))
        } else if !self.sequence.may_have_started() {
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
        if nearest(key, &[INCLUDE]).is_some() {
            return fault(IncludeError::Misspelt(key.to_owned()).into());
        }
        let in_alphabet =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !key.starts_with(|first: char| first.is_ascii_lowercase())
            || !key.bytes().all(in_alphabet)
        {
            return fault(ParseErrorKind::NotAKey(key.to_owned()));
        }
        let value = header_note::value(key, &mut cursor)?;
        let comment = cursor.finish("a value")?;
        if let Some(&line) = self.keys.get(key) {
            return fault(ParseErrorKind::SecondKey { key: key.to_owned(), line });
        }
        self.keys.insert(key.to_owned(), self.at.line);
        let place = |word: Word<'_>| Place { line: self.at.line, column: word.column };
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
        if verb.text == INCLUDE {
            return Err(LineFault::new(verb.column, IncludeError::WithTime));
        }
        let action = action(verb, &mut cursor, &self.parts)?;
        let comment = cursor.finish(&format!("`{}`", action.noun()))?;
        self.sequence
            .accept(&self.at, when, &action)
            .map_err(|error| LineFault::new(verb.column, error))?;
        let place = Place { line: self.at.line, column: verb.column };
        Ok(Line { place, comment, ..Line::new(when, action) })
    }
}

/// Decodes the bytes of a line as text without control characters.
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

/// Reads `include PATH`, with an optional comment.
fn include(first: Word<'_>, mut cursor: Cursor<'_>) -> Result<Item, LineFault> {
    let path = cursor.need("`include`", "the path of a file, like `open-menu.inc`")?;
    check_path(path.text).map_err(|error| LineFault::new(path.column, error))?;
    let comment = cursor.finish("the path")?;
    let (column, path_column) = (first.column, path.column);
    Ok(Item::Include { column, path: path.text.to_owned(), path_column, comment })
}

/// Returns the error for a line without a time.
fn untimed(word: &str) -> ParseErrorKind {
    let text = word.to_owned();
    if nearest(word, &[INCLUDE]).is_some() {
        return IncludeError::Misspelt(text).into();
    }
    match nearest(word, &VERBS) {
        Some(verb) => ParseErrorKind::NoTime { word: text, verb },
        None => ParseErrorKind::NeitherTimeNorVerb(text),
    }
}

/// Returns the error for a line without a time in an included file, which has no header.
fn untimed_in_included(word: &str) -> ParseErrorKind {
    match untimed(word) {
        ParseErrorKind::NeitherTimeNorVerb(word) => IncludeError::NotTimed(word).into(),
        kind => kind,
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
        None => instant(first).map(When::At),
    };
    read.map_err(|fault| {
        // In `250 ms tap B3` a space separates the time from its unit.
        let whole = joined.strip_prefix('+').unwrap_or(&joined);
        let blank = !next.is_empty() && time_at(whole, 1).is_ok();
        if !blank {
            return fault;
        }
        let number = first.text.to_owned();
        LineFault::new(first.column, ParseErrorKind::BlankBeforeUnit { number, joined })
    })
}
