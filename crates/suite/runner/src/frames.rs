//! Calls an observer for each complete frame of a machine.
//!
//! [`FrameWatch`] does not change the machine. Frames that begin and end while the firmware blocks
//! (the LCD's initialisation, a flash erase) are not observed, and of several frames that end in
//! one step only the last is.

use hal_mock::{Call, Machine, MachineError, MachineWrapper, VirtualBoard, board::FRAME_IDLE};
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
    /// When the screen changed last before the call.
    last_change: Instant,
    /// Observer that is called for each frame.
    pub observer: S,
}

impl<S: FrameObserver> FrameWatch<S> {
    /// Wraps a `machine` whose clock is at 0 and whose power is off.
    pub fn new(machine: Box<dyn Machine>, observer: S) -> Self {
        Self { machine, count: 0, last_change: Instant::START, observer }
    }
}

impl<S: FrameObserver> MachineWrapper for FrameWatch<S> {
    fn inner(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.machine.as_mut()
    }

    fn before(&mut self, _: Call) -> Result<(), MachineError> {
        self.last_change = self.machine.board().last_change();
        Ok(())
    }

    /// Reports a frame that became complete in the last step.
    fn after(&mut self, _: Call, _: bool) {
        let board = self.machine.board();
        let now = board.now();
        let count = board.frame_count_at(now);
        if count != self.count {
            self.count = count;
            let last = board.last_change();
            let at = if last.saturating_add(FRAME_IDLE) <= now { last } else { self.last_change };
            self.observer.frame_complete(at, board);
        }
    }
}
