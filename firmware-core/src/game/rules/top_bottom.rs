//! `top-bottom`: seeds in pits, between Top and Bottom.
//!
//! A pit counts as empty if it was empty before the move began, and stones left at the end count
//! for neither player.

use super::board;
use super::position::{Lanes, Position};
use super::ruleset::{Ruleset, StartingPlayer};
use crate::game::places::{Cup, Places};

/// As `board`, but a coin decides who begins, emptiness is judged before the move, and there is no
/// sweep.
pub const RULES: Ruleset = Ruleset {
    starting_player: StartingPlayer::Coin,
    captures: empty_before_the_move,
    sweeps: false,
    ..board::RULES
};

/// "A pit is considered to be empty if it has no seeds in it prior to a move. [...] The opponent's
/// pit opposite the last pit and the last pit are emptied, and those seeds are added to the current
/// player's mancala." After a lap, the source pit is therefore not an empty one.
fn empty_before_the_move(before: &Position, _sown: Lanes, last: Cup) -> Places {
    if last.owner() == before.turn && before.in_cup(last) == 0 {
        Places::NONE.with(last.place()).with(last.opposite().place())
    } else {
        Places::NONE
    }
}
