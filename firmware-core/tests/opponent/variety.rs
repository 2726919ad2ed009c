//! A fixed line of play gets different answers: the user cannot beat the computer with a memorized
//! game.

use std::collections::HashSet;

use firmware_core::opponent::{Level, Variety};
use firmware_core::rules::{Cup, PLACES, Player, Position, Ruleset, board};

use super::part::Part;
use super::{Dice, Mind, SYSTEMS, Thinker, decision, legal};

/// Number of games against the same line of play.
const GAMES: u64 = 100;
/// Minimum number of different games among them.
const DIFFERENT: usize = 50;
/// The same for Advanced, which chooses only among moves within a stone of the best.
const DIFFERENT_OF_ADVANCED: usize = 33;
/// Number of moves of both players after which a circular game of `wari` counts as over.
const LONGEST: u32 = 200;

/// A fixed line of play.
#[derive(Clone, Copy, Debug)]
enum Line {
    /// Always the non-empty cup farthest from the player's own store.
    First,
    /// Always the non-empty cup nearest to it.
    Last,
}

/// Returns the moves of a game of the computer, at the top, against a user who plays `line`; at
/// most `most` moves.
fn game(
    rules: &Ruleset,
    level: Level,
    line: Line,
    seed: u64,
    most: u32,
    thinker: &mut Thinker,
) -> Vec<Cup> {
    let mut dice = Dice(seed);
    let mut position = rules.start(Player::Bottom);
    let mut played = Vec::new();
    for moves in 0..most {
        let cups = legal(rules, &position);
        let (Some(&first), Some(&last)) = (cups.first(), cups.last()) else { break };
        let cup = match position.turn {
            Player::Bottom => match line {
                Line::First => first,
                Line::Last => last,
            },
            Player::Top => {
                let mind = Mind::new(level, dice.number(), Variety::after(moves));
                decision(thinker, rules, &position, mind)
            }
        };
        played.push(cup);
        (position, _) = rules.sow(&position, cup);
    }
    played
}

/// Returns how many of `games` games differ within their first `most` moves.
fn count(rules: &Ruleset, level: Level, line: Line, games: u64, most: u32) -> usize {
    let mut thinker = Thinker::new();
    let games = (1..=games).map(|seed| game(rules, level, line, seed, most, &mut thinker));
    games.collect::<HashSet<_>>().len()
}

/// Checks that of a hundred games against `line` at least `least` differ, in every system.
#[track_caller]
fn check(level: Level, line: Line, most: u32, least: usize) {
    for (name, rules) in SYSTEMS {
        let different = count(rules, level, line, GAMES, most);
        println!("{name}, {level:?}, {line:?}: {different} of {GAMES} games differ");
        assert!(different >= least, "{name}, {level:?}, {line:?}: {different}");
    }
}

#[test]
fn half_of_a_hundred_games_of_a_novice_differ_after_a_few_moves() {
    check(Level::Novice, Line::First, 14, DIFFERENT);
}

#[test]
fn half_of_a_hundred_games_of_intermediate_differ_after_a_few_moves() {
    check(Level::Intermediate, Line::First, 14, DIFFERENT);
}

#[test]
fn some_of_the_games_of_advanced_differ_after_a_few_moves() {
    for (name, rules) in Part::of_this_run().some(SYSTEMS) {
        let different = count(rules, Level::Advanced, Line::First, 10, 20);
        assert!(different >= 5, "{name}: {different} of 10");
    }
}

/// Takes two minutes with `--release`.
#[test]
#[ignore = "hundreds of games of the Advanced level; see main.rs for the command"]
fn a_third_of_a_hundred_games_of_advanced_differ() {
    check(Level::Advanced, Line::First, LONGEST, DIFFERENT_OF_ADVANCED);
}

/// Against a better line of play there are fewer good answers. Takes two minutes with `--release`.
#[test]
#[ignore = "hundreds of games of the Advanced level; see main.rs for the command"]
fn games_of_advanced_against_a_better_line_differ_too() {
    check(Level::Advanced, Line::Last, LONGEST, DIFFERENT_OF_ADVANCED);
}

/// A short version of the tests above: as many games of each system as take a few seconds.
#[test]
fn games_of_advanced_against_either_line_differ() {
    for (name, rules) in Part::of_this_run().some(SYSTEMS.into_iter().take(4)) {
        for line in [Line::First, Line::Last] {
            let different = count(rules, Level::Advanced, line, 8, LONGEST);
            assert!(different >= 4, "{name}, {line:?}: {different} of 8");
        }
    }
}

/// Also in the opening: with few stones it plays only the best moves, which `exact` checks.
#[test]
fn any_of_the_equally_good_moves_is_chosen() {
    let mut stones = [0; PLACES];
    // All three stones reach the store eventually, in any order of moves.
    (stones[0], stones[1], stones[2], stones[12]) = (1, 1, 1, 1);
    let position = Position::of(stones, Player::Bottom);
    let decided = |variety| -> HashSet<_> {
        let mind = |seed| Mind::new(Level::Advanced, seed, variety);
        let mut thinker = Thinker::new();
        (0..40).map(|seed| decision(&mut thinker, &board::RULES, &position, mind(seed))).collect()
    };
    assert_eq!(decided(Variety::None).len(), 1);
    assert!(decided(Variety::Equals).len() > 1);
    assert_eq!(decided(Variety::Opening), decided(Variety::Equals));
}
