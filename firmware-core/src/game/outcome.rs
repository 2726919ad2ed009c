//! What a move does: its captures and its result, or why it cannot be made. Data only; the
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

/// How a finished game came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This player has more stones in his store.
    Winner(Player),
    /// Both have the same.
    Draw,
}

/// What a move did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveOutcome {
    /// The cup that was sown.
    pub cup: Cup,
    /// Who sowed it.
    pub mover: Player,
    /// The last stone fell into the mover's own store.
    pub free_turn: bool,
    /// What was captured.
    pub capture: Option<Capture>,
    /// Stones left over that went to their owner's store, by [`Player::index`].
    pub swept: [u8; 2],
    /// Set if the move ended the game.
    pub result: Option<GameResult>,
}

/// Why a cup cannot be sown. The position stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The cup belongs to the player who is not to move.
    NotYours,
    /// There is nothing in the cup to sow.
    Empty,
    /// No move is legal any more.
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
