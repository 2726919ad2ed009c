//! A board that a program drives: it executes actions as they come, each as soon as possible, and
//! continues from an earlier time.
//!
//! Each action becomes a line of a trace ([`ExecutedLine`]), and the trace replays to the same
//! screens. The caller records the lines: an input before it happens, a wait once it is satisfied.
//! `starting` executes the movements within the start of the firmware.
//!
//! It knows no protocol, no recording and no file.

mod error;
mod lines;
mod starting;

use std::io;
use std::rc::Rc;

use hal_mock::{
    VirtualBoard,
    replay::{Failure, Goldens, LineResult, Ongoing, ReplaySettings, Stopped, can_run_unplanned},
    setup::SetupError,
};
use trace::{Action, BoardFault, Button, Line, RUN_MAX, SESSION_MAX, TAP_HOLD, Trace, When};
use virtual_time::{Instant, Nanos};

use crate::copies::{COPIED_EVERY, Copies};
use crate::observed::ObservedMachine;
use crate::setup::Setup;
pub use error::{NotExecuted, StopReason};
pub use lines::ExecutedLine;
use lines::{ExecutedLines, ReplayState};

/// Maximum number of copies of a driven board. One takes about 0.5 MB, and a program may drive 16
/// boards.
const COPIES_MAX: usize = 24;

/// Records a line.
pub type Record<'a> = &'a mut dyn FnMut(&Line) -> io::Result<()>;

/// A board that a program drives.
pub struct DrivenBoard {
    setup: Setup,
    /// Trace whose header machines are built for.
    trace: Rc<Trace>,
    ongoing: Ongoing<ObservedMachine>,
    lines: ExecutedLines,
    stopped: Option<StopReason>,
    /// Time at which the firmware had started after the last power-on.
    started: Instant,
}

impl DrivenBoard {
    /// Builds a board for the header of `trace`. Its power is off; the first action switches it on.
    ///
    /// # Errors
    /// If there is no machine for the header.
    pub fn new(setup: Setup, trace: Trace) -> Result<Self, SetupError> {
        let copies = Copies::new(setup.copied_every, COPIES_MAX);
        let machine = ObservedMachine::new((setup.maker)(&trace)?, setup.sees_frames, copies);
        Ok(Self {
            setup,
            trace: Rc::new(trace),
            ongoing: Ongoing::new(machine, ReplaySettings::default()),
            lines: ExecutedLines::default(),
            stopped: None,
            started: Instant::START,
        })
    }

    /// Present time.
    pub fn clock(&self) -> Instant {
        self.ongoing.clock()
    }

    /// Returns the board; its clock may be a little after the present time.
    pub fn board(&self) -> &VirtualBoard {
        self.ongoing.board()
    }

    /// Returns the executed lines.
    pub fn lines(&self) -> &[ExecutedLine] {
        self.lines.all()
    }

    /// Returns the buttons that are down after the executed lines.
    pub fn down(&self) -> impl Iterator<Item = Button> {
        self.lines.down()
    }

    /// Returns the reason why the board does not continue.
    pub fn stopped(&self) -> Option<&StopReason> {
        self.stopped.as_ref()
    }

    /// Stops the board after a panic of its firmware in the middle of a call.
    pub fn panicked(&mut self, message: String) {
        self.stopped = Some(StopReason::Panicked(message));
    }

    /// Adds a comment above the next line.
    pub fn comment(&mut self, text: String) {
        self.lines.comment(text);
    }

    /// Returns the lines as a trace that ends at the present time. `with_unsatisfied`: in place of
    /// `end`, the last line is the last wait, if it was not satisfied.
    pub fn trace(&self, with_unsatisfied: bool) -> Trace {
        let lines = self.lines.ended(self.clock(), with_unsatisfied);
        Trace { lines, ..Trace::clone(&self.trace) }
    }

    /// Executes `action` as soon as possible, after all before it; a tap up to its end. Returns the
    /// line and its failed expectations.
    ///
    /// # Errors
    /// If it was not executed, a wait was not satisfied, or the board stops.
    pub fn execute(
        &mut self,
        action: Action,
        goldens: &mut dyn Goldens,
        record: Record<'_>,
    ) -> Result<(Line, Vec<Failure>), NotExecuted> {
        self.check_running()?;
        if !can_run_unplanned(&action) {
            return Err(NotExecuted::Unplanned(action));
        }
        check_span(match &action {
            Action::Tap { hold, .. } => hold.unwrap_or_default(),
            action => action.longest_wait().unwrap_or_default(),
        })?;
        if let Some((begun, at)) = self.within_start(&action) {
            let line = self.lines.line(at, action);
            record(&line).map_err(NotExecuted::NotRecorded)?;
            self.execute_within_start(begun, at, line.clone(), goldens)?;
            return Ok((line, Vec::new()));
        }
        let at = match moves_a_contact(&action) {
            true => self.ongoing.unseen(self.lines.clock()),
            false => self.ongoing.first_time(self.lines.clock(), &action),
        };
        let line = self.lines.line(at, action);
        let waits = line.action.longest_wait().is_some();
        if !waits {
            record(&line).map_err(NotExecuted::NotRecorded)?;
        }
        let now = Line::new(When::At(at), line.action.clone());
        match self.ongoing.execute(&now, &self.setup.reader, goldens) {
            Ok(LineResult { over, failures }) => {
                if waits {
                    record(&line).map_err(NotExecuted::NotRecorded)?;
                }
                if line.action == Action::PowerOn {
                    self.started = self.board().now();
                }
                self.complete(line.clone(), over, goldens)?;
                Ok((line, failures))
            }
            Err(Stopped::Failed(failures)) if waits => {
                self.lines.set_unsatisfied(line.clone());
                Err(NotExecuted::Unsatisfied { line: Box::new(line), failures })
            }
            Err(stopped) => {
                let over = match stopped {
                    // A replay stops at the line as well.
                    Stopped::Failed(_) => self.clock(),
                    Stopped::ClockKept(_) | Stopped::Broken(_) => at,
                };
                let reason = self.stop(stopped.into());
                if !waits {
                    self.lines.push(line, over, Err(reason.clone()));
                }
                Err(reason.into())
            }
        }
    }

    /// Adds `line`, which was executed; a tap up to its end.
    fn complete(
        &mut self,
        line: Line,
        over: Instant,
        goldens: &mut dyn Goldens,
    ) -> Result<(), StopReason> {
        let reached = match line.action {
            Action::Tap { hold, .. } => {
                self.reach(over.saturating_add(hold.unwrap_or(TAP_HOLD)), goldens)
            }
            _ => Ok(()),
        };
        let state = reached.clone().map(|()| ReplayState {
            inputs: self.ongoing.machine.inputs(),
            point: self.ongoing.resume_point(),
        });
        self.lines.push(line, over, state);
        reached
    }

    /// Lets time pass.
    ///
    /// # Errors
    /// If it was not executed, or the board stops.
    pub fn advance(&mut self, span: Nanos, goldens: &mut dyn Goldens) -> Result<(), NotExecuted> {
        self.check_running()?;
        check_span(span)?;
        let end = self.clock().saturating_add(span);
        while self.clock() < end {
            // If the firmware stops, the clock is less than this before it.
            self.reach(self.clock().saturating_add(COPIED_EVERY).min(end), goldens)?;
        }
        Ok(())
    }

    fn reach(&mut self, at: Instant, goldens: &mut dyn Goldens) -> Result<(), StopReason> {
        let reached = self.ongoing.advance(at, &self.setup.reader, goldens);
        reached.map_err(|stopped| self.stop(stopped.into()))
    }

    fn stop(&mut self, reason: StopReason) -> StopReason {
        self.stopped = Some(reason.clone());
        reason
    }

    fn check_running(&self) -> Result<(), NotExecuted> {
        match &self.stopped {
            Some(reason) => Err(NotExecuted::HasStopped(reason.clone())),
            None if self.clock() > SESSION_MAX => Err(NotExecuted::TooLong),
            None => Ok(()),
        }
    }

    /// Returns the board as it was at `at`, with all lines that were over by then. A tap is not cut
    /// in two: its end is the earliest time. This board is unchanged.
    ///
    /// # Errors
    /// If the board has no past, or stops there again.
    pub fn back_to(&mut self, at: Instant, goldens: &mut dyn Goldens) -> Result<Self, StopReason> {
        let count = self.lines.over_by(at);
        let kept = self.lines.first(count);
        let state = kept.last_state()?;
        let at = kept.all().iter().map(ExecutedLine::ends).fold(at, Instant::max);
        let (ongoing, started) = match self.power_on_within(count, at) {
            // The board had the movements within the start of the firmware before the power.
            Some(begun) => {
                let lines = self.lines.absolute(begun, count);
                let (mut ongoing, started) = self.start_again(begun, &lines, goldens)?;
                ongoing.advance(at, &self.setup.reader, goldens)?;
                (ongoing, started)
            }
            None => {
                let is_last = count == self.lines.all().len() && self.stopped.is_none();
                let is_present = is_last && at == self.clock();
                let reached = if is_present { self.board().now() } else { at };
                (self.resumed(state, at, reached)?, self.started)
            }
        };
        Ok(Self {
            setup: self.setup.clone(),
            trace: Rc::clone(&self.trace),
            ongoing,
            lines: kept,
            stopped: None,
            started,
        })
    }

    /// Returns the replay that continues at `at` after a line that left `state`, or at power-on.
    /// Its machine has reached `reached` at least.
    fn resumed(
        &mut self,
        state: Option<&ReplayState>,
        at: Instant,
        reached: Instant,
    ) -> Result<Ongoing<ObservedMachine>, StopReason> {
        let make = || (self.setup.maker)(&self.trace);
        let settings = ReplaySettings::default();
        let Some(ReplayState { inputs, point }) = state else {
            let machine = self.ongoing.machine.back_to(reached, 0, make)?;
            return Ok(Ongoing::new(machine, settings));
        };
        let reached = reached.max(point.machine_at());
        let machine = self.ongoing.machine.back_to(reached, *inputs, make)?;
        Ok(Ongoing::resume(machine, settings, point, at))
    }
}

fn check_span(span: Nanos) -> Result<(), NotExecuted> {
    if span > RUN_MAX { Err(NotExecuted::SpanTooLong) } else { Ok(()) }
}

/// Returns whether the action must come at a time that the machine has not reached.
fn moves_a_contact(action: &Action) -> bool {
    matches!(
        action,
        Action::Press(_)
            | Action::Release(_)
            | Action::Tap { .. }
            | Action::Move { .. }
            | Action::Fault(BoardFault::Stuck(_) | BoardFault::NoContactFault(_))
    )
}
