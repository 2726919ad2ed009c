//! Inputs of a machine with their times: what another machine needs to reach the same state.
//!
//! A finger moves at a time of its own, but the time at which the board learned of it counts too.
//! So each input has the board's clock at which it was given, and the number of steps that the
//! machine had made there without time passing.

use std::collections::BTreeSet;

use hal_mock::{Machine, MachineError, board::Input};
use trace::{Action, Button};
use virtual_time::Instant;

use crate::typed::TypedLine;

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

/// Fingers on the buttons, after movements in turn.
#[derive(Clone, Debug, Default)]
pub struct Fingers(BTreeSet<Button>);

impl Fingers {
    /// Returns the fingers after `movements`: each has the button, and whether a finger goes down.
    pub fn after(movements: impl Iterator<Item = (Button, bool)>) -> Self {
        let mut fingers = Self::default();
        for (button, goes_down) in movements {
            if goes_down {
                // The name of the last movement counts.
                fingers.0.replace(button);
            } else {
                fingers.0.remove(&button);
            }
        }
        fingers
    }

    /// Returns the buttons that are down, with the names of their movements, in the order of pins.
    pub fn down(self) -> impl Iterator<Item = Button> {
        self.0.into_iter()
    }

    /// Removes the finger from `button`. Returns whether there was one.
    pub(crate) fn lift(&mut self, button: Button) -> bool {
        self.0.remove(&button)
    }
}

/// Returns the button and whether it goes down, if the action presses or releases it. A tap does
/// both.
pub fn finger_of(action: &Action) -> Option<(Button, bool)> {
    match action {
        Action::Press(button) => Some((*button, true)),
        Action::Release(button) => Some((*button, false)),
        _ => None,
    }
}

/// Returns the inputs of `done` as actions of a trace, in order of time. Faults come from lines of a
/// trace, and are missing.
pub fn actions_of<'a>(done: impl IntoIterator<Item = &'a TimedInput>) -> Vec<(Instant, Action)> {
    let mut done: Vec<&TimedInput> = done.into_iter().collect();
    done.sort_by_key(|done| done.at());
    let mut typed = TypedLine::default();
    let mut action = |done: &TimedInput| match done.input {
        MachineInput::PowerOn => Some(Action::PowerOn),
        MachineInput::PowerOff => Some(Action::PowerOff),
        MachineInput::Board(Input::Finger { button, down: true, .. }) => {
            Some(Action::Press(button))
        }
        MachineInput::Board(Input::Finger { button, .. }) => Some(Action::Release(button)),
        MachineInput::Board(Input::Move { control, movement, .. }) => {
            Some(Action::Move { control, movement })
        }
        MachineInput::Board(Input::Typed { byte, .. }) => typed.take(byte).map(Action::Type),
        MachineInput::Board(_) => None,
    };
    done.into_iter().filter_map(|done| Some((done.at(), action(done)?))).collect()
}

/// Returns the fingers after all of `done`.
pub(crate) fn down_after(done: &[TimedInput]) -> Fingers {
    Fingers::after(done.iter().filter_map(TimedInput::finger))
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
            && down.lift(button)
        {
            kept.push(*later);
        }
    }
    (kept, same)
}
