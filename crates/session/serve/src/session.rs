//! A board under way: each input becomes a line of its trace, and is executed as in a replay.
//! `starting` executes movements of buttons within the start of the firmware.

mod starting;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use hal_mock::{
    VirtualBoard,
    replay::{Failure, LineResult, Ongoing, ReplaySettings, Stopped, can_run_unplanned},
};
use host::output_files::{Output, goldens_of};
use reading::text::Reader;
use serde_json::{Value, json};
use timeline::{Copies, NoPast, ObservedMachine};
use trace::{Action, HeaderEntry, Line, RUN_MAX, SESSION_MAX, TAP_HOLD, Trace, When};
use virtual_time::{Instant, Nanos, spoken};

use crate::fault::{Fault, FaultKind};
use crate::goldens::FolderGoldens;
use crate::provider::{Maker, Pixel};
use crate::script::{Played, Script};
use crate::session_folder::{self, SessionFolder};

/// Virtual time between two copies of a session's machine, from which earlier times are reached.
const COPIED_EVERY: Nanos = Nanos::from_secs(5);
/// Maximum number of copies of a session's machine. One takes about 0.5 MB, and a client has up to 16 sessions.
const COPIES_MAX: usize = 24;

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

/// A board under way.
pub(crate) struct Session {
    maker: Rc<dyn Maker>,
    reader: Rc<Reader>,
    ongoing: Ongoing<ObservedMachine>,
    script: Script,
    pub(crate) goldens: FolderGoldens,
    /// Number of console lines and tones that answers have reported.
    pub(crate) reported: (usize, usize),
    /// Reason why the firmware has stopped.
    stopped: Option<String>,
    /// Time at which the firmware had started after the last power-on.
    started: Instant,
}

impl Session {
    /// Powers a board on.
    pub(crate) fn boot(boot: Boot, reader: Rc<Reader>) -> Result<Self, Fault> {
        let trace = Trace {
            header: boot.header.clone(),
            folder: Some(boot.folder.clone()),
            ..Trace::default()
        };
        let machine = boot
            .maker
            .machine(&trace)
            .map_err(|error| Fault::new(FaultKind::Board, error.message()))?;
        let copies = Copies::new(COPIED_EVERY, COPIES_MAX);
        let machine = ObservedMachine::new(machine, false, copies);
        let script = Script::begin(boot.header, &boot.folder, boot.file)?;
        let mut session = Self {
            maker: boot.maker,
            reader,
            ongoing: Ongoing::new(machine, ReplaySettings::default()),
            script,
            goldens: FolderGoldens::new(boot.goldens),
            reported: (0, 0),
            stopped: None,
            started: Instant::START,
        };
        session.execute(Action::PowerOn)?;
        Ok(session)
    }

    pub(crate) fn clock(&self) -> Instant {
        self.ongoing.clock()
    }

    pub(crate) fn board(&self) -> &VirtualBoard {
        self.ongoing.board()
    }

    pub(crate) fn reader(&self) -> &Reader {
        &self.reader
    }

    pub(crate) fn script(&self) -> &Script {
        &self.script
    }

    pub(crate) fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// Executes `action` as soon as possible, after all before it. A tap is over when its button
    /// is up.
    pub(crate) fn execute(&mut self, action: Action) -> Result<Line, Fault> {
        self.check_running()?;
        if !can_run_unplanned(&action) {
            let message = format!(
                "`{action}` has to be known before it comes; save the trace and write it in there"
            );
            return Err(Fault::params(message));
        }
        let longest = match &action {
            Action::Tap { hold, .. } => hold.unwrap_or_default(),
            action => action.longest_wait().unwrap_or_default(),
        };
        bounded(longest)?;
        if let Some((begun, at)) = self.within_start(&action) {
            return self.execute_within_start(begun, at, action);
        }
        let at = match moves_a_contact(&action) {
            true => self.ongoing.unseen(self.script.clock()),
            false => self.ongoing.first_time(self.script.clock(), &action),
        };
        let line = self.script.line(at, action);
        let waits = line.action.longest_wait().is_some();
        // An input is in the recording before it happens, a wait once it is satisfied.
        if !waits {
            self.script.write(&line)?;
        }
        let now = Line::new(When::At(at), line.action.clone());
        let executed = self.ongoing.execute(&now, &self.reader, &mut self.goldens);
        match executed {
            Ok(LineResult { over, failures }) => {
                if waits {
                    self.script.write(&line)?;
                }
                if line.action == Action::PowerOn {
                    self.started = self.board().now();
                }
                self.complete(&line, over)?;
                match failures.first() {
                    Some(failure) => Err(self.failed(FaultKind::Expectation, failure, &line)),
                    None => Ok(line),
                }
            }
            Err(Stopped::Failed(failures)) if waits => {
                self.script.not_met(line.clone());
                let failure = failures.first();
                Err(failure.map_or_else(
                    || Fault::new(FaultKind::NotMet, "it was not met"),
                    |failure| self.failed(FaultKind::NotMet, failure, &line),
                ))
            }
            Err(Stopped::Failed(failures)) => {
                // It is in the recording, and a replay stops at it as well.
                self.script.push(line.clone(), self.ongoing.clock());
                let message = failures.first().map(Failure::message).unwrap_or_default();
                self.stopped = Some(message.clone());
                Err(Fault::new(FaultKind::State, message))
            }
            Err(stopped) => {
                if !waits {
                    self.script.push(line, at);
                }
                Err(self.stop(stopped))
            }
        }
    }

    /// Adds `line`, which was executed; a tap up to its end.
    fn complete(&mut self, line: &Line, over: Instant) -> Result<(), Fault> {
        self.script.push(line.clone(), over);
        if let Action::Tap { hold, .. } = line.action {
            self.reach(over.saturating_add(hold.unwrap_or(TAP_HOLD)))?;
        }
        let inputs = self.ongoing.machine.inputs();
        self.script.completed(inputs, self.ongoing.resume_point());
        Ok(())
    }

    /// Lets time pass.
    pub(crate) fn advance(&mut self, span: Nanos) -> Result<(), Fault> {
        self.check_running()?;
        bounded(span)?;
        let end = self.clock().saturating_add(span);
        while self.clock() < end {
            // If the firmware stops, the clock is less than this before it.
            self.reach(self.clock().saturating_add(COPIED_EVERY).min(end))?;
        }
        Ok(())
    }

    fn reach(&mut self, at: Instant) -> Result<(), Fault> {
        let went = self.ongoing.advance(at, &self.reader, &mut self.goldens);
        went.map_err(|stopped| self.stop(stopped))
    }

    fn check_running(&self) -> Result<(), Fault> {
        if let Some(why) = &self.stopped {
            let message = format!("the session has stopped: {why}; rewind it, or boot another");
            return Err(Fault::new(FaultKind::Stopped, message));
        }
        if self.clock() > SESSION_MAX {
            return Err(Fault::new(FaultKind::Limit, "a session lasts for at most 100 hours"));
        }
        Ok(())
    }

    fn stop(&mut self, stopped: Stopped) -> Fault {
        let why = why_stopped(stopped);
        self.stopped = Some(why.clone());
        Fault::new(FaultKind::Stopped, why)
    }

    /// Stops the session after a panic of the firmware in the middle of a call.
    pub(crate) fn panicked(&mut self, message: String) {
        self.stopped = Some(message);
    }

    fn failed(&self, kind: FaultKind, failure: &Failure, line: &Line) -> Fault {
        let shown = failure.shown.clone().unwrap_or_default();
        Fault::new(kind, failure.message()).with(json!({
            "t": self.clock().0,
            "line": line.to_string(),
            "shown": shown,
        }))
    }

    /// Returns the session as it was at `at`, with all lines that were over by then.
    pub(crate) fn as_of(&mut self, at: Instant, file: Option<PathBuf>) -> Result<Self, Fault> {
        let played = self.script.played();
        let lines = played.iter().take_while(|played| played.over <= at).count();
        let (is_last, played) = (lines == played.len(), &played[..lines]);
        // A tap is not cut in two.
        let at = played.iter().map(Played::ends).fold(at, Instant::max);
        let script = self.script.again(lines, file)?;
        let Some((inputs, point)) = played.last().and_then(|last| last.after.as_ref()) else {
            // It would stop there again.
            return Err(Fault::new(FaultKind::Stopped, self.stopped().unwrap_or_default()));
        };
        if let Some(begun) = self.power_on_within(lines, at) {
            // The board had the movements within the start of the firmware before the power.
            let lines = self.script.known(begun, lines);
            let (mut ongoing, started) = self.start_again(begun, &lines)?;
            let went = ongoing.advance(at, &self.reader, &mut self.goldens);
            went.map_err(|stopped| Fault::new(FaultKind::Stopped, why_stopped(stopped)))?;
            return Ok(self.with(ongoing, script, started));
        }
        let is_present = is_last && at == self.clock() && self.stopped.is_none();
        let reached = match is_present {
            true => self.board().now(),
            false => at.max(point.machine_at()),
        };
        let make = || self.maker.machine(&script.trace(at, false));
        let back = self.ongoing.machine.back_to(reached, *inputs, make);
        let machine = back.map_err(no_past)?;
        let ongoing = Ongoing::resume(machine, ReplaySettings::default(), point, at);
        Ok(self.with(ongoing, script, self.started))
    }

    /// Returns a session of the same board in another state.
    fn with(&self, ongoing: Ongoing<ObservedMachine>, script: Script, started: Instant) -> Self {
        Self {
            maker: Rc::clone(&self.maker),
            reader: Rc::clone(&self.reader),
            ongoing,
            script,
            goldens: self.goldens.clone(),
            reported: (0, 0),
            stopped: None,
            started,
        }
    }

    /// Returns where the pixel comes from that the LCD shows.
    pub(crate) fn why(&self, x: usize, y: usize) -> Result<Value, Fault> {
        let (trace, at) = (self.script.trace(self.clock(), false), self.clock());
        let answer = self.maker.why(&Pixel { trace: &trace, x, y, at });
        answer.map_err(|error| Fault::new(FaultKind::NoAnswer, error.to_string()))
    }

    /// Returns the session as the text of a trace.
    pub(crate) fn text(&self) -> String {
        self.script.trace(self.clock(), true).to_string()
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
        if let Some(flash) = self.script.header().iter().find(|entry| entry.key == "flash") {
            let image = session_folder::read(&files.place(&flash.value)?)?;
            let beside = folder.join(&flash.value);
            if let Some(image) = image.filter(|_| !beside.exists()) {
                session_folder::write(&Output::new(beside), &image)?;
            }
        }
        self.goldens.copy_to(&goldens)?;
        session_folder::write(&Output::trace(path).replace(force), self.text().as_bytes())
    }

    /// Ends the recording.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        let end = self.clock();
        self.script.finish(end)
    }
}

/// Returns the reason for a stop, as a sentence.
fn why_stopped(stopped: Stopped) -> String {
    match stopped {
        Stopped::Broken(error) => error.to_string(),
        Stopped::ClockKept(at) => {
            format!("the firmware keeps the clock for itself since {}", spoken(at.since_start()))
        }
        Stopped::Failed(failures) => failures.first().map(Failure::message).unwrap_or_default(),
    }
}

fn no_past(error: NoPast) -> Fault {
    match error {
        NoPast::Machine(error) => Fault::new(FaultKind::Board, error.message()),
        NoPast::TooLong => Fault::new(FaultKind::Limit, error),
        NoPast::RealBoard => Fault::new(FaultKind::State, error),
        NoPast::Stopped(why) => Fault::new(FaultKind::Stopped, why),
    }
}

fn bounded(span: Nanos) -> Result<(), Fault> {
    if span > RUN_MAX {
        let longest = spoken(RUN_MAX);
        return Err(Fault::params(format!("one call takes at most {longest} of virtual time")));
    }
    Ok(())
}

/// Returns whether the action must come at a time that the machine has not reached.
fn moves_a_contact(action: &Action) -> bool {
    use trace::BoardFault;
    matches!(
        action,
        Action::Press(_)
            | Action::Release(_)
            | Action::Tap { .. }
            | Action::Move { .. }
            | Action::Fault(BoardFault::Stuck(_) | BoardFault::NoContactFault(_))
    )
}
