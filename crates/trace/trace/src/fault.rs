//! The argument of a `fault` line: a fault of the board, or its repair.
//!
//! To add a fault: its variant of [`BoardFault`] and its arm in `Display`, its word and its arm in
//! `parse/fault.rs`, its effect in `replay/run/fault.rs`, its row in `docs/trace-format.md`. This
//! module does not know how a fault is injected: see `board`.

use core::fmt;

use crate::Button;
use crate::display::Display;
use crate::screenshot::on;
use virtual_time::Nanos;

/// A fault of the board, or the repair of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardFault {
    /// `fault stuck B3`: the contact is closed regardless of the finger.
    Stuck(Button),
    /// `fault bounce B3 8ms`: the contact bounces for at most `bounce`.
    Bounce {
        button: Button,
        /// More than zero, at most [`LONGEST_BOUNCE`](crate::LONGEST_BOUNCE).
        bounce: Nanos,
    },
    /// `fault spi flip 1/100000`, `fault spi flip 1/100000 on TOP`: one bit of every `one_in` that
    /// the display receives is inverted.
    SpiFlip {
        /// Denominator of the share of inverted bits, 1 to [`RAREST_FLIP`](crate::RAREST_FLIP).
        one_in: u32,
        /// The display; `None` = the first one.
        display: Option<Display>,
    },
    /// `fault uart lose 1/20`: of the bytes typed on the console, one in `one_in` is lost in the
    /// receiver.
    UartLose {
        /// Denominator of the share of lost bytes, 1 to [`RAREST_FLIP`](crate::RAREST_FLIP).
        one_in: u32,
    },
    /// `fault uart garble`, `fault uart garble 1/20`: one bit of one in `one_in` typed bytes is
    /// inverted.
    UartGarble {
        /// Denominator of the share of wrong bytes, 1 to [`RAREST_FLIP`](crate::RAREST_FLIP); 1 without a share.
        one_in: u32,
    },
    /// `fault noise stuck`: every bit of the source of noise is 0.
    NoiseStuck,
    /// `fault power cut`: the power is cut at that exact nanosecond.
    PowerCut,
    /// `fault flash cut after 37 bytes`: the power is cut after that programmed or erased byte.
    FlashCut {
        /// Number of bytes that are still programmed or erased.
        after: u32,
    },
    /// `fault flash stuck`: nothing is programmed or erased any more.
    FlashStuck,
    /// `fault none B3`: the contact has no fault any more.
    NoContactFault(Button),
    /// `fault none spi`, `fault none spi on TOP`: the display receives what is sent.
    NoSpiFault {
        /// The display; `None` = the first one.
        display: Option<Display>,
    },
    /// `fault none uart`: the console receives every byte as it is typed.
    NoUartFault,
    /// `fault none noise`: the source of noise continues where it was stuck.
    NoNoiseFault,
    /// `fault none flash`: a cut that has not happened is no longer planned, and the flash is programmed and
    /// erased again.
    NoFlashFault,
}

impl BoardFault {
    /// Returns the button whose contact the fault is about.
    pub fn button(&self) -> Option<Button> {
        match self {
            Self::Stuck(button) | Self::Bounce { button, .. } | Self::NoContactFault(button) => {
                Some(*button)
            }
            _ => None,
        }
    }

    /// Returns the display that the fault names.
    pub fn display(&self) -> Option<Display> {
        match self {
            Self::SpiFlip { display, .. } | Self::NoSpiFault { display } => *display,
            _ => None,
        }
    }

    /// Returns the fault's name in errors: `fault stuck of B3`.
    pub fn noun(&self) -> String {
        match self {
            Self::Stuck(button) => format!("fault stuck of {button}"),
            Self::Bounce { button, .. } => format!("fault bounce of {button}"),
            Self::SpiFlip { .. } => "fault spi".into(),
            Self::UartLose { .. } | Self::UartGarble { .. } => "fault uart".into(),
            Self::NoiseStuck => "fault noise".into(),
            Self::PowerCut => "fault power".into(),
            Self::FlashCut { .. } | Self::FlashStuck => "fault flash".into(),
            Self::NoContactFault(button) => format!("fault none of {button}"),
            Self::NoSpiFault { .. } => "fault none of spi".into(),
            Self::NoUartFault => "fault none of uart".into(),
            Self::NoNoiseFault => "fault none of noise".into(),
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
            Self::SpiFlip { one_in, display } => {
                write!(out, "spi flip 1/{one_in}")?;
                on(out, *display)
            }
            Self::UartLose { one_in } => write!(out, "uart lose 1/{one_in}"),
            Self::UartGarble { one_in: 1 } => out.write_str("uart garble"),
            Self::UartGarble { one_in } => write!(out, "uart garble 1/{one_in}"),
            Self::NoiseStuck => out.write_str("noise stuck"),
            Self::PowerCut => out.write_str("power cut"),
            Self::FlashCut { after } => write!(out, "flash cut after {after} bytes"),
            Self::FlashStuck => out.write_str("flash stuck"),
            Self::NoContactFault(button) => write!(out, "none {button}"),
            Self::NoSpiFault { display } => {
                out.write_str("none spi")?;
                on(out, *display)
            }
            Self::NoUartFault => out.write_str("none uart"),
            Self::NoNoiseFault => out.write_str("none noise"),
            Self::NoFlashFault => out.write_str("none flash"),
        }
    }
}
