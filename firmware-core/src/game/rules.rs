//! The rules of Mancala: positions, sowing, captures, the end of a game.
//!
//! A game system is a [`Ruleset`]: data, and the few functions that differ. Each system has one
//! file in `rules/`. The rules know no time, no pixel and no button.
//!
//! | file | subject |
//! |---|---|
//! | `position` | stones, turn, direction; the stones as one number |
//! | `path` | where the stones of a sowing fall |
//! | `ruleset` | what systems differ in, and the move that they share |
//! | `board`, `family`, `wari`, `top_bottom` | the four systems |
//! | `perft` | counts all games from a position |

pub mod board;
pub mod family;
mod path;
mod perft;
mod position;
mod ruleset;
pub mod top_bottom;
pub mod wari;

pub use crate::game::outcome::{Capture, GameResult, MoveOutcome, PlayError};
pub use crate::game::places::{CUPS_A_SIDE, Cup, Direction, PLACES, Player};
pub use path::{Path, Sowing};
pub use perft::{Perft, perft};
pub use position::{Lanes, Position};
pub use ruleset::{Ending, Ruleset, StartingPlayer};

#[cfg(test)]
mod tests;
