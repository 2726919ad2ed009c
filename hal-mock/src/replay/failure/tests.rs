//! The exact messages of all causes, which users and their scripts read.

use super::*;
use crate::replay::nearest::TextDifference;
use reading::golden::{Difference, Mismatch};
use trace::LedKind;

#[track_caller]
fn check(cause: FailureCause, message: &str) {
    assert_eq!(cause.to_string(), message);
    let failure = Failure {
        id: FailureId(0),
        place: Some(Place { line: 41, column: 9 }),
        included: None,
        at: Instant::from_millis(12_300),
        cause,
        display: None,
        shown: None,
    };
    assert_eq!(failure.to_string(), format!("41:9: at 12.3 s: {message}"));
    assert_eq!(failure.message(), message);
}

fn ms(millis: u64) -> Nanos {
    Nanos::from_millis(millis)
}

fn at_ms(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

#[test]
fn texts_and_waits() {
    let text = || "GAME \"OVER\"".to_owned();
    check(
        FailureCause::TextMissing { wanted: text().into(), near: None },
        r#"expected text "GAME \"OVER\"" on the LCD"#,
    );
    check(
        FailureCause::TextShown { wanted: text().into() },
        r#"expected no text "GAME \"OVER\"" on the LCD"#,
    );
    check(
        FailureCause::WaitedForText { text: text(), display: None, within: ms(60_000), near: None },
        r#"waited 60 s for text "GAME \"OVER\"" on the LCD; the trace stops here"#,
    );
    check(
        FailureCause::NotSettled { display: None, within: ms(5_000), last_change: at_ms(250) },
        "waited 5 s for the LCD to settle; it changed last at 250 ms; the trace stops here",
    );
    check(
        FailureCause::TimePassed { now: at_ms(1_500), line_at: at_ms(250) },
        "the line above was over only at 1.5 s, past this line's 250 ms; the trace stops here",
    );
    check(
        FailureCause::ButtonDown { button: Button::B3, line: 7, until: at_ms(500) },
        "B3 is still down: the tap in line 7 holds it until 500 ms; the trace stops here",
    );
}

#[test]
fn power_and_clock() {
    check(
        FailureCause::PowerOn { bytes_left: None },
        "the power is on still; the trace stops here",
    );
    check(
        FailureCause::PowerOn { bytes_left: Some(37) },
        "the power is on still: the cut in the flash has not come, 37 bytes are left until then; \
         the trace stops here",
    );
    check(
        FailureCause::FaultWithoutPower { fault: BoardFault::PowerCut, off_since: at_ms(1_500) },
        "`fault power cut` meets no power, which is gone since 1.5 s; write `power on` above it, or \
         take it out",
    );
    check(FailureCause::NoProgress, "the firmware keeps the clock for itself from here on");
}

#[test]
fn tones_and_the_console() {
    let since = || Since::Input { action: "tap of B3".into(), line: 9 };
    let tone = |heard, history_full| FailureCause::ToneMissing {
        hertz: 880,
        since: since(),
        heard,
        history_full,
    };
    check(
        tone(vec![], false),
        "expected a tone of 880 Hz since tap of B3 in line 9, then or within the 100 ms before; \
         heard was nothing",
    );
    check(
        tone(vec![440, 2093], true),
        "expected a tone of 880 Hz since tap of B3 in line 9, then or within the 100 ms before; \
         heard was 440 Hz, 2093 Hz; the board has recorded more tones than it stores",
    );
    let console = |lines, last: &[&str], history_full| FailureCause::ConsoleLineMissing {
        text: "winner".into(),
        since: Since::Met { line: 12 },
        lines,
        last: last.iter().map(|line| (*line).to_owned()).collect(),
        first: None,
        near: None,
        before: None,
        history_full,
    };
    check(
        console(0, &[], false),
        r#"expected a console line with "winner" after the one of line 12; there was none"#,
    );
    check(
        console(1, &["off"], false),
        "expected a console line with \"winner\" after the one of line 12; there was one, \"off\"",
    );
    check(
        console(3, &["on", "off"], true),
        "expected a console line with \"winner\" after the one of line 12; of 3 the last 2 \
         were \"on\", \"off\"; the board has received more than it keeps",
    );
    check(
        FailureCause::ConsoleLineMissing {
            text: "off".into(),
            since: since(),
            lines: 0,
            last: Vec::new(),
            first: None,
            near: None,
            before: Some(at_ms(1_500)),
            history_full: false,
        },
        "expected a console line with \"off\" since tap of B3 in line 9; there was none; one came \
         before that, at 1.5 s",
    );
    let shown = |line| FailureCause::ConsoleLineShown { text: "off".into(), since: since(), line };
    check(
        shown(Some(ConsoleLine { at: at_ms(1_500), text: "off".into() })),
        "expected no console line with \"off\" since tap of B3 in line 9; at 1.5 s there was \
         \"off\"",
    );
    check(
        shown(None),
        "expected no console line with \"off\" since tap of B3 in line 9; the board has received \
         more than it keeps, and cannot tell",
    );
    check(
        FailureCause::WaitedForConsole {
            text: "off".into(),
            within: ms(60_000),
            since: since(),
            lines: 2,
            last: vec!["on".into(), "no".into()],
            first: Some("onset".into()),
            near: Some(Box::new(NearestText {
                text: "Off".into(),
                difference: TextDifference { case: true, ..TextDifference::default() },
            })),
            history_full: false,
        },
        "waited 60 s for a console line with \"off\" since tap of B3 in line 9; nearest: \
         \"Off\" (differs in case); of 2 the last 2 were \"on\", \"no\"; the first of its kind was \
         \"onset\"; the trace stops here",
    );
}

#[test]
fn lengths_of_tones_silence_and_the_backlight() {
    let length = |lasted, found, history_full| FailureCause::ToneLength {
        hertz: 880,
        lasted,
        since: Since::Met { line: 12 },
        found,
        history_full,
    };
    check(
        length(ms(60), ToneFound::Lasted(ms(70)), false),
        "expected a tone of 880 Hz for 60 ms (to 3 ms) after the one of line 12; the last one lasted \
         70 ms",
    );
    check(
        length(ms(10), ToneFound::Sounds(ms(20)), false),
        "expected a tone of 880 Hz for 10 ms (to 500 us) after the one of line 12; it sounds still, \
         for 20 ms by then",
    );
    check(
        length(ms(300), ToneFound::Nothing, true),
        "expected a tone of 880 Hz for 300 ms (to 5 ms) after the one of line 12; there was none; \
         the board has recorded more tones than it stores",
    );
    let heard = |silent_for, heard| FailureCause::UnexpectedTone { silent_for, heard };
    check(heard(None, Some((880, None))), "expected no tone; 880 Hz sounds");
    check(
        heard(Some(ms(500)), Some((880, Some(at_ms(1_500))))),
        "expected no tone for 500 ms; 880 Hz sounded until 1.5 s",
    );
    check(
        heard(None, None),
        "expected no tone; the board has recorded more tones than it stores, and cannot tell",
    );
    check(
        FailureCause::Backlight { expected: false, display: None },
        "expected the backlight off; it is on",
    );
}

#[test]
fn contents_of_the_flash() {
    let missing = |lines: &[&str], nearest: Option<&str>| FailureCause::FlashLineMissing {
        text: "sound off".into(),
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        near: nearest.map(|text| NearestText {
            text: text.to_owned(),
            difference: TextDifference { case: true, ..TextDifference::default() },
        }),
    };
    check(
        missing(&["game A wari 3 59", "settings sound on"], Some("Sound OFF")),
        r#"expected a line with "sound off" in the flash; nearest: "Sound OFF" (differs in case); it has "game A wari 3 59", "settings sound on""#,
    );
    check(missing(&[], None), "expected a line with \"sound off\" in the flash; it has no lines");
    let many = missing(&["x"; 42], None).to_string();
    assert!(many.ends_with(r#""x", and 12 more"#), "{many}");
    assert!(missing(&["x"; 30], None).to_string().ends_with(r#", "x", "x""#));
    check(
        FailureCause::FlashLineShown { text: "A".into(), line: "game A".into() },
        r#"expected no line with "A" in the flash; there is "game A""#,
    );
    check(
        FailureCause::FlashUnread,
        "what the flash of this board holds is not known here; the board has no reader for it",
    );
    check(
        FailureCause::FlashUnreadable(MachineError::new(Instant(1), "its power is off")),
        "the board's flash cannot be read: its power is off",
    );
}

#[test]
fn the_nearest_text_is_named() {
    let case = TextDifference { case: true, ..TextDifference::default() };
    let near = NearestText { text: "FREE TURN".into(), difference: case };
    let differs = || Some(NearText::Differs(near.clone()));
    let elsewhere = Some(NearText::Elsewhere(Region { x: 8, y: 9, width: 90, height: 20 }));
    let wanted = RegionText {
        text: "Free Turn".into(),
        display: None,
        region: Some(Region { y: 200, ..Region::PANEL }),
    };
    check(
        FailureCause::TextMissing { wanted: "Free Turn".into(), near: differs() },
        "expected text \"Free Turn\" on the LCD; nearest: \"FREE TURN\" (differs in case)",
    );
    check(
        FailureCause::TextMissing { wanted: wanted.clone(), near: elsewhere },
        "expected text \"Free Turn\" on the LCD in 0,200,320,240; it is outside of that, in \
         8,9,90,20",
    );
    check(
        FailureCause::TextShown { wanted: wanted.clone() },
        "expected no text \"Free Turn\" on the LCD in 0,200,320,240",
    );
    let within = ms(60_000);
    check(
        FailureCause::WaitedForText {
            text: "Free Turn".into(),
            display: None,
            within,
            near: differs(),
        },
        "waited 60 s for text \"Free Turn\" on the LCD; nearest: \"FREE TURN\" (differs in case); \
         the trace stops here",
    );
    let expected = ms(2_000);
    check(
        FailureCause::TextNeverShown { wanted: "Free Turn".into(), expected, near: differs() },
        "expected text \"Free Turn\" on the LCD for 2 s; it has not been there; nearest: \
         \"FREE TURN\" (differs in case)",
    );
    check(
        FailureCause::ConsoleLineMissing {
            text: "event=Free-Turn".into(),
            since: Since::Input { action: "tap of B3".into(), line: 9 },
            lines: 12,
            last: vec!["one \"x\"".into(), "two".into()],
            first: None,
            near: Some(Box::new(NearestText { text: "event=free-turn".into(), difference: case })),
            before: None,
            history_full: false,
        },
        "expected a console line with \"event=Free-Turn\" since tap of B3 in line 9; nearest: \
         \"event=free-turn\" (differs in case); of 12 the last 2 were \"one \\\"x\\\"\", \"two\"",
    );
}

#[test]
fn times_for_which_a_text_was_shown() {
    let stood = |lasted, until| FailureCause::TextShownFor {
        wanted: "B2".into(),
        expected: ms(2_000),
        lasted: ms(lasted),
        drawn_for: ms(lasted + 3),
        from: at_ms(300),
        until,
    };
    check(
        stood(2_200, Some(at_ms(2_500))),
        "expected text \"B2\" on the LCD for 2 s (+-20 ms); it stood there for 2.2 s, from 300 ms to \
         2.5 s (2.203 s from its first pixel on)",
    );
    check(
        stood(1_200, None),
        "expected text \"B2\" on the LCD for 2 s (+-20 ms); it has stood there for 1.2 s, since 300 \
         ms (1.203 s from its first pixel on)",
    );
}

#[test]
fn budgets() {
    let comparison = Comparison::Below;
    check(
        FailureCause::BusOverBudget { comparison, limit: 40_000, within: ms(1_000), sent: 1 },
        "expected less than 40,000 bytes on the LCD's bus within 1 s; there were 1 byte",
    );
    check(
        FailureCause::NoFrame { comparison, limit: ms(45), display: None },
        "expected less than 45 ms for a frame; no frame was complete since the last such line",
    );
    let comparison = Comparison::AtMost;
    check(
        FailureCause::FrameTooLong {
            display: None,
            comparison,
            limit: ms(45),
            complete_at: at_ms(900),
            time: ms(50),
        },
        "expected at most 45 ms for a frame; the one that was complete at 900 ms took 50 ms",
    );
    check(
        FailureCause::Heap(Heap::Used { allocations: 2, bytes: 4_096 }),
        "expected firmware without a heap; it has taken memory 2 times, 4,096 bytes in all",
    );
    check(
        FailureCause::Heap(Heap::Present { symbol: "__rust_alloc".into() }),
        "expected firmware without a heap; its program has an allocator in it: __rust_alloc",
    );
    check(
        FailureCause::Heap(Heap::Unknown("it has no symbols".into())),
        "expected firmware without a heap, but this board cannot tell: it has no symbols",
    );
}

#[test]
fn rules_of_the_datasheet() {
    check(
        FailureCause::Violations { count: 3, first: Some((at_ms(2), Rule::ResetPulse)) },
        "expected no violations of the LCD's datasheet; there were 3; the first is at 2 ms: RESX \
         must stay low for at least 10 us to reset (section 15.4)",
    );
    let (rule, bytes) = (Rule::ColumnsReversed, vec![0x2A, 0]);
    let table = &ili9341_model::panel_tables::ILI9341;
    let violation = FailureCause::Violation { rule, bytes, table, display: None };
    check(
        violation.clone(),
        "the LCD's datasheet is not obeyed (ColumnsReversed, section 8.2.20): SC must not be greater \
         than EC; bytes 2A 00",
    );
    for (rule, bytes, turned) in [
        (Rule::ColumnOutside, [0x2A, 0, 0, 1, 0x3F], Some("columns")),
        (Rule::PageOutside, [0x2B, 0, 0, 1, 0x3F], Some("lines")),
        (Rule::ColumnOutside, [0x2A, 0, 1, 1, 0x3F], None),
        (Rule::ColumnOutside, [0x2A, 0, 0, 1, 0x40], None),
        (Rule::ColumnOutside, [0x2A, 0, 0, 0xFF, 0xFF], None),
        (Rule::ColumnsReversed, [0x2A, 0, 0, 1, 0x3F], None),
    ] {
        let cause = FailureCause::Violation { rule, bytes: bytes.to_vec(), table, display: None };
        let expected = turned.map(|axis| {
            format!(
                "; 0 to 319 are the {axis} of this display turned by 90 degrees: is MV of MADCTL right, \
                 or the size that the program has for the display?"
            )
        });
        let (message, end) = (cause.to_string(), expected.unwrap_or_default());
        assert!(message.ends_with(&format!("{:02X}{end}", bytes[4])), "{message}");
    }
    let failure = Failure {
        id: FailureId(4),
        place: None,
        included: None,
        at: at_ms(1),
        cause: violation,
        display: None,
        shown: Some(vec!["MENU".into()]),
    };
    assert_eq!(failure.rule(), Some(Rule::ColumnsReversed));
    assert!(failure.to_string().starts_with("at 1 ms: the LCD's datasheet"), "{failure}");
    assert!(failure.to_string().ends_with("\n    the LCD showed:\n      | MENU"), "{failure}");
}

#[test]
fn goldens() {
    let difference = Difference {
        first: (7, 9),
        count: 2,
        left: 7,
        top: 9,
        right: 8,
        bottom: 9,
        expected: 0,
        actual: 0xFF_FFFF,
        tolerance: 2,
        pixels_off: 1,
    };
    check(
        FailureCause::Golden(Mismatch::Pixels(difference).into()),
        "2 pixels differ by more than 2 steps (1 may), in the rectangle x=7 y=9 2x1; the first is \
         x=7 y=9: #ffffff, expected #000000",
    );
    check(
        FailureCause::Golden(GoldenError::ChainsNotCompared { name: "whole-game".into() }),
        "frames whole-game are expected, but nothing here compares chains of frames",
    );
    check(
        FailureCause::Golden("expected frame one, but there is no golden".to_owned().into()),
        "expected frame one, but there is no golden",
    );
}

#[test]
fn an_led_with_exchanged_colours_has_its_cause() {
    let led = |kind, state, rgb| {
        let led = trace::Leds::new([(kind, "MOOD")]).unwrap().all()[0];
        let expected = trace::LedLight::Colour { rgb, white: None };
        let check = LedCheck { led, number: Some(2), expected };
        FailureCause::Led { check, number: 2, state: LedState::Colour(state), since: None }
    };
    let chain = LedKind::Chain { count: 4, has_white: false };
    check(
        led(chain, [0, 255, 16, 0], [255, 0, 16]),
        "expected the LED MOOD 2 #ff0010; its LED 2 is #00ff10, without a change since power-on; \
         red and green are exchanged: is the `order` of the board file right?",
    );
    check(
        led(LedKind::Rgb, [16, 0, 255, 0], [255, 0, 16]),
        "expected the LED MOOD 2 #ff0010; it is #1000ff, without a change since power-on; red and \
         blue are exchanged: are its pins right?",
    );
    check(
        led(LedKind::Rgb, [16, 0, 9, 0], [255, 0, 16]),
        "expected the LED MOOD 2 #ff0010; it is #100009, without a change since power-on",
    );
}
