//! A moment of a trace as far as it is known before the trace runs.

use core::fmt;

use virtual_time::{Instant, spoken};

/// A moment as far as it is known before the trace runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The last `wait` or `settle` that it depends on, counted from 1; 0 = none: exact.
    pub since_wait: u32,
    /// The moment itself if exact, otherwise the earliest it can be. Two moments
    /// that depend on the same wait are as far apart as these say.
    pub at: Instant,
}

/// `2 s`, or `at least 2 s`.
impl fmt::Display for Moment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = if self.since_wait == 0 { "" } else { "at least " };
        write!(out, "{bound}{}", spoken(self.at.since_start()))
    }
}
