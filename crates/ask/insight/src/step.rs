//! One input of a person.

use core::fmt;

use trace::{Button, Control, Share};

/// One input of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Presses a button briefly.
    Tap(Button),
    /// Holds a button down.
    Hold(Button),
    /// Holds RESET down and presses this button.
    WithReset(Button),
    /// Waits for a minute.
    Wait,
    /// Switches the power off and on.
    OffAndOn,
    /// Turns an encoder by this number of detents, clockwise if positive.
    Turn(Control, i16),
    /// Moves a switch to this position.
    Switch(Control, bool),
    /// Moves a potentiometer.
    Set(Control, Share),
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tap(button) => write!(out, "{button}"),
            Self::Hold(button) => write!(out, "hold {button}"),
            Self::WithReset(button) => write!(out, "RESET+{button}"),
            Self::Wait => out.write_str("wait a minute"),
            Self::OffAndOn => out.write_str("power off and on"),
            Self::Turn(control, by) => write!(out, "turn {} by {by}", control.name()),
            Self::Switch(control, true) => write!(out, "switch {} on", control.name()),
            Self::Switch(control, false) => write!(out, "switch {} off", control.name()),
            Self::Set(control, share) => write!(out, "set {} {share}", control.name()),
        }
    }
}
