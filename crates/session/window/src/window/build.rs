//! What has become of a build, for the session whose firmware is built anew. It knows no window.

use std::time::Duration;

use live::Rebuilds;

/// The firmware that is built anew.
pub(super) struct Build {
    pub(super) rebuilds: Box<dyn Rebuilds>,
    pub(super) state: State,
    /// Whether another session runs than the one that the loop was begun with.
    pub(super) has_taken_over: bool,
    /// Whether the firmware's process has ended, and nothing runs.
    pub(super) is_gone: bool,
}

/// What has become of the last build.
pub(super) enum State {
    /// Nothing has been built yet, or what was built runs.
    Rests,
    /// It is under way since then, by the window's clock.
    Runs(Duration),
    /// What was built plays the session since then.
    Follows(Duration),
    /// Everything that was said.
    Failed { headline: String, lines: Vec<String> },
}

impl Build {
    pub(super) fn new(rebuilds: Box<dyn Rebuilds>) -> Self {
        Self { rebuilds, state: State::Rests, has_taken_over: false, is_gone: false }
    }
}
