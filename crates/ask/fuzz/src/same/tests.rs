//! Tests which pairs of failures are the same.

use hal_mock::{
    Heap, MachineError,
    board::ConsoleLine,
    replay::{Failure, FailureCause, FailureId, Since, ToneFound},
};
use ili9341_model::{Rule, frame::Region};
use insight::BrokenInvariant;
use reading::golden::{
    GoldenError, Mismatch, PngError, PngFault,
    chain::{FrameHash, Link},
};
use runner::{ChainDifference, Shift};
use trace::{Action, Button, Comparison, Place};
use virtual_time::{Instant, Nanos};

use super::super::evidence::Evidence;
use super::super::finding::LinePattern;
use super::super::goldens::{GoldenComparer, GoldenFault};
use super::*;

/// Returns the failure of line `index` by `cause` while the LCD showed `shown`.
fn line(index: usize, cause: FailureCause, shown: &str) -> FindingCause {
    let shown = Some(shown.lines().map(str::to_owned).collect());
    let place = Some(Place { line: 9, column: 1 });
    let at = Instant::from_secs(3);
    let failure =
        Failure { id: FailureId(0), place, included: None, at, cause, display: None, shown };
    let (evidence, message) = (Evidence::of(&failure), failure.message());
    FindingCause::Line { line: LinePattern::of(&Action::End), index, evidence, message }
}

/// Checks whether two failures of line 2 are the same.
#[track_caller]
fn check(one: FailureCause, other: FailureCause, same: bool) {
    let [one, other] = [one, other].map(|cause| line(2, cause, "READY"));
    assert_eq!(one.is_like(&other, &[0, 1, 2]), same, "{one:?}\n{other:?}");
}

fn text(text: &str) -> FailureCause {
    FailureCause::TextMissing { wanted: text.into(), near: None }
}

#[test]
fn lines_are_identified_by_their_original_line() {
    let original = line(5, text("A"), "READY");
    let moved = line(1, text("A"), "READY");
    assert!(original.is_like(&moved, &[0, 5]));
    assert!(!original.is_like(&moved, &[0, 4]), "it is another line with the same text");
    assert!(!original.is_like(&moved, &[0]));
}

#[test]
fn text_failures_are_equal_on_the_same_screen() {
    let within = Nanos::from_secs(5);
    let last_change = Instant::from_secs(1);
    for cause in [
        text("A"),
        FailureCause::TextShown { wanted: "READY".into() },
        FailureCause::WaitedForText { text: "A".into(), display: None, within, near: None },
        FailureCause::NotSettled { display: None, within, last_change },
    ] {
        let [original, again, dark, more] =
            ["READY", "READY", "", "READY\nMENU"].map(|shown| line(1, cause.clone(), shown));
        assert!(original.is_like(&again, &[0, 1]), "{cause:?}");
        assert!(!original.is_like(&dark, &[0, 1]), "{cause:?}");
        assert!(!original.is_like(&more, &[0, 1]), "{cause:?}");
    }
    let later = Instant::from_secs(2);
    check(
        FailureCause::NotSettled { display: None, within, last_change },
        FailureCause::NotSettled { display: None, within, last_change: later },
        true,
    );
}

fn golden(fault: GoldenFault) -> FailureCause {
    GoldenError::reported(fault).into()
}

/// Returns the failure of a frame whose first pixel is `is`; all others equal the golden.
fn differs(is: u32) -> FailureCause {
    let golden_frame = ili9341_model::Frame::filled(320, 240, 0x00FF_FFFF);
    let mut actual = golden_frame.clone();
    actual.pixels_mut()[0] = is;
    let folder = tempfile::tempdir().unwrap();
    reading::golden::write_png(folder.path().join("a.png"), &golden_frame).unwrap();
    let comparer = GoldenComparer::new(folder.path());
    comparer.check(&"a".into(), &actual).unwrap_err().into()
}

#[test]
fn frame_failures_are_equal_for_the_same_pixels() {
    check(differs(0), differs(0), true);
    check(differs(0), differs(0x00FF_0000), false);
    let unreadable = |name: &str| {
        golden(GoldenFault::Unreadable(PngError { path: name.into(), fault: PngFault::Truncated }))
    };
    check(unreadable("a"), unreadable("a"), true);
    check(unreadable("a"), differs(0), false);
    let sizes = |width| {
        golden(GoldenFault::OtherSize(Mismatch::Size {
            actual: (320, 240),
            expected: (width, 240),
        }))
    };
    check(sizes(10), sizes(10), true);
    check(sizes(10), sizes(20), false);
    check(sizes(10), differs(0), false);
}

fn link(hash: u64, millis: u64) -> Link {
    let region = Region { x: 0, y: 0, width: 1, height: 1 };
    Link { at: Instant::from_millis(millis), hash: FrameHash(hash), changed: 1, region }
}

#[test]
fn chain_failures_are_equal_at_the_same_frame() {
    let chain = |difference| {
        let difference = Box::new(difference);
        golden(GoldenFault::ChainDiffers { path: "a.frames".into(), difference })
    };
    let other = |number, actual, expected, millis| {
        chain(ChainDifference::Other {
            number,
            of: 9,
            actual: link(actual, millis),
            after: format!("tap of B3 in line {millis}"),
            expected: link(expected, 7),
            shift: Shift::Unknown,
        })
    };
    check(other(2, 8, 9, 10), other(2, 8, 9, 20), true);
    check(other(2, 8, 9, 10), other(3, 8, 9, 10), false);
    check(other(2, 8, 9, 10), other(2, 7, 9, 10), false);
    check(other(2, 8, 9, 10), other(2, 8, 7, 10), false);
    let missing = |number| chain(ChainDifference::Missing { number, of: 9, expected: link(9, 10) });
    check(missing(2), missing(2), true);
    check(missing(2), missing(1), false);
    let extra = |actual| {
        chain(ChainDifference::Extra {
            number: 2,
            of: 1,
            actual: link(actual, 10),
            after: String::new(),
        })
    };
    check(extra(8), extra(8), true);
    check(extra(8), extra(9), false);
    check(extra(8), missing(2), false);
    let unreadable = || golden(GoldenFault::UnreadableChain("a.frames: is no chain".into()));
    check(unreadable(), unreadable(), true);
    check(unreadable(), missing(2), false);
}

fn since(line: u32) -> Since {
    Since::Input { action: "tap of B3".into(), line }
}

#[test]
fn length_backlight_and_flash_failures_are_compared_by_state() {
    let length = |found, line| FailureCause::ToneLength {
        hertz: 880,
        lasted: Nanos::from_millis(60),
        since: since(line),
        found,
        history_full: false,
    };
    let lasted = |micros, line| length(ToneFound::Lasted(Nanos::from_micros(micros)), line);
    check(lasted(70_000, 3), lasted(70_700, 9), true);
    check(lasted(70_000, 3), lasted(70_701, 3), false);
    check(lasted(70_000, 3), length(ToneFound::Nothing, 3), false);
    let heard = |hertz, at| FailureCause::UnexpectedTone {
        silent_for: None,
        heard: Some((hertz, Some(Instant::from_millis(at)))),
    };
    check(heard(880, 10), heard(880, 20), true);
    check(heard(880, 10), heard(440, 10), false);
    let shown = |text: &str, at| FailureCause::ConsoleLineShown {
        text: "o".into(),
        since: since(3),
        line: Some(ConsoleLine { at: Instant::from_millis(at), text: text.into() }),
    };
    check(shown("boot", 10), shown("boot", 20), true);
    check(shown("boot", 10), shown("off", 10), false);
    let flash = |line: &str| FailureCause::FlashLineMissing {
        text: "sound off".into(),
        lines: vec![line.into()],
        near: None,
    };
    check(flash("sound on"), flash("sound on"), true);
    check(flash("sound on"), flash("damaged"), false);
    let dark = || FailureCause::Backlight { expected: false, display: None };
    check(dark(), dark(), true);
}

#[test]
fn console_failures_are_equal_after_the_same_line() {
    let console = |last: Option<&str>, lines| FailureCause::ConsoleLineMissing {
        text: "event=draw".into(),
        since: since(lines as u32),
        lines,
        last: last.into_iter().map(str::to_owned).collect(),
        first: None,
        near: None,
        before: None,
        history_full: false,
    };
    check(console(Some("position"), 5), console(Some("position"), 2), true);
    check(console(Some("position"), 5), console(Some("boot"), 5), false);
    check(console(Some("position"), 5), console(None, 0), false);
}

#[test]
fn tone_and_budget_failures_are_compared_by_measurement() {
    let tone = |heard: &[u32]| FailureCause::ToneMissing {
        hertz: 880,
        since: since(heard.len() as u32),
        heard: heard.to_vec(),
        history_full: false,
    };
    check(tone(&[440]), tone(&[440]), true);
    check(tone(&[440]), tone(&[]), false);
    let comparison = Comparison::Below;
    let bus = |sent| FailureCause::BusOverBudget {
        comparison,
        limit: 10,
        within: Nanos::from_secs(1),
        sent,
    };
    check(bus(11), bus(11), true);
    check(bus(11), bus(153_600), false);
    let limit = Nanos::from_millis(1);
    let slow = |micros, millis| FailureCause::FrameTooLong {
        display: None,
        comparison,
        limit,
        complete_at: Instant::from_millis(millis),
        time: Nanos::from_micros(micros),
    };
    check(slow(8_000, 10), slow(8_000, 20), true);
    check(slow(8_000, 10), slow(8_080, 20), true);
    check(slow(8_000, 10), slow(8_081, 20), false);
    check(slow(8_000, 10), FailureCause::NoFrame { comparison, limit, display: None }, false);
    let none = || FailureCause::NoFrame { comparison, limit, display: None };
    check(none(), none(), true);
}

#[test]
fn violation_heap_and_time_failures_are_compared_by_kind() {
    let violations = |count, rule| FailureCause::Violations {
        count,
        first: Some((Instant::from_millis(count), rule)),
    };
    check(violations(3, Rule::CutPixel), violations(1, Rule::CutPixel), true);
    check(violations(3, Rule::CutPixel), violations(3, Rule::UnknownCommand), false);
    let used = |allocations| FailureCause::Heap(Heap::Used { allocations, bytes: 8 });
    check(used(3), used(1), true);
    check(used(3), FailureCause::Heap(Heap::unwatched()), false);
    let down = |button, line| FailureCause::ButtonDown { button, line, until: Instant::START };
    check(down(Button::B1, 5), down(Button::B1, 3), true);
    check(down(Button::B1, 5), down(Button::B2, 5), false);
    let passed =
        |now| FailureCause::TimePassed { now: Instant::from_millis(now), line_at: Instant::START };
    check(passed(5), passed(6), true);
    check(passed(5), text("A"), false);
    let on = |bytes_left| FailureCause::PowerOn { bytes_left };
    check(on(Some(5)), on(Some(9)), true);
}

/// Checks whether two findings of the firmware are the same.
#[track_caller]
fn check_rule(one: &FindingCause, other: &FindingCause, same: bool) {
    assert_eq!(one.is_like(other, &[]), same, "{one:?}\n{other:?}");
}

#[test]
fn lcd_rule_failures_are_equal_for_the_same_command() {
    let rule = |rule, bytes: &[u8]| FindingCause::Rule {
        rule,
        bytes: bytes.to_vec(),
        message: format!("{bytes:?}"),
    };
    let original = rule(Rule::CutPixel, &[0x2C, 1]);
    check_rule(&original, &rule(Rule::CutPixel, &[0x2C, 9, 9]), true);
    check_rule(&original, &rule(Rule::CutPixel, &[0x3C, 1]), false);
    check_rule(&original, &rule(Rule::UnknownCommand, &[0x2C, 1]), false);
}

#[test]
fn invariant_failures_are_compared_by_their_evidence() {
    let broken = |kind, evidence: &str, message: &str| {
        let (evidence, message) = (evidence.into(), message.into());
        FindingCause::Invariant(BrokenInvariant { kind, evidence, message })
    };
    check_rule(&broken("lost", "1", "48, now 49"), &broken("lost", "1", "36, now 37"), true);
    check_rule(&broken("lost", "1", "48, now 49"), &broken("lost", "-1", "48, now 49"), false);
    check_rule(&broken("lost", "1", "48, now 49"), &broken("panel", "1", "48, now 49"), false);
    let panic = |text: &str| FindingCause::Panic { message: Some(text.into()), place: None };
    check_rule(&panic("cup 14"), &panic("cup 14"), true);
    check_rule(&panic("cup 14"), &panic("cup 15"), false);
    let broken = |millis, text: &str| {
        FindingCause::Broken(MachineError::new(Instant::from_millis(millis), text))
    };
    check_rule(&broken(1, "HardFault\nr0 1"), &broken(2, "HardFault\nr0 2"), true);
    check_rule(&broken(1, "HardFault"), &broken(1, "lockup"), false);
    check_rule(&FindingCause::ClockKept, &FindingCause::ClockKept, true);
    check_rule(&FindingCause::ClockKept, &panic("cup 14"), false);
}

#[test]
fn a_smaller_trace_must_not_have_new_failures() {
    let finding = |millis, cause| Finding { at: Instant::from_millis(millis), cause };
    let target = || finding(3, line(2, text("A"), "READY"));
    let later = |index| finding(5, line(index, text("B"), "GAME OVER"));
    let original = Original::new(Judgement {
        findings: vec![target(), later(3)],
        passed: vec![true, true, false, false, true],
        ..Judgement::default()
    });
    let original = original.unwrap();
    let all = [0, 1, 2, 3, 4];
    let kept = |findings: Vec<Finding>| {
        original.is_reproduced_by(
            &Judgement { findings, passed: vec![true; 5], ..Judgement::default() },
            &all,
        )
    };
    assert!(kept(vec![target()]));
    assert!(kept(vec![target(), later(3)]));
    assert!(!kept(vec![]));
    assert!(!kept(vec![target(), later(1)]), "the line 1 passed in the original");
    assert!(!kept(vec![later(3), target()]), "another failure comes first");
    assert!(!kept(vec![target(), finding(6, FindingCause::ClockKept)]), "that is new");
    assert!(Original::new(Judgement::default()).is_none());
}

#[test]
fn sameness_says_how_much_both_have_in_common() {
    let judged = |shown: &str, screen: u64| Judgement {
        findings: vec![Finding { at: Instant::from_millis(3), cause: line(2, text("A"), shown) }],
        passed: vec![true, true, false],
        screens: [(2, FrameHash(screen))].into(),
    };
    let original = Original::new(judged("READY", 1)).unwrap();
    let all = [0, 1, 2];
    for (sameness, expected) in [
        (Sameness::Line, [true, true, true]),
        (Sameness::Text, [true, true, false]),
        (Sameness::Screen, [true, false, false]),
    ] {
        let original = original.clone().with(sameness);
        let same = [judged("READY", 1), judged("READY", 2), judged("OTHER", 2)];
        let same = same.each_ref().map(|judged| original.is_reproduced_by(judged, &all));
        assert_eq!(same, expected, "{sameness:?}");
        assert!(!original.is_reproduced_by(&judged("READY", 1), &[0, 1, 1]), "another line");
    }
}
