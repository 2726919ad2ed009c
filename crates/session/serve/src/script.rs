//! A session as a trace: the lines that were executed, and the file that they are written to,
//! line by line.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hal_mock::replay::ResumePoint;
use host::output_files::Log;
use trace::{Action, Button, HeaderEntry, Line, Recorder, TAP_HOLD, Trace, When};
use virtual_time::{Instant, Nanos};

use crate::fault::{Fault, FaultKind};

/// An executed line of the trace.
#[derive(Clone)]
pub(crate) struct Played {
    pub(crate) line: Line,
    /// Time of the line, from which the next one counts.
    pub(crate) over: Instant,
    /// Number of the board's inputs after the line, and the state of the replay; `None` if the
    /// session stopped in it.
    pub(crate) after: Option<(usize, ResumePoint)>,
}

impl Played {
    /// Returns when the line has no more effect: for a tap, when the button is up.
    pub(crate) fn ends(&self) -> Instant {
        match &self.line.action {
            Action::Tap { hold, .. } => self.over.saturating_add(hold.unwrap_or(TAP_HOLD)),
            _ => self.over,
        }
    }
}

/// A session as a trace.
pub(crate) struct Script {
    header: Vec<HeaderEntry>,
    folder: PathBuf,
    played: Vec<Played>,
    /// A wait that was not satisfied: the last line of the trace, unless another one comes.
    unmet: Option<Line>,
    /// Comments for the next line.
    comments: Vec<String>,
    recorder: Recorder<Sink>,
    /// File of the recording.
    file: Option<PathBuf>,
}

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
fn fault(error: &io::Error) -> Fault {
    let kind = match error.kind() {
        io::ErrorKind::InvalidInput => FaultKind::State,
        _ => FaultKind::File,
    };
    Fault::new(kind, error)
}

impl Script {
    /// Begins a trace with this header, whose files are in `folder`, and which is recorded in
    /// `file`.
    pub(crate) fn begin(
        header: Vec<HeaderEntry>,
        folder: &Path,
        file: Option<PathBuf>,
    ) -> Result<Self, Fault> {
        let sink = match &file {
            Some(file) => {
                Sink::File(Log::create(file).map_err(|error| Fault::new(FaultKind::File, error))?)
            }
            None => Sink::Nowhere,
        };
        let recorder = Recorder::start(sink, &header)
            .map_err(|error| Fault { kind: FaultKind::Params, ..fault(&error) })?;
        let (played, comments) = (Vec::new(), Vec::new());
        let folder = folder.to_owned();
        Ok(Self { header, folder, played, unmet: None, comments, recorder, file })
    }

    /// Returns the same trace up to `lines` lines, recorded in `file`.
    pub(crate) fn again(&self, lines: usize, file: Option<PathBuf>) -> Result<Self, Fault> {
        let mut again = Self::begin(self.header.clone(), &self.folder, file)?;
        for played in self.played.iter().take(lines) {
            for comment in &played.line.above {
                again.recorder.comment(comment).map_err(|error| fault(&error))?;
            }
            again.write(&played.line)?;
            again.played.push(played.clone());
        }
        Ok(again)
    }

    pub(crate) fn played(&self) -> &[Played] {
        &self.played
    }

    /// Returns the place and time of the last power-on of the first `lines` lines.
    pub(crate) fn power_on(&self, lines: usize) -> Option<(usize, Instant)> {
        let played = &self.played[..lines.min(self.played.len())];
        let place = played.iter().rposition(|played| played.line.action == Action::PowerOn)?;
        Some((place, self.played[place].over))
    }

    /// Returns the lines from `begun` up to `end` with absolute times.
    pub(crate) fn known(&self, begun: usize, end: usize) -> Vec<Line> {
        let end = end.min(self.played.len());
        let known = |place: usize| {
            let Line { when, action, .. } = &self.played[place].line;
            let before = place.checked_sub(1).map(|before| self.played[before].over);
            let at = match when {
                When::At(at) => *at,
                When::After(span) => before.unwrap_or_default().saturating_add(*span),
            };
            Line::new(When::At(at), action.clone())
        };
        (begun..end).map(known).collect()
    }

    /// Returns the buttons that are down.
    pub(crate) fn down(&self) -> impl Iterator<Item = Button> {
        // The buttons of the lines have the names of the board.
        let mut down = [None; Button::COUNT];
        for played in self.played.iter().filter(|played| played.after.is_some()) {
            match played.line.action {
                Action::Press(button) => down[button.index()] = Some(button),
                Action::Release(button) => down[button.index()] = None,
                _ => {}
            }
        }
        down.into_iter().flatten()
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    pub(crate) fn header(&self) -> &[HeaderEntry] {
        &self.header
    }

    /// Returns the time from which the next line counts.
    pub(crate) fn clock(&self) -> Instant {
        self.played.last().map(|played| played.over).unwrap_or_default()
    }

    /// Returns the line that executes `action` at `at`.
    pub(crate) fn line(&self, at: Instant, action: Action) -> Line {
        let when = match self.played.is_empty() {
            true => When::At(at),
            false => When::After(at.saturating_since(self.clock())),
        };
        Line::new(when, action)
    }

    /// Writes `line` into the recording.
    pub(crate) fn write(&mut self, line: &Line) -> Result<(), Fault> {
        self.recorder.line(line).map_err(|error| fault(&error))
    }

    /// Adds `line`, which was written and executed.
    pub(crate) fn push(&mut self, mut line: Line, over: Instant) {
        self.unmet = None;
        line.above = std::mem::take(&mut self.comments);
        self.played.push(Played { line, over, after: None });
    }

    /// Sets the state after the last line: the number of the board's inputs, and the replay's.
    pub(crate) fn completed(&mut self, inputs: usize, point: ResumePoint) {
        if let Some(last) = self.played.last_mut() {
            last.after = Some((inputs, point));
        }
    }

    /// Adds a wait that was not satisfied: it becomes a comment, after which the session may
    /// continue.
    pub(crate) fn not_met(&mut self, line: Line) {
        let comment = format!("not met: {} {}", line.when, line.action);
        // A line that no comment can hold is not in the recording; the answer has it.
        if self.recorder.comment(&comment).is_ok() {
            self.comments.push(comment);
        }
        self.unmet = Some(line);
    }

    /// Returns the trace, which ends at `end`, or in a wait that was not satisfied.
    pub(crate) fn trace(&self, end: Instant, with_unmet: bool) -> Trace {
        let mut lines: Vec<Line> = self.played.iter().map(|played| played.line.clone()).collect();
        let last = match &self.unmet {
            Some(unmet) if with_unmet => unmet.clone(),
            _ => self.line(end, Action::End),
        };
        lines.push(last);
        Trace {
            header: self.header.clone(),
            lines,
            folder: Some(self.folder.clone()),
            ..Trace::default()
        }
    }

    /// Ends the recording at `end`.
    pub(crate) fn finish(mut self, end: Instant) -> Result<(), Fault> {
        let span = Nanos(end.saturating_since(self.clock()).0);
        let end = Line::new(When::After(span), Action::End);
        self.write(&end)
    }
}
