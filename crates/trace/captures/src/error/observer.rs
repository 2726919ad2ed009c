//! Errors of comparing a replay with a capture.

use thiserror::Error;

use crate::signal::Signal;

/// The reason why a capture cannot be compared with a replay.
#[derive(Debug, Error)]
pub enum ObserverError {
    /// The capture lacks a wire of the LCD.
    #[error("has no {0}; `--observer-map {0}=CHANNEL` names its channel")]
    NoWire(Signal),
    /// No bytes of the capture are those of the replay.
    #[error(
        "has none of the bytes that the replay reports: it is of another run, or bits are missing from its start on"
    )]
    NothingAligns,
    /// There are more bytes than fit in memory.
    #[error("has, or the replay reports, more than {max} bytes; compare a shorter trace")]
    TooLong {
        /// Maximum number of bytes.
        max: usize,
    },
}
