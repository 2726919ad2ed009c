//! State of a build, for a session whose firmware is rebuilt. This module knows no window.

use std::time::Duration;

use live::Rebuilds;

/// Firmware that is rebuilt.
pub(super) struct Build {
    pub(super) rebuilds: Box<dyn Rebuilds>,
    pub(super) state: State,
    /// Whether the loop's first session has been replaced by another one.
    pub(super) has_taken_over: bool,
    /// Whether the firmware's process has ended and no firmware runs.
    pub(super) is_gone: bool,
}

/// State of the last build.
pub(super) enum State {
    /// Nothing has been built yet, or the built firmware runs.
    Rests,
    /// A build has been running since this time of the session's clock; its compiled units, and
    /// all.
    Runs { since: Duration, units: Option<(u32, u32)> },
    /// The new firmware has been replaying the session since this time.
    Follows(Duration),
    /// The build failed, with its output.
    Failed { headline: String, lines: Vec<String> },
}

impl Build {
    pub(super) fn new(rebuilds: Box<dyn Rebuilds>) -> Self {
        Self { rebuilds, state: State::Rests, has_taken_over: false, is_gone: false }
    }
}
