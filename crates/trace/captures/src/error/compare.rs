//! Errors of comparing two captures.

use thiserror::Error;
use virtual_time::Nanos;

use crate::signal::Signal;

/// The reason why two captures cannot be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// One of the captures lacks a wire that the options name.
    #[error("has no {0}; `--signals` names it, and `--map {0}=CHANNEL` says where it is")]
    NoSignal(Signal),
    /// The captures have no wire in common.
    #[error("has no wire in common with {other}")]
    NothingInCommon {
        /// File of the other capture.
        other: String,
    },
    /// No edge of one capture can be an edge of the other.
    #[error("has no edge that could be one of {other}: nothing aligns them")]
    NothingAligns {
        /// File of the other capture.
        other: String,
    },
    /// More edges wait for their counterpart than fit in memory.
    #[error(
        "has more than {max} edges within {tolerance} of one moment; ask for a smaller tolerance"
    )]
    TooManyEdges {
        /// Maximum number of waiting edges.
        max: usize,
        /// The requested tolerance.
        tolerance: Nanos,
    },
}
