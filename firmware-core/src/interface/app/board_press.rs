//! The data of a NUDGE on the board that may turn out to be a part of a chord.

use super::suspended_game::SuspendedGame;
use crate::pins::button::Button;
use crate::time::Instant;

/// A NUDGE on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardPress {
    pub(super) at: Instant,
    pub(super) button: Button,
    /// Whether the LCD had shown what the press acts on.
    pub(super) counts: bool,
    /// Data to take back the move that it made.
    pub(super) sowing: Option<Sowing>,
}

/// State before a move that Undo does not restore, and the number of moves after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sowing {
    pub(super) moves: u32,
    pub(super) first_turn: bool,
    pub(super) suspended: Option<SuspendedGame>,
}
