//! Tests of the replayer with the small firmware of `fake`.

mod accounts;
mod ongoing;
mod output_log;
mod planned;
mod power;
mod stored;
mod texts;

use super::fake::{FakeMachine, reader};
use super::{
    Event, FAILURES_MAX, Failure, FailureCause, FailureId, Goldens, LIMIT, ReplayOutcome,
    ReplaySettings, Verdict, replay,
};
use crate::board::FRAME_IDLE;
use crate::{BoardConfig, Machine};
use ili9341_model::Frame;
use reading::golden::GoldenError;
use trace::{Action, Button, FrameCheck, Recorder, When, parse};
use virtual_time::{Instant, Nanos};

/// Goldens that record each request, and have no golden `missing`.
#[derive(Default)]
struct Album(Vec<(String, Frame)>);

impl Goldens for Album {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        if expected.name == "missing" {
            return Err("there is no golden frame missing.png".into());
        }
        self.screenshot(&expected.name, &actual.part(expected.shown(actual)))
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), GoldenError> {
        self.0.push((name.to_owned(), frame.clone()));
        Ok(())
    }
}

/// Replays `lines` after `trace 1` and `0ms power on`.
#[track_caller]
fn run_with(lines: &str, options: &ReplaySettings) -> (ReplayOutcome, FakeMachine, Album) {
    let trace = parse("scene.trace", &format!("trace 1\n0ms power on\n{lines}\n")).unwrap();
    let (mut machine, mut album) = (FakeMachine::new(), Album::default());
    let outcome = replay(&trace, &mut machine, &reader(), &mut album, options);
    (outcome, machine, album)
}

#[track_caller]
fn run(lines: &str) -> ReplayOutcome {
    run_with(lines, &ReplaySettings::default()).0
}

#[track_caller]
fn passes(lines: &str) -> ReplayOutcome {
    let outcome = run(lines);
    assert_eq!(outcome.verdict, Verdict::Passed, "{}", errors(&outcome).join("\n"));
    assert_eq!((outcome.stopped_in, outcome.failures_left_out), (None, 0));
    outcome
}

/// Returns the messages of the failures.
fn errors(outcome: &ReplayOutcome) -> Vec<String> {
    match &outcome.verdict {
        Verdict::Failed(failures) => failures.iter().map(Failure::to_string).collect(),
        _ => Vec::new(),
    }
}

#[track_caller]
fn fails(lines: &str, expected: &[&str]) -> ReplayOutcome {
    let outcome = run(lines);
    assert_eq!(errors(&outcome), expected, "{:?}", outcome.verdict);
    outcome
}

fn ms(millis: u64) -> Nanos {
    Nanos::from_millis(millis)
}

fn at_ms(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

#[test]
fn a_trace_with_satisfied_expectations_passes() {
    let (outcome, _, album) = run_with(
        "1s tap B1\n\
         +10ms expect no text \"FREE TURN\"\n\
         +0ms expect tone 880Hz\n\
         +190ms expect text \"FREE TURN\"\n\
         +0ms expect no text \"GAME OVER\"\n\
         +0ms expect console \"move B1\"\n\
         +0ms expect frame free-turn\n\
         +0ms tap B2\n\
         +0ms wait text \"GAME OVER\" within 1s\n\
         +0ms settle within 1s\n\
         +0ms screenshot final\n\
         +1s end",
        &ReplaySettings::default(),
    );
    assert_eq!(errors(&outcome), [""; 0]);
    assert_eq!(outcome.verdict, Verdict::Passed);
    assert_eq!((outcome.lines, outcome.stopped_in), (13, None));
    let names: Vec<&str> = album.0.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["free-turn", "final"]);
    let said = |index: usize| reader().read(&album.0[index].1).to_string();
    assert_eq!((said(0).as_str(), said(1).as_str()), ("READY\nFREE TURN", "READY\nGAME OVER"));
    // The first screen, FREE TURN, the ten counts and GAME OVER.
    assert_eq!(outcome.frames, 13);
}

/// The firmware blocks while it starts, and then looks at its buttons for the first time.
#[test]
fn inputs_within_the_boot_come_at_their_time() {
    let off = "1s power off\n1s press B1\n";
    let moves = |lines: &str| {
        let (outcome, machine, _) = run_with(&format!("{off}{lines}"), &ReplaySettings::default());
        assert_eq!(errors(&outcome), [""; 0]);
        machine.seen.iter().filter(|(at, _, _)| *at >= at_ms(1_000)).count()
    };
    assert_eq!(moves("2s power on\n+1s expect text \"READY\""), 1, "held");
    assert_eq!(moves("2s power on\n+1ms release B1\n+1s expect text \"READY\""), 0);
    assert_eq!(moves("1.5s release B1\n2s power on\n+1ms tap B1 for 50ms\n+1s end"), 0);
    let tapped = "1.5s release B1\n+100ms tap B1 for 500ms\n2s power on\n+1s end";
    assert_eq!(moves(tapped), 0, "a tap that began before");
    // Movements that an observation separates from the power-on come at their time, too.
    let seen = "2s power on\n+1ms expect no text \"READY\"\n+1ms release B1\n+1s end";
    assert_eq!(moves(seen), 0);
    for gone in ["power off", "fault power cut"] {
        let lines = format!("{off}2s power on\n+1ms release B1\n+1ms {gone}\n+1s end");
        let (outcome, machine, _) = run_with(&lines, &ReplaySettings::default());
        assert_eq!(errors(&outcome), [""; 0]);
        assert_eq!(machine.board().off_since(), Some(at_ms(2_002)), "{gone}");
    }
}

#[test]
fn two_replays_of_a_trace_are_equal() {
    let lines = "1s tap B2\n+0ms wait text \"7\" within 1s\n+3ms tap B1\n+0ms settle within 2s\n\
                 +0ms expect frame end";
    let (one, first, album) = run_with(lines, &ReplaySettings::default());
    let (other, second, again) = run_with(lines, &ReplaySettings::default());
    assert_eq!(one, other);
    assert_eq!((&first.seen, &album.0), (&second.seen, &again.0));
    assert_eq!(first.board().now(), second.board().now());
}

#[test]
fn a_wait_is_satisfied_exactly_when_the_frame_is_complete() {
    let met = passes("1s tap B1\n+0ms wait text \"FREE TURN\" within 1s\n+0ms end").ended_at;
    // Planned 40 ms after the press; then some bus time, and the bus becomes idle.
    assert!(
        met > at_ms(1_040).saturating_add(FRAME_IDLE)
            && met < at_ms(1_042).saturating_add(FRAME_IDLE),
        "{met}"
    );
    let before = Instant(met.0 - 1);
    passes(&format!(
        "1s tap B1\n{before} expect no text \"FREE TURN\"\n{met} expect text \"FREE TURN\""
    ));
    // A screenshot does not change what the LCD shows.
    let watched = format!(
        "1s tap B1\n1.0401s screenshot a\n{before} screenshot b\n1s wait text \"x\" within 1s"
    );
    assert!(parse("watched.trace", &watched).is_err(), "times never go back");
    let looked_at = "1s tap B1\n1.0401s screenshot a\n1.041s screenshot b\n\
                     +0ms wait text \"FREE TURN\" within 1s\n+0ms end";
    assert_eq!(passes(looked_at).ended_at, met);
}

#[test]
fn a_wait_after_power_on_is_satisfied_once_the_boot_has_drawn() {
    let met = passes("+0ms wait text \"READY\" within 1s\n+0ms end").ended_at;
    let drawn = run_with("+1s end", &ReplaySettings::default()).1.board().last_change();
    assert_eq!(met, drawn.saturating_add(FRAME_IDLE));
    assert_eq!(passes("+0ms settle within 1s\n+0ms end").ended_at, drawn.saturating_add(ms(100)));
}

#[test]
fn a_wait_for_a_text_on_the_lcd_ends_at_once() {
    assert_eq!(passes("1s wait text \"READY\" within 0ms\n+0ms end").ended_at, at_ms(1_000));
    assert_eq!(passes("1s wait text \"READY\" within 10min").ended_at, at_ms(1_000));
}

#[test]
fn a_wait_detects_a_text_shown_for_one_frame_only() {
    passes("1s tap B2\n+0ms wait text \"3\" within 1s\n+0ms wait text \"4\" within 1s");
}

#[test]
fn settle_takes_100_ms_without_a_change_and_is_exact() {
    let outcome = passes("1s tap B2\n+0ms settle within 1s\n+0ms end");
    let (_, machine, _) = run_with("1s tap B2\n2s end", &ReplaySettings::default());
    assert_eq!(outcome.ended_at, machine.board().last_change().saturating_add(ms(100)));
}

#[test]
fn settle_does_not_end_before_the_reaction_to_a_press() {
    // The firmware responds 40 ms after the press; the release comes at 1.08 s.
    assert_eq!(passes("1s tap B1\n+0ms settle within 1s\n+0ms end").ended_at, at_ms(1_180));
    passes("1s press B1\n+0ms settle within 1s\n+0ms expect text \"FREE TURN\"");
    // Long after that, the LCD is settled at once.
    assert_eq!(passes("1s tap B1\n+2s settle within 0ms\n+0ms end").ended_at, at_ms(3_000));
}

#[test]
fn a_failure_has_place_time_expected_and_shown_text() {
    fails(
        "1s tap B1\n\
         +200ms expect text \"GAME OVER\"\n\
         +0ms   expect no text \"READY\"\n\
         +0ms   expect frame missing\n\
         +0ms   expect tone 440Hz\n\
         +0ms   expect console \"move B2\"\n\
         +0ms   power off\n\
         +10ms  expect text \"READY\"",
        &[
            "4:8: at 1.2 s: expected text \"GAME OVER\" on the LCD\n    the LCD showed:\n      \
             | READY\n      | FREE TURN",
            "5:8: at 1.2 s: expected no text \"READY\" on the LCD\n    the LCD showed:\n      \
             | READY\n      | FREE TURN",
            "6:8: at 1.2 s: there is no golden frame missing.png\n    the LCD showed:\n      \
             | READY\n      | FREE TURN",
            "7:8: at 1.2 s: expected a tone of 440 Hz since tap of B1 in line 3, then or within the 100 \
             ms before; heard was nothing\n    the LCD showed:\n      | READY\n      | FREE TURN",
            "8:8: at 1.2 s: expected a console line with \"move B2\" since tap of B1 in line 3; \
             nearest: \"move B1\" (differs in one letter); there was one, \"move B1\"\n    the LCD \
             showed:\n      | READY\n      | FREE TURN",
            "10:8: at 1.21 s: expected text \"READY\" on the LCD\n    the LCD showed no text",
        ],
    );
}

#[test]
fn an_unsatisfied_wait_stops_the_trace() {
    let outcome = fails(
        "1s tap B1\n+1s wait text \"GAME OVER\" within 3s\n+0ms expect text \"not judged\"",
        &["4:5: at 5 s: waited 3 s for text \"GAME OVER\" on the LCD; the trace stops here\n    \
           the LCD showed:\n      | READY\n      | FREE TURN"],
    );
    assert_eq!((outcome.ended_at, outcome.lines), (at_ms(5_000), 3));
    assert_eq!(outcome.stopped_in.map(|place| place.line), Some(4));
}

#[test]
fn a_screen_that_does_not_settle_stops_the_trace() {
    let outcome = run("1s tap B2\n+0ms settle within 200ms\n+0ms expect text \"not judged\"");
    let [failure] = errors(&outcome).try_into().unwrap_or_else(|errors| panic!("{errors:?}"));
    let place_and_wait = "4:6: at 1.2 s: waited 200 ms for the LCD to settle; it changed last at ";
    assert!(failure.starts_with(place_and_wait), "{failure}");
}

#[test]
fn an_absolute_time_that_a_wait_has_passed_stops_the_trace() {
    let outcome =
        run("1s tap B1\n+0ms wait text \"FREE TURN\" within 1s\n1.04s expect text \"x\"\n2s end");
    let [failure] = errors(&outcome).try_into().unwrap_or_else(|errors| panic!("{errors:?}"));
    assert!(failure.starts_with("5:7: at 1.04"), "{failure}");
    assert!(failure.contains("past this line's 1.04 s; the trace stops here"), "{failure}");
}

#[test]
fn a_button_that_a_tap_still_holds_cannot_be_pressed() {
    fails(
        "1s tap B1 for 10s\n+0ms wait text \"FREE TURN\" within 1s\n2s press B2\n+1s screenshot a\n\
         +0ms settle within 0ms\n+1s tap B1",
        &["8:5: at 4 s: B1 is still down: the tap in line 3 holds it until 11 s; the trace stops \
           here\n    the LCD showed:\n      | READY\n      | GAME OVER"],
    );
}

/// The wait ends long before the release, which the board knows of already.
#[test]
fn a_button_may_be_pressed_again_at_its_release_time() {
    let wait = "+0ms wait text \"FREE TURN\" within 2s";
    passes(&format!("1s tap B1 for 500ms\n{wait}\n1.5s tap B1"));
    passes("1s tap B1 for 500ms\n+500ms tap B1");
    let outcome = run(&format!("1s tap B1 for 500ms\n{wait}\n+0ms press B1"));
    let errors = errors(&outcome);
    assert!(errors.len() == 1 && errors[0].contains("B1 is still down"), "{errors:?}");
}

#[test]
fn a_trace_without_end_ends_at_its_last_line_or_release() {
    assert_eq!(passes("1s tap B5 for 1200ms\n+10ms tap B6").ended_at, at_ms(2_200));
    assert_eq!(passes("1s tap B5\n+10s expect text \"READY\"").ended_at, at_ms(11_000));
    assert_eq!(passes("1s tap B5\n+10ms end").ended_at, at_ms(1_010));
    assert_eq!(passes("").ended_at, Instant::START);
}

#[test]
fn every_edge_is_exact_even_while_the_bus_is_busy() {
    let (_, machine, _) = run_with(
        "1s tap B5 for 300us\n\
         2.000000001s press T5\n\
         +10ns press T6\n\
         3s tap B4\n\
         +1ms press B6\n\
         +1ms release B6\n\
         +100ms end",
        &ReplaySettings::default(),
    );
    let at = |nanos, button, down| (Instant(nanos), button, down);
    assert_eq!(
        machine.seen,
        [
            at(1_000_000_000, Button::B5, true),
            at(1_000_300_000, Button::B5, false),
            at(2_000_000_001, Button::T5, true),
            at(2_000_000_011, Button::T6, true),
            at(3_000_000_000, Button::B4, true),
            // B6 was pressed and released while B4 kept the bus busy for 3 ms.
            at(3_080_000_000, Button::B4, false),
        ]
    );
}

#[test]
fn a_violation_of_the_datasheet_fails_a_trace_unless_allowed() {
    let lines = "1s tap B3\n2s end";
    let outcome = run(lines);
    let Verdict::Failed(failures) = &outcome.verdict else { panic!("{:?}", outcome.verdict) };
    assert_eq!((failures.len(), failures[0].place, failures[0].shown.is_none()), (1, None, true));
    let error = failures[0].to_string();
    assert!(error.starts_with("at 1 s: the LCD") && error.ends_with("bytes FF"), "{error}");
    let lenient = ReplaySettings { allow_violations: true, ..ReplaySettings::default() };
    assert_eq!(run_with(lines, &lenient).0.verdict, Verdict::Passed);
}

#[test]
fn a_replay_that_stops_early_judges_the_lines_before() {
    let stop = |at| ReplaySettings { until: Some(at), ..ReplaySettings::default() };
    let lines = "1s tap B1\n+500ms expect text \"FREE TURN\"\n+500ms expect text \"x\"\n+8s end";
    for (until, ended_at, passed) in [
        (0, 0, true),
        (500, 500, true),
        (1_999, 1_999, true),
        (2_000, 2_000, false),
        (60_000, 10_000, false),
    ] {
        let outcome = run_with(lines, &stop(at_ms(until))).0;
        assert_eq!(outcome.verdict == Verdict::Passed, passed, "{until}: {:?}", outcome.verdict);
        assert_eq!((outcome.ended_at, outcome.stopped_in), (at_ms(ended_at), None));
    }
    for wait in ["wait text \"x\"", "settle"] {
        let lines = format!("1s tap B2\n+0ms {wait} within 1min\n+0ms expect text \"x\"");
        let outcome = run_with(&lines, &stop(at_ms(1_200))).0;
        assert_eq!((outcome.verdict, outcome.ended_at), (Verdict::Passed, at_ms(1_200)));
    }
}

#[test]
fn firmware_that_does_not_return_reaches_the_limit() {
    let at = at_ms(1_000);
    assert_eq!(run("1s tap T1\n2s end").verdict, Verdict::LimitReached { at });
    let at = at_ms(3_601_000);
    let outcome = run("1s tap T3\n2s end");
    assert_eq!((outcome.verdict, outcome.ended_at), (Verdict::LimitReached { at }, at));
    let patient = ReplaySettings { limit: ms(4_000_000), ..ReplaySettings::default() };
    assert_eq!(run_with("1s tap T3\n2s end", &patient).0.verdict, Verdict::Passed);
    for (limit, passed) in [(3_600_000, true), (3_599_999, false)] {
        let settings = ReplaySettings { limit: ms(limit), ..ReplaySettings::default() };
        let verdict = run_with("1s tap T3\n2s end", &settings).0.verdict;
        assert_eq!(verdict == Verdict::Passed, passed, "{limit} ms: {verdict:?}");
    }
    // A trace may be longer than the limit by its own times.
    assert!(passes("20min expect text \"READY\"").ended_at.since_start() > LIMIT);
}

#[test]
fn a_failure_before_the_limit_beats_it() {
    fails(
        "1s expect text \"x\"\n+0ms tap T1\n2s end",
        &[
            "3:4: at 1 s: expected text \"x\" on the LCD\n    the LCD showed:\n      | READY",
            "5:4: at 1 s: the firmware keeps the clock for itself from here on",
        ],
    );
}

#[test]
fn a_machine_that_fails_ends_the_replay() {
    let outcome = run("1s expect text \"x\"\n+0ms tap T2\n2s end");
    let Verdict::Broken(error) = &outcome.verdict else { panic!("{:?}", outcome.verdict) };
    assert_eq!(error.to_string(), "at 1s: the firmware panicked: out of ideas");
    assert_eq!(outcome.failed_before.len(), 1);
    assert_eq!((outcome.ended_at, outcome.lines), (at_ms(1_000), 4));
    // The clock of the trace was at 1 s.
    let outcome = run("1s tap B4\n+1ms expect text \"READY\"\n+500ms tap T2\n3s end");
    assert_eq!(outcome.ended_at, at_ms(1_501));
}

#[test]
fn failures_are_stored_up_to_a_limit_and_then_counted() {
    let lines = "+1s expect text \"x\"\n".repeat(FAILURES_MAX + 7);
    let outcome = run(&lines);
    assert_eq!((errors(&outcome).len(), outcome.failures_left_out), (FAILURES_MAX, 7));
}

#[test]
fn a_held_button_stays_down_across_power_cycles() {
    let (outcome, machine, _) = run_with(
        "1s press B5\n2s power off\n+10ms expect no text \"READY\"\n3s power on\n\
         +0ms wait text \"READY\" within 1s\n+0ms settle within 1s\n+0ms expect no text \"FREE\"",
        &ReplaySettings::default(),
    );
    assert_eq!(errors(&outcome), [""; 0]);
    let presses = machine.seen.iter().filter(|seen| seen.1 == Button::B5 && seen.2).count();
    assert_eq!(presses, 2, "the firmware finds B5 down after each power-on");
}

#[test]
fn a_recording_replays_the_same_events_to_the_same_last_frame() {
    let bounce = BoardConfig { bounce: ms(4), seed: 7, ..BoardConfig::default() };
    let mut live = FakeMachine::with_board(bounce.clone());
    let mut recorder = Recorder::start(Vec::new(), &[]).unwrap();
    recorder.record(Instant::START, Action::PowerOn).unwrap();
    live.power_on().unwrap();
    // A person's presses follow the window's clock: each falls between two steps, however long the
    // last step was, and has a time one microsecond after the latest state of the pins.
    let script =
        [(700, Button::B1, 90), (13, Button::B4, 61), (2, Button::B2, 333), (77, Button::B1, 40)];
    let mut window = live.board().now();
    for (pause, button, hold) in script {
        for (pause, down) in [(pause, true), (hold, false)] {
            window = window.saturating_add(ms(pause));
            while live.board().now() < window {
                let next = live.board().now().saturating_add(ms(16));
                live.step(next.min(window)).unwrap();
            }
            let at = Instant::from_micros(live.board().now().as_micros() + 1);
            match down {
                true => live.board().press(at, button),
                false => live.board().release(at, button),
            }
            let action = if down { Action::Press(button) } else { Action::Release(button) };
            recorder.record(at, action).unwrap();
        }
    }
    live.run_until(window.saturating_add(ms(500))).unwrap();
    let end = live.board().now();
    let text = String::from_utf8(recorder.finish(end).unwrap()).unwrap();

    let trace = parse("recorded.trace", &text).unwrap();
    assert!(trace.lines.iter().all(|line| matches!(line.when, When::At(_))));
    let mut machine = FakeMachine::with_board(bounce);
    let mut album = Album::default();
    let outcome = replay(&trace, &mut machine, &reader(), &mut album, &ReplaySettings::default());
    assert_eq!(outcome.verdict, Verdict::Passed);
    assert_eq!(outcome.ended_at, end);
    assert_eq!(machine.seen, live.seen);
    assert!(machine.seen.len() > 2 * 2 * script.len(), "bounce is seen too");
    assert!(machine.board().frame_at(end) == live.board().frame_at(end));
    assert_eq!(machine.board().console_lines(), live.board().console_lines());
}

/// Goldens that record the calls of the replay.
#[derive(Default)]
struct Diary(Vec<String>);

impl Goldens for Diary {
    fn check(&mut self, _expected: &FrameCheck, _actual: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn happened(&mut self, at: Instant, event: Event) {
        self.0.push(format!("{at} {event}"));
    }

    fn failed(&mut self, failure: &Failure, frame: &Frame) {
        self.0.push(format!("{} {} pixels", failure.at, frame.pixels().len()));
    }
}

#[test]
fn goldens_observe_events_and_failures() {
    let lines = "trace 1\n0ms power on\n1s tap B1\n+90ms expect text \"LOST\"\n\
                 +10ms power off\n+10ms end\n";
    let trace = parse("scene.trace", lines).unwrap();
    let (mut machine, mut diary) = (FakeMachine::new(), Diary::default());
    replay(&trace, &mut machine, &reader(), &mut diary, &ReplaySettings::default());
    let expected = ["0ms power on", "1s press B1", "1.08s release B1", "1.09s 76800 pixels"];
    assert_eq!(diary.0[..4], expected);
    assert_eq!(diary.0[4..], ["1.1s power off"]);
}

/// Pictures of failed lines, with the failures' numbers.
#[derive(Default)]
struct Pictures(Vec<(FailureId, Frame)>);

impl Goldens for Pictures {
    fn check(&mut self, _expected: &FrameCheck, _actual: &Frame) -> Result<(), GoldenError> {
        Err("there is no golden".into())
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn failed(&mut self, failure: &Failure, frame: &Frame) {
        self.0.push((failure.id, frame.clone()));
    }
}

#[test]
fn each_failure_of_a_line_names_its_picture() {
    let lines = "trace 1\n0ms power on\n1ms expect text \"LOST\"\n1s expect frame one\n\
                 +0ms expect tone 880Hz\n+0ms end\n";
    let trace = parse("scene.trace", lines).unwrap();
    let (mut machine, mut pictures) = (FakeMachine::new(), Pictures::default());
    let outcome =
        replay(&trace, &mut machine, &reader(), &mut pictures, &ReplaySettings::default());
    let Verdict::Failed(failures) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
    assert_eq!(failures.len(), 3);
    for (failure, (id, frame)) in failures.iter().zip(&pictures.0) {
        assert_eq!(failure.id, *id);
        assert_eq!((frame.width(), frame.height()), (320, 240));
    }
    let numbers: std::collections::BTreeSet<FailureId> = failures.iter().map(|f| f.id).collect();
    assert_eq!(numbers.len(), 3, "no two failures have the same number");
    let expected = FailureCause::Golden(GoldenError::from("there is no golden"));
    assert_eq!(failures[1].cause, expected);
}
