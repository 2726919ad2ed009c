//! Tests the times at which the waits of one trace end on two boards.

use firmware_board::native;
use hal_mock::replay::ReplaySettings;
use reading::text::Reader;
use runner::timing::{LineTiming, Timing, compare};
use virtual_time::{Instant, Nanos};

const TRACE: &str = "trace 1\ngame board\n0ms power on\n+0ms settle within 5s\n\
                     +10ms tap B1\n+0ms settle within 5s\n+0ms expect frame moved\n\
                     +0ms expect text \"Player\"\n+1s end\n";

fn compared(text: &str, other: &str) -> Timing {
    let parsed = |text| trace::parse("x.trace", text).unwrap();
    let build = |text| native::build(&parsed(text), None).unwrap();
    let (mut one, mut two) = (build(text), build(other));
    let reader = Reader::new(native::fonts());
    let options = ReplaySettings::default();
    compare(&parsed(text), [one.as_mut(), two.as_mut()], &reader, &options)
}

#[test]
fn waits_and_frames_are_in_order_and_equal_on_equal_boards() {
    let timing = compared(TRACE, TRACE);
    let lines: Vec<_> = timing.rows.iter().map(|row| (row.place.line, &*row.what)).collect();
    assert_eq!(lines, [(4, "settle"), (6, "settle"), (7, "expect frame moved")]);
    for row in &timing.rows {
        assert_eq!(row.over[0], row.over[1]);
    }
    let at = |row: usize| timing.rows[row].over[0].unwrap().at;
    assert!(at(0) < at(1) && at(1) == at(2), "a settle takes time, a look none");
    assert!(timing.rows[0].over[0].unwrap().frames >= 1);
}

#[test]
fn a_wait_that_a_board_does_not_reach_has_no_time_and_a_reason() {
    let timing = compared(
        "trace 1\ngame board\n0ms power on\n+0ms settle within 5s\n\
         +0ms wait text \"no such text\" within 1s\n+0ms settle within 5s\n",
        TRACE,
    );
    assert_eq!(timing.rows[2].over, [None, None]);
    let mut text = vec![];
    timing.write(["here", "there"], &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let cut = text.lines().find(|line| line.starts_with("     6  settle")).unwrap();
    assert!(cut.ends_with('-'), "{text}");
    assert!(text.contains("  there: 5:"), "{text}");
}

#[test]
fn a_table_has_both_times_and_their_difference() {
    let mut timing = compared(TRACE, TRACE);
    timing.rows.truncate(1);
    let moment = |ms, frames| Some(LineTiming { at: Instant::from_millis(ms), frames });
    timing.rows[0].over = [moment(400, 1), moment(433, 2)];
    let mut text = vec![];
    timing.write(["native", "pico"], &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let row = text.lines().nth(1).unwrap();
    let words: Vec<_> = row.split_whitespace().collect();
    assert_eq!(
        words,
        ["4", "settle", "400.0", "ms", "433.0", "ms", "+33.0", "ms", "1", "/", "2"],
        "{text}"
    );
}

/// Two presses 2 ms apart, which the rules do not allow, show two messages: the top player's cup,
/// and an empty one. A message does not change what a press acts on, so the second press counts.
/// Between the two frames the bus is idle for 5 ms, so that each is a separate frame, and no
/// longer, so that the second is not late. The pixels of the second take 2 ms more on the wire.
#[test]
fn the_bus_is_idle_for_five_milliseconds_between_frames() {
    let begin = "trace 1\ngame board\n0ms power on\n+0ms settle within 5s\n\
                 +10ms tap B3\n+0ms settle within 5s\n8s press T1\n";
    let end = "+0ms settle within 1s\n+0ms screenshot last\n";
    let settled = |lines: &str| {
        let text = format!("{begin}{lines}{end}");
        let timing = compared(&text, &text);
        timing.rows.last().and_then(|row| row.over[0]).expect("the screen settles")
    };
    let (one, two) = (settled(""), settled("+2ms press B3\n"));
    assert_eq!(two.frames, one.frames + 1);
    let apart = two.at.saturating_since(one.at);
    let allowed = Nanos::from_millis(6)..Nanos::from_millis(9);
    assert!(allowed.contains(&apart), "the frames are {apart} apart");
}
