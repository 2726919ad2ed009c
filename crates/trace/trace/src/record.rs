//! Writes a trace while it happens: a line an event, written and flushed at once, so
//! that a crash loses nothing.
//!
//! Every line is read back by the parser's own line reader before it is written: what
//! is in the file can be replayed, and an event that no trace can hold is refused.
//! It knows no file: it writes to any [`Write`] and keeps nothing of what it wrote.

use std::io::{self, Write};

use thiserror::Error;

use super::error::ParseErrorKind;
use super::parse::{Item, LineReader};
use super::{Action, HeaderEntry, Line, VERSION, When};
use virtual_time::Instant;

/// A recording in progress. Dropped without [`Recorder::finish`] it leaves a trace
/// without `end`, which is a whole trace up to its last event.
#[derive(Debug)]
pub struct Recorder<W: Write> {
    out: W,
    reader: LineReader,
}

impl<W: Write> Recorder<W> {
    /// Writes `trace 1` and the header. The first event is to be [`Action::PowerOn`].
    ///
    /// # Errors
    /// `InvalidInput` for an entry that no header can hold, or what `out` says.
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

    /// Appends what happened `at`, in absolute time. Presses and releases are written
    /// as such: a tap is known only once it is over, and by then a crash may have come.
    ///
    /// # Errors
    /// `InvalidInput` for an event that cannot follow the one before (a time that goes
    /// back, a press of a button that is down, a name that is none), and then nothing is
    /// written; or what `out` says.
    pub fn record(&mut self, at: Instant, action: Action) -> io::Result<()> {
        let line = Line::new(When::At(at), action);
        self.write(&line.to_string()).map(drop)
    }

    /// Appends `line` as it is, with a time that may count from the line above, without the comments of it.
    ///
    /// # Errors
    /// As [`Recorder::record`].
    pub fn line(&mut self, line: &Line) -> io::Result<()> {
        self.write(&line.to_string()).map(drop)
    }

    /// Appends a full-line comment: the move that was made, what went wrong.
    ///
    /// # Errors
    /// `InvalidInput` for a text with control characters or beyond a line's length, or what
    /// `out` says.
    pub fn comment(&mut self, text: &str) -> io::Result<()> {
        self.write(&format!("# {text}")).map(drop)
    }

    /// Writes `end` and hands back what was written to.
    ///
    /// # Errors
    /// `InvalidInput` if `at` is before the last event, or what `out` says.
    pub fn finish(mut self, at: Instant) -> io::Result<W> {
        if !self.reader.has_ended() {
            self.record(at, Action::End)?;
        }
        Ok(self.out)
    }

    fn write(&mut self, line: &str) -> io::Result<Item> {
        let item = self.reader.read(line.as_bytes()).map_err(|fault| {
            self.reader.take_back();
            NotRecorded::Line(fault.kind)
        })?;
        // One call: a crash between two would leave half a line.
        self.out.write_all(format!("{line}\n").as_bytes())?;
        self.out.flush()?;
        Ok(item)
    }
}

/// Why an event or a header line is refused.
#[derive(Debug, Error)]
enum NotRecorded {
    /// No trace can hold the line.
    #[error("not recorded: {0}")]
    Line(#[source] ParseErrorKind),
    /// The entry would not be read back as it is.
    #[error("not recorded: `{key} {value}` is no header line")]
    Header { key: String, value: String },
}

impl From<NotRecorded> for io::Error {
    fn from(error: NotRecorded) -> Self {
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}
