//! Reasons why a driven board does not execute an action, or does not continue.

use std::io;

use hal_mock::replay::{Failure, Stopped};
use thiserror::Error;
use trace::{Action, Line};

use crate::observed::NoPast;

/// Reason why a driven board does not continue.
#[derive(Clone, Debug, Error)]
pub enum StopReason {
    /// A line or the firmware has stopped the replay.
    #[error(transparent)]
    Replay(#[from] Stopped),
    /// There is no way back to before a line.
    #[error(transparent)]
    NoPast(#[from] NoPast),
    /// The firmware has panicked.
    #[error("{0}")]
    Panicked(String),
}

/// Reason why an action was not executed, or did not succeed.
#[derive(Debug, Error)]
pub enum NotExecuted {
    /// The board has stopped before.
    #[error("the session has stopped: {0}")]
    HasStopped(StopReason),
    /// The board has run for [`SESSION_MAX`](trace::SESSION_MAX).
    #[error("a session lasts for at most 100 hours")]
    TooLong,
    /// The action lets more time pass than [`RUN_MAX`](trace::RUN_MAX).
    #[error("one call takes at most {} of virtual time", virtual_time::spoken(trace::RUN_MAX))]
    SpanTooLong,
    /// A trace can have the action, but a line of it must be known before its time.
    #[error("`{0}` has to be known before it comes; save the trace and write it in there")]
    Unplanned(Action),
    /// The line cannot be recorded.
    #[error(transparent)]
    NotRecorded(io::Error),
    /// A wait was not satisfied. The board can continue.
    #[error("{}", failures.first().map_or_else(|| "it was not met".to_owned(), Failure::message))]
    Unsatisfied { line: Box<Line>, failures: Vec<Failure> },
    /// The board does not continue.
    #[error(transparent)]
    Stopped(#[from] StopReason),
}
