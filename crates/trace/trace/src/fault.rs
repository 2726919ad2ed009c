//! What a `fault` line breaks, and what it makes whole again.
//!
//! To add one: its variant of [`BoardFault`] and its arm in `Display`, its word and its arm in
//! `parse/fault.rs`, what it does in `replay/run/fault.rs`, its row in `docs/trace-format.md`.
//! It does not know how a board is broken: that is `hal_mock::board`.

use core::fmt;

use crate::Button;
use virtual_time::Nanos;

/// The longest bounce of a contact: ten times what a bad switch does.
pub const LONGEST_BOUNCE: Nanos = Nanos::from_millis(50);
/// The rarest flip of a bit: one of so many.
pub const RAREST_FLIP: u32 = 1_000_000_000;

/// Something on the board that goes wrong, or is well again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardFault {
    /// `fault stuck B3`: its contact is closed, whatever the finger does.
    Stuck(Button),
    /// `fault bounce B3 8ms`: its contact bounces for at most so long.
    Bounce {
        /// Which.
        button: Button,
        /// More than zero, at most [`LONGEST_BOUNCE`].
        bounce: Nanos,
    },
    /// `fault spi flip 1/100000`: one bit of so many that the LCD receives is the other one;
    /// from 1 to [`RAREST_FLIP`].
    SpiFlip {
        /// The share's denominator.
        one_in: u32,
    },
    /// `fault power cut`: the power goes at that very nanosecond.
    PowerCut,
    /// `fault flash cut after 37 bytes`: the power goes behind that programmed or erased byte.
    FlashCut {
        /// Bytes that still are.
        after: u32,
    },
    /// `fault none B3`: the contact is a good one again.
    NoContactFault(Button),
    /// `fault none spi`: the LCD receives what is sent.
    NoSpiFault,
    /// `fault none flash`: the cut that has not come is not planned any more.
    NoFlashFault,
}

impl BoardFault {
    /// What it is called in an error: `fault stuck of B3`.
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

/// What follows the verb, as a trace has it.
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
