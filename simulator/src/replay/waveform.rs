//! `nudge replay --vcd`: the board's wires as a waveform.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use captures::Signal;
use captures::record::{Recording, record_vcd};
use runner::Exit;
use runner::observe::{
    ReplayEnd, ReplayObserver, ReplayStart, without_goldens, without_violations,
};

use crate::trace::waveform_notes;
use crate::unfinished::{Refusal, Unfinished, usage};

/// The file of the waveform, and what is to be said of it once the replay is over.
pub struct WaveformFile {
    path: PathBuf,
    file: Unfinished,
    recorded: Mutex<Option<Recorded>>,
}

/// A waveform that was recorded.
struct Recorded {
    written: Result<(), Refusal>,
    notes: Vec<String>,
}

impl WaveformFile {
    /// Makes sure that the file can be written.
    ///
    /// # Errors
    /// If it cannot.
    pub fn create(path: &Path) -> Result<Self, Refusal> {
        let file = Unfinished::create(path)?;
        Ok(Self { path: path.to_owned(), file, recorded: Mutex::new(None) })
    }

    /// Records all wires of a replay into the file.
    pub fn observer(&self, start: &ReplayStart<'_>) -> Box<dyn ReplayObserver + '_> {
        let signals: Vec<Signal> = Signal::all().collect();
        let recording = self.file.out().and_then(|out| {
            record_vcd(start.board, out, &signals, &start.trace.header)
                .map_err(|error| self.unwritable(&error))
        });
        Box::new(WaveformObserver { file: self, recording: Some(recording) })
    }

    /// Puts the file into its place; `None` if no replay came to its end.
    ///
    /// # Errors
    /// If `out` or `err` cannot be written.
    pub fn finish(mut self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Option<Exit>> {
        let recorded = self.recorded.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(Recorded { written, notes }) = recorded else { return Ok(None) };
        match written.and_then(|()| self.file.done(|_| Ok(()))) {
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
    /// `None` once the replay is over.
    recording: Option<Result<Recording<BufWriter<File>>, Refusal>>,
}

impl ReplayObserver for WaveformObserver<'_> {
    fn ended(&mut self, end: &ReplayEnd<'_>) {
        let Some(recording) = self.recording.take() else { return };
        let written = recording.and_then(|recording| {
            let finished = recording.finish(end.board, end.ended_at);
            finished.map_err(|error| self.file.unwritable(&error))
        });
        let notes = match end.outcome {
            // A waveform is no judgement: it says what went wrong with the trace, not with goldens.
            Ok(outcome) => {
                let outcome = without_violations(&without_goldens(end.trace, outcome));
                waveform_notes(end.path, end.trace, &outcome)
            }
            Err(panic) => vec![format!("{}: {panic}", end.path.display())],
        };
        let recorded = Recorded { written, notes };
        *self.file.recorded.lock().unwrap_or_else(PoisonError::into_inner) = Some(recorded);
    }
}
