//! A change of a wire's level, and what a reader of captures yields. It knows no format.

use virtual_time::Instant;

use crate::signal::Signal;

/// A wire changes its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// When, since the capture's zero.
    pub at: Instant,
    /// Which.
    pub signal: Signal,
    /// The level from then on. The first edge of each wire is the level it begins with.
    pub high: bool,
}

/// What a format's reader yields next.
pub(crate) enum CaptureEvent {
    /// A level, which may be the one that the wire had.
    Level(Edge),
    /// Time goes on to here.
    Reached(Instant),
}
