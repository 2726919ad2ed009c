//! What is wrong with a capture that should become a trace.

use thiserror::Error;
use trace::Button;
use virtual_time::{Instant, spoken};

/// Why a capture makes no trace.
#[derive(Debug, Error)]
pub enum ConversionError {
    /// None of its wires is a button.
    #[error("has no button; a trace is made of B1 to B6, T1 to T6 and RESET")]
    NoButton,
    /// The wire POWER is low throughout.
    #[error("the power never comes (POWER is low)")]
    NeverPowered,
    /// A button moves before the first power-on.
    #[error("{button} moves at {}, before the power comes; a trace begins with it", spoken(at.since_start()))]
    BeforePower {
        /// The button.
        button: Button,
        /// When it moves.
        at: Instant,
    },
    /// The buttons have more edges than a trace has lines.
    #[error(
        "has more than {max} edges of buttons by {}, which no trace holds; do contacts bounce? \
         `--debounce 5ms` leaves that out",
        spoken(at.since_start())
    )]
    TooManyEdges {
        /// The most lines of a trace.
        max: u32,
        /// The time of the edge that is too many.
        at: Instant,
    },
}
