//! Sessions whose past is shown.

use std::cell::Cell;

use super::*;

#[test]
fn the_past_shows_the_same_frames_and_the_present_returns() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    for (at, frame) in shown[..3].iter().rev() {
        session.execute(ms(4_400), Command::Look(*at));
        let update = session.take_update().unwrap();
        assert_eq!(update.status.shown_at, Some(*at));
        assert!(update.frame == *frame, "at {at:?}");
    }
    // Steps frame by frame: the next frame after the first is that of the next press.
    session.execute(ms(5_000), Command::StepFrame(false));
    assert!(session.take_update().unwrap().frame == shown[1].1);
    session.execute(ms(5_000), Command::StepFrame(true));
    assert!(session.take_update().unwrap().frame == shown[0].1);
    // Virtual time is stopped while the past is shown.
    session.advance(ms(9_000));
    session.execute(ms(9_000), Command::Forward(Nanos::from_millis(60_000)));
    let update = session.take_update().unwrap();
    assert_eq!((update.status.shown_at, update.status.paused), (None, false));
    assert_eq!(update.now, shown[3].0);
    assert!(update.frame == shown[3].1);
    let ended = session.finish(ms(9_100));
    assert_eq!(presses(&check_replay(&shelf.paper, &ended)), [Button::B1, Button::B2, Button::B3]);
    assert!(shelf.kept.lock().unwrap().is_empty());
}

#[test]
fn the_first_step_back_shows_the_frame_before_the_one_that_is_shown() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    // The last frame was completed 0.4 s ago. The picture at that time is the one that is shown.
    session.execute(ms(4_500), Command::StepFrame(true));
    assert!(session.take_update().unwrap().frame == shown[2].1);
    session.execute(ms(4_500), Command::StepFrame(true));
    assert!(session.take_update().unwrap().frame == shown[1].1);
    session.execute(ms(4_500), Command::StepFrame(false));
    assert!(session.take_update().unwrap().frame == shown[2].1);
    session.execute(ms(4_500), Command::StepFrame(false));
    assert!(session.take_update().unwrap().frame == shown[3].1);
}

#[test]
fn a_press_in_the_past_branches_and_saves_the_other_future() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    session.execute(ms(4_400), Command::Look(shown[1].0));
    session.execute(ms(4_500), Command::Press(Button::T1));
    session.execute(ms(4_600), Command::Release(Button::T1));
    session.advance(ms(5_000));
    let update = session.take_update().unwrap();
    assert_eq!(update.notices, [Notice::Kept(1, "live.branches".into())]);
    assert_eq!(update.status.shown_at, None);
    let ended = session.finish(ms(5_500));
    assert!(ended.recording_error.is_none());
    assert_eq!(presses(&check_replay(&shelf.paper, &ended)), [Button::B1, Button::T1]);
    let kept = shelf.kept.lock().unwrap();
    let text = String::from_utf8(kept[0].text(&[]).unwrap()).unwrap();
    let other = parse("other.trace", &text).unwrap();
    assert_eq!(presses(&other), [Button::B1, Button::B2, Button::B3]);
}

#[test]
fn nothing_is_pressed_if_the_other_future_cannot_be_saved() {
    let shelf = SavedGames { refuses: true, ..SavedGames::default() };
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    session.execute(ms(4_400), Command::Look(shown[1].0));
    session.execute(ms(4_500), Command::Press(Button::T1));
    session.execute(ms(4_600), Command::Release(Button::T1));
    let update = session.take_update().unwrap();
    assert_eq!(update.notices, [Notice::NotKept("the disk is full".into())]);
    assert_eq!(update.status.shown_at, Some(shown[1].0));
    let ended = session.finish(ms(5_000));
    assert_eq!(presses(&check_replay(&shelf.paper, &ended)), [Button::B1, Button::B2, Button::B3]);
}

/// Virtual time between two copies of a machine.
pub(super) const COPIED_EVERY: Nanos = Nanos::from_millis(5_000);

/// Returns a session that can be rewound, and the virtual time that its machines have executed.
pub(super) fn counted(shelf: &SavedGames) -> (Session, Rc<Cell<Nanos>>) {
    let ran = Rc::new(Cell::new(Nanos(0)));
    let machine = FakeMachine::counted(7, &ran);
    let mut session = Session::start(machine, shelf.paper.recording(), Speed::REAL, ms(0)).unwrap();
    let rewinding =
        Rewinding { reader: Reader::new(Vec::new()), recording_files: Box::new(shelf.clone()) };
    let makes = Rc::clone(&ran);
    session.remember(Rc::new(move || Ok(FakeMachine::counted(7, &makes))), rewinding);
    (session, ran)
}

#[test]
fn going_back_runs_only_from_the_last_copy() {
    let shelf = SavedGames::default();
    let (mut session, ran) = counted(&shelf);
    // Ten minutes with a press every three seconds.
    let mut shown = Vec::new();
    for (at, button) in some_buttons(200).into_iter().enumerate() {
        let wall = ms(1_000 + 3_000 * at as u64);
        session.advance(wall);
        session.execute(wall, Command::Press(button));
        session.execute(wall + ms(50), Command::Release(button));
        session.advance(wall + ms(400));
        let update = session.take_update().unwrap();
        shown.push((update.now, update.frame));
    }
    let (end, wall) = (shown[199].0, ms(600_000));
    assert!(end > Instant::from_secs(590) && ran.get() >= Nanos(end.0 - 1_000_000_000));
    // The first step back costs no more than the next ones. Beyond 96 copies the distances between
    // them grow.
    for (place, copies_apart) in [(197, 1), (190, 1), (150, 2), (100, 2), (30, 3), (0, 3)] {
        let before = ran.get();
        session.execute(wall, Command::Look(shown[place].0));
        let update = session.take_update().unwrap();
        assert!(update.frame == shown[place].1, "press {place}");
        let replayed = Nanos(ran.get().0 - before.0);
        let most = Nanos(COPIED_EVERY.0 * (copies_apart + 1));
        assert!(replayed <= most, "press {place}: {replayed} were replayed, {most} may be");
        session.execute(wall, Command::Now);
    }
    // The session continues as if it had never been rewound, and its recording replays.
    session.execute(wall, Command::Press(Button::B1));
    session.advance(wall + ms(100));
    let ended = session.finish(wall + ms(200));
    assert_eq!(presses(&check_replay(&shelf.paper, &ended)).len(), 201);
}

#[test]
fn a_press_in_the_past_runs_only_from_the_last_copy() {
    let shelf = SavedGames::default();
    let (mut session, ran) = counted(&shelf);
    // Five minutes with a press every 700 ms. The power is cycled at times.
    let (count, every) = (400, 700);
    let buttons = some_buttons(count);
    let mut shown = Vec::new();
    for (at, button) in buttons.iter().enumerate() {
        let wall = ms(1_000 + every * at as u64);
        session.advance(wall);
        if at % 150 == 100 {
            session.execute(wall, Command::PowerCycle);
            session.advance(wall + ms(650));
            shown.push(None);
            continue;
        }
        session.execute(wall, Command::Press(*button));
        session.execute(wall + ms(50), Command::Release(*button));
        session.advance(wall + ms(400));
        let update = session.take_update().unwrap();
        shown.push(Some((update.now, update.frame)));
    }
    let wall = ms(1_000_000);
    session.execute(ms(290_000), Command::Pause(true));
    session.execute(ms(290_000), Command::Pause(false));
    // Each place is further back than the one before.
    for (place, copies_apart) in [(398, 1), (360, 1), (251, 2), (120, 3), (20, 3)] {
        let (at, frame) = shown[place].clone().unwrap();
        session.execute(wall, Command::Look(at));
        assert!(session.take_update().unwrap().frame == frame, "press {place}");
        let before = ran.get();
        session.execute(wall, Command::Press(Button::B4));
        let update = session.take_update().unwrap();
        assert_eq!(update.status.shown_at, None);
        assert!(update.frame == frame, "press {place}: another future begins with another frame");
        let replayed = Nanos(ran.get().0 - before.0);
        let most = Nanos(COPIED_EVERY.0 * (copies_apart + 1));
        assert!(replayed <= most, "press {place}: {replayed} were replayed, {most} may be");
        session.execute(wall, Command::Release(Button::B4));
        session.advance(wall + ms(400));
        assert!(session.take_update().unwrap().frame != frame, "press {place}: B4 is drawn");
        // The past before the press can still be shown.
        let (at, frame) = shown[place - 3].clone().unwrap();
        session.execute(wall + ms(400), Command::Look(at));
        assert!(session.take_update().unwrap().frame == frame, "before press {place}");
        session.execute(wall + ms(400), Command::Now);
    }
    let ended = session.finish(wall + ms(900));
    let trace = check_replay(&shelf.paper, &ended);
    let mut expected: Vec<Button> = buttons[..=20].to_vec();
    expected.push(Button::B4);
    assert_eq!(presses(&trace), expected);
}

#[test]
fn a_past_with_a_stop_is_shown_on_both_sides() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    session.advance(ms(1_000));
    let booted = session.take_update().unwrap();
    session.execute(ms(1_000), Command::Press(Button::T6));
    session.advance(ms(1_500));
    assert!(session.take_update().unwrap().status.broken.is_some());
    session.execute(ms(2_000), Command::Release(Button::T6));
    session.execute(ms(2_000), Command::PowerCycle);
    session.advance(ms(3_000));
    session.execute(ms(3_000), Command::Press(Button::B2));
    session.advance(ms(3_500));
    let painted = session.take_update().unwrap();
    assert!(painted.frame != booted.frame);
    session.execute(ms(4_000), Command::Release(Button::B2));
    session.execute(ms(4_000), Command::Press(Button::B3));
    session.advance(ms(4_500));
    assert!(session.take_update().unwrap().frame != painted.frame);
    session.execute(ms(4_500), Command::Look(painted.now));
    let update = session.take_update().unwrap();
    assert_eq!(update.status.shown_at, Some(painted.now));
    assert!(update.frame == painted.frame, "behind the stop");
    session.execute(ms(4_500), Command::Look(booted.now));
    assert!(session.take_update().unwrap().frame == booted.frame, "before the stop");
    // A press after the stop continues the session from there.
    session.execute(ms(4_500), Command::Look(painted.now));
    session.execute(ms(4_500), Command::Press(Button::B4));
    let update = session.take_update().unwrap();
    assert_eq!((update.status.shown_at, update.status.broken), (None, None));
    assert!(update.frame == painted.frame, "another future begins with another frame");
    session.execute(ms(4_600), Command::Release(Button::B4));
    session.advance(ms(5_000));
    assert!(session.take_update().unwrap().frame != painted.frame, "B4 is drawn");
    let ended = session.finish(ms(5_500));
    assert!(ended.machine_error.is_none() && ended.recording_error.is_none());
    let trace = parse("live.trace", &shelf.paper.text()).unwrap();
    assert_eq!(presses(&trace), [Button::T6, Button::B2, Button::B4]);
    assert!(shelf.paper.text().contains("power off"), "{}", shelf.paper.text());
}
