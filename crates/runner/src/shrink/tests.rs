//! Traces that fail if they have certain lines; no firmware runs.

use hal_mock::Button;
use hal_mock::trace::{Action, Trace, parse};

use super::{Shrunk, shrink};

const LONG: &str = "trace 1
# A session.
game wari
seed 7

0ms     power on
250ms   tap B3
1.25s   press T1           # and hold
1.5s    tap B2
2s      release T1
2.5s    tap RESET
3s      wait text \"READY\" within 5s
+1s     tap B4
+1s     power off
+1s     power on
+1.234567891s tap B5 for 2s
+3s     tap B6
+1s     expect text \"GAME OVER\"
+1s     end
";

fn long() -> Trace {
    parse("long.trace", LONG).unwrap()
}

fn taps(trace: &Trace, button: Button) -> usize {
    let is_tap = |action: &Action| {
        matches!(action, Action::Tap { button: tapped, .. } | Action::Press(tapped)
            if *tapped == button)
    };
    trace.lines.iter().filter(|line| is_tap(&line.action)).count()
}

/// The result is as expected, still fails, and needs each of its lines.
#[track_caller]
fn check(fails: impl Fn(&Trace) -> bool, expected: &str) {
    let shrunk = shrink(&long(), 10_000, &mut |trace| fails(trace));
    assert_eq!(shrunk.trace.to_string(), format!("trace 1\n\n{expected}"));
    assert!(shrunk.minimal && fails(&shrunk.trace));
    for index in 1..shrunk.trace.lines.len() {
        let mut less = shrunk.trace.clone();
        less.lines.remove(index);
        let read = parse("less.trace", &less.to_string());
        assert!(read.is_err() || !fails(&less), "line {index} is not needed");
    }
}

#[test]
fn what_fails_by_one_line_is_that_line() {
    check(|trace| taps(trace, Button::B5) > 0, "0ms     power on\n+0ms    tap B5\n");
}

#[test]
fn what_needs_two_lines_keeps_both() {
    let fails = |trace: &Trace| taps(trace, Button::B3) > 0 && taps(trace, Button::B6) > 0;
    check(fails, "0ms     power on\n+0ms    tap B3\n+0ms    tap B6\n");
}

#[test]
fn a_press_and_its_release_become_a_tap() {
    check(|trace| taps(trace, Button::T1) > 0, "0ms     power on\n+0ms    tap T1\n");
}

#[test]
fn pairs_go_together() {
    let fails =
        |trace: &Trace| trace.lines.iter().any(|line| matches!(line.action, Action::ExpectText(_)));
    check(fails, "0ms     power on\n+0ms    expect text \"GAME OVER\"\n");
}

#[test]
fn a_header_key_that_is_needed_stays() {
    let fails = |trace: &Trace| trace.get("seed").is_some();
    let shrunk = shrink(&long(), 10_000, &mut |trace| fails(trace));
    assert_eq!(shrunk.trace.to_string(), "trace 1\nseed 7\n\n0ms     power on\n");
}

#[test]
fn runs_are_counted_and_bounded() {
    let mut asked = 0;
    let Shrunk { runs, minimal, .. } = shrink(&long(), 7, &mut |_| {
        asked += 1;
        false
    });
    assert_eq!((runs, asked, minimal), (7, 7, false));
}

#[test]
fn a_trace_that_does_not_fail_stays_unchanged() {
    let shrunk = shrink(&long(), 10_000, &mut |_| false);
    assert_eq!(shrunk.trace, long());
    assert!(shrunk.minimal);
}
