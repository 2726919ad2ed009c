//! A board that goes back to an earlier time, and continues from there.

use hal_mock::{
    Machine, MachineWrapper, VirtualBoard,
    board::{ConsoleLine, Input, Tone},
};
use trace::{Button, Trace};
use virtual_time::{Instant, Nanos, Random};

use super::setup;
use crate::history::{Contact, PowerChange};
use crate::logged::INPUTS_MAX;
use crate::{Copies, FrameSeen, NoPast, ObservedMachine};

/// A press with its hold and the pause after it, or a power cycle.
type Step = (Option<Button>, Nanos, Nanos);

/// A machine that cannot be copied.
struct Uncopied(Box<dyn Machine>);

impl MachineWrapper for Uncopied {
    fn inner(&self) -> &dyn Machine {
        self.0.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.0.as_mut()
    }

    fn copy(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

fn machine(copied: bool) -> Box<dyn Machine> {
    let machine = (setup(true).maker)(&Trace::default()).expect("a machine");
    if copied { machine } else { Box::new(Uncopied(machine)) }
}

fn observed(copied: bool, sees_frames: bool) -> ObservedMachine {
    let copies = Copies::new(Nanos::from_secs(1), 6);
    let mut board = ObservedMachine::new(machine(copied), sees_frames, copies);
    board.power_on().expect("firmware that boots");
    board
}

fn run(board: &mut ObservedMachine, span: Nanos) {
    let until = board.board().now().saturating_add(span);
    board.run_until(until).expect("firmware that runs");
}

/// Executes `steps`. Returns the time and the number of inputs before each.
fn play(board: &mut ObservedMachine, steps: &[Step]) -> Vec<(Instant, usize)> {
    let mut times = Vec::new();
    for (button, hold, pause) in steps {
        times.push((board.board().now(), board.inputs()));
        let soon = |board: &VirtualBoard| board.now().saturating_add(Nanos::from_millis(1));
        match button {
            Some(button) => {
                board.board().press(soon(board.board()), *button);
                run(board, *hold);
                board.board().release(soon(board.board()), *button);
            }
            None => {
                board.power_off();
                run(board, *hold);
                board.power_on().expect("firmware that boots");
            }
        }
        run(board, *pause);
    }
    times
}

type Outputs = (Instant, Vec<Contact>, Vec<Tone>, Vec<ConsoleLine>, Vec<PowerChange>);

/// Returns all outputs of a board up to its present, which is the first value.
fn outputs(board: &mut ObservedMachine) -> (Outputs, Vec<FrameSeen>) {
    let now = board.board().now();
    let mut past = board.past(&setup(true)).expect("a past");
    let history = past.history().clone();
    let frames = past.frames().to_vec();
    let tones = history.tones.iter().copied().collect();
    let console = history.console.iter().cloned().collect();
    ((now, history.contacts, tones, console, history.power), frames)
}

#[test]
fn a_board_that_went_back_has_the_same_outputs_again() {
    let mut random = Random::new(37);
    let steps: Vec<Step> = (0..24)
        .map(|nth| {
            let button = (nth % 9 != 8).then(|| Button::LCD_BOARD[random.below(12) as usize]);
            let hold = Nanos(2_000_000 + random.below(200_000_000));
            (button, hold, Nanos(1_000_000 + random.below(1_500_000_000)))
        })
        .collect();
    for (copied, sees_frames) in [(true, true), (true, false), (false, true)] {
        let mut board = observed(copied, sees_frames);
        let times = play(&mut board, &steps);
        let expected = outputs(&mut board);
        assert!(expected.1.len() > 50, "{} frames", expected.1.len());
        for nth in [0, 7, 8, 9, 15, 23] {
            let (at, inputs) = times[nth];
            let make = || Ok(machine(copied));
            let mut back = board.back_to(at, inputs, make).expect("a way back");
            assert_eq!((back.board().now(), back.inputs()), (at, inputs), "step {nth}");
            let mut before = observed(copied, sees_frames);
            play(&mut before, &steps[..nth]);
            assert!(outputs(&mut back) == outputs(&mut before), "step {nth}: the past differs");
            assert_eq!(play(&mut back, &steps[nth..]), times[nth..], "step {nth}");
            assert!(outputs(&mut back) == expected, "step {nth}, {copied}, {sees_frames}");
            // A board that went back can go back further.
            let (at, inputs) = times[nth / 2];
            let again = back.back_to(at, inputs, make).expect("a way back");
            assert_eq!((again.board().now(), again.inputs()), (at, inputs), "step {nth}");
        }
        assert!(outputs(&mut board) == expected, "the board itself is unchanged");
    }
}

#[test]
fn a_board_with_more_inputs_than_are_stored_cannot_go_back() {
    let mut board = observed(true, false);
    let (at, inputs) = (board.board().now(), board.inputs());
    for _ in inputs..=INPUTS_MAX {
        board.board().apply(Input::Typed { at, byte: b' ' });
    }
    let make = || Ok(machine(true));
    assert!(matches!(board.past(&setup(true)), Err(NoPast::TooLong)));
    let all = board.inputs();
    assert!(matches!(board.back_to(at, all, make), Err(NoPast::TooLong)));
    assert_eq!(board.back_to(at, inputs, make).expect("an earlier time").inputs(), inputs);
}
