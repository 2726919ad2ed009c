//! The only reading of the wall clock for measuring time.

use std::time::{Duration, Instant};

/// Wall time since a start.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    /// Starts a stopwatch at zero.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one reading of the wall clock: pacing, progress and report times come from here"
    )]
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }

    /// Returns the wall time since [`start`](Self::start); never decreases.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
