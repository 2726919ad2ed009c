//! `family`: the folding-board game with bins 1 to 12 for the whole family.
//!
//! Differs from [`super::board`] in who begins, and captures even if the opposite bin is empty.

use super::board;
use super::position::{Lanes, Position};
use super::ruleset::{Ruleset, StartingPlayer};
use crate::game::places::{Cup, Places};

/// As `board`, but a coin decides who begins, and an empty opposite bin does not prevent a capture.
pub const RULES: Ruleset =
    Ruleset { starting_player: StartingPlayer::Coin, captures: own_empty_bin, ..board::RULES };

/// "If the last stone of a player's turn lands in an empty bin on his side, then the player
/// gets to collect all the stones in his opponent's bin which is directly opposite, as well
/// as the single stone placed in his own bin."
fn own_empty_bin(before: &Position, sown: Lanes, last: Cup) -> Places {
    if last.owner() == before.turn && sown.in_cup(last) == 1 {
        Places::NONE.with(last.place()).with(last.opposite().place())
    } else {
        Places::NONE
    }
}
