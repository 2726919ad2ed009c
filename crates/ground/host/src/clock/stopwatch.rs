//! The one reading of the wall clock.

use std::time::{Duration, Instant};

/// Wall time since some moment.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    /// Starts at zero.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one reading of the wall clock: pacing, progress and report times come from here"
    )]
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }

    /// The wall time since [`start`](Self::start); it never goes back.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
