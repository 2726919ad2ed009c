//! Scenes in which `top-bottom` differs from `board`.

use super::super::{board, top_bottom::RULES};
use super::*;

#[test]
fn a_lap_of_thirteen_ends_in_its_source_and_captures_nothing() {
    let before = position([0, 0, 13, 1, 1, 1, 8, 4, 4, 4, 4, 4, 4, 0], Player::Bottom);
    let (_, outcome) = check(&RULES, before, 2, [1, 1, 1, 2, 2, 2, 9, 5, 5, 5, 5, 5, 5, 0]);
    assert_eq!(captured(&outcome), None);
    // `board` judges emptiness when the stone drops: there it captures.
    let (_, outcome) = board::RULES.play(&before, Cup::at(2).unwrap()).unwrap();
    assert_eq!(captured(&outcome), Some(6));
}

#[test]
fn a_lap_of_fourteen_captures_two_in_a_pit_empty_before() {
    let before = position([0, 0, 14, 0, 1, 1, 8, 4, 4, 4, 4, 4, 4, 0], Player::Bottom);
    let (_, outcome) = check(&RULES, before, 2, [1, 1, 1, 0, 2, 2, 16, 5, 5, 0, 5, 5, 5, 0]);
    assert_eq!(captured(&outcome), Some(7));
    let (_, outcome) = board::RULES.play(&before, Cup::at(2).unwrap()).unwrap();
    assert_eq!(captured(&outcome), None);
}

#[test]
fn an_empty_pit_opposite_is_no_obstacle() {
    let before = position([1, 0, 4, 4, 4, 4, 5, 4, 4, 4, 4, 0, 4, 6], Player::Bottom);
    let after = [0, 0, 4, 4, 4, 4, 6, 4, 4, 4, 4, 0, 4, 6];
    let (_, outcome) = check(&RULES, before, 0, after);
    assert_eq!(captured(&outcome), Some(1));
}

#[test]
fn stones_left_over_stay_and_do_not_count() {
    let before = position([0, 0, 0, 0, 0, 1, 20, 4, 4, 4, 4, 4, 4, 3], Player::Bottom);
    let (_, outcome) = check(&RULES, before, 5, [0, 0, 0, 0, 0, 0, 21, 4, 4, 4, 4, 4, 4, 3]);
    assert_eq!(outcome.swept, [0, 0]);
    assert_eq!(outcome.result, Some(GameResult::Winner(Player::Bottom)));
}

#[test]
fn a_last_seed_in_the_own_mancala_gives_an_extra_turn() {
    let (next, outcome) =
        check(&RULES, RULES.start(Player::Top), 9, [4, 4, 4, 4, 4, 4, 0, 4, 4, 0, 5, 5, 5, 1]);
    assert!(outcome.free_turn);
    assert_eq!(next.turn, Player::Top);
}
