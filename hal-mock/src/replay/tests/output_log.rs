//! Console lines, tones and the backlight: what counts since the last input, and what is consumed.
//!
//! B1 of `fake` prints `move B1` (781 us on the wire: nine bytes at 115,200 baud) and beeps 880 Hz
//! for 50 ms.

use super::{at_ms, errors, fails, passes, run, run_with};
use crate::Machine;
use crate::board::{CONSOLE_BYTES_MAX, TONES_MAX};
use crate::replay::ReplaySettings;
use virtual_time::Instant;

/// Returns the only error, without the text on the LCD.
#[track_caller]
fn error(lines: &str) -> String {
    let outcome = run(lines);
    let errors = errors(&outcome);
    assert_eq!(errors.len(), 1, "{errors:?} {:?}", outcome.verdict);
    errors[0].lines().next().unwrap().to_owned()
}

#[test]
fn a_console_line_counts_once_it_has_left_the_wire() {
    passes("1s tap B1\n+0.8ms expect console \"move B1\"");
    assert_eq!(
        error("1s tap B1\n+0.7ms expect console \"move B1\""),
        "4:8: at 1.0007 s: expected a console line with \"move B1\" since tap of B1 in line 3; there \
         was none"
    );
}

#[test]
fn a_console_line_from_before_the_last_input_does_not_count() {
    let before = "1s tap B1\n+100ms expect no text \"x\"\n";
    let late = "expect console \"move B1\"";
    for (input, action) in [
        ("tap B5", "tap of B5"),
        ("press B5", "press of B5"),
        ("power off", "power off"),
        ("fault stuck B5", "fault stuck of B5"),
        ("fault spi flip 1/1000000", "fault spi"),
        ("fault power cut", "fault power"),
    ] {
        let said = error(&format!("{before}+0ms {input}\n+100ms {late}"));
        let expected = format!(
            "6:8: at 1.2 s: expected a console line with \"move B1\" since {action} in line 5; there \
             was none; one came before that, at 1.00078125 s"
        );
        assert_eq!(said, expected);
    }
    let error = error(&format!("{before}+0ms power off\n+0ms power on\n+500ms {late}"));
    assert!(error.contains("since power on in line 6; there was none; one came before"), "{error}");
}

/// The line is complete after 1.00078125 s, the note ends after 1.05 s.
#[test]
fn output_at_the_time_of_a_line_counts_but_not_of_an_input() {
    passes("1s tap B1\n1000.78125ms expect console \"move B1\"");
    let error = error("1s tap B1\n1000.78125ms press B5\n+1s expect console \"move B1\"");
    assert!(error.ends_with("there was none; one came before that, at 1.00078125 s"), "{error}");
    passes("1s tap B1\n+50ms expect tone 880Hz for 50ms");
}

#[test]
fn the_release_of_a_button_is_not_an_input() {
    passes("1s press B1\n+500ms release B1\n+0ms expect console \"move B1\"");
    passes("1s tap B1 for 300ms\n+500ms expect console \"move B1\"");
}

#[test]
fn a_second_equal_expectation_needs_a_second_line() {
    let line = "expect console \"move\"";
    passes(&format!("1s tap B1\n+0ms tap B5\n+200ms press B1\n+1ms {line}"));
    assert_eq!(
        error(&format!("1s tap B1\n+100ms {line}\n+100ms {line}")),
        "5:8: at 1.2 s: expected a console line with \"move\" after the one of line 4; there was \
         none; one came before that, at 1.00078125 s"
    );
}

#[test]
fn expect_no_console_covers_the_last_input_and_consumes_nothing() {
    let none = "expect no console \"move\"";
    passes(&format!(
        "1s tap B1\n+0.7ms {none}\n+10ms expect no console \"B2\"\n+0ms expect console \"move\"\n\
         +100ms {none}\n+1s tap B5\n+1s {none}"
    ));
    assert_eq!(
        error(&format!("1s tap B1\n+100ms {none}\n+0ms expect console \"move\"")),
        "4:8: at 1.1 s: expected no console line with \"move\" since tap of B1 in line 3; at \
         1.00078125 s there was \"move B1\""
    );
}

#[test]
fn a_console_wait_is_satisfied_exactly_at_the_lines_end() {
    let met = |lines: &str| passes(&format!("{lines}\n+0ms end")).ended_at;
    let wait = "wait console \"move B1\" within 1s";
    let whole = met(&format!("1s tap B1\n+0ms {wait}"));
    assert_eq!(whole.0, 1_000_781_250);
    // The next line takes effect in that nanosecond.
    let lines = format!("1s tap B1\n+0ms {wait}\n+0ms press B5\n+1s end");
    let (_, machine, _) = run_with(&lines, &ReplaySettings::default());
    assert!(machine.seen.iter().any(|(at, ..)| *at == whole), "{:?}", machine.seen);
    // A line that was received before is enough, and is consumed.
    assert_eq!(met(&format!("1s tap B1\n1.5s {wait}")), at_ms(1_500));
    fails(
        &format!("1s tap B1\n1.5s {wait}\n+0ms {wait}\n+0ms expect text \"x\""),
        &[
            "5:6: at 2.5 s: waited 1 s for a console line with \"move B1\" after the one of line 4; \
           there was none; the trace stops here\n    the LCD showed:\n      | READY\n      | FREE TURN",
        ],
    );
    let stopped = ReplaySettings { until: Some(at_ms(1_200)), ..ReplaySettings::default() };
    let outcome = run_with("1s wait console \"x\" within 1s\n+0ms expect text \"x\"", &stopped).0;
    assert_eq!((errors(&outcome).len(), outcome.ended_at), (0, at_ms(1_200)));
}

#[test]
fn a_short_note_counts_for_100_ms_more_and_to_half_a_percent() {
    for tone in ["+1ms expect tone 880Hz", "+50ms expect tone 884Hz", "+149ms expect tone 876Hz"] {
        passes(&format!("1s tap B1\n{tone}"));
    }
    for tone in ["+1ms expect tone 885Hz", "+1ms expect tone 875Hz", "+150ms expect tone 880Hz"] {
        let error = error(&format!("1s tap B1\n{tone}"));
        let heard = if tone.contains("150") { "nothing" } else { "880 Hz" };
        assert!(error.ends_with(&format!("heard was {heard}")), "{error}");
    }
    // Another tone that sounded is named for the same time.
    for (after, heard) in [(149, "880 Hz"), (150, "nothing")] {
        let error = error(&format!("1s tap B1\n+{after}ms expect tone 440Hz"));
        assert!(error.ends_with(&format!("heard was {heard}")), "{error}");
    }
    let errors = errors(&run("1s tap B1\n+20ms expect tone 890Hz\n+131ms expect tone 880Hz"));
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].contains("heard was 880 Hz") && errors[1].contains("heard was nothing"));
}

#[test]
fn a_tone_began_since_the_last_input_and_counts_once() {
    let tone = "expect tone 880Hz";
    let before = "1s tap B1\n+10ms expect no text \"x\"\n";
    passes(&format!("{before}+0ms {tone}"));
    passes(&format!("1s press B1\n+10ms release B1\n+10ms {tone}"));
    for tone in [tone, "expect tone 880Hz for 50ms"] {
        let late = error(&format!("{before}+0ms tap B5\n+60ms {tone}"));
        assert!(late.contains("since tap of B5 in line 5"), "{late}");
        let twice = error(&format!("1s tap B1\n+60ms {tone}\n+0ms {tone}"));
        assert!(twice.contains("after the one of line 4"), "{twice}");
        let met = error(&format!("1s tap B1\n+60ms {tone}\n+0ms tap B5\n+60ms {tone}"));
        assert!(met.contains("since tap of B5 in line 5"), "{met}");
    }
    passes(&format!("1s tap B1\n+60ms {tone}\n+100ms tap B1\n+60ms {tone}"));
}

#[test]
fn the_length_of_a_tone_is_that_of_the_last_ended_one() {
    // 47.619048 ms and 5 % of it are 50 ms.
    for length in ["50ms", "48ms", "52.4ms", "47.619048ms"] {
        passes(&format!("1s tap B1\n+1s expect tone 880Hz for {length}"));
    }
    let just = error("1s tap B1\n+1s expect tone 880Hz for 47.619047ms");
    assert!(just.ends_with("the last one lasted 50 ms"), "{just}");
    for (length, tolerance) in [("45ms", "2.25 ms"), ("55ms", "2.75 ms"), ("47.4ms", "2.37 ms")] {
        let error = error(&format!("1s tap B1\n+1s expect tone 880Hz for {length}"));
        let end = "since tap of B1 in line 3; the last one lasted 50 ms";
        assert!(error.contains(&format!("(to {tolerance}) {end}")), "{error}");
    }
    assert_eq!(
        error("1s tap B1\n+49ms expect tone 880Hz for 50ms"),
        "4:7: at 1.049 s: expected a tone of 880 Hz for 50 ms (to 2.5 ms) since tap of B1 in line 3; \
         it sounds still, for 49 ms by then"
    );
    let none = error("1s tap B1\n+1s expect tone 440Hz for 50ms");
    assert!(none.ends_with("since tap of B1 in line 3; there was none"), "{none}");
}

#[test]
fn silence_is_checked_at_a_time_or_over_a_span() {
    passes("999ms expect no tone for 10s\n1s tap B1\n+50ms expect no tone");
    passes("1s tap B1\n1.55s expect no tone for 500ms\n+0ms expect tone 880Hz for 50ms");
    passes("1s tap B1\n1.51s power off\n+40ms expect no tone for 500ms");
    assert_eq!(
        error("1s tap B1\n+49ms expect no tone"),
        "4:7: at 1.049 s: expected no tone; 880 Hz sounds"
    );
    assert_eq!(
        error("1s tap B1\n1.549s expect no tone for 500ms"),
        "4:8: at 1.549 s: expected no tone for 500 ms; 880 Hz sounded until 1.05 s"
    );
}

#[test]
fn the_backlight_is_that_of_the_lines_time() {
    let booting = "+0ms expect backlight off\n";
    passes(&format!(
        "{booting}+500ms expect backlight on\n1s power off\n+0ms expect backlight off"
    ));
    let error = |lines| error(lines).split(": ").last().unwrap().to_owned();
    assert_eq!(error("1s expect backlight off"), "expected the backlight off; it is on");
    assert_eq!(error("+0ms expect backlight on"), "expected the backlight on; it is off");
}

/// Writes more lines and changes of tone than a board stores, up to 1 ms, on a board without power.
fn overflow(board: &crate::VirtualBoard) {
    let terminals = board.terminals();
    for nth in 0..=TONES_MAX {
        terminals.set_tone(Instant::from_millis(1), Some(if nth % 2 == 0 { 880 } else { 440 }));
    }
    for _ in 0..=CONSOLE_BYTES_MAX / 1_000 {
        (0..1_000).for_each(|_| terminals.hear(Instant::from_millis(1), b' '));
        terminals.hear(Instant::from_millis(1), b'\n');
    }
}

/// Output since the input that is not stored may have been the expected one.
#[test]
fn output_that_was_dropped_since_the_input_proves_nothing() {
    let lines = "+200ms expect tone 440Hz\n+0ms expect tone 440Hz for 50ms\n\
                 +0ms expect no console \"x\"\n+0ms expect console \"x\"\n\
                 +0ms wait console \"x\" within 1s";
    let errors = after_overflow(lines, |_| {});
    assert_eq!(errors.len(), 5, "{errors:?}");
    for (error, said) in errors.iter().zip([
        "; the board has recorded more tones than it stores",
        "the board has recorded more tones than it stores",
        "the board has received more than it keeps, and cannot tell",
        "the board has received more than it keeps",
        "the board has received more than it keeps",
    ]) {
        assert!(error.contains(said), "{error}");
    }
}

/// The newest output is always stored, so verdicts on it are exact.
#[test]
fn output_after_the_input_is_judged_whatever_was_dropped_before() {
    let late = |board: &crate::VirtualBoard| {
        let terminals = board.terminals();
        terminals.set_tone(Instant::from_millis(900), None);
        terminals.set_tone(Instant::from_millis(2_000), Some(440));
        terminals.set_tone(Instant::from_millis(2_050), None);
        b"late x\n".iter().for_each(|byte| terminals.hear(Instant::from_millis(2_060), *byte));
    };
    let lines = "1s tap B1\n+200ms expect no tone\n2.1s expect console \"x\"\n\
                 +0ms expect no console \"y\"\n+0ms expect tone 440Hz for 50ms\n\
                 +0ms expect no tone";
    assert_eq!(after_overflow(lines, late), [""; 0]);
    let errors = after_overflow("1s tap B1\n2.1s expect console \"y\"", late);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(!errors[0].contains("than it keeps"), "{errors:?}");
}

/// Returns the failures of `lines` on a board that has more output than it stores, and then that of
/// `late`.
fn after_overflow(lines: &str, late: impl Fn(&crate::VirtualBoard)) -> Vec<String> {
    use crate::replay::{Unjudged, replay};
    use trace::parse;

    let trace = parse("full.trace", &format!("trace 1\n0ms power on\n{lines}\n")).unwrap();
    let mut machine = super::FakeMachine::new();
    overflow(machine.board());
    late(machine.board());
    let outcome =
        replay(&trace, &mut machine, &super::reader(), &mut Unjudged, &ReplaySettings::default());
    errors(&outcome)
}
