//! The past that is played, and the branches of a session.

use std::cell::Cell;
use std::rc::Rc;

use hal_mock::board::{ControlConfig, Position};
use trace::{ControlKind, Movement};

use super::rewind_to::{COPIED_EVERY, counted};
use super::*;
use crate::marks::Mark;

#[test]
fn a_past_that_is_played_reaches_the_present_and_a_pause_stops_it() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    session.execute(ms(5_000), Command::Look(shown[1].0));
    session.execute(ms(5_000), Command::Pause(false));
    let plays = session.take_update().unwrap().status;
    assert_eq!((plays.shown_at, plays.paused), (Some(shown[1].0), false));
    for wall in (5_000..=5_480).step_by(16) {
        session.advance(ms(wall));
    }
    session.execute(ms(5_490), Command::Pause(true));
    let stopped = session.take_update().unwrap().status;
    let half = Instant(shown[1].0.0 + 480_000_000);
    assert_eq!((stopped.shown_at, stopped.paused), (Some(half), true));
    session.advance(ms(6_000));
    assert!(session.take_update().is_none(), "it stops there");
    // The past is played to its end, at the speed of the session. The present continues from there.
    session.execute(ms(6_000), Command::Speed(Speed::TEN));
    session.execute(ms(6_000), Command::Pause(false));
    let left = shown[3].0.saturating_since(half).0;
    let mut wall = ms(6_000);
    for _ in 0..left / 160_000_000 + 1 {
        wall += ms(16);
        session.advance(wall);
    }
    let update = session.take_update().unwrap();
    assert_eq!((update.status.shown_at, update.status.paused), (None, false));
    assert!(update.now >= shown[3].0 && update.frame == shown[3].1);
    session.advance(wall + ms(100));
    let ended = session.finish(wall + ms(200));
    assert!(ended.at > shown[3].0);
    check_replay(&shelf.paper, &ended);
}

#[test]
fn a_press_while_the_past_is_played_branches_there() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    session.execute(ms(5_000), Command::Look(shown[1].0));
    session.execute(ms(5_000), Command::Pause(false));
    session.advance(ms(5_200));
    session.execute(ms(5_200), Command::Press(Button::T1));
    session.execute(ms(5_300), Command::Release(Button::T1));
    session.advance(ms(5_400));
    assert_eq!(session.take_update().unwrap().status.shown_at, None);
    let ended = session.finish(ms(5_500));
    assert_eq!(presses(&check_replay(&shelf.paper, &ended)), [Button::B1, Button::T1]);
}

#[test]
fn presses_are_visited_one_by_one() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    let list = session.take_update().map(|update| update.presses);
    let list = list.unwrap_or_else(|| {
        session.execute(ms(4_400), Command::StepFrame(true));
        session.take_update().unwrap().presses
    });
    session.execute(ms(4_400), Command::Now);
    // Another press there takes the place of the one that was made.
    let times: Vec<Instant> = list.iter().map(|(at, _)| Instant(at.0 - 1)).collect();
    assert_eq!(times.len(), 3);
    let mut visits = Vec::new();
    for back in [true, true, true, true, false, false, false] {
        session.execute(ms(4_400), Command::StepPress(back));
        let status = session.take_update().map(|update| update.status.shown_at);
        visits.push(status.unwrap_or(visits.last().copied().flatten()));
    }
    let [one, two, three] = [times[0], times[1], times[2]].map(Some);
    assert_eq!(visits, [three, two, one, one, two, three, None]);
    assert!(shown[3].0 > times[2]);
}

#[test]
fn the_strip_has_marks_of_movements_and_typed_lines() {
    let dial = ControlConfig {
        kind: ControlKind::Encoder,
        name: "DIAL".to_owned(),
        position: Position::Edges(0),
        edges: 4,
    };
    let machine = Box::new(FakeMachine::with_controls(7, vec![dial], &Rc::default()));
    let paper = Paper::default();
    let mut session = Session::start(machine, paper.recording(), Speed::REAL, ms(0)).unwrap();
    let turn = Movement::Turn { by: 2, over: None };
    session.execute(ms(500), Command::Move("DIAL".to_owned(), turn));
    session.execute(ms(1_500), Command::Type("help".to_owned()));
    session.advance(ms(2_000));
    session.execute(ms(2_000), Command::Press(Button::B1));
    session.advance(ms(3_000));
    let update = session.take_update().unwrap();
    let words: Vec<String> = update.presses.iter().map(|(_, action)| action.to_string()).collect();
    assert_eq!(words, ["turn DIAL by 2", "type \"help\"", "press B1"]);
    for (at, action) in update.presses.iter() {
        let bin = Instant(at.0 / 20_000_000 * 20_000_000);
        let until = bin.saturating_add(Nanos::from_millis(20));
        assert!(update.marks.has(Mark::Press, bin, until), "{action}");
    }
    assert!(!update.marks.has(Mark::Press, Instant::from_millis(600), Instant::from_millis(1_400)));
}

/// Presses `button` for 50 ms at `wall`, and waits until its stripe is drawn.
fn press(session: &mut Session, wall: Duration, button: Button) -> Arc<Frame> {
    session.execute(wall, Command::Press(button));
    session.execute(wall + ms(50), Command::Release(button));
    session.advance(wall + ms(400));
    session.take_update().unwrap().frame
}

#[test]
fn a_session_goes_back_to_a_branch_and_forth() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    // Another course from the first press on.
    session.execute(ms(4_400), Command::Look(shown[1].0));
    let other = press(&mut session, ms(4_500), Button::T1);
    let update = {
        session.execute(ms(5_000), Command::StepFrame(true));
        session.take_update().unwrap()
    };
    session.execute(ms(5_000), Command::Now);
    let [branch] = update.branches.as_slice() else { panic!("{:?}", update.branches) };
    assert_eq!((branch.number, branch.first.as_str(), branch.presses), (1, "press B2", 2));
    assert!(branch.at > shown[1].0 && branch.at < shown[2].0 && branch.end >= shown[3].0);

    session.execute(ms(5_000), Command::GoTo(1));
    let update = session.take_update().unwrap();
    assert!(update.frame == shown[3].1 && update.now >= shown[3].0);
    let [left] = update.branches.as_slice() else { panic!("{:?}", update.branches) };
    assert_eq!((left.number, left.first.as_str(), left.presses), (2, "press T1", 1));
    let kept = Notice::Kept(2, "live.branches".into());
    assert_eq!(update.notices, [kept, Notice::WentTo(1)]);
    assert_eq!(update.presses.len(), 3);
    // A branch has its own past.
    session.execute(ms(5_100), Command::Look(shown[2].0));
    assert!(session.take_update().unwrap().frame == shown[2].1);
    session.execute(ms(5_100), Command::Now);

    // Nothing has happened since, and the file has the first branch: it is not saved again.
    session.execute(ms(5_200), Command::GoTo(2));
    let update = session.take_update().unwrap();
    assert!(update.frame == other);
    assert_eq!(update.notices, [Notice::WentTo(2)]);
    session.execute(ms(5_300), Command::GoTo(1));
    press(&mut session, ms(6_000), Button::B6);
    // A branch that there is not changes nothing.
    session.execute(ms(6_500), Command::GoTo(77));
    let ended = session.finish(ms(6_600));
    assert!(ended.recording_error.is_none());
    let expected = [Button::B1, Button::B2, Button::B3, Button::B6];
    assert_eq!(presses(&check_replay(&shelf.paper, &ended)), expected);
    assert_eq!(shelf.kept.lock().unwrap().len(), 2);
}

#[test]
fn a_branch_is_reached_from_the_last_copy_before_it_differs() {
    let shelf = SavedGames::default();
    let (mut session, ran): (Session, Rc<Cell<Nanos>>) = counted(&shelf);
    let mut shown = Vec::new();
    for (at, button) in some_buttons(100).into_iter().enumerate() {
        let wall = ms(1_000 + 3_000 * at as u64);
        session.advance(wall);
        shown.push((wall, press(&mut session, wall, button)));
    }
    // Back by 15 s, and another course from there.
    session.execute(ms(300_000), Command::Back(Nanos::from_secs(15)));
    press(&mut session, ms(300_000), Button::B1);
    let before = ran.get();
    session.execute(ms(301_000), Command::GoTo(1));
    assert!(session.take_update().unwrap().frame == shown[99].1);
    let replayed = Nanos(ran.get().0 - before.0);
    let most = Nanos(Nanos::from_secs(15).0 + 2 * COPIED_EVERY.0);
    assert!(replayed <= most, "{replayed} were replayed, {most} may be");
    check_replay(&shelf.paper, &session.finish(ms(302_000)));
}

#[test]
fn branches_are_handed_over() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    session.execute(ms(4_400), Command::Look(shown[1].0));
    let other = press(&mut session, ms(4_500), Button::T1);
    let handover = session.hand_over(ms(5_000)).handover.unwrap();
    let mut next = remembered(&SavedGames::default());
    next.execute(ms(6_000), Command::TakeOver(Arc::new(handover)));
    assert!(next.take_update().unwrap().frame == other);
    next.execute(ms(6_100), Command::GoTo(1));
    assert!(next.take_update().unwrap().frame == shown[3].1);
}
