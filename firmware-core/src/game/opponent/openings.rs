//! The best moves at the beginning of a game, found by a search far deeper than the board has time
//! for: the first move, and the second one after each first move. Help shows them.
//!
//! The ignored test `the_table_of_openings_is_the_one_of_a_deep_search` of `tests/opponent` computes
//! the table again and prints it.

use crate::game::places::{CUPS_A_SIDE, Cup, Player};
use crate::game::rules::{Position, Ruleset};
use crate::game::systems::Game;

/// The best moves of one system: its options, and the number of the best cup on its side at the
/// start, then after each first move by the number of its cup.
struct Openings {
    game: Game,
    stones: u8,
    bidirectional: bool,
    best: [u8; 1 + CUPS_A_SIDE],
}

const TABLE: [Openings; 0] = [];

/// Returns the best move in `position` of a game with these options; `None` if it is not one of the
/// first two positions of a game.
pub fn best(game: Game, rules: &Ruleset, position: &Position) -> Option<Cup> {
    let openings = TABLE.iter().find(|openings| {
        openings.game == game
            && openings.stones == rules.stones_a_cup
            && openings.bidirectional == rules.bidirectional
    })?;
    let nth = Player::BOTH.into_iter().find_map(|first| {
        let start = rules.start(first);
        if *position == start {
            return Some(0);
        }
        let mut cups = Cup::of(first);
        cups.find(|cup| rules.sow(&start, *cup).0 == *position).map(|cup| 1 + cup.nth_of_owner())
    })?;
    Cup::nth(position.turn, openings.best[nth].into())
}
