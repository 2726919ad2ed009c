//! The computer's thinking in progress.

use crate::game::opponent::MAX_SLICES;
use crate::game::places::Cup;
use crate::time::{Instant, Micros};

/// Interval between two slices of thinking.
pub(super) const SLICE: Micros = Micros::from_millis(20);

/// Shortest time to an answer, so that the user can follow the move.
pub(super) const LEAST: Micros = Micros::from_millis(400);

const _: () = assert!(SLICE.0 * MAX_SLICES as u64 <= 1_000_000, "it answers within a second");

/// Number of states of the dots: none to three are shown while the computer thinks.
pub(super) const DOTS: u8 = 4;

#[derive(Clone, Copy, Debug)]
pub(super) struct Thinking {
    /// Earliest time of the answer.
    pub(super) answer_at: Instant,
    /// Time of the next slice.
    pub(super) due: Instant,
    /// Purpose of the answer.
    pub(super) purpose: Purpose,
    /// Cup under consideration.
    pub(super) considering: Option<Cup>,
    pub(super) decided: Option<Cup>,
    pub(super) dots: u8,
    /// Time of the next dot.
    pub(super) dot_at: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Move,
    Help,
}

impl Thinking {
    /// Returns when to continue.
    pub(super) fn wake_at(&self) -> Instant {
        let slice = if self.decided.is_none() { self.due } else { self.answer_at };
        slice.min(self.dot_at)
    }
}
