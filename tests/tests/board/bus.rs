//! Compares the bytes on the LCD's wire with the pixels that change, in whole games of every system
//! and in the menus. `wire.rs` checks that no pixel is sent twice and no step takes too long.

use std::fs;

use nudge_tests::dice::Dice;
use nudge_tests::menus::{HOLD, Menus};
use nudge_tests::part::Part;
use nudge_tests::reference::{Game, System, Variant};
use nudge_tests::session::{Session, header, machine};
use runner::traffic::{self, Traffic};
use trace::{Action, Button, Line, Trace, When, parse};
use virtual_time::Nanos;

/// Path of a whole game as a person plays it.
const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces/game-1.trace");

/// Maximum number of bytes on the wire for each byte of a changed pixel; the requirement allows 3.
const RATIO_MOST: f64 = 2.0;
/// Maximum number of bytes in a frame of a game after the power-on frame; a whole screen takes
/// 153,600.
const FRAME_MOST: u64 = 16_000;
/// The same limit for a frame in which all digits appear and thick rims disappear, at the end of a
/// game of `family`.
const COUNTED_FRAME_MOST: u64 = 23_000;
/// The same limit for RESET at the end of a game, after which every cup changes.
const RESET_FRAME_MOST: u64 = 40_000;
/// Minimum number of frames in a whole game.
const FRAMES_LEAST: u64 = 300;
/// Maximum number of moves in a random game, which might never end.
const MOVES_MOST: usize = 60;

fn game() -> Trace {
    let text = fs::read_to_string(GAME).expect("the trace is there");
    parse(GAME, &text).expect("the trace is right")
}

/// Returns the button of a cup, by the index on the console.
fn button(cup: usize) -> Button {
    match cup {
        0..6 => Button::LCD_BOARD[cup],
        _ => Button::LCD_BOARD[6 + 12 - cup],
    }
}

/// Creates a session in `system`, ready for presses.
fn session(system: System) -> Session {
    let mut session = Session::new(header(&[("game", &system.name()), ("first", &"bottom")]));
    // Traffic is counted from half a second after power-on.
    session.wait(Nanos::from_secs(1));
    session
}

/// Plays a game of random moves, and waits after each.
fn random_game(system: System) -> Trace {
    let (mut session, mut dice) = (session(system), Dice::new(1));
    let mut game = Game::new(Variant::plain(system), 0);
    for _ in 0..MOVES_MOST {
        let Some(cup) = dice.pick(&game.moves()) else { break };
        game.play(cup).expect("it is allowed");
        if system == System::Wari {
            session.tap(button(cup));
            session.settle();
        }
        session.tap(button(cup));
        session.settle();
    }
    session.trace().clone()
}

fn traffic_of(trace: &Trace) -> Traffic {
    traffic::of(trace, || machine(trace)).expect("the board goes on")
}

#[track_caller]
fn check(traffic: &Traffic, frames_least: u64) {
    assert!(traffic.frames >= frames_least, "only few frames: {traffic:?}");
    assert!(traffic.ratio() <= RATIO_MOST, "{:.3} bytes a byte: {traffic:?}", traffic.ratio());
}

#[test]
fn a_whole_game_sends_at_most_2_bytes_per_changed_byte() {
    let traffic = traffic_of(&game());
    println!("game-1: {:.3}, {traffic:?}", traffic.ratio());
    check(&traffic, FRAMES_LEAST);
    assert!(traffic.largest <= FRAME_MOST, "the largest frame: {traffic:?}");
}

#[test]
fn games_of_all_systems_send_at_most_2_bytes_per_changed_byte() {
    for system in Part::of_this_run().some(System::ALL) {
        let traffic = traffic_of(&random_game(system));
        println!("{}: {:.3}, {traffic:?}", system.name(), traffic.ratio());
        check(&traffic, FRAMES_LEAST / 2);
        assert!(traffic.largest <= COUNTED_FRAME_MOST, "{}: {traffic:?}", system.name());
    }
}

#[test]
fn all_menus_send_at_most_2_bytes_per_changed_byte() {
    for system in Part::of_this_run().some(System::ALL) {
        let mut session = session(system);
        session.hold(&[Button::Reset], HOLD);
        for _ in 0..4 {
            for _ in 0..12 {
                session.wait(Nanos::from_millis(150));
                session.tap(Button::B4);
            }
            session.wait(Nanos::from_millis(150));
            session.tap(Button::B2);
        }
        let way = Menus::default().way_to("Show Scores");
        for button in way {
            session.wait(Nanos::from_millis(150));
            session.tap(button);
        }
        let traffic = traffic_of(session.trace());
        println!("{}: {:.3}, {traffic:?}", system.name(), traffic.ratio());
        check(&traffic, 40);
    }
}

#[test]
fn reset_at_the_end_of_a_game_draws_only_what_differs() {
    let mut trace = game();
    let reset = Action::Tap { button: Button::Reset, hold: None };
    trace.lines.push(Line::new(When::After(Nanos::from_secs(5)), reset));
    let traffic = traffic_of(&trace);
    assert!(traffic.largest <= RESET_FRAME_MOST, "{traffic:?}");
}
