//! Tests what the computer player considers, as `native` reports it for itself and for another board.

use firmware_board::native;
use firmware_insight::LcdBoard;
use hal_mock::{
    board::ConsoleLine,
    replay::{ReplaySettings, Unjudged, replay},
};
use insight::Interior as _;
use reading::text::Reader;
use trace::Trace;
use virtual_time::{Instant, Nanos};
use why::thoughts::{OtherBoard, ask, ask_for_other_board};

const DEMO: &str = "trace 1\nseed 7\nplayers demo\nlevel intermediate\n\n0ms power on\n9s end\n";
/// Delay of everything on the other board.
const LATE: Nanos = Nanos::from_millis(170);

/// Returns the console lines of the whole trace.
fn console(trace: &Trace, reader: &Reader) -> Vec<ConsoleLine> {
    let mut machine = native::build(trace, None).unwrap();
    let settings = ReplaySettings::default();
    replay(trace, machine.as_mut(), reader, &mut Unjudged, &settings);
    machine.board().console_lines()
}

fn at(milliseconds: u64) -> Instant {
    Instant::START.saturating_add(Nanos::from_millis(milliseconds))
}

#[test]
fn native_answers_for_another_board_in_the_same_position() {
    let trace = trace::parse("demo.trace", DEMO).unwrap();
    let reader = Reader::new(native::fonts());
    let mut lines = console(&trace, &reader);
    lines.iter_mut().for_each(|line| line.at = line.at.saturating_add(LATE));
    let mut thought = 0;
    for moment in (0..8_000).step_by(250) {
        let now = at(moment).saturating_add(LATE);
        let told: Vec<ConsoleLine> = lines.iter().filter(|line| line.at <= now).cloned().collect();
        let beside = ask_for_other_board(&LcdBoard, &trace, now, &told, None, &reader).unwrap();
        let native = ask(&LcdBoard, &trace, at(moment), None, &reader).unwrap();
        thought += usize::from(native.is_some());
        assert_eq!(beside, OtherBoard::Same(native), "{moment} ms");
    }
    assert!(thought > 10);
    // The move was made here, but not yet on the other board.
    let mut positions = lines.iter().filter(|line| LcdBoard.is_position(&line.text)).cloned();
    let (first, second) = (positions.next().unwrap(), positions.next().unwrap());
    let long_after = second.at.saturating_add(Nanos::from_secs(1));
    let told = [first.clone()];
    let beside = ask_for_other_board(&LcdBoard, &trace, long_after, &told, None, &reader).unwrap();
    let OtherBoard::Same(Some(thoughts)) = beside else { panic!("{beside:?}") };
    assert!(thoughts.decided.is_some(), "{thoughts:?}");
    // A console of another game.
    lines.retain(|line| line.text != first.text);
    let beside = ask_for_other_board(&LcdBoard, &trace, long_after, &lines, None, &reader).unwrap();
    assert_eq!(beside, OtherBoard::OtherPosition);
}
