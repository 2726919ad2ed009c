//! The board as it is being edited.

use crate::game::rules::Position;
use crate::time::{Instant, Micros};

/// Half a period of the turn's blinking.
const BLINK: Micros = Micros::from_millis(400);

/// A board on which stones are moved by hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draft {
    pub(super) position: Position,
    /// The place from which a stone is to be moved.
    pub(super) holding: Option<u8>,
    /// When the edit began.
    pub(super) began: Instant,
}

impl Draft {
    /// Whether the turn can be seen in its blinking.
    pub(super) fn shows_turn(&self, now: Instant) -> bool {
        self.blinks(now).is_multiple_of(2)
    }

    /// When the turn comes or goes next.
    pub(super) fn blink_at(&self, now: Instant) -> Instant {
        self.began.saturating_add(BLINK.saturating_mul(self.blinks(now) + 1))
    }

    /// Half periods of the blinking since the edit began.
    const fn blinks(&self, now: Instant) -> u64 {
        now.saturating_since(self.began).whole(BLINK)
    }
}
