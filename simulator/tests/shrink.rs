//! Bugs that were put in on purpose: each is found, and the trace that shows it is made as small as
//! can be.

use hal_mock::text::Reader;
use hal_mock::trace::{Trace, parse};
use hal_mock::{Button, Heap, Machine, MachineError, Nanos, VirtualBoard};
use simulator::fuzz::{Finding, Judge, Kind};
use simulator::native;
use simulator::setup::SetupError;
use simulator::shrink::shrink;

use embedded_io::Write as _;

/// What is wrong with the firmware.
#[derive(Clone, Copy)]
enum Bug {
    /// From this press of a NUDGE on each is lost.
    LosesPressesFrom(u32),
    /// With this press of a NUDGE a stone appears.
    MakesAStoneAt(u32),
    /// This press of RESET is its last.
    PanicsAtReset(u32),
}

/// The firmware, with a bug.
struct Buggy {
    machine: Box<dyn Machine>,
    bug: Bug,
    down: [bool; Button::COUNT],
    presses: u32,
    resets: u32,
}

impl Machine for Buggy {
    fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.machine.power_on()
    }

    fn power_off(&mut self) {
        self.machine.power_off();
    }

    fn step(&mut self, limit: Nanos) -> Result<(), MachineError> {
        self.machine.step(limit)?;
        let board = self.machine.board().clone();
        for button in Button::ALL {
            let is_down = board.is_down(button);
            let pressed = is_down && !std::mem::replace(&mut self.down[button.index()], is_down);
            self.down[button.index()] = is_down;
            if pressed && button == Button::Reset {
                self.resets += 1;
            } else if pressed {
                self.presses += 1;
            }
            match self.bug {
                Bug::PanicsAtReset(number) if pressed && self.resets == number => {
                    panic!("one RESET too many")
                }
                Bug::LosesPressesFrom(number)
                    if pressed && button != Button::Reset && self.presses >= number =>
                {
                    board.release(board.now(), button);
                }
                Bug::MakesAStoneAt(number)
                    if pressed && button != Button::Reset && self.presses == number =>
                {
                    let line = b"position board=5,4,4,4,4,4,0,4,4,4,4,4,4,0 turn=0 move=3 \
                        event=none message=\"x\"\n";
                    board.uart().write_all(line).expect("the console takes it");
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn heap(&self) -> Heap {
        self.machine.heap()
    }
}

const SESSION: &str = "trace 1
seed 7
bounce 4ms

0ms     power on
1s      tap B3
2s      tap RESET
3s      press B6
+80ms   release B6
6s      tap T2
9s      tap RESET for 200ms
12s     tap B1
15s     tap RESET
18s     tap B4
21s     expect text \"Player 2's turn\"
+1s     tap RESET
+2s     end
";

/// What is found in the session, and the smallest trace in which it still is.
fn shrunk(bug: Bug) -> (Finding, Trace) {
    let trace = parse("session.trace", SESSION).unwrap();
    let reader = Reader::new(native::fonts());
    let build = move |trace: &Trace| -> Result<Box<dyn Machine>, SetupError> {
        let machine = native::build(trace, None)?;
        Ok(Box::new(Buggy { machine, bug, down: [false; Button::COUNT], presses: 0, resets: 0 }))
    };
    let judge = Judge { boards: &build, reader: &reader, goldens: None };
    let finding = judge.judge(&trace).unwrap().expect("the bug is found");
    let mut fails =
        |trace: &Trace| judge.judge(trace).unwrap().is_some_and(|found| found.kind == finding.kind);
    let shrunk = shrink(&trace, 600, &mut fails);
    assert!(shrunk.minimal, "{} replays were too few", shrunk.runs);
    assert!(fails(&shrunk.trace), "it fails no more:\n{}", shrunk.trace);
    for index in 1..shrunk.trace.lines.len() {
        let mut less = shrunk.trace.clone();
        less.lines.remove(index);
        if let Ok(less) = parse("less.trace", &less.to_string()) {
            assert!(!fails(&less), "line {index} is not needed:\n{}", shrunk.trace);
        }
    }
    (finding, shrunk.trace)
}

/// The verbs of a trace, one behind the other.
fn verbs(trace: &Trace) -> Vec<String> {
    trace.lines.iter().map(|line| line.action.noun()).collect()
}

#[test]
fn a_panic_at_the_third_reset_comes_down_to_three_of_them() {
    let (finding, trace) = shrunk(Bug::PanicsAtReset(3));
    assert_eq!((finding.kind, finding.message.as_str()), (Kind::Panic, "one RESET too many"));
    assert_eq!(verbs(&trace), ["power on", "tap of RESET", "tap of RESET", "tap of RESET"]);
    assert!(trace.header.is_empty());
}

#[test]
fn a_stone_that_appears_comes_down_to_the_presses_before_it() {
    let (finding, trace) = shrunk(Bug::MakesAStoneAt(3));
    assert_eq!(finding.kind, Kind::Stones);
    let taps = verbs(&trace).iter().filter(|verb| verb.starts_with("tap of")).count();
    assert_eq!(taps, 3, "{trace}");
}

#[test]
fn a_lost_press_comes_down_to_the_expectation_that_misses_it() {
    let (finding, trace) = shrunk(Bug::LosesPressesFrom(4));
    assert_eq!(finding.kind, Kind::Line("expect text \"Player 2's turn\"".into()));
    assert_eq!(verbs(&trace).last().unwrap(), "expect text");
}
