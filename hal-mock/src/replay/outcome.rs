//! How a replay is limited, and how it went.

use super::failure::Failure;
use super::limits::LIMIT;
use crate::MachineError;
use trace::Place;
use virtual_time::{Instant, Nanos};

/// How to replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplaySettings {
    /// Whether what breaks a rule of the LCD's datasheet may pass.
    pub allow_violations: bool,
    /// Virtual time that firmware may keep for itself; [`LIMIT`].
    pub limit: Nanos,
    /// Stop at this moment, if the trace lasts longer; what follows is not judged.
    pub until: Option<Instant>,
}

impl Default for ReplaySettings {
    fn default() -> Self {
        Self { allow_violations: false, limit: LIMIT, until: None }
    }
}

/// How a replay went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayOutcome {
    /// The result.
    pub verdict: Verdict,
    /// The virtual time of its end: of `end`, of the last line or release, of
    /// [`ReplaySettings::until`], or of what stopped it. The LCD as of then is
    /// `board.frame_at(ended_at)`.
    pub ended_at: Instant,
    /// Complete frames up to then.
    pub frames: u64,
    /// Timed lines that were carried out, the one that stopped it included.
    pub lines: usize,
    /// The line that it stopped in; `None` if all that was to be done was done.
    pub stopped_in: Option<Place>,
    /// Failures beyond [`FAILURES_KEPT`](super::FAILURES_KEPT).
    pub failures_left_out: u64,
    /// What had failed before the machine broke; empty under any other verdict.
    pub failed_before: Vec<Failure>,
}

/// The result of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was as expected.
    Passed,
    /// Something was not: at least one failure, in order of time; broken rules of the LCD's datasheet last.
    Failed(Vec<Failure>),
    /// The firmware keeps the clock for itself: it has run [`STEPS_WITHOUT_TIME`](super::STEPS_WITHOUT_TIME) times in a
    /// row without letting time pass, or one step of it went past its limit by more than
    /// [`ReplaySettings::limit`]. Failures before that come first: then it is [`Verdict::Failed`].
    LimitReached {
        /// When.
        at: Instant,
    },
    /// The machine could not go on.
    Broken(MachineError),
}
