//! Errors of converting a capture to a trace.

use thiserror::Error;
use trace::Button;
use virtual_time::{Instant, spoken};

/// The reason why a capture cannot be converted to a trace.
#[derive(Debug, Error)]
pub enum ConversionError {
    /// None of the capture's wires is a button.
    #[error("has no button; a trace is made of B1 to B6, T1 to T6 and RESET")]
    NoButton,
    /// The wire POWER is low throughout.
    #[error("the power never comes (POWER is low)")]
    NeverPowered,
    /// A button moves before the first power-on.
    #[error("{button} moves at {}, before the power comes; a trace begins with it", spoken(at.since_start()))]
    BeforePower {
        button: Button,
        /// Time of the movement.
        at: Instant,
    },
    /// The buttons have more edges than a trace has lines.
    #[error(
        "has more than {max} edges of buttons by {}, which no trace holds; do contacts bounce? \
         `--debounce 5ms` leaves that out",
        spoken(at.since_start())
    )]
    TooManyEdges {
        /// Maximum number of lines of a trace.
        max: u32,
        /// Time of the first edge beyond that.
        at: Instant,
    },
}
