//! Restoring a game after a restart or after the demo, and the hint.

use super::*;
use crate::game::opponent::Players;
use crate::game::systems::SYSTEMS;
use crate::interface::message::{BAR_STEPS, HoldAction, Holding};
use crate::interface::page::{Notice, Question};

/// Sows the cup of `name`.
fn sow(scene: &mut Scene, name: &str) {
    let game = scene.app.game.system.game;
    scene.tap(name);
    if game == Game::Wari {
        scene.tap(name);
    }
    scene.wait(5_000);
}

/// Returns a game of `game` after a move, with its view and the message of its next move.
fn in_progress(game: Game) -> Scene {
    let mut scene = Scene::with(Settings { first: None, ..playing(game) });
    scene.wait(3_000);
    let name = if scene.view().turn == Some(Player::Top) { "T3" } else { "B3" };
    sow(&mut scene, name);
    scene
}

fn restart(scene: &mut Scene) {
    scene.tap("RESET");
    if scene.app.game.system.game == Game::Wari {
        scene.tap("B1");
    }
}

#[test]
fn undo_right_after_a_restart_restores_the_game() {
    for system in &SYSTEMS {
        let mut scene = in_progress(system.game);
        let (before, first) = (scene.view(), scene.app.game.first);
        restart(&mut scene);
        assert_eq!(scene.log.matches("move=-").count(), 2, "{}", system.name);
        // A second, impatient RESET changes nothing.
        scene.tap("RESET");
        scene.choose(Entry::Undo);
        assert_eq!(scene.view(), before, "{}", system.name);
        assert_eq!(scene.app.game.first, first);
        assert_eq!(scene.count("restored"), 1);
        assert!(scene.last_line().contains(" move=undo "), "{}", scene.last_line());
        if system.game != Game::Family {
            scene.choose(Entry::Undo);
            assert_eq!(scene.view().stones[6], 0);
            assert!(!scene.app.has_begun(), "its history is back too");
        }
    }
}

#[test]
fn the_first_move_makes_the_new_game_permanent() {
    for system in &SYSTEMS {
        let mut scene = in_progress(system.game);
        restart(&mut scene);
        scene.wait(7_000);
        let name = if scene.view().turn == Some(Player::Top) { "T2" } else { "B2" };
        sow(&mut scene, name);
        for _ in 0..3 {
            scene.choose(Entry::Undo);
            if let View::Page(_) = scene.app.view(scene.now) {
                scene.tap("B5");
            }
        }
        assert_eq!(scene.count("restored"), 0, "{}", system.name);
    }
}

#[test]
fn the_previous_game_is_restored_with_its_system_and_options() {
    let mut scene = in_progress(Game::Wari);
    scene.choose(Entry::Bidirectional);
    scene.tap("RESET");
    let before = scene.view();
    scene.choose(Entry::FiveStones);
    scene.tap("B1");
    assert_eq!(scene.view().stones[0], 5);
    scene.choose(Entry::Undo);
    assert_eq!((scene.view(), scene.app.stored.settings.stones), (before, 4));
    scene.choose(Entry::System(Game::Family));
    scene.tap("B1");
    scene.choose(Entry::Undo);
    assert_eq!((scene.view(), scene.app.stored.settings.game), (before, Game::Wari));
    assert!(scene.app.stored.settings.bidirectional);
    scene.choose(Entry::NewBoard);
    scene.tap("B1");
    scene.tap("B5");
    scene.choose(Entry::Undo);
    assert_eq!(scene.view(), before);
    assert_eq!(crate::storage::load(&mut scene.chip).map(|settings| settings.game), Ok(Game::Wari));
}

/// Plays a game that is over after one move.
fn over(scene: &mut Scene) {
    scene.choose(Entry::EditBoard);
    // All stones of the bottom player except those in cup 6 move into his store; one of them moves
    // back.
    for cup in ["B1", "B2", "B3", "B4", "B5"] {
        for _ in 0..4 {
            scene.tap(cup);
            scene.tap("RESET");
            scene.tap("B1");
        }
    }
    for _ in 0..3 {
        scene.tap("B6");
        scene.tap("RESET");
        scene.tap("B1");
    }
    scene.tap("RESET");
    scene.tap("B5");
    sow(scene, "B6");
}

#[test]
fn a_restored_game_that_ends_again_counts_once() {
    let mut scene = Scene::new();
    over(&mut scene);
    let totals = scene.app.stored.scores.of(Game::Board);
    assert_eq!(totals, [24, 24]);
    let before = scene.view();
    scene.tap("RESET");
    scene.choose(Entry::Undo);
    assert_eq!(scene.view(), before);
    assert!(scene.last_line().contains("move=undo event=game-over,draw"), "{}", scene.last_line());
    assert_eq!(scene.app.stored.scores.of(Game::Board), totals);
    scene.choose(Entry::Undo);
    assert_eq!(scene.app.stored.scores.of(Game::Board), [0, 0]);
    sow(&mut scene, "B6");
    assert_eq!(scene.app.stored.scores.of(Game::Board), totals);
    // Scores that were reset meanwhile are not reduced.
    scene.tap("RESET");
    scene.choose(Entry::ResetScores);
    scene.tap("B1");
    scene.tap("B5");
    assert_eq!(scene.app.stored.scores.of(Game::Board), [0, 0]);
    scene.app.stored.scores.add(Game::Board, [30, 30]);
    scene.choose(Entry::Undo);
    scene.choose(Entry::Undo);
    assert_eq!(scene.app.stored.scores.of(Game::Board), [30, 30]);
    scene.app.stored.scores.set(Game::Board, [0, 0]);
    sow(&mut scene, "B6");
    assert_eq!(scene.app.stored.scores.of(Game::Board), totals);
}

#[test]
fn the_lcd_shows_the_restart_after_the_coin() {
    for (game, coin) in [(Game::Board, false), (Game::Family, true), (Game::Wari, false)] {
        let mut scene = in_progress(game);
        restart(&mut scene);
        if coin {
            assert!(matches!(scene.view().message, Message::Coin(_)));
            scene.wait(2_000);
        }
        assert_eq!(scene.view().message, Message::Restarted);
        scene.wait(4_000);
        assert!(matches!(scene.view().message, Message::TurnHint(_)));
        // Nothing was lost now.
        scene.tap("RESET");
        assert!(matches!(scene.view().message, Message::TurnHint(_) | Message::Coin(_)));
    }
}

#[test]
fn the_demo_restores_the_game_and_does_not_count() {
    let mut scene = in_progress(Game::Wari);
    let before = scene.view();
    let settings = scene.app.stored.settings;
    scene.choose(Entry::DemoMode);
    assert_eq!(scene.page(), Page::Question(Question::Demo));
    scene.tap("B6");
    assert_eq!(scene.view(), before, "NO");
    scene.choose(Entry::DemoMode);
    scene.tap("B1");
    assert_eq!(scene.log.matches("move=-").count(), 2, "a game of its own");
    while !scene.log.contains("game-over") {
        scene.wait(30_000);
    }
    scene.wait(10_000);
    assert_eq!(scene.app.stored.scores.of(Game::Wari), [0, 0]);
    // The game also waits during another game of the demo, another system, or a new board.
    scene.tap("RESET");
    assert!(matches!(scene.app.view(scene.now), View::Board(_)), "nothing is lost: no question");
    scene.choose(Entry::System(Game::Board));
    scene.wait(3_000);
    scene.edge("T3", true);
    scene.wait(500);
    scene.edge("T3", false);
    let leave = |players| Page::Question(Question::LeaveDemo { waits: true, players });
    assert_eq!(scene.page(), leave(Players::Two));
    scene.tap("B6");
    // The menu asks as well, and YES applies the choice made there.
    scene.choose(Entry::OnePlayer);
    assert_eq!(scene.page(), leave(Players::One));
    scene.tap("B6");
    assert!(scene.app.is_demo(), "NO: the demo goes on");
    scene.choose(Entry::TwoPlayers);
    assert_eq!(scene.page(), leave(Players::Two));
    scene.tap("B1");
    assert_eq!((scene.view(), scene.app.stored.settings), (before, settings));
    assert!(scene.last_line().contains(" move=load "), "{}", scene.last_line());
    scene.choose(Entry::Undo);
    assert!(!scene.app.has_begun(), "its history is back too");
}

#[test]
fn a_demo_that_interrupts_nothing_ends_in_a_new_game() {
    let mut scene = Scene::with(Settings { players: Players::Demo, ..playing(Game::Board) });
    scene.wait(5_000);
    scene.choose(Entry::TwoPlayers);
    scene.tap("B1");
    assert!(scene.last_line().contains(" move=- "), "{}", scene.last_line());
    assert!(!scene.app.has_begun());
    scene.choose(Entry::DemoMode);
    assert_eq!(scene.page(), Page::Notice(Notice::Demo));
}

#[test]
fn the_hint_appears_at_power_on_first_turn_and_after_a_minute() {
    let mut scene = Scene::new();
    assert_eq!(scene.view().message, Message::TurnHint(Player::Bottom));
    sow(&mut scene, "B1");
    assert_eq!(scene.view().message, Message::Turn(Player::Top));
    sow(&mut scene, "T4");
    assert_eq!(scene.view().message, Message::FreeTurn(Player::Top));
    scene.wait(54_000);
    assert_eq!(scene.view().message, Message::FreeTurn(Player::Top));
    scene.wait(7_000);
    assert_eq!(scene.view().message, Message::TurnHint(Player::Top));
    scene.tap("B1");
    scene.wait(3_000);
    assert_eq!(scene.view().message, Message::FreeTurn(Player::Top));
    // A user who has opened the menu needs no hint.
    scene.hold_reset();
    scene.tap("RESET");
    scene.tap("RESET");
    scene.wait(5_000);
    assert_eq!(scene.view().message, Message::Turn(Player::Bottom));
}

#[test]
fn the_bar_fills_wherever_holding_reset_does_something() {
    let steps = |scene: &Scene| match scene.app.view(scene.now) {
        View::Page(view) => view.holding,
        View::Board(view) => match view.message {
            Message::Holding(holding) => Some(holding),
            _ => None,
        },
        View::Off => None,
    };
    let mut scene = Scene::new();
    let hold = |scene: &mut Scene, does: Option<HoldAction>| {
        scene.edge("RESET", true);
        scene.wait(299);
        assert_eq!(steps(scene), None);
        scene.wait(1);
        assert_eq!(steps(scene), does.map(|does| Holding { does, steps: 0 }));
        scene.wait(699);
        let last = BAR_STEPS - 1;
        assert_eq!(steps(scene), does.map(|does| Holding { does, steps: last }));
        scene.wait(1);
        scene.edge("RESET", false);
    };
    hold(&mut scene, Some(HoldAction::Menu));
    // The menu is open.
    hold(&mut scene, None);
    scene.tap("RESET");
    scene.choose(Entry::ShowScores);
    hold(&mut scene, Some(HoldAction::Menu));
    scene.tap("RESET");
    scene.choose(Entry::EditBoard);
    hold(&mut scene, Some(HoldAction::Keys));
    hold(&mut scene, None);
}

#[test]
fn a_board_that_is_off_starts_again_after_any_reset() {
    for hold in [80, 2_000] {
        let mut scene = Scene::new();
        scene.choose(Entry::Quit);
        scene.tap("B1");
        assert_eq!(scene.app.view(scene.now), View::Off);
        scene.edge("RESET", true);
        scene.wait(hold);
        scene.edge("RESET", false);
        assert_eq!((scene.count("boot"), scene.view().stones[0]), (2, 4), "{hold} ms");
    }
}

#[test]
fn a_demo_that_a_power_off_interrupts_gives_back_its_players() {
    for quits in [false, true] {
        let mut scene = Scene::with(Settings { players: Players::One, ..playing(Game::Board) });
        scene.choose(Entry::DemoMode);
        scene.tap("B5");
        assert!(scene.log.contains("option players=demo"));
        if quits {
            scene.choose(Entry::Quit);
            scene.tap("B1");
            scene.tap("RESET");
        } else {
            scene.power_cycle();
        }
        scene.wait(1_000);
        scene.edge("T1", true);
        scene.wait(600);
        scene.edge("T1", false);
        scene.tap("B1");
        assert!(scene.log.contains("option players=one"), "quits: {quits}: {}", scene.log);
        assert_eq!(scene.app.stored.settings.players, Players::One);
    }
}
