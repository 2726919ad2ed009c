//! The draft of a board that is being edited.

use crate::game::rules::Position;
use crate::time::{Instant, Micros};

/// Half a period of the turn's blinking.
const BLINK: Micros = Micros::from_millis(400);

/// A board on which the user moves stones by hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draft {
    pub(super) position: Position,
    /// Place from which the next stone is moved.
    pub(super) holding: Option<u8>,
    pub(super) began: Instant,
}

impl Draft {
    /// Returns whether the blinking turn is visible.
    pub(super) fn shows_turn(&self, now: Instant) -> bool {
        self.blinks(now).is_multiple_of(2)
    }

    /// Returns when the turn next appears or disappears.
    pub(super) fn blink_at(&self, now: Instant) -> Instant {
        self.began.saturating_add(BLINK.saturating_mul(self.blinks(now) + 1))
    }

    /// Returns the number of half periods since the edit began.
    const fn blinks(&self, now: Instant) -> u64 {
        now.saturating_since(self.began).whole(BLINK)
    }
}
