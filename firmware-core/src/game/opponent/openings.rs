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

const TABLE: [Openings; 9] = [
    of(Game::Board, 4, false, [2, 2, 2, 5, 2, 2, 1]),
    of(Game::Family, 4, false, [2, 2, 2, 5, 2, 2, 1]),
    of(Game::TopBottom, 4, false, [2, 2, 5, 5, 2, 2, 5]),
    of(Game::Wari, 4, false, [0, 5, 0, 0, 1, 1, 3]),
    of(Game::Wari, 4, true, [1, 5, 5, 1, 1, 4, 4]),
    of(Game::Wari, 3, false, [5, 0, 0, 0, 2, 5, 5]),
    of(Game::Wari, 5, false, [1, 2, 5, 0, 0, 0, 0]),
    of(Game::Wari, 3, true, [5, 5, 0, 1, 3, 5, 5]),
    of(Game::Wari, 5, true, [1, 3, 4, 1, 0, 2, 4]),
];

const fn of(game: Game, stones: u8, bidirectional: bool, best: [u8; 1 + CUPS_A_SIDE]) -> Openings {
    Openings { game, stones, bidirectional, best }
}

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
