//! Movements within the start of the firmware, which blocks.

use hal_mock::replay::Unjudged;
use trace::{Action, Button, Trace};
use virtual_time::{Instant, Nanos};

use super::branches::replays_alike;
use super::setup;
use crate::{Contact, DrivenBoard, Files, Session};

fn ms(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn live() -> Session {
    Session::live(&setup(false), Trace::default()).unwrap()
}

/// Returns the times of the first edge of each burst of a contact, in milliseconds.
fn moved(session: &Session) -> Vec<(Button, u64, bool)> {
    let mut contacts: Vec<Contact> = session.history().contacts.clone();
    contacts.sort_by_key(|contact| contact.at);
    let edge = |contact: &Contact| (contact.button, contact.at.0 / 1_000_000, contact.closed);
    contacts.iter().map(edge).collect()
}

#[test]
fn a_contact_moves_at_its_time_within_the_start() {
    let mut live = live();
    live.seek(ms(100), false);
    assert_eq!(live.move_finger(Button::B2, true), Ok(ms(101)));
    assert_eq!(live.present(), ms(100));
    live.seek(ms(150), false);
    assert_eq!(live.state().down, [Button::B2]);
    assert_eq!(live.move_finger(Button::B2, false), Ok(ms(151)));
    live.seek(ms(3_000), false);
    assert_eq!(moved(&live), [(Button::B2, 101, true), (Button::B2, 151, false)]);
    assert_eq!(live.history().power.len(), 1);
    replays_alike(&live, &Files::default(), "a press within the start");
    let saved = live.save(&Files::default());
    assert!(saved.contains("+101ms  tap B2 for 50ms"), "{saved}");
    // It is the press of a driven board.
    let mut driven = DrivenBoard::new(setup(false), Trace::default()).unwrap();
    let mut act = |action: Option<Action>, span: u64| {
        if let Some(action) = action {
            driven.execute(action, &mut Unjudged, &mut |_| Ok(())).unwrap();
        }
        driven.advance(Nanos::from_millis(span), &mut Unjudged).unwrap();
    };
    act(Some(Action::PowerOn), 101);
    act(Some(Action::Press(Button::B2)), 50);
    act(Some(Action::Release(Button::B2)), 2_849);
    assert!(driven.board().frame() == live.picture());
}

#[test]
fn a_movement_after_a_way_back_removes_the_later_ones() {
    let mut live = live();
    live.seek(ms(50), false);
    live.move_finger(Button::B1, true).unwrap();
    live.seek(ms(100), false);
    live.move_finger(Button::B3, true).unwrap();
    live.seek(ms(120), false);
    live.move_finger(Button::B1, false).unwrap();
    live.seek(ms(140), false);
    live.move_finger(Button::B3, false).unwrap();
    live.seek(ms(70), false);
    assert_eq!(live.state().down, [Button::B1]);
    // B1 is down; the press of B3 is removed, and the release of B1 stays.
    assert_eq!(live.move_finger(Button::B4, true), Ok(ms(71)));
    live.seek(ms(2_000), false);
    let expected = [(Button::B1, 51, true), (Button::B4, 71, true), (Button::B1, 121, false)];
    assert_eq!(moved(&live), expected);
    replays_alike(&live, &Files::default(), "a way back");
    live.seek(ms(90), false);
    assert_eq!(live.move_finger(Button::B1, false), Ok(ms(91)));
    live.seek(ms(2_000), false);
    let expected = [(Button::B1, 51, true), (Button::B4, 71, true), (Button::B1, 91, false)];
    assert_eq!(moved(&live), expected);
    replays_alike(&live, &Files::default(), "a release after a way back");
}

#[test]
fn a_press_after_a_power_cycle_is_within_the_second_start() {
    let mut live = live();
    live.seek(ms(1_500), false);
    live.switch_power(false).unwrap();
    live.seek(ms(1_700), false);
    let on = live.switch_power(true).unwrap();
    let at = on.saturating_add(Nanos::from_millis(60));
    live.seek(at, false);
    let pressed = live.move_finger(Button::B5, true).unwrap();
    assert!(pressed > at && pressed.saturating_since(at) <= Nanos::from_millis(1), "{pressed}");
    live.seek(ms(2_500), false);
    live.move_finger(Button::B5, false).unwrap();
    live.seek(ms(4_000), false);
    assert_eq!(live.history().power.len(), 3);
    assert_eq!(live.history().contacts[0].at, pressed);
    replays_alike(&live, &Files::default(), "a press within the second start");
}

#[test]
fn a_press_in_a_branch_of_a_trace_is_within_the_start() {
    let text = "trace 1\n\n0ms power on\n+40ms tap B1 for 30ms\n+2s tap B3\n+1s end\n";
    let replayed = super::session(text, &Files::default(), false);
    let mut branch = replayed.branch(ms(55)).unwrap();
    assert_eq!(branch.move_finger(Button::B6, true), Ok(ms(56)));
    branch.seek(ms(1_500), false);
    let expected = [(Button::B1, 40, true), (Button::B6, 56, true), (Button::B1, 70, false)];
    assert_eq!(moved(&branch), expected);
    replays_alike(&branch, &Files::default(), "a branch within the start");
}

#[test]
fn a_press_at_the_end_of_the_start_comes_after_it() {
    let mut live = live();
    let started = live.board().now();
    assert!(started > ms(100), "{started}");
    live.seek(Instant(started.0 - 1), false);
    let at = live.move_finger(Button::B2, true).unwrap();
    assert!(at > started, "{at}");
    live.seek(ms(1_000), false);
    replays_alike(&live, &Files::default(), "a press after the start");
}
