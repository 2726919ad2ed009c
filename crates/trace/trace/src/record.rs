//! Writes a trace during a session: one line per event, written and flushed at once, so that a
//! crash loses nothing.
//!
//! The parser's own line reader reads every line before it is written: every recorded line can be
//! replayed, and an event that no trace can contain is refused. The module knows no file: it writes
//! to any [`Write`] and stores nothing of what it wrote.

use std::io::{self, Write};

use thiserror::Error;

use super::error::ParseErrorKind;
use super::parse::{Item, LineReader};
use super::{Action, HeaderEntry, Line, VERSION, When};
use virtual_time::Instant;

/// A recording in progress. If it is dropped without [`Recorder::finish`], the result is a valid
/// trace without `end`, complete up to its last event.
#[derive(Debug)]
pub struct Recorder<W: Write> {
    out: W,
    reader: LineReader,
}

impl<W: Write> Recorder<W> {
    /// Writes `trace 1` and the header. The first event must be [`Action::PowerOn`].
    ///
    /// # Errors
    /// `InvalidInput` for an entry that no header can contain, or the error of `out`.
    pub fn start(out: W, header: &[HeaderEntry]) -> io::Result<Self> {
        let mut recorder = Self { out, reader: LineReader::new("") };
        recorder.write(&format!("trace {VERSION}"))?;
        for entry in header {
            let read = recorder.write(&entry.to_string())?;
            let same = matches!(&read, Item::Header(read)
                if (&read.key, &read.value) == (&entry.key, &entry.value));
            if !same {
                let (key, value) = (entry.key.clone(), entry.value.clone());
                return Err(NotRecorded::Header { key, value }.into());
            }
        }
        recorder.write("")?;
        Ok(recorder)
    }

    /// Appends an event at the absolute time `at`. Presses and releases are written as such: a tap
    /// is known only after its release, and the program may crash before that.
    ///
    /// # Errors
    /// `InvalidInput` for an event that cannot follow the previous one (a time that goes back, a
    /// press of a pressed button, an invalid name); then nothing is written. Or the error of `out`.
    pub fn record(&mut self, at: Instant, action: Action) -> io::Result<()> {
        self.line(&Line::new(When::At(at), action))
    }

    /// Appends `line` without its full-line comments; its time may be relative to the line above.
    ///
    /// # Errors
    /// As [`Recorder::record`].
    pub fn line(&mut self, line: &Line) -> io::Result<()> {
        // The names of the board's parts are those of the events.
        self.reader.learn(&line.action);
        self.write(&line.to_string()).map(drop)
    }

    /// Appends a full-line comment, for example the move that was made or an error.
    ///
    /// # Errors
    /// `InvalidInput` for a text with control characters or beyond a line's length, or the error of
    /// `out`.
    pub fn comment(&mut self, text: &str) -> io::Result<()> {
        self.write(&format!("# {text}")).map(drop)
    }

    /// Writes `end` and returns the writer.
    ///
    /// # Errors
    /// `InvalidInput` if `at` is before the last event, or the error of `out`.
    pub fn finish(mut self, at: Instant) -> io::Result<W> {
        if !self.reader.has_ended() {
            self.record(at, Action::End)?;
        }
        Ok(self.out)
    }

    fn write(&mut self, line: &str) -> io::Result<Item> {
        let item = self.reader.read(line.as_bytes()).map_err(|fault| {
            self.reader.undo_count();
            NotRecorded::Line(fault.kind)
        })?;
        // A single call: a crash between two would leave half a line.
        self.out.write_all(format!("{line}\n").as_bytes())?;
        self.out.flush()?;
        Ok(item)
    }
}

/// Why an event or a header line is refused.
#[derive(Debug, Error)]
enum NotRecorded {
    /// No trace can contain the line.
    #[error("not recorded: {0}")]
    Line(#[source] ParseErrorKind),
    /// The entry would not be read back unchanged.
    #[error("not recorded: `{key} {value}` is no header line")]
    Header { key: String, value: String },
}

impl From<NotRecorded> for io::Error {
    fn from(error: NotRecorded) -> Self {
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}
