//! The search: bounded slices, the same result for the same seed, on any board.

use firmware_core::opponent::{self, Level, Scratch, Thought, Variety};
use firmware_core::rules::{Cup, Direction, PLACES, Player, Position, Ruleset, board, wari};

use super::{Dice, Mind, SYSTEMS, Thinker, legal, thoughts};

const VARIETIES: [Variety; 3] = [Variety::None, Variety::Equals, Variety::Opening];
const LEVELS: [Level; 4] = Level::ALL;

/// Maximum memory in bytes that the firmware provides for the search.
const MOST_BYTES: usize = 24 * 1024;
const _: () = assert!(size_of::<opponent::Thinker>() + size_of::<Scratch>() <= MOST_BYTES);

/// Returns a mind with a fixed seed.
const fn mind(level: Level) -> Mind {
    Mind::new(level, 1, Variety::None)
}

/// Returns a board as Edit Board may leave it: up to 60 stones in heaps of any size.
fn edited(rules: &Ruleset, dice: &mut Dice) -> Position {
    let mut stones = [0; PLACES];
    let mut left = dice.below(61);
    while left > 0 {
        let heap = 1 + dice.below(left);
        stones[dice.below(PLACES)] += heap as u8;
        left -= heap;
    }
    let clockwise = rules.bidirectional && dice.below(2) == 1;
    let direction = if clockwise { Direction::Clockwise } else { Direction::CounterClockwise };
    Position { direction, ..Position::of(stones, Player::BOTH[dice.below(2)]) }
}

#[test]
fn any_board_is_thought_about_within_bounds() {
    let mut thinker = Thinker::new();
    for (_, rules) in SYSTEMS {
        let mut dice = Dice(3);
        for _ in 0..40 {
            let position = edited(rules, &mut dice);
            for level in LEVELS {
                if !legal(rules, &position).is_empty() {
                    let mind =
                        Mind::new(level, dice.number(), VARIETIES[dice.below(VARIETIES.len())]);
                    thoughts(&mut thinker, rules, &position, mind);
                }
            }
        }
    }
}

#[test]
fn a_heap_of_all_stones_in_one_cup_is_thought_about_within_bounds() {
    let mut thinker = Thinker::new();
    for (_, rules) in SYSTEMS {
        for cup in Cup::all() {
            let mut position = Position::of([0; PLACES], cup.owner());
            position.stones[cup.place()] = 60;
            // A stone in the opposite cup as well, so that the game continues in every system.
            position.stones[cup.opposite().place()] = 1;
            for level in LEVELS {
                for variety in VARIETIES {
                    thoughts(&mut thinker, rules, &position, Mind::new(level, 0, variety));
                }
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_thoughts_after_any_other_search() {
    let mut old = Thinker::new();
    for (name, rules) in SYSTEMS {
        for seed in 0..3 {
            let position = edited(rules, &mut Dice(seed + 5));
            if legal(rules, &position).is_empty() {
                continue;
            }
            for level in LEVELS {
                let mind = Mind::new(level, seed, VARIETIES[seed as usize]);
                let again = thoughts(&mut old, rules, &position, mind);
                let fresh = thoughts(&mut Thinker::new(), rules, &position, mind);
                assert_eq!(again, fresh, "{name}, {mind:?}, {position:?}");
            }
        }
    }
}

#[test]
fn seeds_vary_the_play_of_every_level() {
    let position = board::RULES.start(Player::Bottom);
    for level in [Level::Novice, Level::Intermediate, Level::Proficient] {
        let decided = |seed| {
            let mind = Mind::new(level, seed, Variety::None);
            *thoughts(&mut Thinker::new(), &board::RULES, &position, mind)
                .last()
                .expect("a decision")
        };
        assert!((1..20).any(|seed| decided(seed) != decided(0)), "{level:?}");
    }
}

#[test]
fn the_lower_levels_consider_every_cup() {
    for (name, rules) in SYSTEMS {
        let position = rules.start(Player::Top);
        for level in [Level::Novice, Level::Intermediate, Level::Proficient] {
            let thoughts = thoughts(&mut Thinker::new(), rules, &position, mind(level));
            for cup in Cup::of(Player::Top) {
                let seen = thoughts.contains(&Thought::Considering(cup));
                assert!(seen, "{name}: {level:?} never considered {cup:?}");
            }
        }
    }
}

#[test]
fn the_advanced_level_shows_more_than_one_cup() {
    for (name, rules) in SYSTEMS {
        let position = rules.start(Player::Top);
        let thoughts = thoughts(&mut Thinker::new(), rules, &position, mind(Level::Advanced));
        let others = thoughts.iter().filter(|thought| **thought != thoughts[0]).count();
        assert!(others > 3, "{name}: {thoughts:?}");
    }
}

#[test]
fn the_lower_levels_take_enough_slices_to_be_seen() {
    for (level, slices) in
        [(Level::Novice, 10..=15), (Level::Intermediate, 16..=24), (Level::Proficient, 22..=40)]
    {
        let position = board::RULES.start(Player::Bottom);
        let thoughts = thoughts(&mut Thinker::new(), &board::RULES, &position, mind(level));
        assert!(slices.contains(&thoughts.len()), "{level:?} took {} slices", thoughts.len());
    }
}

#[test]
fn a_finished_game_gives_no_thought() {
    let mut thinker = Thinker::new();
    assert_eq!(thinker.think(), None);
    for (_, rules) in SYSTEMS {
        thinker.begin(rules, &Position::of([0; PLACES], Player::Top), mind(Level::Advanced));
        assert_eq!(thinker.think(), None);
    }
}

#[test]
fn a_decision_is_final_until_the_next_begin() {
    let mut thinker = Thinker::new();
    let position = wari::RULES.start(Player::Bottom);
    let last = thoughts(&mut thinker, &wari::RULES, &position, mind(Level::Novice)).pop();
    assert_eq!(thinker.think(), last);
}
