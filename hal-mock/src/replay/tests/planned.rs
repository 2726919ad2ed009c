//! Inputs that a board gets in advance, and when: a board that mirrors a real one cannot be stopped
//! while the replay observes it.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::fake::{FakeMachine, reader};
use super::{Album, at_ms, errors, ms};
use crate::board::{Input, WireListener};
use crate::replay::{ReplayOutcome, ReplaySettings, replay};
use crate::{Heap, Machine, MachineError, VirtualBoard};
use trace::parse;
use virtual_time::{Instant, Nanos};

/// Time ahead of its clock by which the board needs its inputs.
const LEAD: Nanos = Nanos::from_millis(20);

/// A machine whose board mirrors a real one.
struct Real(FakeMachine);

impl Real {
    fn went_on(&self) {
        self.board().set_inputs_from(self.board().now().saturating_add(LEAD));
    }
}

impl Machine for Real {
    fn board(&self) -> &VirtualBoard {
        self.0.board()
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.0.power_on()?;
        self.went_on();
        Ok(())
    }

    fn power_off(&mut self) {
        self.0.power_off();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.0.step(limit)?;
        self.went_on();
        Ok(())
    }

    fn heap(&self) -> Heap {
        self.0.heap()
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

/// The inputs that the board gets, as `1s: B5 down at 1.02s`; the first time is the board's clock.
#[derive(Default)]
struct ReceivedInputs(Vec<String>);

impl WireListener for ReceivedInputs {
    fn input(&mut self, now: Instant, input: Input) {
        let what = match input {
            Input::Finger { at, button, down: true } => format!("{button} down at {at}"),
            Input::Finger { at, button, down: false } => format!("{button} up at {at}"),
            Input::Typed { at, byte } => format!("{:?} at {at}", char::from(byte)),
            Input::CutPower { at } => format!("cut at {at}"),
            Input::Stick { at, button } => format!("{button} stuck at {at}"),
            other => format!("{other:?}"),
        };
        self.0.push(format!("{now}: {what}"));
    }
}

/// Replays `lines` after `0ms power on` on a board that gets its inputs at their time, or `LEAD`
/// ahead if `real`.
fn replayed(lines: &str, until: Option<Instant>, real: bool) -> (ReplayOutcome, Real, Vec<String>) {
    let trace = parse("scene.trace", &format!("trace 1\n0ms power on\n{lines}\n")).unwrap();
    let mut machine = Real(FakeMachine::new());
    let probe = Rc::new(RefCell::new(ReceivedInputs::default()));
    machine.board().set_listener(probe.clone());
    let settings = ReplaySettings { until, ..ReplaySettings::default() };
    let outcome = if real {
        machine.board().set_inputs_from(Instant::START);
        replay(&trace, &mut machine, &reader(), &mut Album::default(), &settings)
    } else {
        replay(&trace, &mut machine.0, &reader(), &mut Album::default(), &settings)
    };
    let told = std::mem::take(&mut probe.borrow_mut().0);
    (outcome, machine, told)
}

#[track_caller]
fn check(lines: &str, expected: &[&str]) -> (ReplayOutcome, Real) {
    let (outcome, machine, told) = replayed(lines, None, true);
    assert_eq!(errors(&outcome), [""; 0]);
    assert_eq!(told, expected);
    (outcome, machine)
}

const BEHIND_A_WAIT: &str = "1s wait text \"READY\" within 1s\n\
                             +0ms tap B5 for 30ms\n\
                             +40ms press B6\n\
                             +5ms expect text \"READY\"\n\
                             +5ms release B6\n\
                             +1ms type \"a\"\n\
                             +9ms expect no text \"FREE TURN\"\n\
                             +30ms end";

#[test]
fn after_a_wait_all_inputs_are_sent_at_the_earliest_time() {
    let (outcome, machine) = check(
        BEHIND_A_WAIT,
        &[
            "1s: B5 down at 1.02s",
            "1s: B5 up at 1.05s",
            "1s: B6 down at 1.06s",
            "1s: B6 up at 1.07s",
            "1s: 'a' at 1.071s",
            "1s: '\\n' at 1.071s",
        ],
    );
    assert_eq!(outcome.ended_at, at_ms(1_110));
    let seen: Vec<_> = machine.0.seen.iter().map(|(at, _, down)| (*at, *down)).collect();
    let expected = [(1_020, true), (1_050, false), (1_060, true), (1_070, false)];
    assert_eq!(seen, expected.map(|(millis, down)| (at_ms(millis), down)));
}

#[test]
fn a_board_that_can_be_stopped_gets_inputs_at_their_time() {
    let (outcome, _, told) = replayed(BEHIND_A_WAIT, None, false);
    assert_eq!(errors(&outcome), [""; 0]);
    let expected = [
        "1s: B5 down at 1s",
        "1s: B5 up at 1.03s",
        "1s: B6 down at 1.04s",
        "1.045s: B6 up at 1.05s",
        "1.051s: 'a' at 1.051s",
        "1.051s: '\\n' at 1.051s",
    ];
    assert_eq!(told, expected);
    assert_eq!(outcome.ended_at, at_ms(1_090));
}

#[test]
fn inputs_after_the_end_of_the_replay_are_not_sent() {
    let ends = |until: Instant| replayed(BEHIND_A_WAIT, Some(until), true).2;
    let all = ["1s: B5 down at 1.02s", "1s: B5 up at 1.05s", "1s: B6 down at 1.06s"];
    assert_eq!(ends(at_ms(1_060)), all);
    assert_eq!(ends(Instant(at_ms(1_060).0 - 1)), all[..2]);
    for (until, is_told) in [(2_000, true), (1_005, true), (1_004, false)] {
        let told = replayed("1s press B5\n+5ms fault power cut", Some(at_ms(until)), false).2;
        let cut = told.iter().any(|told| told.ends_with(": cut at 1.005s"));
        assert_eq!(cut, is_told, "{told:?}");
    }
}

#[test]
fn an_absolute_time_before_the_earliest_possible_one_fails() {
    let wait = "1s wait text \"READY\" within 1s";
    check(&format!("{wait}\n1.02s press B5"), &["1s: B5 down at 1.02s"]);
    let (outcome, _, told) = replayed(&format!("{wait}\n1.019s press B5"), None, true);
    assert_eq!(told, [""; 0]);
    assert!(errors(&outcome)[0].starts_with("4:8: at 1 s: "), "{:?}", errors(&outcome));
}

#[test]
fn presses_during_the_first_start_are_sent_before_it() {
    let lines = "+1ms press B5\n+2ms release B5\n1s expect text \"READY\"";
    check(lines, &["0ms: B5 down at 1ms", "0ms: B5 up at 3ms"]);
}

#[test]
fn presses_after_a_later_start_are_sent_when_it_is_over() {
    let lines = "1s power off\n+100ms power on\n+0ms press B5\n+10ms release B5\n+1s end";
    let (outcome, machine, told) = replayed(lines, None, true);
    assert_eq!(errors(&outcome), [""; 0]);
    let [off, down, up] = &told[..] else { panic!("{told:?}") };
    assert!(off.ends_with(": cut at 1s"), "{off}");
    let at = machine.0.seen[0].0;
    let told_at = Instant(at.0 - LEAD.0);
    assert!(told_at > at_ms(1_100), "the firmware has started: {told_at}");
    assert_eq!(down, &format!("{told_at}: B5 down at {at}"));
    assert_eq!(up, &format!("{told_at}: B5 up at {}", at.saturating_add(ms(10))));
}

#[test]
fn the_power_is_cut_at_its_exact_time_and_only_if_it_is_on() {
    let (outcome, machine, real) = replayed("1s power off", None, true);
    assert_eq!(errors(&outcome), [""; 0]);
    assert!(real[0].ends_with(": cut at 1s"), "{real:?}");
    assert_eq!((real.len(), machine.board().off_since()), (1, Some(at_ms(1_000))));
    let (_, machine, still) = replayed("1s power off", None, false);
    assert_eq!((still.len(), machine.board().off_since()), (0, Some(at_ms(1_000))));
    // T4 of `fake` programs 16 bytes; the power is lost before that.
    let lines = "1s fault flash cut after 5 bytes\n+0ms tap T4\n2s power off";
    let (_, machine, real) = replayed(lines, None, true);
    assert!(!machine.board().is_powered());
    assert!(real.iter().all(|told| !told.contains(": cut at")), "{real:?}");
}

#[test]
fn a_fault_and_the_lines_after_it_are_not_sent_ahead() {
    let lines = "1s wait text \"READY\" within 1s\n+0ms press B5\n+1ms fault stuck T5\n\
                 +1ms release B5\n+1s end";
    check(lines, &["1s: B5 down at 1.02s", "1.02s: T5 stuck at 1.04s", "1.04s: B5 up at 1.06s"]);
}

#[test]
fn a_power_cut_is_sent_one_line_ahead_if_possible() {
    for (after, cut) in [(0, "1.02s"), (5, "1.025s")] {
        let lines = format!(
            "1s wait text \"READY\" within 1s\n+0ms press B5\n+{after}ms fault power cut\n+1s end"
        );
        let (_, machine) = check(&lines, &["1s: B5 down at 1.02s", &format!("1s: cut at {cut}")]);
        assert_eq!(machine.board().off_since(), Some(at_ms(1_020 + after)));
    }
    // The firmware takes 3 ms to start: the cut comes in the middle of that.
    let (outcome, machine, still) = replayed("+1ms fault power cut\n+1s end", None, false);
    assert_eq!((errors(&outcome).len(), still.len()), (0, 1));
    assert_eq!((still[0].as_str(), machine.board().is_powered()), ("0ms: cut at 1ms", false));
    // After a wait the time is not known in advance.
    let lines = "1s wait text \"READY\" within 1s\n+5ms fault power cut\n+1s end";
    let (_, machine) = check(lines, &["1s: cut at 1.02s"]);
    assert_eq!(machine.board().off_since(), Some(at_ms(1_020)));
}
