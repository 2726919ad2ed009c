//! `board`: the rules of the LCD board's own source document, its power-up default.
//!
//! Player 1 sits at the bottom and begins. Stones left over go to their owner's store.

use super::path::Path;
use super::position::{Lanes, Position};
use super::ruleset::{Ending, Ruleset, StartingPlayer};
use crate::game::places::{Cup, Places};

/// Four stones a cup, BONUS captures, a sweep at the end.
pub const RULES: Ruleset = Ruleset {
    stones_a_cup: 4,
    starting_player: StartingPlayer::Bottom,
    path: Path::OwnStore,
    captures: bonus,
    ending: Ending::EitherSideBare,
    sweeps: true,
    bidirectional: false,
};

/// "If the last stone gets placed into one of the player's own cups that is empty and the
/// opponent's cup directly across is not empty, the player captures all of the stones in the
/// opponent's cup plus the one." A cup counts as empty at the time when the stone drops.
fn bonus(before: &Position, sown: Lanes, last: Cup) -> Places {
    if last.owner() == before.turn && sown.in_cup(last) == 1 && sown.in_cup(last.opposite()) > 0 {
        Places::NONE.with(last.place()).with(last.opposite().place())
    } else {
        Places::NONE
    }
}
