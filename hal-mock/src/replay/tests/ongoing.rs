//! A replay whose lines come one by one.

use super::super::fake::{FakeMachine, reader};
use super::{Album, at_ms, ms};
use crate::replay::{
    LineResult, Ongoing, ReplaySettings, STEPS_WITHOUT_TIME, Stopped, can_run_unplanned,
};
use crate::{BoardConfig, Heap, Machine, MachineError, VirtualBoard};
use trace::{Button, Line, parse};
use virtual_time::{Instant, Nanos};

/// Returns the lines of a trace.
fn lines(text: &str) -> Vec<Line> {
    parse("scene.trace", &format!("trace 1\n{text}\n")).unwrap().lines
}

/// Executes `text`, up to a line that stops the replay; returns the replay and the result of the
/// last line.
fn after(text: &str) -> (Ongoing<FakeMachine>, Result<LineResult, Stopped>) {
    let mut ongoing = Ongoing::new(FakeMachine::new(), ReplaySettings::default());
    let mut last = Err(Stopped::Failed(Vec::new()));
    for line in lines(text) {
        last = ongoing.execute(&line, &reader(), &mut Album::default());
        if last.is_err() {
            break;
        }
    }
    (ongoing, last)
}

#[test]
fn a_line_counts_from_the_end_of_the_previous_one() {
    let (ongoing, last) =
        after("0ms power on\n1s tap B1\n+0ms wait text \"FREE TURN\" within 1s\n+1s press B5");
    let met = at_ms(1_045);
    let Ok(LineResult { over, failures }) = last else { panic!("{last:?}") };
    assert!(over > met.saturating_add(ms(1_000)) && over < met.saturating_add(ms(1_002)), "{over}");
    assert_eq!((ongoing.clock(), failures), (over, Vec::new()));
    assert!(ongoing.board().is_powered());
}

#[test]
fn a_failed_wait_stops_the_replay_but_an_expectation_does_not() {
    let (_, last) = after("0ms power on\n1s expect text \"x\"");
    let Ok(LineResult { over, failures }) = last else { panic!("{last:?}") };
    assert_eq!((over, failures.len()), (at_ms(1_000), 1));
    let (ongoing, last) = after("0ms power on\n1s wait text \"x\" within 1s");
    let Err(Stopped::Failed(failures)) = last else { panic!("{last:?}") };
    assert_eq!((failures.len(), ongoing.clock()), (1, at_ms(2_000)));
}

#[test]
fn firmware_that_never_returns_or_fails_stops_the_replay() {
    let (_, last) = after("0ms power on\n1s tap T1\n+1s expect text \"x\"");
    assert_eq!(last, Err(Stopped::ClockKept(at_ms(1_000))));
    let (_, last) = after("0ms power on\n1s tap T2\n+1s expect text \"x\"");
    let Err(Stopped::Broken(error)) = last else { panic!("{last:?}") };
    assert_eq!(error.at, at_ms(1_000));
}

#[test]
fn time_advances_and_never_goes_back() {
    let (mut ongoing, _) = after("0ms power on");
    ongoing.advance(at_ms(700), &reader(), &mut Album::default()).unwrap();
    assert_eq!((ongoing.clock(), ongoing.board().now()), (at_ms(700), at_ms(700)));
    ongoing.advance(at_ms(300), &reader(), &mut Album::default()).unwrap();
    assert_eq!(ongoing.clock(), at_ms(700));
}

#[test]
fn the_first_unseen_time_is_whole_milliseconds_after_a_line() {
    let (mut ongoing, _) = after("0ms power on");
    ongoing.advance(at_ms(700), &reader(), &mut Album::default()).unwrap();
    // The machine has passed these times: its clock is at 700 ms.
    for (line, unseen) in [
        (at_ms(700), at_ms(701)),
        (at_ms(600), at_ms(701)),
        (Instant(at_ms(600).0 + 1), Instant(at_ms(700).0 + 1)),
        (Instant(at_ms(600).0 + 2), Instant(at_ms(700).0 + 2)),
        (Instant(at_ms(700).0 + 1), Instant(at_ms(700).0 + 1)),
    ] {
        assert_eq!(ongoing.unseen(line), unseen, "{line}");
    }
    // A step that overshot counts: its board is ahead of the replay.
    let (ongoing, _) = after("0ms power on\n1s tap B4");
    let ahead = ongoing.board().now();
    assert!(ahead > at_ms(1_000), "{ahead}");
    let unseen = ongoing.unseen(at_ms(1_000));
    assert!(unseen > ahead && unseen <= ahead.saturating_add(Nanos::from_millis(1)), "{unseen}");
}

#[test]
fn a_line_that_needs_unrecorded_history_is_too_late() {
    for (text, in_time) in [
        ("tap B1", true),
        ("expect text \"x\"", true),
        ("expect text \"x\" for 500ms", false),
        ("expect frames a", false),
        ("expect bus < 1kB within 1s", false),
        ("expect frame-time < 1s", false),
        ("expect violations none", true),
        ("fault power cut", false),
        ("fault stuck B1", true),
        ("end", false),
    ] {
        let line = lines(&format!("0ms power on\n1s {text}")).pop().unwrap();
        assert_eq!(can_run_unplanned(&line.action), in_time, "{text}");
    }
}

/// A board without firmware, which advances by 50 µs per step.
struct Still(VirtualBoard);

impl Machine for Still {
    fn board(&self) -> &VirtualBoard {
        &self.0
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.0.power_on();
        Ok(())
    }

    fn power_off(&mut self) {
        self.0.power_off();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        let next = self.0.now().saturating_add(Nanos::from_micros(50));
        self.0.advance_to(next.min(limit));
        Ok(())
    }

    fn heap(&self) -> Heap {
        Heap::Absent
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        Some(Box::new(Self(self.0.fork())))
    }
}

#[test]
fn a_replay_is_resumed_on_a_copy_of_its_machine() {
    let board = VirtualBoard::new(BoardConfig::default());
    let mut ongoing = Ongoing::new(Still(board), ReplaySettings::default());
    for line in lines("0ms power on\n1s tap B1 for 1s") {
        ongoing.execute(&line, &reader(), &mut Album::default()).unwrap();
    }
    let point = ongoing.resume_point();
    assert_eq!(point.machine_at(), at_ms(1_000));
    let machine = Still(ongoing.board().fork());
    let mut copy = Ongoing::resume(machine, ReplaySettings::default(), &point, ongoing.clock());
    assert_eq!(copy.clock(), at_ms(1_000));
    copy.advance(at_ms(3_000), &reader(), &mut Album::default()).unwrap();
    assert_eq!((copy.clock(), copy.board().is_down(Button::B1)), (at_ms(3_000), false));
    assert_eq!((ongoing.clock(), ongoing.board().is_down(Button::B1)), (at_ms(1_000), true));
}

#[test]
fn any_number_of_steps_is_allowed_if_time_passes() {
    let board = VirtualBoard::new(BoardConfig::default());
    let mut ongoing = Ongoing::new(Still(board), ReplaySettings::default());
    // One step more than firmware may take without progress of time.
    let until = Instant(50_000 * (u64::from(STEPS_WITHOUT_TIME) + 1));
    ongoing.advance(until, &reader(), &mut Album::default()).unwrap();
    assert_eq!(ongoing.clock(), until);
}
