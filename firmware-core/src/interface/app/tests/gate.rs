//! Presses that begin before the LCD shows what they act on.

use super::*;
use crate::game::opponent::Players;
use crate::interface::page::{Notice, Question};

impl Scene {
    /// Presses and releases a button while the LCD still draws.
    fn tap_unseen(&mut self, name: &str) {
        let button = Button::all().find(|button| button.name() == name).expect("a button");
        for down in [true, false] {
            let edge = Edge { at: self.now, button, down };
            self.app.step(self.now, &[edge], Levels::default(), &mut self.chip);
        }
        self.read_console();
    }

    /// The LCD is complete.
    fn see(&mut self) {
        self.app.shown(self.now);
    }
}

#[test]
fn a_press_behind_a_page_that_closes_does_not_sow() {
    for game in [Game::Board, Game::Family, Game::Wari, Game::TopBottom] {
        let mut scene = Scene::with(Settings { first: Some(Player::Bottom), ..playing(game) });
        scene.choose(Entry::ShowScores);
        let stones = scene.app.position().stones;
        scene.tap_unseen("B5");
        for button in ["B6", "B6", "T6"] {
            scene.tap_unseen(button);
        }
        assert_eq!(scene.app.position().stones, stones, "{game:?}");
        assert!(matches!(scene.app.state, State::Board(_)));
        // The same presses count once the board is complete.
        scene.see();
        scene.tap("B6");
        scene.tap("B6");
        assert_ne!(scene.app.position().stones, stones, "{game:?}");
    }
}

#[test]
fn a_press_counts_only_for_the_page_that_was_complete() {
    let mut scene = Scene::new();
    scene.choose(Entry::Quit);
    scene.tap("B6");
    scene.choose(Entry::NewBoard);
    assert!(matches!(scene.page(), Page::Question(Question::NewBoard { .. })));
    scene.tap_unseen("B1");
    let page = scene.page();
    assert!(matches!(page, Page::Scores { .. }));
    // OK, LOG and RESET come too early.
    for button in ["B5", "B2", "RESET"] {
        scene.tap_unseen(button);
        assert_eq!(scene.page(), page, "{button}");
    }
    scene.see();
    scene.tap_unseen("B5");
    assert!(matches!(scene.app.state, State::Board(_)));
}

#[test]
fn the_cursor_of_a_menu_is_seen_before_it_chooses() {
    let mut scene = Scene::new();
    scene.hold_reset();
    scene.tap_unseen("B4");
    let page = scene.page();
    scene.tap_unseen("B5");
    assert_eq!(scene.page(), page);
    scene.see();
    scene.tap("B5");
    assert_ne!(scene.page(), page);
}

#[test]
fn a_key_that_came_too_early_does_not_repeat() {
    let mut scene = Scene::new();
    scene.hold_reset();
    scene.tap_unseen("B2");
    let page = scene.page();
    let button = Button::all().find(|button| button.name() == "B4").expect("a button");
    let edge = Edge { at: scene.now, button, down: true };
    scene.app.step(scene.now, &[edge], Levels::default(), &mut scene.chip);
    scene.see();
    scene.wait(2_000);
    assert_eq!(scene.page(), page);
}

#[test]
fn a_key_that_is_held_does_not_repeat_on_the_next_page() {
    let mut scene = Scene::new();
    scene.choose(Entry::HowToPlay);
    scene.tap("RESET");
    scene.hold_reset();
    scene.edge("B4", true);
    scene.tap("RESET");
    scene.hold_reset();
    let page = scene.page();
    scene.wait(2_000);
    assert_eq!(scene.page(), page);
}

#[test]
fn reset_acts_only_on_the_page_on_which_it_went_down() {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(2_000);
    scene.choose(Entry::ShowScores);
    scene.edge("RESET", true);
    scene.wait(20);
    scene.tap("B5");
    let stones = scene.view().stones;
    scene.wait(20);
    scene.edge("RESET", false);
    assert_eq!((scene.view().stones, scene.count("position")), (stones, 2), "no restart");
    // Held for a second, it opens no menu either.
    scene.choose(Entry::ShowScores);
    scene.edge("RESET", true);
    scene.tap("B5");
    scene.wait(1_500);
    scene.edge("RESET", false);
    assert_eq!(scene.view().stones, stones);
}

#[test]
fn reset_counts_in_every_position_of_a_game_that_the_lcd_shows() {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(200);
    let steps = |scene: &mut Scene| {
        scene.tap_unseen("RESET");
        scene.last_line().contains("move=-")
    };
    assert!(steps(&mut scene), "while stones move");
    scene.choose(Entry::ShowScores);
    scene.tap_unseen("B5");
    scene.log.clear();
    assert!(!steps(&mut scene), "the board is not complete");
}

#[test]
fn the_totals_after_a_game_wait_while_reset_is_down() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.choose(Entry::Resign);
    scene.tap("B1");
    scene.wait(2_500);
    scene.edge("RESET", true);
    scene.wait(900);
    assert!(matches!(scene.app.view(scene.now), View::Board(_)));
    scene.edge("RESET", false);
    assert!(scene.last_line().contains("move=-"), "a new game: {}", scene.last_line());
}

#[test]
fn holding_a_button_leaves_the_demo_even_between_two_pictures() {
    let mut scene = Scene::with(Settings { players: Players::Demo, ..playing(Game::Board) });
    scene.wait(1_000);
    let button = Button::all().find(|button| button.name() == "T1").expect("a button");
    // Before the LCD shows the first picture of a movement.
    while scene.app.state.movement().is_none() {
        let wake = scene.app.step(scene.now, &[], Levels::default(), &mut scene.chip);
        match wake {
            Wake::At(at) => scene.now = at,
            Wake::Now => {}
            Wake::OnInput => break,
        }
    }
    let edge = Edge { at: scene.now, button, down: true };
    scene.app.step(scene.now, &[edge], Levels::default(), &mut scene.chip);
    scene.wait(600);
    assert!(matches!(scene.page(), Page::Question(Question::LeaveDemo { .. })));
}

#[test]
fn a_notice_does_not_hide_the_turn_from_the_gate() {
    let mut scene = Scene::new();
    scene.tap("T1");
    scene.tap_unseen("T2");
    scene.tap_unseen("B1");
    assert!(scene.last_line().contains("move=0"), "{}", scene.last_line());
    scene.wait(5_000);
    scene.choose(Entry::Undo);
    scene.choose(Entry::Undo);
    assert_eq!(scene.page(), Page::Notice(Notice::NothingToUndo));
}
