//! A board under way, which a view, a program or a replay drives: the machine, all its inputs and
//! outputs, and the way back to any earlier time.
//!
//! Inputs are logged and the machine is copied at intervals. An earlier time is visited
//! ([`past`](ObservedMachine::past)), or the board continues from there
//! ([`back_to`](ObservedMachine::back_to)), without running all of it again. Memory is bounded by
//! the number of copies and a fixed number of inputs, frames, contacts and lines each. It knows no
//! wall clock and no file.

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::{
    Call, Machine, MachineError, MachineWrapper, board::ConsoleLine, log::Log,
    replay::STARTS_WITHIN, setup::SetupError,
};
use thiserror::Error;
use virtual_time::{Instant, Nanos};

use crate::copies::Copies;
use crate::frames::{FrameLog, FrameSeen};
use crate::history::History;
use crate::input::{MachineInput, TimedInput};
use crate::logged::MachineLog;
use crate::run::{Broken, NoObserver, Run, StepObserver as _};

/// Bytes of the console and changes of tone that an endless board and each of its copies store. The
/// history has more of them.
const BOARD_CONSOLE_BYTES: usize = 64 << 10;
const BOARD_TONES: usize = 1_024;
/// Virtual time between two updates of an endless board's history: less than its console can store.
const UPDATED_EVERY: Nanos = Nanos::from_millis(100);

/// Reason why a board cannot go back.
#[derive(Clone, Debug, Error)]
pub enum NoPast {
    /// There were more inputs than are stored.
    #[error("more was done than can be gone back through")]
    TooLong,
    /// The board is a real one.
    #[error("a real board cannot go back")]
    RealBoard,
    /// The machine has stopped by that time.
    #[error(transparent)]
    Stopped(#[from] Broken),
    /// There is no copy of the machine, and no other one can be built.
    #[error(transparent)]
    Machine(#[from] SetupError),
}

/// Past of a machine, up to `end`.
#[derive(Clone)]
pub(crate) struct Past {
    pub(crate) done: Vec<TimedInput>,
    pub(crate) copies: Copies,
    pub(crate) history: History,
    pub(crate) frames: Option<FrameLog>,
    pub(crate) end: Instant,
}

/// A machine and its past. Every input goes through this wrapper, or to its board.
pub struct ObservedMachine {
    machine: Box<dyn Machine>,
    log: Rc<RefCell<MachineLog>>,
    history: History,
    frames: Option<FrameLog>,
    copies: Copies,
    /// Clock of the board before the call.
    clock: Instant,
    /// Whether the last call returned, and without an error.
    is_intact: bool,
    /// Time of the next update of the history, if the board is an endless one.
    due: Option<Instant>,
}

impl ObservedMachine {
    /// Wraps a machine whose clock is at 0 and whose power is off. `copies` sets how many copies
    /// are made of it; `sees_frames` whether its frames are logged, or found by another run when a
    /// [`Session`](crate::Session) needs them.
    pub fn new(machine: Box<dyn Machine>, sees_frames: bool, copies: Copies) -> Self {
        let log = MachineLog::attached(machine.board());
        let panel = machine.board().panel();
        let frames = (sees_frames && !is_real(machine.as_ref())).then(|| FrameLog::new(panel));
        let (history, clock) = (History::default(), Instant::START);
        Self { machine, log, history, frames, copies, clock, is_intact: true, due: None }
    }

    /// Limits what the board and each of its copies store of console and tones, for a session that
    /// runs all day. The history has the newest. A real board is unchanged.
    #[must_use]
    pub fn endless(mut self) -> Self {
        if !is_real(self.machine.as_ref()) {
            self.machine.board().keep_outputs(BOARD_CONSOLE_BYTES, BOARD_TONES);
            (self.history, self.due) = (History::endless(), Some(Instant::START));
        }
        self
    }

    /// Calls `look` with the console's lines up to now, the newest.
    pub fn with_console<R>(&mut self, look: impl FnOnce(&Log<ConsoleLine>) -> R) -> R {
        let Self { machine, history, due, .. } = self;
        machine.board().with_console(|lines| {
            if due.is_none() {
                return look(lines);
            }
            history.console.catch_up(lines);
            look(&history.console)
        })
    }

    /// Returns the number of inputs so far; `usize::MAX` if it is more than are stored.
    pub fn inputs(&self) -> usize {
        let log = self.log.borrow();
        if log.is_cut { usize::MAX } else { log.done.len() }
    }

    /// Returns the log of the inputs.
    pub(crate) fn log(&self) -> &Rc<RefCell<MachineLog>> {
        &self.log
    }

    /// Returns the past, up to the machine's present.
    pub(crate) fn past_so_far(&mut self) -> Result<Past, NoPast> {
        self.update_history(self.inputs())?;
        Ok(Past {
            done: self.log.borrow().done.clone(),
            copies: self.copies.clone(),
            history: self.history.clone(),
            frames: self.frames.clone(),
            end: self.machine.board().now(),
        })
    }

    /// Returns the past of a machine that is not needed any more.
    pub(crate) fn into_past(mut self) -> Past {
        // A log that is cut has the inputs up to there.
        let _ = self.update_history(0);
        let end = self.machine.board().now();
        let done = std::mem::take(&mut self.log.borrow_mut().done);
        Past { done, copies: self.copies, history: self.history, frames: self.frames, end }
    }

    /// Returns the machine as it was at `at` with its first `inputs` inputs, which were given by
    /// then, and with the past that it had then. The machine itself is unchanged. `make` builds an
    /// equal machine, which is needed only if there is no copy.
    ///
    /// # Errors
    /// If the board has no past, or the machine had stopped.
    pub fn back_to(
        &mut self,
        at: Instant,
        inputs: usize,
        make: impl FnOnce() -> Result<Box<dyn Machine>, SetupError>,
    ) -> Result<Self, NoPast> {
        self.update_history(inputs)?;
        let done = self.log.borrow().done[..inputs].to_vec();
        let at = done.last().map_or(at, |last| last.clock.max(at));
        let mut copies = self.copies.clone();
        copies.keep_before(at, inputs);
        let copied = || copies.last_by(at).map(|(machine, next)| Run::from_copy(machine, next, 0));
        let mut run = match self.present(at, inputs).or_else(copied) {
            Some(run) => run,
            None => Run::new(make()?),
        };
        let (begun, log) = (run.now(), MachineLog::attached(run.board()));
        let mut history = self.history.clone();
        history.keep_before(begun);
        let mut frames = self.frames.clone();
        match &mut frames {
            Some(frames) => {
                frames.keep_before(begun);
                frames.resume(run.board(), begun);
                run.advance(&done, at, frames, Some(&mut copies));
            }
            None => run.advance(&done, at, &mut NoObserver, Some(&mut copies)),
        }
        // The log has listened to inputs that were given a second time.
        (log.borrow_mut().done, log.borrow_mut().idle) = (done, run.idle());
        let machine = run.into_machine()?;
        let clock = machine.board().now();
        let due = self.due.map(|_| clock);
        Ok(Self { machine, log, history, frames, copies, clock, is_intact: true, due })
    }

    /// Returns the frames that were complete so far.
    pub fn frames(&self) -> &[FrameSeen] {
        self.frames.as_ref().map_or(&[], |frames| &frames.seen)
    }

    /// Returns a copy of the machine as it is, if it is not later than `at` and has had no more
    /// than `inputs` inputs.
    fn present(&self, at: Instant, inputs: usize) -> Option<Run> {
        let log = self.log.borrow();
        let is_by_then = self.machine.board().now() <= at && log.done.len() <= inputs;
        let machine = (self.is_intact && is_by_then).then(|| self.machine.fork())??;
        Some(Run::from_copy(machine, log.done.len(), log.idle))
    }

    /// Adds what was logged since the last call to the history. Fails if the board is a real one,
    /// or fewer than `inputs` inputs are stored.
    fn update_history(&mut self, inputs: usize) -> Result<(), NoPast> {
        if is_real(self.machine.as_ref()) {
            return Err(NoPast::RealBoard);
        }
        let board = self.machine.board();
        board.notify_listeners();
        self.history.catch_up(board);
        let mut log = self.log.borrow_mut();
        self.history.take_from(&mut log.listener);
        if inputs > log.done.len() { Err(NoPast::TooLong) } else { Ok(()) }
    }
}

/// Returns whether the firmware, whose power is switched on at `power_on`, may still be starting at
/// `at`. It blocks meanwhile, so the board has the movements of that time before the power, as in a
/// replay.
pub fn may_be_starting(power_on: Instant, at: Instant) -> bool {
    at < power_on.saturating_add(STARTS_WITHIN)
}

/// Returns whether the board is a real one, no earlier time of which can be visited.
fn is_real(machine: &dyn Machine) -> bool {
    machine.board().inputs_from().is_some()
}

impl MachineWrapper for ObservedMachine {
    fn inner(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.machine.as_mut()
    }

    fn before(&mut self, call: Call) -> Result<(), MachineError> {
        self.clock = self.machine.board().now();
        self.is_intact = false;
        let input = match call {
            Call::PowerOn => MachineInput::PowerOn,
            Call::PowerOff => MachineInput::PowerOff,
            Call::Step => return Ok(()),
        };
        if call == Call::PowerOn {
            let log = self.log.borrow();
            if !log.is_cut {
                self.copies.add_before_start(self.machine.as_ref(), log.done.len());
            }
        }
        self.log.borrow_mut().add(self.clock, input);
        Ok(())
    }

    fn limit(&self, limit: Instant) -> Instant {
        let board = self.machine.board();
        self.frames.as_ref().map_or(limit, |frames| frames.limited(board, limit))
    }

    fn after(&mut self, call: Call, succeeded: bool) {
        let board = self.machine.board();
        let mut log = self.log.borrow_mut();
        log.idle = if board.now() > self.clock { 0 } else { log.idle.saturating_add(1) };
        if let Some(frames) = &mut self.frames {
            frames.observe(board);
        }
        self.is_intact = succeeded;
        if call == Call::Step && log.idle == 0 && succeeded && !log.is_cut {
            self.copies.offer(self.machine.as_ref(), log.done.len());
        }
        let now = board.now();
        if self.due.is_some_and(|due| now >= due) {
            self.due = Some(now.saturating_add(UPDATED_EVERY));
            drop(log);
            // A log of inputs that is cut has the outputs still.
            let _ = self.update_history(0);
        }
    }
}
