//! The set of moves among which chance decides, where a level does not err.

use super::judge;

/// Set of moves among which the seed chooses, with equal probability, where a level does not err.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variety {
    /// No choice: of equally good moves it plays the one found first.
    #[default]
    None,
    /// All moves as good as the best one.
    Equals,
    /// As [`Self::Equals`], plus all moves at most [`OPENING_MARGIN`] worse than the best one, unless
    /// the best one is far behind ([`OPENING_LAG`]) or the search sees the end of the game.
    Opening,
}

/// Number of moves of a game, of both players, played with [`Variety::Opening`]. docs/budgets.md
/// lists its cost.
pub const OPENING_MOVES: u32 = 6;

/// How much worse than the best a move of the opening may be: one stone.
pub const OPENING_MARGIN: i16 = judge::STONE;

/// A player who seems to lose by more than this takes no worse move, not even in the opening. The
/// player who moves second begins about five stones behind.
pub const OPENING_LAG: i16 = 6 * judge::STONE;

impl Variety {
    /// Returns the variety for the move after `moves` moves.
    pub const fn after(moves: u32) -> Self {
        if moves < OPENING_MOVES { Self::Opening } else { Self::Equals }
    }
}
