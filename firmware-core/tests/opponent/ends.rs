//! A decided game ends soon, and a won one is not given away.

use firmware_core::opponent::{Level, Variety};
use firmware_core::rules::{GameResult, PLACES, Player, Position, Ruleset, board, wari};

use super::deep::Deep;
use super::{Dice, Mind, SYSTEMS, Thinker, decision, legal};

/// Top leads 32 to 12 and Bottom has no stone: cup 7 ends the game, cups 11 and 12 feed Bottom.
const LINGERING: [u8; PLACES] = [0, 0, 0, 0, 0, 0, 12, 1, 0, 0, 0, 2, 1, 32];

#[test]
fn every_level_ends_a_decided_game_of_wari_at_once_if_it_can() {
    let mut thinker = Thinker::new();
    for (bottom, top) in [(12, 32), (32, 12)] {
        let mut position = Position::of(LINGERING, Player::Top);
        (position.stones[6], position.stones[13]) = (bottom, top);
        for level in Level::ALL {
            for seed in 0..20 {
                let mind = Mind::new(level, seed, Variety::after(30));
                let cup = decision(&mut thinker, &wari::RULES, &position, mind);
                let (_, outcome) = wari::RULES.sow(&position, cup);
                assert!(outcome.result.is_some(), "{level:?}, {seed}: {cup:?} plays on");
            }
        }
    }
}

#[test]
fn a_result_is_decided_by_more_than_half_of_the_stones_or_by_the_last_one() {
    let decided = |rules: &Ruleset, bottom, top, left| {
        let mut stones = [0; PLACES];
        (stones[6], stones[13], stones[3], stones[9]) =
            (bottom, top, left, 48 - bottom - top - left);
        rules.decided(&Position::of(stones, Player::Bottom))
    };
    let bottom = Some(GameResult::Winner(Player::Bottom));
    assert_eq!(decided(&wari::RULES, 25, 3, 5), bottom);
    assert_eq!(decided(&wari::RULES, 24, 3, 5), None);
    assert_eq!(decided(&wari::RULES, 3, 25, 5), Some(GameResult::Winner(Player::Top)));
    assert_eq!(decided(&wari::RULES, 24, 22, 1), None, "two stones can be captured");
    assert_eq!(decided(&wari::RULES, 24, 23, 1), bottom, "one cannot");
    // There every stone counts, and the end comes by itself.
    assert_eq!(decided(&board::RULES, 40, 3, 2), None);
}

/// Returns for how many moves a game of Advanced against `level` lasts after it is decided.
fn lasts(rules: &Ruleset, level: Level, seed: u64, thinker: &mut Thinker) -> u32 {
    let mut dice = Dice(seed);
    let mut position = rules.start(Player::BOTH[dice.below(2)]);
    let (mut moves, mut decided) = (0, None);
    while !rules.is_over(&position) {
        if rules.decided(&position).is_some() {
            decided.get_or_insert(moves);
        }
        if moves > 300 || decided.is_some_and(|since| moves - since > 60) {
            break;
        }
        let level = if position.turn == Player::Top { Level::Advanced } else { level };
        let mind = Mind::new(level, dice.number(), Variety::after(moves));
        let cup = decision(thinker, rules, &position, mind);
        (position, _) = rules.sow(&position, cup);
        moves += 1;
    }
    decided.map_or(0, |since| moves - since)
}

#[test]
fn advanced_ends_a_decided_game_of_wari_soon() {
    let mut thinker = Thinker::new();
    for (name, rules) in SYSTEMS.into_iter().skip(3).take(2) {
        let mut all: Vec<_> =
            (1..=8).map(|seed| lasts(rules, Level::Novice, seed, &mut thinker)).collect();
        all.sort_unstable();
        println!("{name}: a decided game lasts for {all:?} moves");
        assert!(all[4] <= 10 && all[7] <= 40, "{name}: {all:?}");
    }
}

/// With more stones than are played exactly, but few enough that the search sees the end.
#[test]
fn a_won_game_is_not_given_away() {
    let mut thinker = Thinker::new();
    for (name, rules) in SYSTEMS.into_iter().take(3) {
        let mut dice = Dice(38);
        let mut deep = Deep::new(rules, 18);
        let mut checked = 0;
        while checked < 40 {
            let mut position = Position::of([0; PLACES], Player::BOTH[dice.below(2)]);
            for _ in 0..12 {
                let places = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12];
                position.stones[places[dice.below(places.len())]] += 1;
            }
            position.stones[position.turn.store()] = 26;
            position.stones[position.turn.opponent().store()] = 10;
            if legal(rules, &position).len() < 2 {
                continue;
            }
            // Every line ends within 30 turns.
            let values = deep.values(&position, 30);
            let best = values.iter().map(|(_, value)| *value).max().expect("a move");
            for seed in 0..4 {
                let mind = Mind::new(Level::Advanced, seed, Variety::Opening);
                let cup = decision(&mut thinker, rules, &position, mind);
                // It saw the end of the game before its time was up.
                if thinker.nodes() < 40_000 {
                    let value = values.iter().find(|(other, _)| *other == cup);
                    assert_eq!(value, Some(&(cup, best)), "{name}: {position:?}");
                    checked += 1;
                }
            }
        }
    }
}
