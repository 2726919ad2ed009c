//! A session of a client: a board that it drives, the recording, and the goldens.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use hal_mock::{
    VirtualBoard,
    replay::{Failure, Stopped},
};
use host::output_files::{Output, goldens_of};
use reading::text::Reader;
use serde_json::{Value, json};
use timeline::{COPIED_EVERY, DrivenBoard, NoPast, NotExecuted, Setup, StopReason};
use trace::{Action, BOARD_KEY, Button, Display, HeaderEntry, Line, Trace};
use virtual_time::{Instant, Nanos};

use crate::fault::{Fault, FaultKind};
use crate::goldens::FolderGoldens;
use crate::provider::{Maker, Pixel};
use crate::recording::{self, Recording};
use crate::session_folder::{self, SessionFolder};

/// Options of a session's start.
pub(crate) struct Boot {
    pub(crate) maker: Rc<dyn Maker>,
    pub(crate) header: Vec<HeaderEntry>,
    /// Folder of the files that the header names.
    pub(crate) folder: PathBuf,
    /// File of the recording.
    pub(crate) file: Option<PathBuf>,
    /// Folder of the goldens.
    pub(crate) goldens: PathBuf,
}

/// A session of a client.
pub(crate) struct Session {
    maker: Rc<dyn Maker>,
    reader: Rc<Reader>,
    header: Vec<HeaderEntry>,
    driven: DrivenBoard,
    recording: Recording,
    pub(crate) goldens: FolderGoldens,
    /// Number of console lines and tones that answers have reported.
    pub(crate) reported: (usize, usize),
}

impl Session {
    /// Powers a board on.
    pub(crate) fn boot(boot: Boot, reader: Rc<Reader>) -> Result<Self, Fault> {
        let Boot { maker, header, folder, file, goldens } = boot;
        let trace = Trace { header: header.clone(), folder: Some(folder), ..Trace::default() };
        let make = Rc::clone(&maker);
        let setup = Setup {
            maker: Rc::new(move |trace| make.machine(trace)),
            reader: Rc::clone(&reader),
            sees_frames: false,
            copied_every: COPIED_EVERY,
        };
        let driven = DrivenBoard::new(setup, trace)
            .map_err(|error| Fault::new(FaultKind::Board, error.message()))?;
        let recording = Recording::begin(&header, file)?;
        let goldens = FolderGoldens::new(goldens);
        let mut session =
            Self { maker, reader, header, driven, recording, goldens, reported: (0, 0) };
        session.execute(Action::PowerOn)?;
        Ok(session)
    }

    pub(crate) fn clock(&self) -> Instant {
        self.driven.clock()
    }

    pub(crate) fn board(&self) -> &VirtualBoard {
        self.driven.board()
    }

    pub(crate) fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Returns the file of the recording.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.recording.file()
    }

    /// Returns the buttons that are down.
    pub(crate) fn down(&self) -> impl Iterator<Item = Button> {
        self.driven.down()
    }

    /// Returns the reason why the board does not continue, as a sentence.
    pub(crate) fn stopped(&self) -> Option<String> {
        self.driven.stopped().map(|reason| fault_of(reason).message)
    }

    /// Executes `action` as soon as possible, after all before it. A tap is over when its button
    /// is up.
    pub(crate) fn execute(&mut self, action: Action) -> Result<Line, Fault> {
        let Self { driven, recording, goldens, .. } = self;
        let executed = driven.execute(action, goldens, &mut |line| recording.line(line));
        match executed {
            Ok((line, failures)) => match failures.first() {
                Some(failure) => Err(self.failed(FaultKind::Expectation, failure, &line)),
                None => Ok(line),
            },
            Err(NotExecuted::Unsatisfied { line, failures }) => {
                let comment = format!("not met: {} {}", line.when, line.action);
                // A line that no comment can hold is not in the recording; the answer has it.
                if self.recording.comment(&comment) {
                    self.driven.comment(comment);
                }
                Err(failures.first().map_or_else(
                    || Fault::new(FaultKind::NotMet, "it was not met"),
                    |failure| self.failed(FaultKind::NotMet, failure, &line),
                ))
            }
            Err(error) => Err(fault(error)),
        }
    }

    /// Lets time pass.
    pub(crate) fn advance(&mut self, span: Nanos) -> Result<(), Fault> {
        self.driven.advance(span, &mut self.goldens).map_err(fault)
    }

    /// Stops the session after a panic of the firmware in the middle of a call.
    pub(crate) fn panicked(&mut self, message: String) {
        self.driven.panicked(message);
    }

    fn failed(&self, kind: FaultKind, failure: &Failure, line: &Line) -> Fault {
        let shown = failure.shown.clone().unwrap_or_default();
        Fault::new(kind, failure.message()).with(json!({
            "t": self.clock().0,
            "line": line.to_string(),
            "shown": shown,
        }))
    }

    /// Returns the session as it was at `at`, with all lines that were over by then, recorded in
    /// `file`.
    pub(crate) fn as_of(&mut self, at: Instant, file: Option<PathBuf>) -> Result<Self, Fault> {
        let back = self.driven.back_to(at, &mut self.goldens);
        let driven = back.map_err(|reason| fault_of(&reason))?;
        let header = match file.as_deref().and_then(Path::parent) {
            Some(folder) => self.header_in(folder)?,
            None => self.header.clone(),
        };
        let recording = Recording::of(&header, driven.lines(), file)?;
        Ok(Self {
            maker: Rc::clone(&self.maker),
            reader: Rc::clone(&self.reader),
            header,
            driven,
            recording,
            goldens: self.goldens.clone(),
            reported: (0, 0),
        })
    }

    /// Returns where the pixel comes from that the LCD shows.
    pub(crate) fn why(&self, x: usize, y: usize, display: Option<Display>) -> Result<Value, Fault> {
        let (trace, at) = (self.driven.trace(false), self.clock());
        let answer = self.maker.why(&Pixel { trace: &trace, x, y, display, at });
        answer.map_err(|error| Fault::new(FaultKind::NoAnswer, error.to_string()))
    }

    /// Returns the session as the text of a trace.
    pub(crate) fn text(&self) -> String {
        self.driven.trace(true).to_string()
    }

    /// Saves the session in `path`, and next to it the files that its replay reads.
    pub(crate) fn save(
        &self,
        path: &Path,
        files: &SessionFolder,
        force: bool,
    ) -> Result<(), Fault> {
        let goldens =
            goldens_of(path).map_err(|error| Fault::new(FaultKind::File, error.to_string()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        if let Some(flash) = self.header.iter().find(|entry| entry.key == "flash") {
            let image = session_folder::read(&files.place(&flash.value)?)?;
            let beside = folder.join(&flash.value);
            if let Some(image) = image.filter(|_| !beside.exists()) {
                session_folder::write(&Output::new(beside), &image)?;
            }
        }
        self.goldens.copy_to(&goldens)?;
        let mut trace = self.driven.trace(true);
        trace.header = self.header_in(folder)?;
        let text = trace.to_string();
        session_folder::write(&Output::trace(path).replace(force), text.as_bytes())
    }

    /// Returns the header of a trace in `folder`: a board file is named from there.
    fn header_in(&self, folder: &Path) -> Result<Vec<HeaderEntry>, Fault> {
        let mut header = self.header.clone();
        if let Some(entry) = header.iter_mut().find(|entry| entry.key == BOARD_KEY) {
            let named = self.maker.board_file(folder);
            let named = named.map_err(|error| Fault::new(FaultKind::File, error.to_string()))?;
            entry.value = named.unwrap_or_else(|| entry.value.clone());
        }
        Ok(header)
    }

    /// Ends the recording.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        let Self { driven, recording, .. } = self;
        let clock = driven.lines().last().map(|last| last.over).unwrap_or_default();
        recording.finish(clock, driven.clock())
    }
}

/// Returns the fault for an action that was not executed.
fn fault(error: NotExecuted) -> Fault {
    match error {
        NotExecuted::HasStopped(reason) => {
            let why = fault_of(&reason).message;
            let message = format!("the session has stopped: {why}; rewind it, or boot another");
            Fault::new(FaultKind::Stopped, message)
        }
        NotExecuted::NotRecorded(error) => recording::fault(&error),
        NotExecuted::Stopped(reason @ StopReason::Replay(Stopped::Failed(_))) => {
            Fault::new(FaultKind::State, reason)
        }
        NotExecuted::Stopped(reason) => fault_of(&reason),
        NotExecuted::TooLong => Fault::new(FaultKind::Limit, error),
        NotExecuted::Unsatisfied { .. } => Fault::new(FaultKind::NotMet, error),
        NotExecuted::SpanTooLong | NotExecuted::Unplanned(_) => Fault::params(error),
    }
}

/// Returns the fault for a board that does not continue.
fn fault_of(reason: &StopReason) -> Fault {
    match reason {
        StopReason::NoPast(NoPast::Machine(error)) => Fault::new(FaultKind::Board, error.message()),
        StopReason::NoPast(error @ NoPast::TooLong) => Fault::new(FaultKind::Limit, error),
        StopReason::NoPast(error @ NoPast::RealBoard) => Fault::new(FaultKind::State, error),
        StopReason::NoPast(NoPast::Stopped(_))
        | StopReason::Replay(_)
        | StopReason::Panicked(_) => Fault::new(FaultKind::Stopped, reason),
    }
}
