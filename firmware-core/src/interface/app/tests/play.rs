//! The game on the board: moves, refusals, RESET.

use std::vec::Vec;

use super::super::movement::PHASE;
use super::*;
use crate::game::outcome::PlayError;
use crate::interface::page::Question;

#[test]
fn a_game_opens_with_player_1_and_a_line_on_the_console() {
    let scene = Scene::new();
    assert_eq!(scene.view().message, Message::TurnHint(Player::Bottom));
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
    assert_eq!(scene.view().message, Message::TurnHint(Player::Bottom));
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
fn with_the_sound_off_nothing_is_heard() {
    let mut scene = Scene::with(Settings { sound: false, ..Settings::default() });
    scene.edge("T1", true);
    assert_eq!(scene.app.tone(scene.now).0, None);
}

#[test]
fn in_wari_the_first_press_counts_and_the_second_sows() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.tap("B2");
    let view = scene.view();
    assert_eq!((view.message, view.dash), (Message::PressAgain, Some(5)));
    assert!(view.counted.contains(1) && !view.counted.contains(0));
    // Another button: that one is counted, and the first forgotten.
    scene.tap("B1");
    assert_eq!((scene.view().dash, scene.view().counted.contains(1)), (Some(4), false));
    scene.tap("B1");
    assert!(scene.last_line().contains("move=0") && scene.last_line().ends_with("direction=ccw"));
}

#[test]
fn in_wari_a_cup_of_the_opponents_can_be_counted_but_not_sown() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.tap("T6");
    let view = scene.view();
    assert_eq!((view.message, view.dash), (Message::Counted, Some(11)));
    scene.tap("T6");
    assert_eq!(scene.view().message, Message::Refused(PlayError::NotYours, Player::Bottom));
    assert_eq!(scene.last_line(), "refused button=T6 reason=not-yours");
}

#[test]
fn in_wari_a_short_reset_asks_only_when_a_game_is_in_progress() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.tap("RESET");
    assert_eq!(scene.view().message, Message::TurnHint(Player::Bottom));
    scene.tap("B1");
    scene.tap("B1");
    scene.wait(3_000);
    scene.tap("RESET");
    assert_eq!(scene.page(), Page::Question(Question::Restart));
    // RESET is back: the game goes on.
    scene.tap("RESET");
    assert_eq!(scene.view().stones[0], 0);
    scene.tap("RESET");
    scene.tap("B1");
    assert_eq!(scene.view().stones[0], 4);
}
