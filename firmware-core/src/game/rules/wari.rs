//! `wari`: the game of the West Coast of Africa, as the Wari program plays it.
//!
//! Stones are sown into the twelve cups only, and captured on the opponent's side.

use super::path::Path;
use super::position::{Lanes, Position};
use super::ruleset::{Ending, Ruleset, StartingPlayer};
use crate::game::places::{Cup, Places};

/// Four stones a cup (three or five by option), captures of two and three, no sweep. With
/// `bidirectional` the direction of sowing flips at every capture.
pub const RULES: Ruleset = Ruleset {
    stones_a_cup: 4,
    starting_player: StartingPlayer::Loser,
    path: Path::CupsOnly,
    captures: twos_and_threes,
    ending: Ending::MoverBare,
    sweeps: false,
    bidirectional: false,
};

/// A sowing must end in a cup of the opponent "bringing the total of the cup to two or three"; then
/// all cups before it on the opponent's side are also "captured, provided that the sequence is
/// unbroken" (manual, Capturing Stones). "Before" means against the direction of sowing.
fn twos_and_threes(before: &Position, sown: Lanes, last: Cup) -> Places {
    let back = before.direction.reversed();
    let mut captured = Places::NONE;
    let mut next = Some(last);
    // At most six cups: a store ends each side.
    while let Some(cup) = next {
        if cup.owner() == before.turn || !matches!(sown.in_cup(cup), 2 | 3) {
            break;
        }
        captured = captured.with(cup.place());
        next = Cup::at(back.following(cup.place()));
    }
    captured
}
