//! Presses in the past, and the traces that are saved of them.

use trace::{Button, Trace};
use virtual_time::{Instant, Nanos, Random};

use super::{session, setup, trace};
use crate::{Files, Session, SessionError, compare};

fn millis(span: u64) -> Nanos {
    Nanos::from_millis(span)
}

/// Presses `presses` random buttons with random pauses from the present time on.
fn play(session: &mut Session, random: &mut Random, presses: usize) {
    for _ in 0..presses {
        let button = Button::LCD_BOARD[random.below(12) as usize];
        if session.move_finger(button, true).is_err() {
            // The trace's own finger is on it.
            session.move_finger(button, false).expect("it is down");
            continue;
        }
        let hold = millis(random.below(200));
        session.seek(session.present().saturating_add(hold), false);
        session.move_finger(button, false).expect("it is down");
        let pause = millis(100 + random.below(900));
        session.seek(session.present().saturating_add(pause), false);
    }
}

#[track_caller]
pub(super) fn replays_alike(branch: &Session, files: &Files, what: &str) {
    let saved = branch.save(files);
    let again = session(&saved, files, false);
    let outcome = &again.recording().expect("a trace").outcome;
    assert_eq!(again.reached(), branch.reached(), "{what}\n{saved}");
    assert_eq!(outcome.stopped_in, None, "{what}\n{saved}");
    assert_eq!(compare(branch, &again), None, "{what}\n{saved}");
}

#[test]
fn a_saved_branch_replays_to_the_same_frames() {
    let mut random = Random::new(3);
    for name in ["demo", "computer/board", "expect/texts", "power-cycle", "bounce"] {
        let (text, files) = trace(name);
        let replayed = session(&text, &files, false);
        for _ in 0..3 {
            let at = Instant(random.below(replayed.reached().0));
            let mut branch = replayed.branch(at).unwrap();
            assert_eq!(branch.present(), at);
            let presses = random.below(6) as usize;
            play(&mut branch, &mut random, presses);
            branch.seek(branch.present().saturating_add(Nanos::from_secs(2)), false);
            replays_alike(&branch, &files, &format!("{name} at {at}"));
        }
    }
}

#[test]
fn a_branch_equals_its_trace_until_a_press() {
    let (text, files) = trace("demo");
    let replayed = session(&text, &files, false);
    let end = replayed.reached();
    let at = Instant(end.0 / 2);
    // The last press before the branch still has effects in it.
    let done = replayed.done().iter().filter(|done| done.at() > at).map(|done| done.at()).min();
    let free_until = done.unwrap_or(end);
    let mut branch = replayed.branch(at).unwrap();
    branch.seek(free_until.saturating_sub(Nanos(1)), false);
    let mut trace = session(&text, &files, false);
    trace.seek(branch.present(), false);
    assert!(branch.picture() == trace.picture());
    branch.seek(end, false);
    let found = compare(&branch, &replayed).expect("the trace has more presses");
    assert!(found.b_at.is_some_and(|at| at > free_until), "{found:?}");
}

#[test]
fn two_branches_are_compared_by_their_first_different_frame() {
    let (text, files) = trace("demo");
    let replayed = session(&text, &files, false);
    let at = Instant::from_secs(3);
    let [mut one, mut other] = [0; 2].map(|_| replayed.branch(at).unwrap());
    for (branch, button) in [(&mut one, Button::B1), (&mut other, Button::B2)] {
        branch.move_finger(button, true).unwrap();
        branch.seek(at.saturating_add(millis(200)), false);
        branch.move_finger(button, false).unwrap();
        branch.seek(at.saturating_add(Nanos::from_secs(2)), false);
    }
    let found = compare(&one, &other).expect("the branches sow other cups");
    assert!(found.a_at.is_some_and(|time| time > at) && found.region.is_some(), "{found:?}");
    assert_eq!(compare(&one, &one), None);
}

#[test]
fn a_press_in_the_past_removes_later_inputs() {
    let mut live = Session::live(&setup(true), Trace::default()).unwrap();
    let go = |live: &mut Session, at: u64| drop(live.seek(Instant::from_millis(at), false));
    for (at, button) in [(1_000, Button::B1), (3_000, Button::B2), (5_000, Button::B3)] {
        go(&mut live, at);
        live.move_finger(button, true).unwrap();
        go(&mut live, at + 100);
        live.move_finger(button, false).unwrap();
    }
    go(&mut live, 8_000);
    // In the middle of the second press, whose release stays.
    go(&mut live, 3_050);
    assert_eq!(live.state().down, [Button::B2]);
    assert_eq!(live.reached(), Instant::from_millis(8_000));
    live.move_finger(Button::B4, true).unwrap();
    assert_eq!(live.reached(), Instant::from_millis(3_050));
    go(&mut live, 9_000);
    assert_eq!(live.state().down, [Button::B4]);
    let moves: Vec<_> = live.done().iter().filter_map(|done| done.finger()).collect();
    let [b1, b2, b4] = [Button::B1, Button::B2, Button::B4];
    let expected = [(b1, true), (b1, false), (b2, true), (b4, true), (b2, false)];
    assert_eq!(moves, expected);
    let frames = live.frames().to_vec();
    replays_alike(&live, &Files::default(), "live");
    let mut saved = session(&live.save(&Files::default()), &Files::default(), false);
    assert_eq!(saved.frames(), frames);
}

#[test]
fn a_button_is_pressed_and_released_in_turn() {
    let mut live = Session::live(&setup(false), Trace::default()).unwrap();
    assert_eq!(live.move_finger(Button::T1, false), Err(SessionError::IsUp(Button::T1)));
    let down = live.move_finger(Button::T1, true).unwrap();
    assert_eq!(live.move_finger(Button::T1, true), Err(SessionError::IsDown(Button::T1)));
    let up = live.move_finger(Button::T1, false).unwrap();
    assert_eq!(up.saturating_since(down), millis(30));
    let (text, files) = trace("demo");
    let mut replayed = session(&text, &files, false);
    assert_eq!(replayed.move_finger(Button::T1, true), Err(SessionError::Replayed));
}

#[test]
fn a_saved_live_board_has_taps_and_relative_times() {
    let mut live = Session::live(&setup(false), Trace::default()).unwrap();
    live.seek(Instant::from_secs(1).saturating_sub(Nanos(1)), false);
    live.move_finger(Button::B3, true).unwrap();
    live.seek(Instant::from_millis(1_079), false);
    live.move_finger(Button::B3, false).unwrap();
    live.seek(Instant::from_secs(3), false);
    live.move_finger(Button::B1, true).unwrap();
    live.seek(Instant::from_secs(4), false);
    let saved = live.save(&Files::default());
    let expected = "trace 1\n\n0ms     power on\n+1s     tap B3\n+2.001s press B1\n+999ms  end\n";
    assert_eq!(saved, expected);
}

#[test]
fn the_power_is_switched_off_and_on() {
    let mut live = Session::live(&setup(false), Trace::default()).unwrap();
    live.seek(Instant::from_secs(2), false);
    let on = live.picture();
    live.switch_power(false).unwrap();
    assert!(!live.state().powered);
    live.seek(Instant::from_secs(3), false);
    assert!(live.picture().pixels().iter().all(|pixel| *pixel == 0));
    live.switch_power(true).unwrap();
    live.seek(Instant::from_secs(5), false);
    assert!(live.state().powered && live.picture() == on);
    assert_eq!(live.history().power.len(), 3);
    replays_alike(&live, &Files::default(), "power");
}

#[test]
fn a_typed_line_is_saved_and_replays_to_the_same_frames() {
    let mut live = Session::live(&setup(false), Trace::default()).unwrap();
    live.seek(Instant::from_secs(2), false);
    live.type_line("set game wari").unwrap();
    live.seek(Instant::from_secs(4), false);
    let frames = live.frames().to_vec();
    let saved = live.save(&Files::default());
    let typed = "trace 1\n\n0ms     power on\n+2.001s type \"set game wari\"\n+1.999s end\n";
    assert_eq!(saved, typed);
    replays_alike(&live, &Files::default(), "live");
    let mut again = session(&saved, &Files::default(), false);
    assert_eq!(again.frames(), frames);
}
