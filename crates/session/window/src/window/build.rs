//! State of a build, for the session whose firmware is rebuilt. It knows no window.

use std::time::Duration;

use live::Rebuilds;

/// Firmware that is rebuilt.
pub(super) struct Build {
    pub(super) rebuilds: Box<dyn Rebuilds>,
    pub(super) state: State,
    /// Whether another session runs than the one that the loop was begun with.
    pub(super) has_taken_over: bool,
    /// Whether the firmware's process has ended, and nothing runs.
    pub(super) is_gone: bool,
}

/// State of the last build.
pub(super) enum State {
    /// Nothing has been built yet, or what was built runs.
    Rests,
    /// The build has run since then, by the session's clock.
    Runs(Duration),
    /// The new firmware has replayed the session since then.
    Follows(Duration),
    /// The build failed, with its output.
    Failed { headline: String, lines: Vec<String> },
}

impl Build {
    pub(super) fn new(rebuilds: Box<dyn Rebuilds>) -> Self {
        Self { rebuilds, state: State::Rests, has_taken_over: false, is_gone: false }
    }
}
