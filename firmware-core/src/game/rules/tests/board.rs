//! Scenes of the `board` system, as its source document describes them.

use super::super::board::RULES;
use super::*;
use crate::game::places::Places;

#[track_caller]
fn check(before: Position, place: usize, after: [u8; PLACES]) -> MoveOutcome {
    super::check(&RULES, before, place, after).1
}

#[test]
fn the_first_move_sows_four_stones_counter_clockwise() {
    let outcome = check(RULES.start(Player::Bottom), 0, [0, 5, 5, 5, 5, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
    assert!(!outcome.free_turn);
    assert_eq!(outcome.capture, None);
}

#[test]
fn twelve_stones_in_cup_3_end_in_the_players_own_cup_4() {
    // The source's example lists eleven placements; the rule gives a twelfth.
    let before = position([3, 3, 3, 12, 3, 3, 0, 4, 4, 4, 4, 3, 2, 0], Player::Bottom);
    let path: [usize; 12] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2];
    assert!(RULES.sowing(&before, Cup::at(3).unwrap()).eq(path));
    check(before, 3, [4, 4, 4, 0, 4, 4, 1, 5, 5, 5, 5, 4, 3, 0]);
}

#[test]
fn a_last_stone_in_the_own_store_gives_a_free_turn() {
    let outcome = check(RULES.start(Player::Bottom), 2, [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0]);
    assert!(outcome.free_turn);
    let (next, _) = RULES.play(&RULES.start(Player::Bottom), Cup::at(2).unwrap()).unwrap();
    assert_eq!(next.turn, Player::Bottom);
}

#[test]
fn a_last_stone_in_an_own_empty_cup_collects_the_bonus() {
    let before = position([1, 0, 4, 4, 4, 4, 5, 4, 4, 4, 4, 6, 4, 0], Player::Bottom);
    let outcome = check(before, 0, [0, 0, 4, 4, 4, 4, 12, 4, 4, 4, 4, 0, 4, 0]);
    let bonus = outcome.capture.expect("a capture");
    assert_eq!((bonus.cups, bonus.stones), (Places::NONE.with(1).with(11), 7));
}

#[test]
fn without_stones_opposite_there_is_no_bonus() {
    let before = position([1, 0, 4, 4, 4, 4, 5, 4, 4, 4, 4, 0, 4, 6], Player::Bottom);
    let outcome = check(before, 0, [0, 1, 4, 4, 4, 4, 5, 4, 4, 4, 4, 0, 4, 6]);
    assert_eq!(outcome.capture, None);
}

#[test]
fn a_last_stone_in_an_empty_cup_of_the_opponent_captures_nothing() {
    let before = position([4, 4, 4, 4, 4, 2, 5, 0, 4, 4, 4, 4, 5, 0], Player::Bottom);
    let outcome = check(before, 5, [4, 4, 4, 4, 4, 0, 6, 1, 4, 4, 4, 4, 5, 0]);
    assert_eq!(outcome.capture, None);
}

#[test]
fn a_lap_of_thirteen_ends_in_the_emptied_source_and_captures() {
    let before = position([0, 0, 13, 1, 1, 1, 8, 4, 4, 4, 4, 4, 4, 0], Player::Bottom);
    let outcome = check(before, 2, [1, 1, 0, 2, 2, 2, 15, 5, 5, 5, 0, 5, 5, 0]);
    assert_eq!(outcome.capture.map(|bonus| bonus.stones), Some(6));
}

#[test]
fn a_lap_of_fourteen_finds_the_cup_after_the_source_no_longer_empty() {
    let before = position([0, 0, 14, 0, 1, 1, 8, 4, 4, 4, 4, 4, 4, 0], Player::Bottom);
    let outcome = check(before, 2, [1, 1, 1, 2, 2, 2, 9, 5, 5, 5, 5, 5, 5, 0]);
    assert_eq!(outcome.capture, None);
}

#[test]
fn the_opponents_store_is_skipped() {
    let before = position([4, 4, 4, 4, 4, 10, 0, 3, 3, 3, 3, 3, 3, 0], Player::Bottom);
    check(before, 5, [5, 5, 5, 4, 4, 0, 1, 4, 4, 4, 4, 4, 4, 0]);
    let before = position([3, 3, 3, 3, 3, 3, 0, 4, 4, 4, 4, 4, 10, 0], Player::Top);
    check(before, 12, [4, 4, 4, 4, 4, 4, 0, 5, 5, 5, 4, 4, 0, 1]);
}

#[test]
fn a_free_turn_that_empties_the_own_side_ends_the_game() {
    let before = position([0, 0, 0, 0, 0, 1, 23, 4, 4, 4, 4, 4, 4, 0], Player::Bottom);
    let outcome = check(before, 5, [0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 24]);
    assert!(outcome.free_turn);
    assert_eq!(outcome.swept, [0, 24]);
    assert_eq!(outcome.result, Some(GameResult::Draw));
}

#[test]
fn a_bonus_that_empties_the_opponents_side_ends_the_game() {
    let before = position([1, 0, 2, 0, 0, 0, 30, 0, 0, 0, 0, 3, 0, 12], Player::Bottom);
    let outcome = check(before, 0, [0, 0, 0, 0, 0, 0, 36, 0, 0, 0, 0, 0, 0, 12]);
    assert_eq!(outcome.capture.map(|bonus| bonus.stones), Some(4));
    assert_eq!(outcome.swept, [2, 0]);
    assert_eq!(outcome.result, Some(GameResult::Winner(Player::Bottom)));
}

#[test]
fn the_last_stone_sown_across_ends_the_game_and_the_opponent_keeps_his_stones() {
    let before = position([0, 0, 0, 0, 0, 2, 20, 1, 2, 0, 0, 0, 0, 23], Player::Bottom);
    let outcome = check(before, 5, [0, 0, 0, 0, 0, 0, 21, 0, 0, 0, 0, 0, 0, 27]);
    assert_eq!(outcome.swept, [0, 4]);
    assert_eq!(outcome.result, Some(GameResult::Winner(Player::Top)));
}

#[test]
fn an_illegal_press_is_refused() {
    let play = |position: &Position, place| RULES.play(position, Cup::at(place).unwrap());
    let start = RULES.start(Player::Bottom);
    assert_eq!(play(&start, 7), Err(PlayError::NotYours));
    let (next, _) = play(&start, 2).unwrap();
    assert_eq!(play(&next, 2), Err(PlayError::Empty));
    let over = position([0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 24], Player::Bottom);
    assert_eq!(play(&over, 0), Err(PlayError::GameOver));
}

#[test]
fn every_cup_has_its_opposite_across_the_board() {
    for cup in Cup::all() {
        assert_eq!(cup.opposite().opposite(), cup);
        assert_ne!(cup.opposite().owner(), cup.owner());
        assert_eq!(cup.nth_of_owner() + cup.opposite().nth_of_owner(), CUPS_A_SIDE - 1);
    }
}
