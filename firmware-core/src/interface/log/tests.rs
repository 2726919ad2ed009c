//! Logs: their text in each system, written line by line.

extern crate std;
use std::string::{String as Text, ToString};
use std::vec::Vec;

use super::*;
use crate::game::history::tests::naive::random_history;
use crate::game::history::{MOST, Setup};
use crate::game::systems::{Game, SYSTEMS};

fn name() -> Name {
    Name::new("FRIDAY").expect("a name")
}

/// Returns all lines of the log of `history`, and checks that their number is as announced.
#[track_caller]
fn lines(history: &History) -> Vec<Text> {
    let mut log = Log::new(history, name());
    let mut line = String::<LOG_LINE>::new();
    let mut lines = Vec::new();
    while log.next_line(history, &mut line) {
        assert!(line.len() < LOG_LINE && !line.contains(['"', '\n']), "{line}");
        lines.push(line.to_string());
    }
    assert_eq!(lines.len(), log.lines() as usize, "{lines:#?}");
    assert!(!log.next_line(history, &mut line) && line.is_empty(), "it stays at its end");
    lines
}

fn begun(game: Game, stones: u8, bidirectional: bool, first: Player) -> History {
    let setup = Setup { game, stones, bidirectional };
    History::new(setup, setup.rules().start(first))
}

fn sow(history: &mut History, places: &[usize]) {
    for place in places {
        assert!(history.push(Step::Sow(Cup::at(*place).expect("a cup"))), "{place}");
    }
}

/// Edits the board: leaves `left` by place, and moves all other stones into the store of `winner`.
fn nearly_empty(history: &mut History, left: &[(usize, u8)], winner: Player, turn: Player) {
    let mut stones = [0; PLACES];
    stones[winner.store()] = history.position().total() as u8;
    for (place, count) in left {
        stones[*place] += count;
        stones[winner.store()] -= count;
    }
    assert!(history.edit(&Position { turn, ..Position::of(stones, turn) }));
}

#[track_caller]
fn check(history: &History, expected: &[&str]) {
    assert_eq!(lines(history), expected);
}

#[test]
fn board_numbers_its_cups_from_the_mancala() {
    let mut history = begun(Game::Board, 4, false, Player::Bottom);
    sow(&mut history, &[2, 5, 7]);
    nearly_empty(&mut history, &[(5, 1), (8, 3)], Player::Bottom, Player::Bottom);
    sow(&mut history, &[5]);
    check(
        &history,
        &[
            "log of FRIDAY",
            "system board, 4 stones a cup",
            "cups from left to right: top #1 #2 #3 #4 #5 #6, bottom #6 #5 #4 #3 #2 #1",
            "began Player 1",
            "top row 4 4 4 4 4 4, bottom row 4 4 4 4 4 4, Player 1 has 0, Player 2 has 0, \
             Player 1 to move",
            "   1 Player 1 #4, FREE TURN",
            "   2 Player 1 #1",
            "   3 Player 2 #6",
            "edited: top row 0 0 0 0 3 0, bottom row 0 0 0 0 0 1, Player 1 has 44, \
             Player 2 has 0, Player 1 to move",
            "   4 Player 1 #1, FREE TURN, 3 left over for Player 2, Player 1 wins 45-3",
            "end of the log",
        ],
    );
}

#[test]
fn family_uses_the_words_bin_and_second_turn() {
    let mut history = begun(Game::Family, 4, false, Player::Top);
    sow(&mut history, &[9, 12]);
    assert!(history.push(Step::Abandon));
    check(
        &history,
        &[
            "log of FRIDAY",
            "system family, 4 stones a bin",
            "bins from left to right: top 12 11 10 9 8 7, bottom 1 2 3 4 5 6",
            "began Player B",
            "top row 4 4 4 4 4 4, bottom row 4 4 4 4 4 4, Player A has 0, Player B has 0, \
             Player B to move",
            "   1 Player B 9, second turn",
            "   2 Player B 12",
            "play abandoned, Player B wins 2-0",
            "end of the log",
        ],
    );
}

#[test]
fn wari_logs_a_change_of_direction() {
    let mut history = begun(Game::Wari, 3, true, Player::Bottom);
    nearly_empty(&mut history, &[(5, 1), (7, 1), (8, 9)], Player::Top, Player::Bottom);
    sow(&mut history, &[5]);
    assert!(history.push(Step::Bidirectional(false)));
    check(
        &history,
        &[
            "log of FRIDAY",
            "system wari, 3 stones a cup, bidirectional",
            "cups from left to right: top 12 11 10 9 8 7, bottom 1 2 3 4 5 6",
            "began Bottom",
            "top row 3 3 3 3 3 3, bottom row 3 3 3 3 3 3, Bottom has 0, Top has 0, \
             Bottom to move",
            "edited: top row 0 0 0 0 9 1, bottom row 0 0 0 0 0 1, Bottom has 0, Top has 25, \
             Bottom to move",
            "   1 Bottom 6, captures 2, clockwise now",
            "bidirectional off",
            "end of the log",
        ],
    );
}

#[test]
fn top_bottom_explains_the_numbers_of_its_pits() {
    let mut history = begun(Game::TopBottom, 4, false, Player::Top);
    sow(&mut history, &[9, 12, 2]);
    nearly_empty(&mut history, &[(13, 24)], Player::Bottom, Player::Top);
    check(
        &history,
        &[
            "log of FRIDAY",
            "system top-bottom, 4 seeds a pit",
            "pits from left to right: top 1 2 3 4 5 6, bottom 1 2 3 4 5 6",
            "began Top",
            "top row 4 4 4 4 4 4, bottom row 4 4 4 4 4 4, Bottom has 0, Top has 0, Top to move",
            "   1 Top 4, extra turn",
            "   2 Top 1",
            "   3 Bottom 3",
            "edited: top row 0 0 0 0 0 0, bottom row 0 0 0 0 0 0, Bottom has 24, Top has 24, \
             Top to move, DRAW 24-24",
            "end of the log",
        ],
    );
}

#[test]
fn captures_and_resignations_use_the_words_of_the_system() {
    for (game, line, end) in [
        (Game::Board, "   1 Player 1 #6, BONUS 3", "Player 1 resigns, Player 2 wins 0-3"),
        (Game::Family, "   1 Player A 1, collects 3", "Player A resigns, Player B wins 0-3"),
        (Game::Wari, "   1 Bottom 6, captures 2", "Bottom resigns, Top wins 0-2"),
        (Game::TopBottom, "   1 Bottom 1, captures 3", "Bottom resigns, Top wins 0-3"),
    ] {
        let mut history = begun(game, 4, false, Player::Bottom);
        let stones = if game == Game::Wari {
            [(5, 1), (7, 1), (8, 9), (0, 37)]
        } else {
            [(0, 1), (11, 2), (8, 9), (5, 36)]
        };
        let mut after = Position::of([0; PLACES], Player::Bottom);
        for (place, count) in stones {
            after.stones[place] = count;
        }
        assert!(history.edit(&after));
        sow(&mut history, &[if game == Game::Wari { 5 } else { 0 }]);
        assert!(history.push(Step::Resign(Player::Bottom)));
        let lines = lines(&history);
        assert_eq!(lines[6..8], [line, end], "{game:?}");
    }
}

#[test]
fn a_log_omits_undone_moves() {
    let mut history = begun(Game::Wari, 4, false, Player::Bottom);
    sow(&mut history, &[0]);
    let before = lines(&history);
    sow(&mut history, &[7]);
    assert!(history.undo());
    assert_eq!(lines(&history), before);
}

#[test]
fn a_log_states_the_number_of_dropped_moves() {
    let history = (0..)
        .map(|seed| random_history(Game::Wari, seed, 3_000))
        .find(|history| history.gone() > 0)
        .expect("a long game");
    let lines = lines(&history);
    assert_eq!(lines[4], std::format!("{} moves went before", history.gone()));
    let number = |line: &Text| line.split_whitespace().next().and_then(|word| word.parse().ok());
    assert_eq!(lines[6..].iter().find_map(number), Some(history.gone() + 1));
}

#[test]
fn no_line_of_a_random_game_is_longer_than_the_longest() {
    for system in SYSTEMS {
        for seed in 0..5 {
            let history = random_history(system.game, seed, 2_500);
            assert!(lines(&history).len() <= MOST + 7, "{}, seed {seed}", system.name);
        }
    }
}

#[test]
fn a_log_ends_if_its_game_changes() {
    let history = random_history(Game::Wari, 1, 200);
    let mut log = Log::new(&history, name());
    let mut line = String::<LOG_LINE>::new();
    for _ in 0..20 {
        assert!(log.next_line(&history, &mut line));
    }
    let other = begun(Game::Board, 4, false, Player::Bottom);
    assert!(log.next_line(&other, &mut line) && line == END);
    assert!(!log.next_line(&other, &mut line));
}
