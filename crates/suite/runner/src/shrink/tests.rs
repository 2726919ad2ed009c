//! Tests with traces that fail if they have certain lines. No firmware runs.

use trace::{Action, Button, Trace, parse};

use super::{Candidate, Shrunk, shrink};

const LONG: &str = "# Recorded by hand.
trace 1   # the format
# A session.
game wari
seed 7

0ms     power on
250ms   tap B3
1.25s   press T1           # and hold
1.5s    tap B2
# Now T1 comes up.
2s      release T1         # at last
2.5s    tap RESET
3s      wait text \"READY\" within 5s
+1s     tap B4
# The power fails.
+1s     power off
+1s     power on
+1.234567891s tap B5 for 2s
+3s     tap B6
# It is over.
+1s     expect text \"GAME OVER\"   # the last word
+1s     end
# That was all.
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

/// Returns `lines` below the head of [`LONG`], whose comments stay, and above its last comment.
fn below_the_head(keys: &str, lines: &str) -> String {
    let first = format!("{:<29} # the format", "trace 1");
    format!("# Recorded by hand.\n{first}\n{keys}\n# A session.\n{lines}# That was all.\n")
}

/// Checks that the result is as expected, still fails, and needs each of its lines.
#[track_caller]
fn check(fails: impl Fn(&Trace) -> bool, expected: &str) {
    let shrunk = shrink(&long(), 10_000, &mut |candidate| fails(&candidate.trace));
    let small = shrunk.small.trace;
    assert_eq!(small.to_string(), below_the_head("", expected));
    assert!(shrunk.minimal && fails(&small));
    for index in 1..small.lines.len() {
        let mut less = small.clone();
        less.lines.remove(index);
        let read = parse("less.trace", &less.to_string());
        assert!(read.is_err() || !fails(&less), "line {index} is not needed");
    }
}

#[test]
fn a_failure_by_one_line_shrinks_to_that_line() {
    check(|trace| taps(trace, Button::B5) > 0, "0ms     power on\n+0ms    tap B5\n");
}

#[test]
fn a_failure_by_two_lines_shrinks_to_both() {
    let fails = |trace: &Trace| taps(trace, Button::B3) > 0 && taps(trace, Button::B6) > 0;
    check(fails, "0ms     power on\n+0ms    tap B3\n+0ms    tap B6\n");
}

#[test]
fn press_and_release_become_a_tap_with_both_comments() {
    let tap = format!("{:<29} # and hold; at last", "+0ms    tap T1");
    check(
        |trace| taps(trace, Button::T1) > 0,
        &format!("0ms     power on\n# Now T1 comes up.\n{tap}\n"),
    );
}

#[test]
fn pairs_are_removed_together_and_comments_stay() {
    let fails =
        |trace: &Trace| trace.lines.iter().any(|line| matches!(line.action, Action::ExpectText(_)));
    let line = format!("{:<29} # the last word", "+0ms    expect text \"GAME OVER\"");
    check(fails, &format!("0ms     power on\n# It is over.\n{line}\n"));
}

#[test]
fn a_header_key_that_is_needed_stays() {
    let fails = |trace: &Trace| trace.get("seed").is_some();
    let shrunk = shrink(&long(), 10_000, &mut |candidate| fails(&candidate.trace));
    let expected = below_the_head("", "")
        .replace("\n\n# A session.\n", "\n# A session.\nseed 7\n\n0ms     power on\n");
    assert_eq!(shrunk.small.trace.to_string(), expected);
}

#[test]
fn each_line_records_its_original_line() {
    let original = long();
    let nth = |wanted: &Action| original.lines.iter().position(|line| line.action == *wanted);
    let tap = |button| Action::Tap { button, hold: None };
    let [b3, b4] = [nth(&tap(Button::B3)), nth(&tap(Button::B4))].map(Option::unwrap);
    let mut asked = 0;
    let shrunk = shrink(&original, 10_000, &mut |candidate| {
        asked += 1;
        let Candidate { trace, origins } = candidate;
        assert_eq!(trace.lines.len(), origins.len());
        assert!(origins.is_sorted());
        for (line, origin) in trace.lines.iter().zip(origins) {
            match (&line.action, &original.lines[*origin].action) {
                (Action::Tap { button, .. }, Action::Press(pressed)) => assert_eq!(button, pressed),
                (Action::Tap { button, .. }, Action::Tap { button: tapped, .. }) => {
                    assert_eq!(button, tapped);
                }
                (action, origin) => assert_eq!(action, origin),
            }
        }
        origins.contains(&b3) && origins.contains(&b4)
    });
    assert!(asked > 10);
    assert_eq!(shrunk.small.origins, [0, b3, b4]);
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
    assert_eq!(shrunk.small, Candidate::whole(&long()));
    assert!(shrunk.minimal);
}
