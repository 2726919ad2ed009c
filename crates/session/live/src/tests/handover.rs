//! Sessions that are handed over to another session.

use trace::ButtonSet;

use super::*;

/// Returns a new session that takes over from `left`. It has replayed the input log `before` in
/// advance, if there is one.
pub(super) fn taken_over(
    shelf: &SavedGames,
    before: Option<&InputLog>,
    left: Handover,
    wall: Duration,
) -> Session {
    let mut session = Session::start(FakeMachine::boxed(7), None, Speed::REAL, wall).unwrap();
    let rewinding =
        Rewinding { reader: Reader::new(Vec::new()), recording_files: Box::new(shelf.clone()) };
    session.remember(Rc::new(|| Ok(FakeMachine::boxed(7))), rewinding);
    if let Some(before) = before {
        session.repeat(before, wall).unwrap();
    }
    session.execute(wall, Command::TakeOver(Arc::new(left)));
    session
}

#[test]
fn a_session_that_was_handed_over_replays_to_its_last_frame() {
    let mut random = Random::new(11);
    let mut draw = |count| random.below(count);
    let (mut handed, mut waited) = (0, 0);
    for case in 0..120 {
        let shelf = SavedGames::default();
        let mut session = remembered(&shelf);
        let mut wall = 400_000;
        let mut before = None;
        let mut shown = session.take_update().unwrap().frame;
        let mut paused = false;
        for _ in 0..draw(20) {
            wall += draw(50_000);
            let at = Duration::from_micros(wall);
            session.advance(at);
            // T6 stops the machine and is not pressed.
            let button = Button::LCD_BOARD[draw(11) as usize];
            match draw(12) {
                0..=4 => session.execute(at, Command::Press(button)),
                5..=7 => session.execute(at, Command::Release(button)),
                8 => session.execute(at, Command::PowerCycle),
                9 => {
                    paused = !paused;
                    session.execute(at, Command::Pause(paused));
                }
                // A session of new firmware replays the input log in advance.
                10 => before = session.input_log_so_far().into(),
                _ => {
                    let left = session.hand_over(at).handover.unwrap();
                    assert_eq!(left.paused, paused);
                    (handed, waited) = (handed + 1, waited + usize::from(!left.waiting.is_empty()));
                    session = taken_over(&shelf, before.as_ref(), left, at);
                }
            }
            shown = session.take_update().map_or(shown, |update| update.frame);
        }
        let ended = session.finish(Duration::from_micros(wall));
        check_replay(&shelf.paper, &ended);
        assert!(!paused || *shown == ended.frame, "case {case}");
    }
    assert!(handed > 60 && waited > 10, "{handed} were handed over, of {waited} something waited");
}

#[test]
fn the_shown_time_and_the_pause_are_handed_over() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    session.execute(ms(4_400), Command::Look(shown[1].0));
    let left = session.hand_over(ms(4_500)).handover.unwrap();
    assert_eq!((left.shown_at, left.paused), (Some(shown[1].0), false));
    assert!(!shelf.paper.text().contains("end"), "{}", shelf.paper.text());
    let mut session = taken_over(&shelf, None, left, ms(9_000));
    let update = session.take_update().unwrap();
    assert_eq!(update.status.shown_at, Some(shown[1].0));
    assert!(update.frame == shown[1].1);
    session.execute(ms(9_100), Command::Now);
    let update = session.take_update().unwrap();
    assert!(update.frame == shown[3].1 && !update.status.paused);
    let ended = session.finish(ms(9_200));
    assert_eq!(presses(&check_replay(&shelf.paper, &ended)), [Button::B1, Button::B2, Button::B3]);
}

#[test]
fn a_session_that_was_branched_is_replayed_from_the_start() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    let shown = three_presses(&mut session);
    let before = session.input_log_so_far();
    session.execute(ms(4_400), Command::Look(shown[1].0));
    session.execute(ms(4_500), Command::Press(Button::T1));
    session.execute(ms(4_600), Command::Release(Button::T1));
    session.advance(ms(5_000));
    let left = session.hand_over(ms(5_000)).handover.unwrap();
    let session = taken_over(&shelf, Some(&before), left, ms(5_100));
    let ended = session.finish(ms(5_500));
    assert_eq!(presses(&check_replay(&shelf.paper, &ended)), [Button::B1, Button::T1]);
}

/// Returns which contacts are closed two seconds after `left` was taken over.
fn closed_after(shelf: &SavedGames, before: Option<&InputLog>, left: Handover) -> Vec<Button> {
    let mut session = taken_over(shelf, before, left, ms(2_000));
    if session.take_update().unwrap().status.paused {
        session.execute(ms(2_000), Command::Pause(false));
    }
    session.advance(ms(4_000));
    let closed = session.take_update().unwrap().closed;
    let ended = session.finish(ms(4_000));
    assert!(ended.recording_error.is_none(), "{:?}", ended.recording_error);
    let trace = parse("live.trace", &shelf.paper.text()).unwrap();
    let mut down = ButtonSet::EMPTY;
    for line in &trace.lines {
        let _ = match line.action {
            Action::Press(button) => down.set(button, true),
            Action::Release(button) => down.set(button, false),
            _ => false,
        };
    }
    assert_eq!(down, closed, "the recording has the releases");
    Button::LCD_BOARD.into_iter().filter(|button| closed.contains(*button)).collect()
}

/// Returns a session in which B1, B2 and B3 were pressed, and its files.
fn three_down() -> (Session, SavedGames) {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    for (nth, button) in [Button::B1, Button::B2, Button::B3].into_iter().enumerate() {
        let wall = ms(1_000 + 100 * nth as u64);
        session.advance(wall);
        session.execute(wall, Command::Press(button));
    }
    session.advance(ms(1_500));
    (session, shelf)
}

fn fingers(on: &[Button]) -> ButtonSet {
    on.iter().copied().collect()
}

#[test]
fn a_rebuild_releases_what_no_finger_holds() {
    for (replayed, paused) in [(false, false), (true, false), (false, true)] {
        let (mut session, shelf) = three_down();
        let before = replayed.then(|| session.input_log_so_far());
        session.execute(ms(1_600), Command::Pause(paused));
        // B3 was released by a command that waits.
        session.execute(ms(1_600), Command::Release(Button::B3));
        let left = session.hand_over(ms(1_600)).handover.unwrap();
        let left = Handover { held: fingers(&[Button::B2]), ..left };
        assert_eq!(closed_after(&shelf, before.as_ref(), left), [Button::B2]);
    }
}

#[test]
fn a_takeover_after_a_crash_releases_what_no_finger_holds() {
    let (session, shelf) = three_down();
    // The process is gone: only the recording has the presses.
    drop(session);
    let input_log = InputLog::parse(&shelf.paper.text(), Instant::from_millis(1_500)).unwrap();
    assert_eq!(input_log.down().count(), 3);
    let left = Handover { input_log, held: fingers(&[Button::B1]), ..Handover::default() };
    assert_eq!(closed_after(&shelf, None, left), [Button::B1]);
}

#[test]
fn a_takeover_after_a_hang_releases_what_no_finger_holds() {
    let (session, shelf) = three_down();
    let input_log = session.input_log_so_far();
    drop(session);
    let stopped = Some(hal_mock::MachineError::new(input_log.end, "it hangs"));
    let held = fingers(&[Button::B3]);
    let left = Handover { input_log, held, stopped, ..Handover::default() };
    let mut session = taken_over(&shelf, None, left, ms(2_000));
    assert!(session.take_update().unwrap().status.broken.is_some());
    session.execute(ms(2_000), Command::PowerCycle);
    session.advance(ms(4_000));
    let update = session.take_update().unwrap();
    assert_eq!(update.status.broken, None);
    assert_eq!(update.closed, held);
    // The power goes off before the firmware could run on.
    let text = shelf.paper.text();
    assert!(text.contains("power off\n") && text.contains("release B1\n"), "{text}");
    check_replay(&shelf.paper, &session.finish(ms(4_000)));
}
