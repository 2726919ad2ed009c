//! Durations of messages, to the millisecond: no trace on the LCD can detect a difference of 10 ms.

use super::*;
use crate::game::places::Player;

/// Checks that the condition is true for exactly `millis` milliseconds from now.
#[track_caller]
fn check(scene: &mut Scene, millis: u32, is_so: impl Fn(&View) -> bool) {
    assert!(is_so(&scene.app.view(scene.now)), "at once");
    scene.wait(millis - 1);
    assert!(is_so(&scene.app.view(scene.now)), "after {} ms", millis - 1);
    scene.wait(1);
    assert!(!is_so(&scene.app.view(scene.now)), "after {millis} ms");
}

fn reads(message: Message) -> impl Fn(&View) -> bool {
    move |view| matches!(view, View::Board(view) if view.message == message)
}

#[test]
fn a_restart_is_shown_for_four_seconds() {
    let mut scene = Scene::new();
    scene.tap("B3");
    scene.wait(5_000);
    scene.tap("RESET");
    check(&mut scene, 4_000, reads(Message::Restarted));
}

#[test]
fn after_an_idle_minute_the_lcd_explains_the_menu() {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(100);
    scene.tap("B2");
    check(&mut scene, 60_000, reads(Message::Turn(Player::Top)));
    assert_eq!(scene.view().message, Message::TurnHint(Player::Top));
}

#[test]
fn a_stuck_button_is_named_for_two_seconds() {
    let button = Button::all().next().expect("a button");
    let mut stuck = Levels::default();
    stuck.set_down(button);
    let settings = Settings { introduced: true, ..Settings::default() };
    let mut scene = Scene::starting(Start { settings, stuck, ..Start::default() });
    scene.app.step(scene.now, &[], stuck, &mut scene.chip);
    check(&mut scene, 2_000, reads(Message::Stuck(button)));
}

#[test]
fn the_demo_shows_its_end_and_the_totals_for_three_seconds_each() {
    let mut scene = Scene::with(Settings { players: Players::Demo, ..playing(Game::Wari) });
    while !scene.log.contains("game-over") {
        scene.wait(100);
    }
    while scene.app.game.over_since.is_none() {
        scene.wait(1);
    }
    check(&mut scene, 3_000, |view| matches!(view, View::Board(_)));
    check(&mut scene, 3_000, |view| matches!(view, View::Page(_)));
}
