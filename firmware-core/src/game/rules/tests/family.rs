//! Scenes in which `family` differs from `board`.

use super::super::family::RULES;
use super::*;

#[test]
fn eight_stones_from_bin_6_skip_the_opponents_mancala() {
    // The source's own example; bin 1 ends with its four stones and one more.
    let before = position([4, 4, 4, 4, 4, 8, 0, 4, 4, 4, 4, 4, 0, 0], Player::Bottom);
    check(&RULES, before, 5, [5, 4, 4, 4, 4, 0, 1, 5, 5, 5, 5, 5, 1, 0]);
}

#[test]
fn a_last_stone_in_an_own_empty_bin_is_always_collected() {
    let before = position([1, 0, 4, 4, 4, 4, 5, 4, 4, 4, 4, 0, 4, 6], Player::Bottom);
    let after = [0, 0, 4, 4, 4, 4, 6, 4, 4, 4, 4, 0, 4, 6];
    let (_, outcome) = check(&RULES, before, 0, after);
    assert_eq!(captured(&outcome), Some(1));
}

#[test]
fn the_stones_left_over_go_to_their_owner() {
    let before = position([0, 0, 0, 0, 0, 1, 20, 4, 4, 4, 4, 4, 4, 3], Player::Bottom);
    let (_, outcome) = check(&RULES, before, 5, [0, 0, 0, 0, 0, 0, 21, 0, 0, 0, 0, 0, 0, 27]);
    assert_eq!(outcome.swept, [0, 24]);
    assert_eq!(outcome.result, Some(GameResult::Winner(Player::Top)));
}

#[test]
fn either_player_may_begin() {
    assert_eq!(RULES.starting_player, StartingPlayer::Coin);
    assert_eq!(RULES.start(Player::Top).turn, Player::Top);
}
