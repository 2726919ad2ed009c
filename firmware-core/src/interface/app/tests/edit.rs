//! Edit Board.

use super::*;
use crate::game::history::History;
use crate::game::outcome::GameResult;
use crate::game::places::{PLACES, Places, Player};
use crate::game::rules::Position;
use crate::interface::page::Notice;

#[test]
fn single_stones_move_between_cups_and_stores() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.choose(Entry::EditBoard);
    assert_eq!(scene.view().message, Message::EditTake);
    scene.tap("B1");
    assert_eq!((scene.view().message, scene.view().dash), (Message::EditPut, Some(0)));
    scene.tap("T1");
    assert_eq!((scene.view().stones[0], scene.view().stones[12]), (3, 5));
    // To a store, by the soft keys.
    scene.tap("B1");
    scene.tap("RESET");
    assert_eq!(scene.page(), Page::Edit { turn: Player::Bottom, holding: true });
    scene.tap("B1");
    assert_eq!((scene.view().stones[0], scene.view().stones[6]), (2, 1));
    // The other player is now to move.
    scene.tap("RESET");
    scene.tap("B3");
    assert_eq!(scene.page(), Page::Edit { turn: Player::Top, holding: false });
    scene.tap("B5");
    assert_eq!(
        scene.last_line(),
        "position board=2,4,4,4,4,4,1,4,4,4,4,4,5,0 turn=1 move=edit event=none \
         message=\"Top's turn\" direction=ccw"
    );
}

#[test]
fn the_turn_blinks_while_the_board_is_edited() {
    let mut scene = Scene::new();
    scene.choose(Entry::EditBoard);
    let mut seen = std::vec::Vec::new();
    for _ in 0..4 {
        seen.push(scene.view().turn.is_some());
        scene.wait(400);
    }
    assert_eq!(seen, [true, false, true, false]);
}

#[test]
fn no_stone_can_be_taken_from_an_empty_place() {
    let mut scene = Scene::new();
    scene.choose(Entry::EditBoard);
    scene.tap("RESET");
    scene.tap("B2");
    assert_eq!((scene.view().message, scene.view().dash), (Message::EditNothing, None));
}

#[test]
fn cancel_changes_nothing() {
    let mut scene = Scene::new();
    let before = scene.view();
    let lines = scene.log.clone();
    scene.choose(Entry::EditBoard);
    scene.tap("B1");
    scene.tap("B2");
    scene.tap("RESET");
    scene.tap("B6");
    // The menu was opened: there is no longer a hint.
    let before = BoardView { message: Message::Turn(Player::Bottom), ..before };
    assert_eq!((scene.view(), scene.log), (before, lines));
}

#[test]
fn undo_removes_a_whole_edit() {
    let mut scene = Scene::new();
    let before = scene.view().stones;
    scene.choose(Entry::EditBoard);
    for button in ["B1", "B2", "B1", "T3"] {
        scene.tap(button);
    }
    scene.tap("RESET");
    scene.tap("B5");
    assert_ne!(scene.view().stones, before);
    scene.choose(Entry::Undo);
    assert_eq!(scene.view().stones, before);
}

#[test]
fn an_abandoned_game_cannot_be_edited() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.choose(Entry::AbandonPlay);
    scene.tap("B1");
    scene.tap("B1");
    scene.choose(Entry::EditBoard);
    assert_eq!(scene.page(), Page::Notice(Notice::GameOver));
}

#[test]
fn family_keeps_its_final_digits_while_the_board_is_edited() {
    let mut scene = Scene::with(playing(Game::Family));
    scene.choose(Entry::EditBoard);
    assert_eq!(scene.view().counted, Places::NONE);
    scene.tap("RESET");
    scene.tap("B6");
    let mut stones = [0; PLACES];
    (stones[Player::Bottom.store()], stones[Player::Top.store()]) = (40, 8);
    let setup = scene.app.memory.history.setup();
    scene.app.memory.history = History::new(setup, Position::of(stones, Player::Bottom));
    scene.choose(Entry::EditBoard);
    assert_eq!(scene.view().counted, Places::ALL);
}

/// Player 1 leads 24 to 21 and moves the last stone of the own row to the other side: the three
/// stones there are Player 2's.
#[test]
fn stones_left_over_after_an_edit_are_swept() {
    let mut scene = Scene::new();
    let stones = [0, 0, 0, 0, 0, 1, 24, 1, 1, 0, 0, 0, 0, 21];
    let setup = scene.app.memory.history.setup();
    scene.app.memory.history = History::new(setup, Position::of(stones, Player::Bottom));
    scene.choose(Entry::EditBoard);
    scene.tap("B6");
    scene.tap("T6");
    scene.tap("RESET");
    scene.tap("B5");
    assert_eq!(scene.view().message, Message::Over(GameResult::Draw));
    assert_eq!(
        scene.last_line(),
        "position board=0,0,0,0,0,0,24,0,0,0,0,0,0,24 turn=- move=edit event=game-over,draw \
         message=\"GAME OVER DRAW\""
    );
    assert_eq!(scene.app.stored.scores.of(Game::Board), [24, 24], "they count");
    scene.choose(Entry::Undo);
    assert_eq!(scene.view().stones, stones);
    assert_eq!(scene.app.stored.scores.of(Game::Board), [0, 0]);
}
