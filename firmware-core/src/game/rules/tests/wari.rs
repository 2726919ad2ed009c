//! `wari` by its manual, Part I, and the Bidirectional option of Part II.

use super::super::wari::RULES;
use super::*;

const BIDIRECTIONAL: Ruleset = Ruleset { bidirectional: true, ..RULES };

fn clockwise(stones: [u8; PLACES], turn: Player) -> Position {
    Position { direction: Direction::Clockwise, ..position(stones, turn) }
}

#[test]
fn figure_2_captures_cups_10_and_9_up_to_the_four_in_cup_8() {
    // Sowing cup 5 drops one stone into each of the cups 6 to 10. Cup 7 then holds two, but cup 8
    // four.
    let before = position([2, 1, 0, 3, 5, 1, 0, 1, 3, 2, 1, 5, 0, 0], Player::Bottom);
    let (next, outcome) = check(&RULES, before, 4, [2, 1, 0, 3, 0, 2, 5, 2, 4, 0, 0, 5, 0, 0]);
    assert_eq!(captured(&outcome), Some(5));
    let capture = outcome.capture.expect("a capture");
    assert!(capture.cups.iter().eq([9, 10]));
    assert_eq!(next.turn, Player::Top);
}

#[test]
fn stones_are_sown_into_the_twelve_cups_only() {
    let before = position([4, 4, 4, 4, 4, 4, 7, 4, 4, 4, 4, 4, 4, 5], Player::Bottom);
    check(&RULES, before, 4, [4, 4, 4, 4, 0, 5, 7, 5, 5, 5, 4, 4, 4, 5]);
    let before = position([4, 4, 4, 4, 4, 4, 7, 4, 4, 4, 4, 4, 4, 5], Player::Top);
    check(&RULES, before, 11, [5, 5, 5, 4, 4, 4, 7, 4, 4, 4, 4, 0, 5, 5]);
}

#[test]
fn the_source_is_skipped_on_a_lap_and_stays_empty() {
    let before = position([0, 0, 12, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 0], Player::Bottom);
    check(&RULES, before, 2, [1, 1, 0, 2, 1, 1, 0, 5, 5, 5, 5, 5, 5, 0]);
    let before = position([0, 0, 23, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 0], Player::Bottom);
    check(&RULES, before, 2, [2, 2, 0, 3, 2, 2, 0, 6, 6, 6, 6, 6, 6, 0]);
}

#[test]
fn a_sowing_that_ends_on_the_own_side_captures_nothing() {
    let before = position([1, 1, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 0], Player::Bottom);
    let (_, outcome) = check(&RULES, before, 0, [0, 2, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 0]);
    assert_eq!(outcome.capture, None);
}

#[test]
fn a_chain_of_captures_ends_at_the_border_of_the_side() {
    let before = position([0, 0, 0, 0, 1, 2, 0, 1, 2, 0, 0, 4, 4, 0], Player::Bottom);
    // Cups 7 and 8 are captured; cup 6 is the mover's own, whatever it holds.
    let (_, outcome) = check(&RULES, before, 5, [0, 0, 0, 0, 1, 0, 5, 0, 0, 0, 0, 4, 4, 0]);
    assert_eq!(captured(&outcome), Some(5));
}

#[test]
fn the_game_is_over_when_the_player_to_move_has_no_stone() {
    let before = position([0, 0, 0, 0, 0, 1, 20, 0, 0, 0, 0, 0, 0, 21], Player::Bottom);
    let (_, outcome) = check(&RULES, before, 5, [0, 0, 0, 0, 0, 0, 20, 1, 0, 0, 0, 0, 0, 21]);
    assert_eq!(outcome.result, None);
    let before = position([0, 0, 0, 1, 0, 0, 20, 0, 0, 0, 0, 0, 0, 21], Player::Bottom);
    let (_, outcome) = check(&RULES, before, 3, [0, 0, 0, 0, 1, 0, 20, 0, 0, 0, 0, 0, 0, 21]);
    assert_eq!(outcome.result, Some(GameResult::Winner(Player::Top)));
    assert_eq!(outcome.swept, [0, 0]);
}

#[test]
fn without_the_option_the_direction_never_changes() {
    let before = position([2, 1, 0, 3, 5, 1, 0, 1, 3, 2, 1, 5, 0, 0], Player::Bottom);
    let (next, _) = RULES.play(&before, Cup::at(4).unwrap()).unwrap();
    assert_eq!(next.direction, Direction::CounterClockwise);
}

#[test]
fn bidirectional_flips_the_direction_only_at_a_capture() {
    let before = position([2, 1, 0, 3, 5, 1, 0, 1, 3, 2, 1, 5, 0, 0], Player::Bottom);
    let (next, _) = BIDIRECTIONAL.play(&before, Cup::at(4).unwrap()).unwrap();
    assert_eq!((next.turn, next.direction), (Player::Top, Direction::Clockwise));
    let (next, outcome) = BIDIRECTIONAL.play(&next, Cup::at(8).unwrap()).unwrap();
    assert_eq!((outcome.capture, next.direction), (None, Direction::Clockwise));
}

#[test]
fn clockwise_captures_go_back_against_the_direction() {
    // From cup 3 (place 2) clockwise: cups 2, 1, then the opponent's 12 and 11.
    let before = clockwise([4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 2, 1, 2, 0], Player::Bottom);
    let (next, outcome) =
        check(&BIDIRECTIONAL, before, 2, [5, 5, 0, 4, 4, 4, 5, 4, 4, 4, 2, 0, 0, 0]);
    // The sowing ends in place 11; place 12 comes before it and is captured too; place 10 comes
    // after it.
    assert!(outcome.capture.expect("a capture").cups.iter().eq([11, 12]));
    assert_eq!(next.direction, Direction::CounterClockwise);
}

#[test]
fn each_cup_starts_with_three_four_or_five_stones() {
    for stones_a_cup in [3, 4, 5] {
        let rules = Ruleset { stones_a_cup, ..RULES };
        let start = rules.start(Player::Bottom);
        assert_eq!(start.on_side(Player::Top), 6 * stones_a_cup);
    }
}
