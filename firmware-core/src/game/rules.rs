//! The rules of Mancala: positions, sowing, captures, the end of a game.
//!
//! A game system is a [`Ruleset`]: data, and the few functions that differ. One file
//! a system below this one. The rules know no time, no pixel and no button.
//!
//! | file | subject |
//! |---|---|
//! | `cup` | players, cups, directions: the geometry |
//! | `position` | stones, turn, direction; the stones as one number |
//! | `path` | where the stones of a sowing fall |
//! | `board`, `family`, `wari`, `top_bottom` | the four systems |
//! | `perft` | all games from a position, counted |

pub mod board;
mod cup;
pub mod family;
mod path;
mod perft;
mod position;
pub mod top_bottom;
pub mod wari;

use core::cmp::Ordering;
use core::fmt;

pub use cup::{CUPS_A_SIDE, Cup, Direction, PLACES, Player};
pub use path::{Path, Sowing};
pub use perft::{Perft, perft};
pub use position::{Lanes, Position};

use crate::game::places::Places;

/// What sets one game system apart from another.
#[derive(Clone, Copy, Debug)]
pub struct Ruleset {
    /// Stones in each cup at the start.
    pub stones_a_cup: u8,
    /// Who begins.
    pub beginner: Beginner,
    /// Where stones are sown.
    pub path: Path,
    /// The cups that a sowing whose last stone fell into `last` captures, by the position
    /// before the move and with all its stones sown. Empty is no capture.
    pub captures: fn(before: &Position, sown: Lanes, last: Cup) -> Places,
    /// When the game is over.
    pub ending: Ending,
    /// Whether the stones that are left over at the end go to their owner's store.
    pub sweeps: bool,
    /// Whether the direction of sowing flips, for both players, at every capture.
    pub bidirectional: bool,
}

/// Who begins a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginner {
    /// The bottom player, always.
    Bottom,
    /// Whoever the coin shows.
    Coin,
    /// The bottom player the first game, then the loser of the one before; after a draw the
    /// one who began it.
    Loser,
}

/// When a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Either side has no stones.
    EitherSideBare,
    /// The player to move has none.
    MoverBare,
}

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
pub struct Outcome {
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

impl Ruleset {
    /// The position in which a game begins that `first` opens.
    pub const fn start(&self, first: Player) -> Position {
        Position::start(self.stones_a_cup, first)
    }

    /// The places that a sowing from `cup` visits, stone by stone.
    pub const fn sowing(&self, position: &Position, cup: Cup) -> Sowing {
        self.path.sowing(position, cup)
    }

    /// Whether the game is over in `position`.
    pub fn is_over(&self, position: &Position) -> bool {
        self.ends(position.lanes(), position.turn)
    }

    /// How a finished game stands.
    pub fn result(&self, position: &Position) -> GameResult {
        result_of(position.stones)
    }

    /// Sows `cup` and does all that follows from it.
    ///
    /// # Errors
    /// If the cup is not the mover's, is empty, or the game is over.
    pub fn play(&self, position: &Position, cup: Cup) -> Result<(Position, Outcome), PlayError> {
        if self.is_over(position) {
            return Err(PlayError::GameOver);
        }
        if cup.owner() != position.turn {
            return Err(PlayError::NotYours);
        }
        if position.in_cup(cup) == 0 {
            return Err(PlayError::Empty);
        }
        Ok(self.sow(position, cup))
    }

    /// [`Self::play`] for those who know already that the move is legal: the cup is one of
    /// the mover's with stones in it, and the game goes on.
    // Inlined so that of the outcome only what the caller looks at costs anything.
    #[inline(always)]
    pub fn sow(&self, position: &Position, cup: Cup) -> (Position, Outcome) {
        let &Position { turn: mover, mut direction, .. } = position;
        let (fallen, last) = self.path.strew(cup, direction, position.in_cup(cup));
        let mut lanes = position.lanes().without(cup.place()).and(fallen);
        let free_turn = last == mover.store();
        let turn = if free_turn { mover } else { mover.opponent() };
        let mut capture = None;
        if let Some(last) = Cup::at(last) {
            let cups = (self.captures)(position, lanes, last);
            if !cups.is_empty() {
                let stones;
                (lanes, stones) = lanes.collected(cups, mover);
                capture = Some(Capture { cups, stones });
                if self.bidirectional {
                    direction = direction.reversed();
                }
            }
        }
        let mut swept = [0; 2];
        let mut result = None;
        if self.ends(lanes, turn) {
            (lanes, swept) = if self.sweeps { lanes.swept() } else { (lanes, swept) };
            result = Some(result_of(lanes.stones()));
        }
        let next = Position { stones: lanes.stones(), turn, direction };
        (next, Outcome { cup, mover, free_turn, capture, swept, result })
    }

    /// Whether the game is over when `turn` is to move.
    #[inline(always)]
    fn ends(&self, lanes: Lanes, turn: Player) -> bool {
        match self.ending {
            Ending::EitherSideBare => lanes.is_bare(Player::Bottom) || lanes.is_bare(Player::Top),
            Ending::MoverBare => lanes.is_bare(turn),
        }
    }

    /// The leaves of the tree of all games from `position`, `depth` sowings deep; a game
    /// that is over is one leaf.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        perft(self, position, depth).leaves
    }
}

/// Who has more stones in his store.
fn result_of(stones: [u8; PLACES]) -> GameResult {
    match stones[Player::Bottom.store()].cmp(&stones[Player::Top.store()]) {
        Ordering::Greater => GameResult::Winner(Player::Bottom),
        Ordering::Less => GameResult::Winner(Player::Top),
        Ordering::Equal => GameResult::Draw,
    }
}

#[cfg(test)]
mod tests;
