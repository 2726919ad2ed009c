//! The computer's thinking under way.

use crate::game::opponent::MOST_SLICES;
use crate::game::places::Cup;
use crate::time::{Instant, Micros};

/// From one slice of thinking to the next.
pub(super) const SLICE: Micros = Micros::from_millis(20);

/// The shortest time to an answer, so that its move can be seen.
pub(super) const LEAST: Micros = Micros::from_millis(400);

const _: () = assert!(SLICE.0 * MOST_SLICES as u64 <= 1_000_000, "it answers within a second");

/// No dot to three are seen while it thinks.
pub(super) const DOTS: u8 = 4;

/// Thinking under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thinking {
    /// When it answers at the earliest.
    pub(super) answer_at: Instant,
    /// When the next slice is due.
    pub(super) due: Instant,
    /// What the person gets of it.
    pub(super) purpose: Purpose,
    /// The cup in hand.
    pub(super) considering: Option<Cup>,
    pub(super) decided: Option<Cup>,
    pub(super) dots: u8,
    /// When the next dot comes.
    pub(super) dot_at: Instant,
}

/// Why it thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Move,
    Help,
}

impl Thinking {
    /// When it goes on.
    pub(super) fn wake_at(&self) -> Instant {
        let slice = if self.decided.is_none() { self.due } else { self.answer_at };
        slice.min(self.dot_at)
    }
}
