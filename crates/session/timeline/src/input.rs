//! Inputs of a machine with their times: what another machine needs to reach the same state.
//!
//! A finger moves at a time of its own, but the time at which the board learned of it counts too.
//! So each input has the board's clock at which it was given, and the number of steps that the
//! machine had made there without time passing.

use hal_mock::{Machine, MachineError, board::Input};
use trace::Button;
use virtual_time::Instant;

/// An input of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineInput {
    /// [`Machine::power_on`].
    PowerOn,
    /// [`Machine::power_off`].
    PowerOff,
    /// An input of the board: a finger, a typed byte, a fault.
    Board(Input),
}

/// An input and its place among a machine's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedInput {
    /// Clock of the board when the input was given.
    pub clock: Instant,
    /// Number of steps of the machine since the clock moved last.
    pub idle: u32,
    pub input: MachineInput,
    /// Index of the trace's timed line that gave the input.
    pub line: Option<usize>,
}

impl TimedInput {
    /// Returns the time at which the input acts.
    pub fn at(&self) -> Instant {
        match self.input {
            MachineInput::Board(input) => input.at().unwrap_or(self.clock),
            MachineInput::PowerOn | MachineInput::PowerOff => self.clock,
        }
    }

    /// Returns the button and whether it goes down, if a finger moves.
    pub fn finger(&self) -> Option<(Button, bool)> {
        match self.input {
            MachineInput::Board(Input::Finger { button, down, .. }) => Some((button, down)),
            _ => None,
        }
    }

    pub(crate) fn is_power(&self) -> bool {
        matches!(self.input, MachineInput::PowerOn | MachineInput::PowerOff)
    }

    /// Gives the input to `machine`.
    pub(crate) fn apply(&self, machine: &mut dyn Machine) -> Result<(), MachineError> {
        match self.input {
            MachineInput::PowerOn => machine.power_on()?,
            MachineInput::PowerOff => machine.power_off(),
            MachineInput::Board(input) => machine.board().apply(input),
        }
        Ok(())
    }
}

/// Returns the buttons that are down after all of `done`.
pub(crate) fn down_after(done: &[TimedInput]) -> [bool; Button::COUNT] {
    let mut down = [false; Button::COUNT];
    for (button, goes_down) in done.iter().filter_map(TimedInput::finger) {
        down[button.index()] = goes_down;
    }
    down
}

/// Returns the inputs of `done` that remain in a branch from `at`: all that act before it, and the
/// releases of the fingers that are down there. The second value is the number of leading inputs
/// that are the same.
pub(crate) fn kept_before(done: &[TimedInput], at: Instant) -> (Vec<TimedInput>, usize) {
    let is_before = |done: &TimedInput| done.at() < at || done.is_power() && done.at() == at;
    let same = done.iter().position(|done| !is_before(done)).unwrap_or(done.len());
    let mut kept: Vec<TimedInput> = done.iter().copied().filter(is_before).collect();
    let mut down = down_after(&kept);
    for later in done.iter().filter(|done| !is_before(done)) {
        if let Some((button, false)) = later.finger()
            && std::mem::take(&mut down[button.index()])
        {
            kept.push(*later);
        }
    }
    (kept, same)
}
