//! RESET is short or long by the times of its debounced edges: released before 1 s it restarts,
//! regardless of bounce; at 1 s or later, or while still held, it opens the menu. The tests cover
//! every millisecond around the limit, and finer steps next to it, in a game and in a page, with
//! and without bounce, while nothing is drawn and in the middle of a frame; also bounces of more
//! than 5 ms, which end after the limit.

use hal_mock::board::SETTLED_AFTER;
use nudge_tests::session::{Session, header};
use trace::Button;
use virtual_time::Nanos;

/// Time limit of an answer: debouncing, and a line of 150 characters on the wire.
const ANSWER: Nanos = Nanos::from_millis(30);

/// Returns durations from 980 to 1,020 ms, with finer steps next to the limit.
fn holds() -> Vec<Nanos> {
    let mut holds: Vec<Nanos> = (980..=1_020).map(Nanos::from_millis).collect();
    let fine = [994_900, 995_100, 999_100, 999_500, 999_900, 999_999, 1_000_001, 1_000_100];
    holds.extend(fine.map(Nanos::from_micros));
    holds
}

/// Creates a board whose contacts bounce for `bounce`, after one move of a game.
fn board(bounce: Nanos, seed: u64) -> Session {
    let mut session = Session::new(header(&[("bounce", &bounce), ("seed", &seed)]));
    sow(&mut session);
    session
}

fn sow(session: &mut Session) {
    session.settle();
    session.tap(Button::B3);
    session.settle();
    let heard = session.take_lines();
    assert!(heard.last().is_some_and(|line| line.contains(" move=2 ")), "{heard:?}");
}

/// Holds RESET for `hold` in a game, which may still be drawing; returns the console's lines until
/// `bounce` has ended.
fn lines_after(session: &mut Session, hold: Nanos, bounce: Nanos) -> Vec<String> {
    session.hold(&[Button::Reset], hold);
    session.wait(bounce.saturating_add(ANSWER));
    session.take_lines()
}

#[track_caller]
fn check(bounce: Nanos, seed: u64) {
    let mut session = board(bounce, seed);
    for hold in holds() {
        let lines = lines_after(&mut session, hold, bounce);
        let restarts = lines.iter().any(|line| line.contains(" move=- "));
        let short = hold < Nanos::from_secs(1);
        assert_eq!(restarts, short, "{hold}, bounce {bounce}, seed {seed}: {lines:?}");
        if restarts {
            sow(&mut session);
        } else {
            // Leaves the menu, once the LCD has shown it; the game continues.
            session.settle();
            session.tap(Button::Reset);
            session.settle();
            assert_eq!(session.take_lines(), [""; 0], "{hold}: the menu is left");
        }
    }
}

#[test]
fn only_a_release_before_one_second_restarts() {
    check(Nanos::ZERO, 0);
}

#[test]
fn bounce_does_not_change_the_limit() {
    for (seed, micros) in (1..).zip([300, 1_000, 2_500, 4_000, 4_900, 8_000, 20_000, 40_000]) {
        check(Nanos::from_micros(micros), seed);
    }
}

/// Moves after which B4 sows eight stones, for 1.3 s.
const UNTIL_EIGHT: [Button; 5] = [Button::B3, Button::B2, Button::T2, Button::B1, Button::T1];

/// Drawing at the limit must not change the time of a release: stones move from before RESET goes
/// down until after it is released.
#[test]
fn moving_stones_do_not_change_the_limit() {
    for (bounce, later) in (0..40).flat_map(|later| [(0, later), (2, later)]) {
        let bounce = Nanos::from_millis(bounce);
        let mut session = Session::new(header(&[("bounce", &bounce), ("seed", &later)]));
        for _ in 0..3 {
            for button in UNTIL_EIGHT {
                session.tap(button);
                session.wait_until_shown();
                // Finishes the movement.
                session.tap(button);
                session.wait_until_shown();
            }
            session.take_lines();
            session.tap(Button::B4);
            // The press of RESET is too late for a chord with B4.
            session.wait(Nanos::from_micros(20_000 + 2_100 * later));
            session.hold(&[Button::Reset], Nanos::from_micros(999_900 - 150 * later));
            let still_since = session.board().last_change();
            let moving = session.now() < still_since.saturating_add(SETTLED_AFTER);
            assert!(moving, "the stones lie still since {still_since}");
            session.wait(ANSWER);
            let heard = session.take_lines();
            let restarts = heard.iter().any(|line| line.contains(" move=3 "))
                && heard.last().is_some_and(|line| line.contains(" move=- "));
            assert!(restarts, "{later}: {heard:?}");
            session.settle();
        }
    }
}

/// RESET is pressed while the LCD is drawn: the board takes 35 ms after the menu is left. A press
/// that begins before the LCD shows the board does nothing. One that begins later has its own time,
/// although a step keeps the firmware busy for 4 ms.
#[test]
fn drawing_does_not_change_the_limit() {
    let step = Nanos::from_millis(6);
    let mut session = board(Nanos::ZERO, 0);
    let (mut early, mut late) = (0, 0);
    for after in (5_000..90_000).step_by(700).map(Nanos::from_micros) {
        for held in [999_990, 1_000_010].map(Nanos::from_micros) {
            session.hold(&[Button::Reset], Nanos::from_millis(1_100));
            session.settle();
            let menu = session.board().frame();
            let start = session.now().saturating_add(Nanos::from_millis(1));
            let (down, board) = (start.saturating_add(after), session.board());
            // Presses BACK.
            board.press(start, Button::B6);
            board.release(start.saturating_add(Nanos::from_millis(60)), Button::B6);
            board.press(down, Button::Reset);
            board.release(down.saturating_add(held), Button::Reset);
            // Nothing that RESET does is visible before its release.
            session.wait(after.saturating_add(Nanos::from_millis(200)));
            assert!(session.board().frame() != menu, "{after} after BACK: the menu is left");
            let shown = session.board().last_change();
            session.wait(Nanos::from_millis(1_000));
            let restarts = session.take_lines().iter().any(|line| line.contains(" move=- "));
            let opens = session.board().frame() == menu;
            assert!(!(restarts && opens), "{after} after BACK");
            let case = format!("{held}, {after} after BACK, shown at {shown}, pressed at {down}");
            if restarts || opens {
                assert!(shown <= down, "{case}");
                assert_eq!(restarts, held < Nanos::from_secs(1), "{case}");
                late += 1;
            } else {
                assert!(down < shown.saturating_add(step), "{case}");
                early += 1;
            }
            if opens {
                session.tap(Button::Reset);
            }
            session.settle();
        }
    }
    assert!(early > 20 && late > 20, "{early} early and {late} late presses");
}

/// An interruption that begins before one second and is too short to be a release opens the menu as
/// soon as that is certain.
#[test]
fn an_interruption_at_the_limit_is_not_a_release() {
    let mut session = board(Nanos::ZERO, 0);
    for begins in 994..1_003 {
        let start = session.now().saturating_add(Nanos::from_millis(1));
        let at = |millis| start.saturating_add(Nanos::from_millis(millis));
        let board = session.board();
        board.press(start, Button::Reset);
        board.release(at(begins), Button::Reset);
        board.press(at(begins + 4), Button::Reset);
        board.release(at(1_200), Button::Reset);
        session.wait(Nanos::from_millis(1_300));
        assert_eq!(session.take_lines(), [""; 0], "the menu, from {begins} ms on");
        session.tap(Button::Reset);
    }
}
