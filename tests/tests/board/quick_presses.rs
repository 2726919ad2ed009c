//! Tests quick players, and two fingers at once: which presses count as a move.
//!
//! A press that finishes a movement does nothing else, and a press that began before the LCD showed
//! the turn does nothing at all. No other press is lost.

use nudge_tests::dice::Dice;
use nudge_tests::reference::{Game, System, Variant};
use nudge_tests::session::{Session, header};
use trace::Button;
use virtual_time::Nanos;

/// Number of quick presses in each system.
const PRESSES: usize = 100;
/// Duration of a press.
const HOLD: Nanos = Nanos::from_millis(40);
/// Time from the release of one press to the next: 0.1 s from press to press.
const PAUSE: Nanos = Nanos::from_millis(59);

/// Returns the NUDGE button of a cup.
fn button(cup: usize) -> Button {
    let row = [Button::B1, Button::B2, Button::B3, Button::B4, Button::B5, Button::B6];
    let top = [Button::T6, Button::T5, Button::T4, Button::T3, Button::T2, Button::T1];
    if cup < 6 { row[cup] } else { top[cup - 7] }
}

fn board(system: System) -> (Session, Game) {
    let mut session = Session::new(header(&[("game", &system.name()), ("seed", &7)]));
    // Waits until the coin's message has disappeared.
    session.wait(Nanos::from_secs(3));
    let game = next_game(&mut session, system);
    (session, game)
}

/// Returns the game that a line on the console has opened.
fn next_game(session: &mut Session, system: System) -> Game {
    let opening = session.take_lines().into_iter().rfind(|line| line.contains(" move=- "));
    let first = usize::from(opening.expect("a game opens with a line").contains(" turn=1 "));
    Game::new(Variant::plain(system), first)
}

/// Each move is two presses 0.1 s apart: one sows, the next, of any button, finishes the movement.
#[test]
fn all_of_three_hundred_quick_presses_count() {
    let mut dice = Dice::new(5);
    for system in [System::Board, System::Family, System::TopBottom] {
        let (mut session, mut game) = board(system);
        for nth in 0..PRESSES {
            if game.turn().is_none() {
                session.hold(&[Button::Reset], HOLD);
                session.wait(Nanos::from_millis(100));
                game = next_game(&mut session, system);
            }
            let cup = dice.pick(&game.moves()).expect("a legal move");
            session.hold(&[button(cup)], HOLD);
            session.wait(PAUSE);
            let made = game.play(cup).expect("it is legal");
            assert_eq!(session.take_lines(), [made.line], "press {nth} of {}", system.name());
            let any = dice.pick(&[0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]).expect("a cup");
            session.hold(&[button(any)], HOLD);
            session.wait(PAUSE);
            assert_eq!(session.take_lines(), [""; 0], "it finishes the movement");
        }
    }
}

/// The second finger presses 0 to 100 ms after the first, which finishes the movement of a FREE
/// TURN. The second press is a move only if it began after the last pixel of that turn was on the
/// LCD.
#[test]
fn a_second_finger_plays_only_a_turn_that_was_shown_before() {
    let mut late = 0;
    for apart in 0..=100 {
        let (mut session, mut game) = board(System::Board);
        session.hold(&[Button::B3], HOLD);
        game.play(2).expect("it is legal");
        session.wait(Nanos::from_millis(300));
        session.take_lines();
        let first = session.now().saturating_add(Nanos::from_millis(1));
        let second = first.saturating_add(Nanos::from_millis(apart));
        let fingers = [(first, Button::B4), (second, Button::B5)];
        for (at, button) in fingers {
            session.board().press(at, button);
            session.board().release(at.saturating_add(Nanos::from_millis(200)), button);
        }
        // Finds the frame that is shown without the second finger.
        session.wait(Nanos::from_millis(apart + 1));
        let shown = session.board().last_change();
        session.wait(Nanos::from_millis(60));
        let played = !session.take_lines().is_empty();
        if apart < 6 {
            assert!(!played, "{apart} ms after the first");
        }
        if played {
            assert!(shown <= second, "shown at {shown}, pressed at {second}");
            late += 1;
        }
    }
    assert!(late > 60, "only {late} of the later ones count");
}
