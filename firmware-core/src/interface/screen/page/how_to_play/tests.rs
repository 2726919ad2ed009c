//! Plays the examples by the rules, and checks that the texts fit.

extern crate std;
use std::vec::Vec;

use super::*;
use crate::game::outcome::GameResult;
use crate::game::rules::Position;
use crate::game::systems::{Game, SYSTEMS};

fn examples(game: Game) -> Vec<(&'static str, &'static Example)> {
    let lessons = (0..count(game)).map(|nth| lesson(game, nth));
    lessons
        .filter_map(|lesson| match &lesson.drawing {
            Drawing::Move(example) => Some((lesson.title, example)),
            _ => None,
        })
        .collect()
}

#[test]
fn every_example_follows_the_rules() {
    for system in SYSTEMS {
        for (title, example) in examples(system.game) {
            let title = std::format!("{}: {title}", system.name);
            let before = Position::of(example.before, Player::Bottom);
            let cup = Cup::at(example.cup.into()).expect("a cup");
            assert_eq!(cup.owner(), Player::Bottom, "{title}");
            let last = system.rules.sowing(&before, cup).last();
            assert_eq!(last, Some(usize::from(example.last)), "{title}");
            let (after, _) = system.rules.play(&before, cup).expect("a move");
            assert_eq!(after.stones, example.after, "{title}");
            let total: u32 = example.before.iter().map(|stones| u32::from(*stones)).sum();
            assert_eq!(total, 48, "{title}");
        }
    }
}

/// The event in each example, in the order of the lessons.
#[test]
fn every_example_shows_the_subject_of_its_lesson() {
    let bottom = Some(GameResult::Winner(Player::Bottom));
    let top = Some(GameResult::Winner(Player::Top));
    let nothing = (false, None, None);
    let turn = (true, None, None);
    let capture = |stones| (false, Some(stones), None);
    for (game, expected) in [
        (Game::Board, [nothing, turn, capture(6), (true, None, top)]),
        (Game::Family, [nothing, turn, capture(6), (true, None, top)]),
        (Game::Wari, [nothing, nothing, capture(5), (false, Some(2), bottom)]),
        (Game::TopBottom, [nothing, turn, capture(6), (true, None, bottom)]),
    ] {
        for ((title, example), expected) in examples(game).into_iter().zip(expected) {
            let before = Position::of(example.before, Player::Bottom);
            let cup = Cup::at(example.cup.into()).expect("a cup");
            let (_, outcome) = game.system().rules.play(&before, cup).expect("a move");
            let captured = outcome.capture.map(|capture| u32::from(capture.stones));
            assert_eq!(
                (outcome.free_turn, captured, outcome.result),
                expected,
                "{game:?}: {title}"
            );
        }
    }
}

/// Each strategy of the manual answers a capture by cup 12, the place 12.
#[test]
fn every_strategy_parries_a_capture() {
    let rules = Game::Wari.system().rules;
    let captures = |stones, player, place| {
        let position = Position::of(stones, player);
        let (_, outcome) = rules.play(&position, Cup::at(place).expect("a cup")).expect("a move");
        outcome.capture.map(|capture| capture.stones)
    };
    let strategies = &examples(Game::Wari)[4..];
    let titles: Vec<_> = strategies.iter().map(|(title, _)| *title).collect();
    assert_eq!(titles, ["Flight", "Reinforcement", "Overkill", "Threat"]);
    for (title, example) in strategies {
        assert_eq!(captures(example.before, Player::Top, 12), Some(3), "{title}");
        let after = captures(example.after, Player::Top, 12);
        match *title {
            // It leaves the attack, and threatens as many stones.
            "Threat" => {
                assert_eq!((after, captures(example.before, Player::Bottom, 3)), (Some(3), None));
                assert_eq!(captures(example.after, Player::Bottom, 3), Some(3));
            }
            _ => assert_eq!(after, None, "{title}"),
        }
    }
}

#[test]
fn the_longest_texts_fit_with_two_lines_to_spare() {
    for system in SYSTEMS {
        for nth in 0..count(system.game) {
            let lesson = lesson(system.game, nth);
            let lines = TEXT.height(lesson.text, 320 - 2 * MARGIN) / NAMES;
            let most = match lesson.drawing {
                Drawing::None => 9,
                Drawing::Board(_) | Drawing::Step { .. } => 5,
                Drawing::Move(_) => 4,
            };
            assert!(lines <= most, "{}: {} has {lines} lines", system.name, lesson.title);
        }
    }
}

#[test]
fn the_lessons_take_less_than_twenty_kibibytes() {
    let mut bytes = 0;
    for system in SYSTEMS {
        bytes += core::mem::size_of_val(super::lessons::lessons(system.game));
        for nth in 0..count(system.game) {
            let lesson = lesson(system.game, nth);
            bytes += lesson.title.len() + lesson.text.len();
        }
    }
    assert!(bytes < 20 * 1024, "{bytes} bytes");
}

#[test]
fn a_number_past_the_end_gives_the_last_lesson() {
    for system in SYSTEMS {
        let last = lesson(system.game, count(system.game) - 1);
        for nth in count(system.game)..=u8::MAX {
            assert!(core::ptr::eq(lesson(system.game, nth), last), "{nth}");
        }
    }
}
