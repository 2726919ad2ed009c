//! The argument of a `fault` line: a fault of the board, or its repair.
//!
//! To add a fault: its variant of [`BoardFault`] and its arm in `Display`, its word and its arm in
//! `parse/fault.rs`, its effect in `replay/run/fault.rs`, its row in `docs/trace-format.md`. This
//! module does not know how a fault is injected: see `board`.

use core::fmt;

use crate::Button;
use virtual_time::Nanos;

/// Longest bounce of a contact: ten times that of a bad switch.
pub const LONGEST_BOUNCE: Nanos = Nanos::from_millis(50);
/// Lowest rate of flipped bits: one in this number.
pub const RAREST_FLIP: u32 = 1_000_000_000;

/// A fault of the board, or the repair of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardFault {
    /// `fault stuck B3`: the contact is closed regardless of the finger.
    Stuck(Button),
    /// `fault bounce B3 8ms`: the contact bounces for at most `bounce`.
    Bounce {
        button: Button,
        /// More than zero, at most [`LONGEST_BOUNCE`].
        bounce: Nanos,
    },
    /// `fault spi flip 1/100000`: one bit of every `one_in` that the LCD receives is inverted.
    SpiFlip {
        /// Denominator of the share of inverted bits, 1 to [`RAREST_FLIP`].
        one_in: u32,
    },
    /// `fault power cut`: the power is cut at that exact nanosecond.
    PowerCut,
    /// `fault flash cut after 37 bytes`: the power is cut after that programmed or erased byte.
    FlashCut {
        /// Number of bytes that are still programmed or erased.
        after: u32,
    },
    /// `fault none B3`: the contact has no fault any more.
    NoContactFault(Button),
    /// `fault none spi`: the LCD receives what is sent.
    NoSpiFault,
    /// `fault none flash`: a cut that has not happened is no longer planned.
    NoFlashFault,
}

impl BoardFault {
    /// Returns the fault's name in errors: `fault stuck of B3`.
    pub fn noun(&self) -> String {
        match self {
            Self::Stuck(button) => format!("fault stuck of {button}"),
            Self::Bounce { button, .. } => format!("fault bounce of {button}"),
            Self::SpiFlip { .. } => "fault spi".into(),
            Self::PowerCut => "fault power".into(),
            Self::FlashCut { .. } => "fault flash".into(),
            Self::NoContactFault(button) => format!("fault none of {button}"),
            Self::NoSpiFault => "fault none of spi".into(),
            Self::NoFlashFault => "fault none of flash".into(),
        }
    }
}

/// Writes the text after the verb, in the trace format.
impl fmt::Display for BoardFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stuck(button) => write!(out, "stuck {button}"),
            Self::Bounce { button, bounce } => write!(out, "bounce {button} {bounce}"),
            Self::SpiFlip { one_in } => write!(out, "spi flip 1/{one_in}"),
            Self::PowerCut => out.write_str("power cut"),
            Self::FlashCut { after } => write!(out, "flash cut after {after} bytes"),
            Self::NoContactFault(button) => write!(out, "none {button}"),
            Self::NoSpiFault => out.write_str("none spi"),
            Self::NoFlashFault => out.write_str("none flash"),
        }
    }
}
