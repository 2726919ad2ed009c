//! Lines written and read again; errors in a line. The crate `boards` compares both with its own
//! reader.

extern crate std;

use std::format;
use std::string::{String, ToString as _};

use super::*;
use crate::game::history::{History, Setup, Step, Stop};
use crate::game::places::{Cup, Direction, PLACES, Player};
use crate::game::rules::Position;
use crate::game::systems::{Game, SYSTEMS};

const START: &str = "board 4,4,4,4,4,4,0,4,4,4,4,4,4,0";

fn write(history: &History) -> String {
    let (mut lines, mut text) = (GameText::new(history), String::new());
    while lines.next_line(history, &mut text) {
        text.push('\n');
    }
    text
}

/// Returns the first error and its line; line 0 is the end of the text.
fn read(text: &str) -> Result<History, (usize, String)> {
    let (mut reader, mut history) = (GameReader::default(), History::NONE);
    for (line, number) in text.lines().zip(1..) {
        reader.take(line, &mut history).map_err(|error| (number, error.to_string()))?;
    }
    reader.finish(&mut history).map_err(|error| (0, error.to_string()))?;
    Ok(history)
}

#[track_caller]
fn check(text: &str, line: usize, says: &str) {
    assert_eq!(read(text), Err((line, says.into())), "{text}");
}

/// Checks lines after the title, the third of which is wrong.
#[track_caller]
fn check_head(lines: &str, says: &str) {
    check(&format!("nudge saved game 1\n{lines}\n"), 3, says);
}

/// Checks steps of which the last one is wrong, after a head of four lines and the line `steps`.
#[track_caller]
fn check_step(steps: &str, says: &str) {
    let line = 5 + steps.lines().count();
    check(&format!("nudge saved game 1\ngame wari\n{START}\nturn 0\nsteps\n{steps}\n"), line, says);
}

#[test]
fn a_game_with_every_kind_of_step_is_read_as_it_was_written() {
    for system in SYSTEMS {
        let setup = Setup { game: system.game, stones: 4, bidirectional: system.choices };
        let mut history = History::new(setup, setup.rules().start(Player::Top));
        let sow = Cup::nth(Player::Top, 0).expect("a cup");
        assert!(history.push(Step::Sow(sow)));
        let mut after = history.position();
        (after.stones[0], after.stones[13], after.turn) =
            (after.stones[0] - 1, after.stones[13] + 1, Player::Bottom);
        assert!(history.edit(&after));
        assert_eq!(history.push(Step::Bidirectional(false)), system.choices);
        assert!(history.push(Step::Resign(Player::Bottom)));
        let text = write(&history);
        assert_eq!(read(&text), Ok(history), "{text}");
        assert!(text.lines().all(|line| line.len() <= GAME_LINE), "{text}");
    }
}

#[test]
fn the_head_contains_the_state_before_the_first_step() {
    let head = "game wari\nstones 5\nbidirectional on\nbegan-bidirectional off\nfirst top\n\
                board 5,5,5,5,5,5,0,5,5,5,5,5,5,0\nturn 1\ndirection cw\nbefore 2500\nquiet 7";
    for (stopped, stop) in [
        ("", None),
        ("\nabandoned on", Some(Stop::Abandoned)),
        ("\nresigned top", Some(Stop::Resigned(Player::Top))),
    ] {
        let text = format!("nudge saved game 1\n{head}{stopped}\n\nsteps\n");
        let history = read(&text).expect("a saved game");
        let opening = history.opening();
        assert_eq!((opening.moves, opening.quiet, opening.stopped), (2_500, 7, stop));
        assert_eq!(opening.position.direction, Direction::Clockwise);
        let then = "# Then: board 5,5,5,5,5,5,0,5,5,5,5,5,5,0, turn 1\n";
        assert_eq!(write(&history), format!("{text}{then}"));
    }
}

#[test]
fn only_game_board_and_turn_are_needed() {
    let text = "# mine\nnudge  saved game 1\n\n \tgame wari # and\nboard \
                0,0,0,0,0,1,20,1,14,0,0,0,0,0\nturn 0";
    let history = read(text).expect("a saved game");
    let mut stones = [0; PLACES];
    (stones[5], stones[6], stones[7], stones[8]) = (1, 20, 1, 14);
    assert_eq!(history.position(), Position::of(stones, Player::Bottom));
    assert_eq!(history.setup(), Setup { game: Game::Wari, stones: 3, bidirectional: false });
}

#[test]
fn the_title_comes_first() {
    let begins = "a saved game begins with nudge saved game 1";
    for title in [
        "",
        "game wari",
        "nudge saved games 1",
        "nudge saved game",
        "log of X",
        "nudge saved game one",
    ] {
        check(title, usize::from(!title.is_empty()), begins);
    }
    check("nudge saved game 2", 1, "format '2' is unknown; it is 1");
}

#[test]
fn keys_are_known_occur_once_and_have_one_value() {
    let with = |line: &str| format!("game wari\n{line}");
    check_head(&with("level 1"), "'level' is no key; steps come below a line steps");
    check_head(&with("sow 5"), "'sow' is no key; steps come below a line steps");
    check_head(&with("turn"), "'turn' is no key; steps come below a line steps");
    check_head(&with("game wari"), "game came before; send it once");
    check_head(&with("first"), "it is written: first VALUE");
    check_head(&with("first top top"), "it is written: first VALUE");
    check_head(&with("steps 5"), "it is written: steps");
    check_head(&with("first me"), "first cannot be 'me'; it is bottom or top");
    check_head(&with("stones 300"), "stones cannot be '300'; it is 3, 4 or 5");
    check_head(&with("before -1"), "before cannot be '-1'; it is 0 to 4294967295");
    check_head(&with("direction up"), "direction cannot be 'up'; it is ccw or cw");
    check_head(&with("quiet x"), "quiet cannot be 'x'; it is 0 to 4294967295");
    let long = "4,4,4,4,4,4,0,4,4,4,4,4,4,0,0";
    for (board, shown) in
        [("4,4,4", "4,4,4"), (long, "4,4,4,4,4,4,0,4,4,4,4,4,..."), ("4,,4", "4,,4"), ("a", "a")]
    {
        let says =
            format!("board cannot be '{shown}'; it is 14 numbers of stones with commas between");
        check_head(&with(&format!("board {board}")), &says);
    }
    check_head("\ngame go", "game cannot be 'go'; it is board, family, wari or top-bottom");
}

#[test]
fn a_missing_key_can_still_be_added_after_the_error() {
    let (mut reader, mut history) = (GameReader::default(), History::NONE);
    let mut take = |line| reader.take(line, &mut history).map_err(|error| error.to_string());
    take("nudge saved game 1").expect("the title");
    for (key, line) in [("game", "game wari"), ("board", START), ("turn", "turn 0")] {
        assert_eq!(take("steps"), Err(format!("{key} is missing; send it first")));
        assert_eq!(take(line), Ok(()));
    }
    assert_eq!((take("steps"), take("sow 0")), (Ok(()), Ok(())));
    assert_eq!(reader.finish(&mut history), Ok(()));
    assert_eq!(history.moves(), 1);
}

#[test]
fn a_head_that_contradicts_itself_is_refused() {
    for (line, says) in [
        ("stones 5", "the game cannot begin so: there are 48 stones on the board, not 60"),
        ("direction cw", "the game cannot begin so: only a bidirectional game goes clockwise"),
        ("abandoned on\nresigned top", "a game is abandoned or resigned, not both"),
    ] {
        let text = format!("nudge saved game 1\ngame wari\n{START}\nturn 0\n{line}");
        check(&text, 0, says);
    }
}

#[test]
fn steps_are_known_whole_and_can_follow() {
    check_step("sew 5", "'sew' is no step; keys come above the line steps");
    check_step("game wari", "'game' is no step; keys come above the line steps");
    check_step("steps", "'steps' is no step; keys come above the line steps");
    check_step("sow", "it is written: sow PLACE");
    check_step("sow 0 1", "it is written: sow PLACE");
    check_step("turn 1", "it is written: turn");
    check_step("sow 6", "sow cannot be '6'; it is a cup, 0 to 5 or 7 to 12");
    check_step("sow +1", "sow cannot be '+1'; it is a cup, 0 to 5 or 7 to 12");
    check_step("move 3 into 6", "it is written: move PLACE to PLACE");
    check_step("move 14 to 6", "move cannot be '14'; it is 0 to 13");
    check_step("move 3 to x", "move cannot be 'x'; it is 0 to 13");
    check_step("bidirectional", "it is written: bidirectional on|off");
    check_step("bidirectional up", "bidirectional cannot be 'up'; it is on or off");
    check_step("resign", "it is written: resign bottom|top");
    check_step("resign me", "resign cannot be 'me'; it is bottom or top");
    check_step("sow 0\nsow 1", "this step cannot follow: the cup is the opponent's");
    check_step(
        "edited",
        "this step cannot follow: no stone was moved and no turn changed before it",
    );
    let text = format!("nudge saved game 1\ngame wari\n{START}\nturn 0\nsteps\nturn\n");
    check(&text, 0, "the edit is not done; send edited first");
}

#[test]
fn a_wrong_line_changes_nothing_and_can_be_replaced() {
    let text = format!("nudge saved game 1\ngame wari\n{START}\nturn 0\nsteps\nsow 0\nsow 7\n");
    let expected = read(&text).expect("a saved game");
    let (mut reader, mut history) = (GameReader::default(), History::NONE);
    for line in text.lines() {
        for wrong in ["x", "sow 13", "turn \"", "board 1", "nudge saved game 9"] {
            assert!(reader.take(wrong, &mut history).is_err(), "{wrong} before {line}");
        }
        assert_eq!(reader.take(line, &mut history), Ok(()));
    }
    assert_eq!(reader.finish(&mut history), Ok(()));
    assert_eq!(history, expected);
}

#[test]
fn a_game_with_too_many_steps_is_refused() {
    let steps = "turn\nedited\n".repeat(1_000);
    let text = format!("nudge saved game 1\ngame wari\n{START}\nturn 0\nsteps\n{steps}");
    assert!(read(&text).is_ok());
    let says = "a game keeps at most 2000 steps; begin it later, by board";
    check(&format!("{text}sow 0\n"), 2_006, says);
}
