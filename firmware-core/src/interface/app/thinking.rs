//! The computer's thinking in progress.

use crate::game::opponent::MAX_SLICES;
use crate::game::places::Cup;
use crate::time::{Instant, Micros};

/// Interval between two slices of thinking.
pub(super) const SLICE: Micros = Micros::from_millis(20);

/// Shortest time to an answer, so that the user can follow the move.
pub(super) const LEAST: Micros = Micros::from_millis(400);

/// Shortest time for which the dash marks a cup that the computer considers.
pub(super) const DASH: Micros = Micros::from_millis(150);

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
    /// Cup that the dash marks, if the computer shows its thoughts, and since when.
    pub(super) dash: Option<(Cup, Instant)>,
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
        let slice = if self.decided.is_none() { self.due } else { self.answer_after_dash() };
        slice.min(self.dash_moves_at().unwrap_or(slice)).min(self.dot_at)
    }

    /// Moves the dash to the cup under consideration, if it has marked the last one long enough.
    pub(super) fn move_dash(&mut self, now: Instant) {
        if self.dash.is_none() || self.dash_moves_at().is_some_and(|at| at <= now) {
            self.dash = self.considering.map(|cup| (cup, now));
        }
    }

    /// Returns the earliest time of the answer: the dash has marked its cup long enough before.
    pub(super) fn answer_after_dash(&self) -> Instant {
        match self.dash {
            None => self.answer_at,
            Some((cup, since)) if Some(cup) == self.decided => {
                self.answer_at.max(since.saturating_add(DASH))
            }
            // The dash moves to the chosen cup first.
            Some((_, since)) => self.answer_at.max(since.saturating_add(DASH).saturating_add(DASH)),
        }
    }

    /// Returns when the dash moves to another cup, if it does.
    fn dash_moves_at(&self) -> Option<Instant> {
        let (cup, since) = self.dash?;
        (self.considering != Some(cup)).then(|| since.saturating_add(DASH))
    }
}
