//! The app as a player meets it: presses by time, views and lines out.

extern crate std;
use std::string::String;
use std::vec::Vec;

use super::movement::PHASE;
use super::*;

struct Scene {
    app: App,
    now: Micros,
    log: String,
}

impl Scene {
    fn new() -> Self {
        let mut scene = Self {
            app: App::new(Start { sound: true, ..Start::default() }),
            now: Micros::ZERO,
            log: String::new(),
        };
        scene.wait(0);
        scene
    }

    fn edge(&mut self, name: &str, down: bool) {
        let button = Button::all().find(|button| button.name() == name).expect("a button");
        let edge = Edge { at: self.now, button, down };
        self.app.step(self.now, &[edge], Levels::default());
        self.read_console();
    }

    fn tap(&mut self, name: &str) {
        self.edge(name, true);
        self.edge(name, false);
    }

    /// Lets time pass, from wake to wake.
    fn wait(&mut self, millis: u32) {
        let end = self.now + Micros::from_millis(millis);
        loop {
            let wake = self.app.step(self.now, &[], Levels::default());
            self.read_console();
            match wake {
                Wake::At(at) if at <= end => self.now = at,
                _ => break,
            }
        }
        self.now = end;
        self.app.step(self.now, &[], Levels::default());
    }

    fn read_console(&mut self) {
        struct Paper<'a>(&'a mut String);
        impl embedded_io::ErrorType for Paper<'_> {
            type Error = core::convert::Infallible;
        }
        impl embedded_io::Write for Paper<'_> {
            fn write(&mut self, bytes: &[u8]) -> Result<usize, Self::Error> {
                self.0.push_str(core::str::from_utf8(bytes).unwrap());
                Ok(bytes.len())
            }
            fn flush(&mut self) -> Result<(), Self::Error> {
                Ok(())
            }
        }
        impl embedded_io::WriteReady for Paper<'_> {
            fn write_ready(&mut self) -> Result<bool, Self::Error> {
                Ok(true)
            }
        }
        self.app.console().send(&mut Paper(&mut self.log)).unwrap();
    }

    fn last_line(&self) -> &str {
        self.log.lines().last().unwrap_or_default()
    }

    fn view(&self) -> BoardView {
        let View::Board(view) = self.app.view() else { panic!("the board is not shown") };
        view
    }
}

#[test]
fn a_game_opens_with_player_1_and_a_line_on_the_console() {
    let scene = Scene::new();
    assert_eq!(scene.view().message, Message::Turn(Player::Bottom));
    assert_eq!(
        scene.last_line(),
        "position board=4,4,4,4,4,4,0,4,4,4,4,4,4,0 turn=0 move=- event=none \
         message=\"Player 1's turn\""
    );
}

#[test]
fn a_free_turn_is_written_when_the_move_is_accepted_and_shown_when_it_has_happened() {
    let mut scene = Scene::new();
    scene.tap("B3");
    assert_eq!(
        scene.last_line(),
        "position board=4,4,0,5,5,5,1,4,4,4,4,4,4,0 turn=0 move=2 event=free-turn \
         message=\"Player 1 FREE TURN\""
    );
    assert_eq!(scene.view().message, Message::Turn(Player::Bottom));
    assert_eq!(scene.view().stones, [4, 4, 0, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
    scene.wait(2_000);
    assert_eq!(scene.view().message, Message::FreeTurn(Player::Bottom));
    assert_eq!(scene.view().stones, [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0]);
}

#[test]
fn stones_fall_one_by_one() {
    let mut scene = Scene::new();
    scene.tap("B1");
    let mut sums = Vec::new();
    for _ in 0..10 {
        sums.push(scene.view().stones.iter().map(|stones| u32::from(*stones)).sum::<u32>());
        scene.wait((PHASE.0 / 1_000) as u32);
    }
    assert_eq!(sums, [44, 44, 45, 45, 46, 46, 47, 47, 48, 48]);
}

#[test]
fn a_press_while_stones_move_finishes_the_movement_and_does_nothing_else() {
    let mut scene = Scene::new();
    scene.tap("B3");
    scene.wait(100);
    let lines = scene.log.lines().count();
    scene.tap("B1");
    assert_eq!(scene.log.lines().count(), lines);
    assert_eq!(scene.view().stones, [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0]);
    assert_eq!(scene.view().message, Message::FreeTurn(Player::Bottom));
    scene.tap("B1");
    assert_eq!(scene.log.lines().count(), lines + 1);
}

#[test]
fn an_illegal_press_is_explained_for_a_moment_and_changes_nothing() {
    let mut scene = Scene::new();
    scene.tap("T1");
    assert_eq!(scene.last_line(), "refused button=T1 reason=not-yours");
    assert_eq!(scene.view().message, Message::Refused(PlayError::NotYours, Player::Bottom));
    assert_eq!(scene.app.tone(scene.now).0, Some(220));
    scene.wait(2_000);
    assert_eq!(scene.view().message, Message::Turn(Player::Bottom));
    assert_eq!(scene.view().stones, [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
}

#[test]
fn reset_restarts_when_it_is_let_go_even_while_stones_move() {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(200);
    scene.edge("RESET", true);
    scene.wait(100);
    assert_eq!(scene.view().message, Message::Turn(Player::Bottom));
    assert_ne!(scene.view().stones, [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
    scene.edge("RESET", false);
    assert_eq!(scene.view().stones, [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
    assert!(scene.last_line().contains("move=-"));
}

#[test]
fn reset_held_for_a_second_restarts_once() {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(3_000);
    let lines = scene.log.lines().count();
    scene.edge("RESET", true);
    scene.wait(1_500);
    assert_eq!(scene.log.lines().count(), lines + 1);
    scene.edge("RESET", false);
    assert_eq!(scene.log.lines().count(), lines + 1);
}

#[test]
fn with_the_sound_off_nothing_is_heard() {
    let mut app = App::new(Start::default());
    app.step(Micros::ZERO, &[], Levels::default());
    let edge = Edge { at: Micros::ZERO, button: Button::at(6).unwrap(), down: true };
    app.step(Micros::ZERO, &[edge], Levels::default());
    assert_eq!(app.tone(Micros::ZERO).0, None);
}
