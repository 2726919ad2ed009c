//! The data with which a copy of a machine executes its firmware again: the board at the last power-on,
//! and the inputs since then.

use hal_mock::VirtualBoard;
use hal_mock::board::{Input, WireListener};
use virtual_time::Instant;

/// The inputs since the last power-on.
#[derive(Clone, Default)]
pub(super) struct InputLog {
    origin: Option<VirtualBoard>,
    inputs: Vec<LoggedInput>,
    /// Number of times that the firmware has continued after a sleep.
    pub(super) wakes: u64,
}

/// An input, with the state of the firmware when it was made.
#[derive(Clone, Copy)]
pub(super) struct LoggedInput {
    /// Time of the board.
    pub(super) at: Instant,
    /// Number of times that the firmware had continued after a sleep.
    pub(super) wakes: u64,
    pub(super) input: Input,
}

impl InputLog {
    /// Forgets all inputs: the board is powered on in this state.
    pub(super) fn begin(&mut self, origin: VirtualBoard) {
        *self = Self { origin: Some(origin), inputs: Vec::new(), wakes: 0 };
    }

    /// Returns the board as it was at power-on; `None` before the first one.
    pub(super) fn origin(&self) -> Option<&VirtualBoard> {
        self.origin.as_ref()
    }

    pub(super) fn inputs(&self) -> &[LoggedInput] {
        &self.inputs
    }
}

impl WireListener for InputLog {
    fn input(&mut self, now: Instant, input: Input) {
        self.inputs.push(LoggedInput { at: now, wakes: self.wakes, input });
    }
}
