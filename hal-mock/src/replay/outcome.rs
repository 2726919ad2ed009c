//! Settings and result of a replay.

use super::failure::Failure;
use super::limits::LIMIT;
use crate::MachineError;
use trace::Place;
use virtual_time::{Instant, Nanos};

/// Settings of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplaySettings {
    /// Whether violations of the LCD's datasheet are accepted.
    pub allow_violations: bool,
    /// Virtual time that firmware may spend without returning control; [`LIMIT`].
    pub limit: Nanos,
    /// Time at which to stop if the trace is longer; later lines are not judged.
    pub until: Option<Instant>,
}

impl Default for ReplaySettings {
    fn default() -> Self {
        Self { allow_violations: false, limit: LIMIT, until: None }
    }
}

/// Result of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayOutcome {
    pub verdict: Verdict,
    /// Virtual time of the end: of `end`, of the last line or release, of
    /// [`ReplaySettings::until`], or of the line or event that stopped the replay. The LCD at that
    /// time is `board.frame_at(ended_at)`.
    pub ended_at: Instant,
    /// Number of frames completed by then.
    pub frames: u64,
    /// Number of timed lines that were executed, including the one that stopped the replay.
    pub lines: usize,
    /// Line in which the replay stopped; `None` if it was completed.
    pub stopped_in: Option<Place>,
    /// Number of failures beyond [`FAILURES_MAX`](super::FAILURES_MAX).
    pub failures_left_out: u64,
    /// Failures before the machine failed; empty under any other verdict.
    pub failed_before: Vec<Failure>,
}

/// Verdict of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every expectation was satisfied.
    Passed,
    /// At least one failure, in order of time; violations of the LCD's datasheet last.
    Failed(Vec<Failure>),
    /// The firmware does not return control: it has run
    /// [`STEPS_WITHOUT_TIME`](super::STEPS_WITHOUT_TIME) times in a row without letting time pass,
    /// or one step of it exceeded its limit by more than [`ReplaySettings::limit`]. If there were
    /// failures before that, the verdict is [`Verdict::Failed`].
    LimitReached { at: Instant },
    /// The machine could not continue.
    Broken(MachineError),
}
