//! Random sessions must be reproducible from a seed, and those that CI plays must have no finding.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use firmware_board::native;
use firmware_insight::LcdBoard;
use fuzz::session::{Plan, session_on};
use fuzz::{FuzzOptions, Judge, run};
use host::Interrupt;
use reading::text::Reader;
use trace::{Buttons, Trace, parse};

/// Number of sessions that are played for each commit; `nudge trace fuzz` plays more.
const SESSIONS: u64 = 24;
const PLAN: Plan = Plan { seed: 7, faults: true };

/// Returns the trace of session `number` on the LCD board.
fn session(plan: &Plan, number: u64) -> Trace {
    session_on(plan, &Buttons::lcd_board(), Some(&LcdBoard), number)
}

#[test]
fn a_session_is_reproducible_and_unique() {
    let written = |number| session(&PLAN, number).to_string();
    let all: BTreeSet<String> = (0..200).map(written).collect();
    assert_eq!(all.len(), 200);
    assert!((0..200).all(|number| all.contains(&written(number))));
}

#[test]
fn every_session_is_a_trace() {
    sampled!();
    for number in 0..2_000 {
        let faults = number % 2 == 0;
        let text = session(&Plan { faults, ..PLAN }, number).to_string();
        let read = parse("session.trace", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.to_string(), text);
    }
}

#[test]
fn the_sessions_that_ci_plays_have_no_finding() {
    let reader = Reader::new(native::fonts());
    let build = |trace: &Trace| native::build(trace, None);
    let judge = Judge {
        boards: &build,
        reader: &reader,
        rules: Some(&LcdBoard),
        goldens: None,
        interrupt: &Interrupt::default(),
    };
    let options = FuzzOptions {
        plan: PLAN,
        buttons: Buttons::lcd_board(),
        first: 0,
        count: Some(SESSIONS),
        jobs: 2,
    };
    let reported = AtomicU64::new(0);
    let count = |_, _: Option<&_>| {
        reported.fetch_add(1, Ordering::Relaxed);
    };
    let summary = run(&options, &judge, &|| false, &count).unwrap();
    let found = summary.defects.values().flat_map(|defect| &defect.samples);
    for (number, finding) in found {
        println!("session {number}: {finding}");
        println!("nudge trace fuzz --seed {} --session {number} --count 1", PLAN.seed);
    }
    assert!(summary.defects.is_empty() && summary.failed == 0);
    assert_eq!((summary.played, reported.into_inner()), (SESSIONS, SESSIONS));
}

#[test]
fn an_interrupted_run_ignores_its_incomplete_session() {
    let reader = Reader::new(native::fonts());
    let build = |trace: &Trace| native::build(trace, None);
    let interrupt = Interrupt::default();
    let judge = Judge {
        boards: &build,
        reader: &reader,
        rules: Some(&LcdBoard),
        goldens: None,
        interrupt: &interrupt,
    };
    let options =
        FuzzOptions { plan: PLAN, buttons: Buttons::lcd_board(), first: 0, count: None, jobs: 1 };
    let reported = |number, _: Option<&_>| {
        if number == 2 {
            interrupt.set();
        }
    };
    let summary = run(&options, &judge, &|| false, &reported).unwrap();
    assert_eq!(summary.played, 3);
    assert_eq!(judge.judge(&session(&PLAN, 0)).unwrap(), None, "nothing is found any more");
}

/// Cases from random sessions in which RESET was answered or needed no answer.
#[test]
fn a_reset_that_needs_no_answer_is_not_a_finding() {
    let reader = Reader::new(native::fonts());
    let build = |trace: &Trace| native::build(trace, None);
    let judge = Judge {
        boards: &build,
        reader: &reader,
        rules: Some(&LcdBoard),
        goldens: None,
        interrupt: &Interrupt::default(),
    };
    for (what, lines) in [
        ("the menu is open already", "2s tap RESET for 1.2s\n4s tap RESET for 1.2s\n"),
        ("the menu is being drawn", "0ms tap RESET for 1.27s\n1.3s tap RESET for 1s\n"),
        (
            "the LCD is unreadable",
            "2s fault spi flip 1/1000\n3s tap RESET for 1.2s\n5s tap RESET for 1.2s\n",
        ),
        ("it comes back at once", "2s tap RESET\n2080ms tap RESET for 200ms\n"),
        (
            "it was stuck until then",
            "0ms fault stuck RESET\n1.3s fault none RESET\n1.3s tap RESET\n",
        ),
    ] {
        let text = format!("trace 1\n\n0ms power on\n{lines}+3s end\n");
        let trace = parse("reset.trace", &text).unwrap();
        assert_eq!(judge.judge(&trace).unwrap(), None, "{what}");
    }
}
