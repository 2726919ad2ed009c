//! The table of openings: complete, legal, and the one that a deep search finds.

use firmware_core::opponent::openings;
use firmware_core::rules::{Cup, Player, Position, Ruleset};
use firmware_core::systems::Game;

use super::deep::Deep;
use super::{SYSTEMS, legal};

/// Nodes for each position: the search looks as many turns ahead as they last for.
const NODES: u64 = 4_000_000;
/// The same where stones circle: few first moves of `wari` capture anything within sight.
const NODES_CIRCLING: u64 = 500_000;
/// Maximum number of turns.
const MOST_TURNS: u8 = 40;

fn game(name: &str) -> Game {
    match name {
        "board" => Game::Board,
        "family" => Game::Family,
        "top-bottom" => Game::TopBottom,
        _ => Game::Wari,
    }
}

/// Returns the start, and the position after each first move.
fn positions(rules: &Ruleset, first: Player) -> Vec<Position> {
    let start = rules.start(first);
    let after = Cup::of(first).map(|cup| rules.sow(&start, cup).0);
    std::iter::once(start).chain(after).collect()
}

#[test]
fn every_system_has_openings_for_either_player_and_nothing_later() {
    for (name, rules) in SYSTEMS {
        for first in Player::BOTH {
            let mut numbers = Vec::new();
            for position in positions(rules, first) {
                let best = openings::best(game(name), rules, &position).expect(name);
                assert!(legal(rules, &position).contains(&best), "{name}: {best:?}");
                numbers.push(best.nth_of_owner());
                let (next, _) = rules.sow(&position, best);
                let (later, _) = rules.sow(&next, legal(rules, &next)[0]);
                assert_eq!(openings::best(game(name), rules, &later), None, "{name}");
            }
            let other = positions(rules, first.opponent());
            let same: Vec<_> = other
                .iter()
                .map(|position| openings::best(game(name), rules, position).expect(name))
                .map(Cup::nth_of_owner)
                .collect();
            assert_eq!(numbers, same, "{name}: the two sides of the board are alike");
        }
    }
}

/// A test of the table that takes seconds: at a depth of seven turns, no move of it is worse than the
/// best by more than a lead of six.
#[test]
fn no_opening_is_refuted_within_seven_turns() {
    for (name, rules) in SYSTEMS {
        let mut deep = Deep::new(rules, 18);
        for position in positions(rules, Player::Bottom) {
            let chosen = openings::best(game(name), rules, &position).expect(name);
            let values = deep.values(&position, 7);
            let best = values.iter().map(|(_, value)| *value).max().expect("a move");
            let value = values.iter().find(|(cup, _)| *cup == chosen).expect("a legal move").1;
            assert!(best - value <= 6 * super::deep::STONE, "{name}: {chosen:?} in {position:?}");
        }
    }
}

/// Prints the rows of the table in `game/opponent/openings.rs`. Takes some minutes with `--release`.
#[test]
#[ignore = "searches each opening for seconds; see main.rs for the command"]
fn the_table_of_openings_is_the_one_of_a_deep_search() {
    let mut wrong = Vec::new();
    for (name, rules) in SYSTEMS {
        let mut deep = Deep::new(rules, 21);
        let mut row = Vec::new();
        let mut depths = Vec::new();
        for position in positions(rules, Player::Bottom) {
            let begun = deep.nodes;
            let mut found = deep.best(&position, 1);
            let mut turns = 1;
            let most = if game(name) == Game::Wari { NODES_CIRCLING } else { NODES };
            while turns < MOST_TURNS && deep.nodes - begun < most {
                turns += 1;
                found = deep.best(&position, turns);
            }
            let (cup, value) = found;
            row.push(cup.nth_of_owner());
            depths.push((turns, f64::from(value) / 16.0));
            if openings::best(game(name), rules, &position) != Some(cup) {
                wrong.push((name, position, cup));
            }
        }
        println!("{name}: {row:?}; turns and gains: {depths:?}");
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
