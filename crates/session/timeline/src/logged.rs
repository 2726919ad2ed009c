//! A machine that another part drives. Its inputs are logged, with what is needed to give another
//! machine the same ones.

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::{
    Call, Machine, MachineError, MachineWrapper,
    board::{Input, WireListener},
};
use trace::Button;
use virtual_time::{Instant, Nanos};

use crate::copies::{COPIES_MAX, Copies};
use crate::frames::FrameLog;
use crate::history::{ContactListener, History};
use crate::input::{MachineInput, TimedInput};
use crate::run::StepObserver as _;

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
}

impl LoggedMachine {
    /// Wraps a machine whose clock is at 0 and whose power is off.
    pub(crate) fn new(machine: Box<dyn Machine>, sees_frames: bool, copied_every: Nanos) -> Self {
        let notes = Rc::new(RefCell::new(MachineLog::default()));
        // A machine may listen to its own board.
        machine.board().add_listener(Rc::clone(&notes) as Rc<RefCell<dyn WireListener>>);
        let frames = sees_frames.then(FrameLog::new);
        Self {
            machine,
            notes,
            frames,
            copies: Copies::new(copied_every, COPIES_MAX),
            clock: Instant::START,
        }
    }

    /// Returns a machine that continues from its last copy by `at` with at most `inputs` inputs,
    /// and the number of its inputs.
    pub(crate) fn before(&self, at: Instant, inputs: usize) -> Option<(Self, usize)> {
        let kept = self.notes.borrow();
        if kept.is_cut {
            return None;
        }
        let mut copies = self.copies.clone();
        copies.keep_before(at, inputs);
        let (machine, next) = copies.last_by(at)?;
        let now = machine.board().now();
        let done = kept.done[..next].to_vec();
        let notes = Rc::new(RefCell::new(MachineLog { done, ..MachineLog::default() }));
        machine.board().add_listener(Rc::clone(&notes) as Rc<RefCell<dyn WireListener>>);
        let mut frames = self.frames.clone();
        if let Some(frames) = &mut frames {
            frames.keep_before(now);
            frames.resume(machine.board(), now);
        }
        Some((Self { machine, notes, frames, copies, clock: now }, next))
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
        let input = match call {
            Call::PowerOn => MachineInput::PowerOn,
            Call::PowerOff => MachineInput::PowerOff,
            Call::Step => return Ok(()),
        };
        self.notes.borrow_mut().add(self.clock, input);
        Ok(())
    }

    fn limit(&self, limit: Instant) -> Instant {
        let board = self.machine.board();
        self.frames.as_ref().map_or(limit, |frames| frames.limited(board, limit))
    }

    fn after(&mut self, call: Call, succeeded: bool) {
        let board = self.machine.board();
        let mut notes = self.notes.borrow_mut();
        notes.idle = if board.now() > self.clock { 0 } else { notes.idle.saturating_add(1) };
        if let Some(frames) = &mut self.frames {
            frames.observe(board);
        }
        if call == Call::Step && notes.idle == 0 && succeeded && !notes.is_cut {
            self.copies.offer(&self.machine, notes.done.len());
        }
    }
}
