//! Outcome of a move: its captures and its result, or the reason why it is illegal. Data only; the
//! [`rules`](crate::game::rules) fill it in.

use core::fmt;

use super::places::{Cup, Places, Player};

/// Stones that a sowing captured, all of them now in the mover's store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The cups that were emptied.
    pub cups: Places,
    /// Stones moved into the store.
    pub stones: u8,
}

/// Result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This player has more stones in his store.
    Winner(Player),
    /// Both have the same number.
    Draw,
}

/// Effects of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveOutcome {
    /// The cup that was sown.
    pub cup: Cup,
    /// Player who sowed it.
    pub mover: Player,
    /// Whether the last stone fell into the mover's own store.
    pub free_turn: bool,
    pub capture: Option<Capture>,
    /// Remaining stones moved to their owner's store at the end of the game, by [`Player::index`].
    pub swept: [u8; 2],
    /// Result, if the move ended the game.
    pub result: Option<GameResult>,
}

/// Reason why a cup cannot be sown. The position does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The cup belongs to the player who is not to move.
    NotYours,
    /// The cup has no stones.
    Empty,
    /// The game is over: no move is legal any more.
    GameOver,
}

impl fmt::Display for PlayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::NotYours => "the cup is the opponent's",
            Self::Empty => "the cup is empty",
            Self::GameOver => "the game is over",
        })
    }
}

impl core::error::Error for PlayError {}
