//! A machine that another part drives. Its inputs are logged, with what is needed to give another
//! machine the same ones.

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::{
    Call, Machine, MachineError, MachineWrapper, VirtualBoard,
    board::{Input, WireListener},
    setup::SetupError,
};
use trace::Button;
use virtual_time::Instant;

use crate::copies::Copies;
use crate::frames::FrameLog;
use crate::history::{ContactListener, History};
use crate::input::{MachineInput, TimedInput};
use crate::observed::NoPast;
use crate::run::{Broken, Run, StepObserver};

/// Most inputs in a log: the most lines of a trace.
pub(crate) const INPUTS_MAX: usize = 1 << 20;

/// Log of a machine's inputs, contacts and power.
#[derive(Default)]
pub(crate) struct MachineLog {
    pub(crate) done: Vec<TimedInput>,
    /// Whether there were more inputs than [`INPUTS_MAX`].
    pub(crate) is_cut: bool,
    /// Index of the trace's line that is being executed.
    pub(crate) line: Option<usize>,
    listener: ContactListener,
    /// Number of steps since the clock moved last.
    idle: u32,
}

impl MachineLog {
    fn add(&mut self, clock: Instant, input: MachineInput) {
        if self.done.len() < INPUTS_MAX {
            self.done.push(TimedInput { clock, idle: self.idle, input, line: self.line });
        } else {
            self.is_cut = true;
        }
    }
}

impl WireListener for MachineLog {
    fn input(&mut self, now: Instant, input: Input) {
        self.add(now, MachineInput::Board(input));
    }

    fn contact(&mut self, at: Instant, button: Button, closed: bool) {
        self.listener.contact(at, button, closed);
    }

    fn power(&mut self, at: Instant, on: bool) {
        self.listener.power(at, on);
    }
}

/// A machine whose inputs are logged.
pub(crate) struct LoggedMachine {
    machine: Box<dyn Machine>,
    notes: Rc<RefCell<MachineLog>>,
    frames: Option<FrameLog>,
    copies: Copies,
    /// Clock of the board before the call.
    clock: Instant,
    /// Whether the last call returned, and without an error.
    is_intact: bool,
}

/// Returns a log of `board`'s inputs, contacts and power.
fn attach_log(board: &VirtualBoard) -> Rc<RefCell<MachineLog>> {
    let notes = Rc::new(RefCell::new(MachineLog::default()));
    // A machine may listen to its own board.
    board.add_listener(Rc::clone(&notes) as Rc<RefCell<dyn WireListener>>);
    notes
}

impl LoggedMachine {
    /// Wraps a machine whose clock is at 0 and whose power is off.
    pub(crate) fn new(machine: Box<dyn Machine>, sees_frames: bool, copies: Copies) -> Self {
        let notes = attach_log(machine.board());
        let frames = sees_frames.then(FrameLog::new);
        Self { machine, notes, frames, copies, clock: Instant::START, is_intact: true }
    }

    /// Returns the number of inputs so far.
    pub(crate) fn inputs(&self) -> usize {
        self.notes.borrow().done.len()
    }

    /// Returns the machine as it was at `at` with its first `inputs` inputs; the time from which it
    /// ran again, on the way to `at`; and the reason if it has stopped there. `make` builds an
    /// equal machine, if there is no copy.
    pub(crate) fn back_to(
        &self,
        at: Instant,
        inputs: usize,
        make: impl FnOnce() -> Result<Box<dyn Machine>, SetupError>,
    ) -> Result<(Self, Instant, Option<Broken>), NoPast> {
        let done = self.notes.borrow().done.get(..inputs).ok_or(NoPast::TooLong)?.to_vec();
        let at = done.last().map_or(at, |last| last.clock.max(at));
        let mut copies = self.copies.clone();
        copies.keep_before(at, inputs);
        let copied = || copies.last_by(at).map(|(machine, next)| Run::from_copy(machine, next, 0));
        let mut run = match self.present(at, inputs).or_else(copied) {
            Some(run) => run,
            None => Run::new(make()?),
        };
        let begun = run.now();
        let notes = attach_log(run.board());
        let mut frames = self.frames.clone();
        if let Some(frames) = &mut frames {
            frames.keep_before(begun);
            frames.resume(run.board(), begun);
        }
        run.advance(&done, at, &mut frames, Some(&mut copies));
        {
            let mut notes = notes.borrow_mut();
            (notes.done, notes.idle) = (done, run.idle());
        }
        let (machine, broken) = run.into_machine();
        let clock = machine.board().now();
        let back = Self { machine, notes, frames, copies, clock, is_intact: broken.is_none() };
        Ok((back, begun, broken))
    }

    /// Returns a copy of the machine as it is, if it is not later than `at` and has had no more
    /// than `inputs` inputs.
    fn present(&self, at: Instant, inputs: usize) -> Option<Run> {
        let notes = self.notes.borrow();
        let is_by_then = self.machine.board().now() <= at && notes.done.len() <= inputs;
        let machine = (self.is_intact && is_by_then).then(|| self.machine.fork())??;
        Some(Run::from_copy(machine, notes.done.len(), notes.idle))
    }

    /// Returns the log.
    pub(crate) fn notes(&self) -> &Rc<RefCell<MachineLog>> {
        &self.notes
    }

    /// Returns the frames that the machine has shown, if they are logged, and its copies.
    pub(crate) fn seen(&self) -> (Option<&FrameLog>, &Copies) {
        (self.frames.as_ref(), &self.copies)
    }

    /// Returns the same as [`LoggedMachine::seen`], at the end.
    pub(crate) fn into_seen(self) -> (Option<FrameLog>, Copies) {
        (self.frames, self.copies)
    }

    /// Adds what was logged since the last call to `history`.
    pub(crate) fn update_history(&self, history: &mut History) {
        let board = self.machine.board();
        board.notify_listeners();
        history.catch_up(board);
        history.take_from(&mut self.notes.borrow_mut().listener);
    }
}

impl MachineWrapper for LoggedMachine {
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
        self.notes.borrow_mut().add(self.clock, input);
        Ok(())
    }

    fn limit(&self, limit: Instant) -> Instant {
        StepObserver::limit(&self.frames, self.machine.board(), limit)
    }

    fn after(&mut self, call: Call, succeeded: bool) {
        let board = self.machine.board();
        let mut notes = self.notes.borrow_mut();
        notes.idle = if board.now() > self.clock { 0 } else { notes.idle.saturating_add(1) };
        self.frames.observe(board);
        self.is_intact = succeeded;
        if call == Call::Step && notes.idle == 0 && succeeded && !notes.is_cut {
            self.copies.offer(self.machine.as_ref(), notes.done.len());
        }
    }
}
