//! The board as it is being edited.

use crate::game::rules::Position;
use crate::time::Micros;

/// Half a period of the turn's blinking.
const BLINK: Micros = Micros::from_millis(400);

/// A board on which stones are moved by hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draft {
    pub(super) position: Position,
    /// The place from which a stone is to be moved.
    pub(super) holding: Option<u8>,
    /// When the edit began.
    pub(super) began: Micros,
}

impl Draft {
    /// Whether the turn can be seen in its blinking.
    pub(super) fn shows_turn(&self, now: Micros) -> bool {
        (now.since(self.began).0 / BLINK.0).is_multiple_of(2)
    }

    /// When the turn comes or goes next.
    pub(super) fn blink_at(&self, now: Micros) -> Micros {
        Micros(self.began.0 + (now.since(self.began).0 / BLINK.0 + 1) * BLINK.0)
    }
}
