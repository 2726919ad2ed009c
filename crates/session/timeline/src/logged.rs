//! Log of a machine's inputs, with what is needed to give another machine the same ones, and of its
//! contacts and power.

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::{
    VirtualBoard,
    board::{Input, WireListener},
};
use trace::Button;
use virtual_time::Instant;

use crate::history::ContactListener;
use crate::input::{MachineInput, TimedInput};

/// Maximum number of inputs in a log: the maximum number of a trace's lines.
pub(crate) const INPUTS_MAX: usize = 1 << 20;

/// Log of a machine's inputs, contacts and power.
#[derive(Default)]
pub(crate) struct MachineLog {
    pub(crate) done: Vec<TimedInput>,
    /// Whether there were more inputs than [`INPUTS_MAX`].
    pub(crate) is_cut: bool,
    /// Index of the trace's line that is being executed.
    pub(crate) line: Option<usize>,
    pub(crate) listener: ContactListener,
    /// Number of steps since the clock moved last.
    pub(crate) idle: u32,
}

impl MachineLog {
    /// Returns a log that listens to `board`.
    pub(crate) fn attached(board: &VirtualBoard) -> Rc<RefCell<Self>> {
        let log = Rc::new(RefCell::new(Self::default()));
        // A machine may listen to its own board.
        board.add_listener(Rc::clone(&log) as Rc<RefCell<dyn WireListener>>);
        log
    }

    pub(crate) fn add(&mut self, clock: Instant, input: MachineInput) {
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
