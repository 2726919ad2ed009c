//! A board that a program drives, compared with replays of its lines.

use hal_mock::{
    board::ConsoleLine,
    replay::{Unjudged, Verdict},
};
use ili9341_model::Frame;
use trace::{Action, Button, Line, Trace};
use virtual_time::{Instant, Nanos};

use super::setup;
use crate::{DrivenBoard, Files, NotExecuted, Opened, Session};

/// A board whose power is on, and the lines that were recorded.
fn powered() -> (DrivenBoard, Vec<Line>) {
    let mut driven = DrivenBoard::new(setup(false), Trace::default()).expect("a machine");
    let mut recorded = Vec::new();
    execute(&mut driven, &mut recorded, Action::PowerOn);
    (driven, recorded)
}

#[track_caller]
fn execute(driven: &mut DrivenBoard, recorded: &mut Vec<Line>, action: Action) {
    let mut record = |line: &Line| {
        recorded.push(line.clone());
        Ok(())
    };
    let (_, failures) = driven.execute(action, &mut Unjudged, &mut record).expect("executed");
    assert_eq!(failures, []);
}

fn advance(driven: &mut DrivenBoard, millis: u64) {
    driven.advance(Nanos::from_millis(millis), &mut Unjudged).expect("time passes");
}

fn tap(button: Button) -> Action {
    Action::Tap { button, hold: None }
}

fn shown(driven: &DrivenBoard) -> (Frame, Vec<ConsoleLine>) {
    let (board, at) = (driven.board(), driven.clock());
    let mut console = board.console_lines();
    console.retain(|line| line.at <= at);
    (board.frame_at(at), console)
}

/// Checks that a replay of the board's lines ends as the board is now.
#[track_caller]
fn check_replay(driven: &DrivenBoard) {
    let trace = driven.trace(false);
    let opened = Opened { name: String::new(), text: String::new(), trace };
    let mut replay = Session::replay(&setup(false), opened, &Files::default()).expect("a machine");
    assert_eq!(replay.recording().expect("a replay").outcome.verdict, Verdict::Passed);
    replay.seek(driven.clock(), false);
    let (frame, console) = shown(driven);
    assert!(replay.picture() == frame, "the frames differ at {}", driven.clock());
    assert_eq!(replay.history().console.iter().cloned().collect::<Vec<_>>(), console);
}

#[test]
fn driven_lines_replay_and_an_earlier_time_continues() {
    let (mut driven, mut recorded) = powered();
    advance(&mut driven, 2_000);
    execute(&mut driven, &mut recorded, tap(Button::B3));
    advance(&mut driven, 1_500);
    let (then, before) = (driven.clock(), shown(&driven));
    execute(&mut driven, &mut recorded, Action::Press(Button::T2));
    advance(&mut driven, 2_000);
    check_replay(&driven);
    let lines: Vec<Line> = driven.lines().iter().map(|line| line.line.clone()).collect();
    assert_eq!((lines, driven.down().next()), (recorded, Some(Button::T2)));
    let mut back = driven.back_to(then, &mut Unjudged).expect("a past");
    assert_eq!((back.clock(), back.lines().len(), back.down().next()), (then, 2, None));
    assert!(shown(&back) == before);
    execute(&mut back, &mut Vec::new(), tap(Button::B5));
    advance(&mut back, 2_000);
    check_replay(&back);
    assert!(shown(&back) != shown(&driven));
}

#[test]
fn a_press_within_the_start_restarts_the_firmware_with_it() {
    let (mut driven, mut recorded) = powered();
    advance(&mut driven, 100);
    execute(&mut driven, &mut recorded, Action::Press(Button::B2));
    let at = driven.lines().last().expect("a line").over;
    assert_eq!(at, Instant::from_millis(100));
    advance(&mut driven, 50);
    execute(&mut driven, &mut recorded, Action::Release(Button::B2));
    advance(&mut driven, 2_000);
    check_replay(&driven);
    let mut back = driven.back_to(Instant::from_millis(120), &mut Unjudged).expect("a past");
    assert_eq!((back.lines().len(), back.down().next()), (2, Some(Button::B2)));
    advance(&mut back, 2_000);
    check_replay(&back);
}

#[test]
fn an_input_that_is_not_recorded_does_not_happen() {
    let (mut driven, _) = powered();
    advance(&mut driven, 2_000);
    let full = |_: &Line| Err(std::io::Error::other("the disk is full"));
    let error = driven.execute(Action::Press(Button::B3), &mut Unjudged, &mut { full });
    assert!(matches!(error, Err(NotExecuted::NotRecorded(_))));
    advance(&mut driven, 1_000);
    assert_eq!((driven.lines().len(), driven.down().next()), (1, None));
    assert!(!driven.board().is_down(Button::B3));
}
