//! One fixed line of play meets different answers: the computer cannot be beaten by heart.

use std::collections::HashSet;

use firmware_core::opponent::{Level, Variety};
use firmware_core::rules::{Cup, Player, Ruleset};

use super::{Dice, Mind, SYSTEMS, Thinker, decision, legal};

/// Games against the same line of play.
const GAMES: u64 = 100;
/// So many of them differ at least.
const DIFFERENT: usize = 50;
/// Moves of both players by which games are compared. What differs by then stays different; a game
/// that differs only later is not counted, so the counts are lower bounds.
const MOVES: u32 = 14;

/// The first moves of a game of the computer's, at the top, against a person who always sows the
/// cup that is the first one that holds stones, from the same button on.
fn game(rules: &Ruleset, level: Level, seed: u64, thinker: &mut Thinker) -> Vec<Cup> {
    let mut dice = Dice(seed);
    let mut position = rules.start(Player::Bottom);
    let mut played = Vec::new();
    for moves in 0..MOVES {
        let cups = legal(rules, &position);
        let Some(first) = cups.first() else { break };
        let cup = match position.turn {
            Player::Bottom => *first,
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

fn count(rules: &Ruleset, level: Level, games: u64) -> usize {
    let mut thinker = Thinker::new();
    let played: HashSet<_> = (1..=games).map(|seed| game(rules, level, seed, &mut thinker)).collect();
    played.len()
}

#[test]
fn experiment() {
    for (name, rules) in SYSTEMS {
        for level in Level::ALL {
            println!("{name}, {level:?}: {} of {GAMES} differ", count(rules, level, GAMES));
        }
    }
}
