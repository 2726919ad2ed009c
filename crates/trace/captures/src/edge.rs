//! Changes of a wire's level, and the items of a capture reader. The module knows no format.

use virtual_time::Instant;

use crate::signal::Signal;

/// A change of a wire's level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Time since the capture's zero.
    pub at: Instant,
    pub signal: Signal,
    /// Level from then on. The first edge of each wire is its initial level.
    pub high: bool,
}

/// The next item of a format's reader.
pub(crate) enum CaptureEvent {
    /// A level, which may be unchanged.
    Level(Edge),
    /// The capture's time has reached this value.
    Reached(Instant),
}
