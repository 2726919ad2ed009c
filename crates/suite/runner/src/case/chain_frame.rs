//! The frame in which a chain differs, for its report: both frames with their text, at the frame's own time
//! instead of that of the line that compares the chain.

use reading::text::Reader;
use virtual_time::Instant;

use super::gallery::chain::DifferingFrame;
use crate::report::Problem;

/// The texts of a differing frame and of the frame before it.
pub(super) struct ChainTexts {
    at: Instant,
    before: Vec<String>,
    shown: Vec<String>,
}

impl ChainTexts {
    pub(super) fn read(found: &DifferingFrame, reader: &Reader) -> Self {
        let lines = |frame| reader.read(frame).to_string().lines().map(str::to_owned).collect();
        Self { at: found.at, before: lines(&found.before), shown: lines(&found.actual) }
    }

    /// Moves the problem to the time of the frame.
    pub(super) fn explain(self, problem: &mut Problem) {
        problem.judged_at = problem.at.replace(self.at);
        problem.before = Some(self.before);
        problem.shown = Some(self.shown);
    }
}
