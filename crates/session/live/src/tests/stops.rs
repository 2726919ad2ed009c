//! Sessions whose machine stops at times.

use super::handover::taken_over;
use super::*;

/// Time for a power cycle and everything that is drawn after it.
const REST: Duration = Duration::from_millis(800);

/// Picture that was shown at a time.
struct Seen {
    now: Instant,
    frame: Arc<Frame>,
    stopped: bool,
    /// Whether the session advanced by at least [`REST`] before the picture, so that everything
    /// was drawn.
    rested: bool,
}

/// Advances `session` by `span` and returns what it shows then.
fn seen_after(session: &mut Session, wall: &mut Duration, span: Duration, last: &Seen) -> Seen {
    *wall += span;
    session.advance(*wall);
    let rested = span >= REST;
    match session.take_update() {
        Some(Update { now, frame, status, .. }) => {
            Seen { now, frame, stopped: status.broken.is_some(), rested }
        }
        None => Seen { frame: Arc::clone(&last.frame), rested, ..*last },
    }
}

#[test]
fn rewinding_and_handover_do_not_change_a_session_with_stops() {
    let mut random = Random::new(5);
    let mut draw = |count| random.below(count);
    let (mut behind_a_stop, mut handed) = (0, 0);
    for case in 0..100 {
        let shelf = SavedGames::default();
        let mut session = remembered(&shelf);
        let mut wall = ms(400);
        let frame = session.take_update().expect("the first").frame;
        let first = Seen { now: Instant::START, frame, stopped: false, rested: false };
        let mut seen = vec![seen_after(&mut session, &mut wall, REST, &first)];
        for _ in 0..draw(40) {
            wall += Duration::from_micros(draw(50_000));
            let at = wall;
            // T6 stops the machine.
            let button =
                if draw(3) == 0 { Button::T6 } else { Button::LCD_BOARD[draw(12) as usize] };
            let is_stopped = seen.last().is_some_and(|last| last.stopped);
            // A machine that has stopped is revived soon.
            match if is_stopped && draw(2) == 0 { 7 } else { draw(13) } {
                0..=4 => session.execute(at, Command::Press(button)),
                5..=6 => session.execute(at, Command::Release(button)),
                7..=9 => {
                    // If T6 were still held, it would stop the machine again.
                    session.execute(at, Command::Release(Button::T6));
                    session.execute(at, Command::PowerCycle);
                }
                10..=11 => {
                    // A press in the past continues the session from there.
                    let place = (seen.len() - 1).saturating_sub(1 + draw(4) as usize);
                    if seen[place].stopped || !seen[place].rested {
                        continue;
                    }
                    session.execute(at, Command::Look(seen[place].now));
                    let looked = session.take_update();
                    let Some(looked) = looked.filter(|update| update.status.shown_at.is_some())
                    else {
                        // The shown time is the present.
                        continue;
                    };
                    behind_a_stop += usize::from(seen[..place].iter().any(|seen| seen.stopped));
                    session.execute(at, Command::Press(Button::B1));
                    let update = session.take_update().expect("another future");
                    assert_eq!(
                        update.status.shown_at,
                        None,
                        "case {case}: {:?} {:?}",
                        update.notices,
                        session.input_log_so_far()
                    );
                    assert_eq!(update.status.broken, None, "case {case}");
                    assert!(update.frame == looked.frame, "case {case}");
                    seen.truncate(place + 1);
                    session.execute(at, Command::Release(Button::B1));
                }
                _ => {
                    // The other session shows at once what this one would show soon.
                    let is_drawing = session.picture_due().is_some();
                    let left = session.hand_over(at).handover.unwrap();
                    session = taken_over(&shelf, None, left, at);
                    let last = seen.last().expect("the first");
                    let update = session.take_update().expect("the other session");
                    assert_eq!(update.status.broken.is_some(), last.stopped, "case {case}");
                    assert!(is_drawing || update.frame == last.frame, "case {case}");
                    handed += usize::from(!is_drawing);
                }
            }
            let span = if draw(2) == 0 { REST } else { ms(150) };
            let last = seen.last().expect("the first");
            let now = seen_after(&mut session, &mut wall, span, last);
            seen.push(now);
        }
        let ended = session.finish(wall);
        assert!(ended.recording_error.is_none(), "case {case}: {:?}", ended.recording_error);
    }
    assert!(behind_a_stop > 20 && handed > 20, "{behind_a_stop} behind a stop, {handed} handed");
}

#[test]
fn a_press_without_power_continues_after_the_power_on() {
    let shelf = SavedGames::default();
    let mut session = remembered(&shelf);
    session.advance(ms(1_000));
    session.execute(ms(1_000), Command::PowerCycle);
    session.advance(ms(2_500));
    session.execute(ms(2_500), Command::Look(Instant::from_millis(1_100)));
    session.execute(ms(2_500), Command::Press(Button::B1));
    session.execute(ms(3_500), Command::Release(Button::B1));
    session.advance(ms(4_000));
    let status = session.take_update().unwrap().status;
    assert_eq!((status.shown_at, status.powered), (None, true));
    // The power can be switched as before.
    session.execute(ms(4_000), Command::PowerCycle);
    session.advance(ms(5_000));
    let ended = session.finish(ms(5_000));
    assert!(ended.recording_error.is_none(), "{:?}", ended.recording_error);
    assert_eq!(presses(&check_replay(&shelf.paper, &ended)), [Button::B1]);
    assert_eq!(shelf.paper.text().matches("power on\n").count(), 3, "{}", shelf.paper.text());
}
