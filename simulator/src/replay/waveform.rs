//! `nudge replay --vcd`: the board's wires as a waveform.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use boards::BoardFactory;
use captures::Signal;
use captures::record::{Recording, record_vcd};
use host::{
    Exit,
    output_files::{Output, OutputError, OutputFile},
};
use runner::observe::{
    ReplayEnd, ReplayObserver, ReplayStart, without_goldens, without_violations,
};

use crate::refusal::{Refusal, usage};
use crate::trace::{waveform_header, waveform_notes};

/// The file of the waveform, and the notes on it after the replay.
pub struct WaveformFile {
    path: PathBuf,
    file: OutputFile,
    boards: BoardFactory,
    recorded: Mutex<Option<Recorded>>,
}

/// A recorded waveform.
struct Recorded {
    written: Result<(), Refusal>,
    notes: Vec<String>,
}

impl WaveformFile {
    /// Opens the file; an existing file is replaced only if `force` is set.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, force: bool, boards: &BoardFactory) -> Result<Self, OutputError> {
        let file = Output::new(path).replace(force).create()?;
        let boards = boards.clone();
        Ok(Self { path: path.to_owned(), file, boards, recorded: Mutex::new(None) })
    }

    /// Returns an observer that records all wires of a replay into the file.
    pub fn observer(&self, start: &ReplayStart<'_>) -> Box<dyn ReplayObserver + '_> {
        let signals: Vec<Signal> = Signal::all_of(&start.board.buttons());
        let header = waveform_header(start.trace, &self.boards, &self.path);
        let recording = self.file.writer().map_err(usage).and_then(|out| {
            record_vcd(start.board, out, &signals, &header).map_err(|error| self.unwritable(&error))
        });
        Box::new(WaveformObserver { file: self, recording: Some(recording) })
    }

    /// Completes the file; returns `None` if no replay ended.
    ///
    /// # Errors
    /// If `out` or `err` cannot be written.
    pub fn finish(self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Option<Exit>> {
        let recorded = self.recorded.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(Recorded { written, notes }) = recorded else { return Ok(None) };
        match written.and_then(|()| self.file.commit().map_err(usage)) {
            Ok(()) => {
                for note in notes {
                    writeln!(out, "note: {note}")?;
                }
                writeln!(out, "wrote {}", self.path.display())?;
                Ok(Some(Exit::Passed))
            }
            Err((exit, messages)) => {
                for message in messages {
                    writeln!(err, "nudge: {message}")?;
                }
                Ok(Some(exit))
            }
        }
    }

    fn unwritable(&self, error: &io::Error) -> Refusal {
        usage(format!("{}: {error}", self.path.display()))
    }
}

struct WaveformObserver<'a> {
    file: &'a WaveformFile,
    /// `None` after the replay.
    recording: Option<Result<Recording, Refusal>>,
}

impl ReplayObserver for WaveformObserver<'_> {
    fn ended(&mut self, end: &ReplayEnd<'_>) {
        let Some(recording) = self.recording.take() else { return };
        let written = recording.and_then(|recording| {
            let finished = recording.finish(end.board, end.ended_at);
            finished.map_err(|error| self.file.unwritable(&error))
        });
        let notes = match end.outcome {
            // Reported like by `nudge trace convert`, which compares no goldens and allows
            // violations.
            Ok(outcome) => {
                let outcome = without_violations(&without_goldens(outcome));
                waveform_notes(end.path, end.trace, &outcome)
            }
            Err(panic) => vec![format!("{}: {panic}", end.path.display())],
        };
        let recorded = Recorded { written, notes };
        *self.file.recorded.lock().unwrap_or_else(PoisonError::into_inner) = Some(recorded);
    }
}
