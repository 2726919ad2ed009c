//! A time in a trace, as far as it is known before the trace runs.

use core::fmt;

use virtual_time::{Instant, spoken};

/// A time in a trace, as far as it is known before the trace runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownTime {
    /// Number of the last `wait` or `settle` that the time depends on, from 1; 0 = none: the time
    /// is exact.
    pub since_wait: u32,
    /// The time itself if exact, otherwise the earliest possible time. The distance of two times
    /// that depend on the same wait is exact.
    pub at: Instant,
}

/// Writes `2 s`, or `at least 2 s`.
impl fmt::Display for KnownTime {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = if self.since_wait == 0 { "" } else { "at least " };
        write!(out, "{bound}{}", spoken(self.at.since_start()))
    }
}
