//! How to play, and the question at the first power-on.

use super::*;
use crate::game::systems::SYSTEMS;
use crate::interface::page::Question;

const OFFER: Page = Page::Question(Question::Introduction);

fn nth(scene: &Scene) -> u8 {
    match scene.page() {
        Page::HowToPlay { nth, .. } => nth,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_new_board_asks_once_for_any_answer() {
    for answer in ["B1", "B6", "RESET", "held"] {
        let mut scene = Scene::of(Settings::default());
        assert_eq!(scene.page(), OFFER, "{answer}");
        match answer {
            "held" => scene.hold_reset(),
            button => scene.tap(button),
        }
        match answer {
            "B1" => assert_eq!(nth(&scene), 0),
            "held" => assert!(matches!(scene.page(), Page::Menu { .. })),
            _ => assert_eq!(scene.view().message, Message::TurnHint(Player::Bottom)),
        }
        assert_eq!(
            crate::storage::load(&mut scene.chip).map(|settings| settings.introduced),
            Ok(true)
        );
        scene.power_cycle();
        assert_eq!(scene.view().message, Message::TurnHint(Player::Bottom), "{answer}");
    }
}

#[test]
fn an_unanswered_question_is_asked_again() {
    let mut scene = Scene::of(Settings::default());
    scene.tap("B3");
    assert_eq!(scene.page(), OFFER, "no key");
    scene.power_cycle();
    assert_eq!(scene.page(), OFFER);
}

#[test]
fn a_board_that_reports_a_fault_does_not_ask_yet() {
    let mut stuck = Levels::default();
    stuck.set_down(Button::all().next().expect("a button"));
    let mut scene = Scene::of(Settings::default());
    let start = Start { stuck, ..Start::default() };
    scene.app = App::new(Box::new(Memory::new()), start);
    scene.app.step(scene.now, &[], stuck, &mut scene.chip);
    assert!(matches!(scene.app.view(scene.now), View::Board(_)));
    scene.power_cycle();
    assert_eq!(scene.page(), OFFER);
}

#[test]
fn the_keys_turn_the_pages_and_reset_returns_to_the_game() {
    for system in SYSTEMS {
        let settings = Settings { first: Some(Player::Bottom), ..playing(system.game) };
        let mut scene = Scene::with(settings);
        scene.wait(5_000);
        // Once the menu has been opened, the board no longer explains how to open it.
        scene.hold_reset();
        scene.tap("RESET");
        let board = scene.view();
        scene.choose(Entry::HowToPlay);
        let Page::HowToPlay { of, game, .. } = scene.page() else { panic!("no lesson") };
        assert_eq!(game, system.game);
        for expected in 1..of {
            scene.tap("B2");
            assert_eq!(nth(&scene), expected);
        }
        // There is no next page.
        scene.tap("B2");
        assert_eq!(nth(&scene), of - 1);
        scene.tap("B1");
        assert_eq!(nth(&scene), of - 2);
        scene.tap("RESET");
        assert_eq!(scene.view(), board, "{}", system.name);
        scene.choose(Entry::HowToPlay);
        assert_eq!(nth(&scene), 0);
        scene.tap("B1");
        assert_eq!(nth(&scene), 0);
        scene.tap("B6");
        assert_eq!(scene.view(), board, "{}", system.name);
    }
}
