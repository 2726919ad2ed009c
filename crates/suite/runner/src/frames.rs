//! Calls an observer for each complete frame of a machine.
//!
//! [`FrameWatch`] does not change the machine. Frames that begin and end while the firmware blocks
//! (the LCD's initialisation, a flash erase) are not observed, and of several frames that end in
//! one step only the last is.

use hal_mock::{Heap, Machine, MachineError, VirtualBoard, board::FRAME_IDLE};
use virtual_time::Instant;

/// Observes the frames of a machine.
pub trait FrameObserver {
    /// Called when the frame that `board` now shows is complete. Its last pixel changed at `at`.
    fn frame_complete(&mut self, at: Instant, board: &VirtualBoard);
}

/// A machine whose frames are observed.
pub struct FrameWatch<S> {
    machine: Box<dyn Machine>,
    count: u64,
    /// Observer that is called for each frame.
    pub observer: S,
}

impl<S: FrameObserver> FrameWatch<S> {
    /// Wraps a `machine` whose clock is at 0 and whose power is off.
    pub fn new(machine: Box<dyn Machine>, observer: S) -> Self {
        Self { machine, count: 0, observer }
    }

    /// Reports a frame that became complete in the last step. `before` is the last change of the
    /// screen before that step.
    fn look(&mut self, before: Instant) {
        let board = self.machine.board();
        let now = board.now();
        let count = board.frame_count_at(now);
        if count != self.count {
            self.count = count;
            let last = board.last_change();
            self.observer.frame_complete(
                if last.saturating_add(FRAME_IDLE) <= now { last } else { before },
                board,
            );
        }
    }
}

impl<S: FrameObserver> Machine for FrameWatch<S> {
    fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        let before = self.board().last_change();
        let result = self.machine.power_on();
        self.look(before);
        result
    }

    fn power_off(&mut self) {
        let before = self.board().last_change();
        self.machine.power_off();
        self.look(before);
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        let before = self.board().last_change();
        let result = self.machine.step(limit);
        self.look(before);
        result
    }

    fn heap(&self) -> Heap {
        self.machine.heap()
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        self.machine.fork()
    }
}
