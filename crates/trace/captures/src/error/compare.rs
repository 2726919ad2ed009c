//! What is wrong with two captures that should be compared.

use thiserror::Error;
use virtual_time::Nanos;

use crate::signal::Signal;

/// Why two captures cannot be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// One of them lacks a wire that the options name.
    #[error("has no {0}; `--signals` names it, and `--map {0}=CHANNEL` says where it is")]
    NoSignal(Signal),
    /// No wire is in both.
    #[error("has no wire in common with {other}")]
    NothingInCommon {
        /// The other capture's file.
        other: String,
    },
    /// No edge of one can be an edge of the other.
    #[error("has no edge that could be one of {other}: nothing aligns them")]
    NothingAligns {
        /// The other capture's file.
        other: String,
    },
    /// More edges wait for their counterpart than are kept in memory.
    #[error(
        "has more than {max} edges within {tolerance} of one moment; ask for a smaller tolerance"
    )]
    TooManyEdges {
        /// The most edges that may wait.
        max: usize,
        /// The tolerance that was asked for.
        tolerance: Nanos,
    },
}
