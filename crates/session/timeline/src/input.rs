//! What was done to a machine, and when: enough to do the same to another one.
//!
//! A finger's moment is its own, but it counts too when the board was told of it. So each input has the
//! board's clock at which it was done, and how often the machine had been stepped there without
//! time passing.

use hal_mock::{Machine, MachineError, board::Input};
use trace::Button;
use virtual_time::Instant;

/// Something that was done to a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineInput {
    /// [`Machine::power_on`].
    PowerOn,
    /// [`Machine::power_off`].
    PowerOff,
    /// What the board was told.
    Board(Input),
}

/// A input, and the place of it among a machine's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedInput {
    /// What the board's clock showed.
    pub clock: Instant,
    /// Steps of the machine since the clock moved last.
    pub idle: u32,
    /// What was done.
    pub input: MachineInput,
    /// The line of the trace that did it, as an index into its timed lines.
    pub line: Option<usize>,
}

impl TimedInput {
    /// The moment at which it acts.
    pub fn at(&self) -> Instant {
        match self.input {
            MachineInput::Board(input) => input.at().unwrap_or(self.clock),
            MachineInput::PowerOn | MachineInput::PowerOff => self.clock,
        }
    }

    /// The button and whether it goes down, if a finger moves.
    pub fn finger(&self) -> Option<(Button, bool)> {
        match self.input {
            MachineInput::Board(Input::Finger { button, down, .. }) => Some((button, down)),
            _ => None,
        }
    }

    pub(crate) fn is_power(&self) -> bool {
        matches!(self.input, MachineInput::PowerOn | MachineInput::PowerOff)
    }

    /// Does it to `machine`.
    pub(crate) fn apply(&self, machine: &mut dyn Machine) -> Result<(), MachineError> {
        match self.input {
            MachineInput::PowerOn => machine.power_on()?,
            MachineInput::PowerOff => machine.power_off(),
            MachineInput::Board(input) => machine.board().apply(input),
        }
        Ok(())
    }
}

/// The buttons that a finger is on behind all of `done`.
pub(crate) fn down_after(done: &[TimedInput]) -> [bool; Button::COUNT] {
    let mut down = [false; Button::COUNT];
    for (button, goes_down) in done.iter().filter_map(TimedInput::finger) {
        down[button.index()] = goes_down;
    }
    down
}

/// What of `done` remains for a machine that goes another way from `at` on: all that acts before,
/// and the releases of the fingers that are down there. The second is how many of the first ones are
/// the same.
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
