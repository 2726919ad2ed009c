//! The recording of a session: the file that its lines are written to, one by one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use host::output_files::Log;
use timeline::ExecutedLine;
use trace::{Action, HeaderEntry, Line, Recorder, When};
use virtual_time::{Instant, Nanos};

use crate::fault::{Fault, FaultKind};

/// Output of lines. Each line is parsed again as a check, written or not.
enum Sink {
    Nowhere,
    File(Log),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Nowhere => Ok(bytes.len()),
            Self::File(log) => log.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Nowhere => Ok(()),
            Self::File(log) => log.flush(),
        }
    }
}

/// Returns the fault of the recorder: no trace can hold the line, or the disk does not take it.
pub(crate) fn fault(error: &io::Error) -> Fault {
    let kind = match error.kind() {
        io::ErrorKind::InvalidInput => FaultKind::State,
        _ => FaultKind::File,
    };
    Fault::new(kind, error)
}

/// The recording of a session.
pub(crate) struct Recording {
    recorder: Recorder<Sink>,
    file: Option<PathBuf>,
}

impl Recording {
    /// Begins a recording with this header in `file`.
    pub(crate) fn begin(header: &[HeaderEntry], file: Option<PathBuf>) -> Result<Self, Fault> {
        let sink = match &file {
            Some(file) => {
                Sink::File(Log::create(file).map_err(|error| Fault::new(FaultKind::File, error))?)
            }
            None => Sink::Nowhere,
        };
        let recorder = Recorder::start(sink, header)
            .map_err(|error| Fault { kind: FaultKind::Params, ..fault(&error) })?;
        Ok(Self { recorder, file })
    }

    /// Begins a recording with these lines.
    pub(crate) fn of(
        header: &[HeaderEntry],
        lines: &[ExecutedLine],
        file: Option<PathBuf>,
    ) -> Result<Self, Fault> {
        let mut recording = Self::begin(header, file)?;
        for ExecutedLine { line, .. } in lines {
            for comment in &line.above {
                recording.recorder.comment(comment).map_err(|error| fault(&error))?;
            }
            recording.line(line).map_err(|error| fault(&error))?;
        }
        Ok(recording)
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: &Line) -> io::Result<()> {
        self.recorder.line(line)
    }

    /// Writes a comment. Returns false if no comment can hold the text.
    pub(crate) fn comment(&mut self, text: &str) -> bool {
        self.recorder.comment(text).is_ok()
    }

    /// Ends the recording at `end`; its last line is over at `clock`.
    pub(crate) fn finish(mut self, clock: Instant, end: Instant) -> Result<(), Fault> {
        let span = Nanos(end.saturating_since(clock).0);
        self.line(&Line::new(When::After(span), Action::End)).map_err(|error| fault(&error))
    }
}
