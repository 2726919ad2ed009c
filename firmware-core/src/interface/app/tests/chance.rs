//! Random numbers: coins, games, and what a power-on without a drawn number repeats.

use super::*;
use crate::game::opponent::Level;
use crate::interface::page::Question;

/// A board that has drawn `chance` and has just been switched on.
fn drawn(settings: Settings, chance: u64) -> Scene {
    let settings = Settings { introduced: true, ..settings };
    let start = Start { settings, chance: Some(chance), ..Start::default() };
    let mut scene = Scene::starting(start);
    scene.wait(0);
    scene
}

/// Returns who begins, now and after each of `count` presses of RESET.
fn coins(scene: &mut Scene, count: usize) -> std::vec::Vec<bool> {
    let mut coins = std::vec::Vec::new();
    for _ in 0..count {
        coins.push(scene.last_line().contains(" turn=1 "));
        scene.tap("RESET");
    }
    coins
}

/// Returns the console's lines of a game of the computer against itself.
fn demo(scene: &mut Scene) -> String {
    scene.log.clear();
    scene.wait(30_000);
    scene.log.clone()
}

const DEMO: Settings =
    Settings { players: Players::Demo, level: Level::Advanced, ..Settings::FACTORY_NEW };

#[test]
fn nine_cold_starts_show_both_sides_of_the_coin() {
    let first = |chance| coins(&mut drawn(playing(Game::Family), chance), 1)[0];
    let tops = (1..=9).filter(|chance| first(*chance)).count();
    assert!((2..=7).contains(&tops), "{tops} of 9");
}

#[test]
fn each_new_game_and_each_drawn_number_flips_the_coin_anew() {
    let games = |chance| coins(&mut drawn(playing(Game::TopBottom), chance), 40);
    assert!((8..=32).contains(&games(1).iter().filter(|top| **top).count()));
    assert_eq!(games(1), games(1));
    assert_ne!(games(1), games(2));
}

#[test]
fn the_setting_first_decides_the_first_game_only() {
    let settings = Settings { first: Some(Player::Top), ..playing(Game::Family) };
    let games: std::vec::Vec<_> =
        (1..=9).map(|chance| coins(&mut drawn(settings, chance), 2)).collect();
    assert!(games.iter().all(|coins| coins[0]));
    assert!(games.iter().any(|coins| !coins[1]));
}

#[test]
fn reset_on_a_board_that_is_off_draws_again() {
    let mut scene = drawn(playing(Game::Family), 1);
    let mut coins = std::vec::Vec::new();
    for _ in 0..9 {
        coins.push(scene.last_line().contains(" turn=1 "));
        scene.choose(Entry::Quit);
        assert!(matches!(scene.page(), Page::Question(Question::Quit { .. })));
        scene.tap("B1");
        assert!(scene.app.is_off());
        scene.tap("RESET");
        scene.wait(0);
    }
    assert!(coins.contains(&true) && coins.contains(&false), "{coins:?}");
}

#[test]
fn the_first_press_changes_the_random_numbers() {
    let games = |stirred: Option<u64>| {
        let mut scene = drawn(playing(Game::Family), 1);
        if let Some(number) = stirred {
            scene.app.stir(number);
        }
        coins(&mut scene, 40)
    };
    assert_eq!(games(None)[0], games(Some(5))[0], "the coin that is shown already");
    assert_ne!(games(None), games(Some(5)));
    assert_ne!(games(Some(6)), games(Some(5)));
}

#[test]
fn the_demo_plays_another_game_each_time() {
    assert_eq!(demo(&mut drawn(DEMO, 1)), demo(&mut drawn(DEMO, 1)));
    let mut scene = drawn(DEMO, 1);
    let first = demo(&mut scene);
    // The first moves of a single game may be the same by chance.
    assert!((2..6).any(|chance| demo(&mut drawn(DEMO, chance)) != first));
    let mut next = || {
        scene.tap("RESET");
        demo(&mut scene)
    };
    assert!((0..4).any(|_| next() != first));
}

#[test]
fn after_undo_the_same_move_gets_the_same_answer() {
    for level in Level::ALL {
        let settings = Settings { players: Players::One, level, ..playing(Game::Wari) };
        let mut scene = drawn(settings, 3);
        let answer = |scene: &mut Scene| {
            scene.tap("B1");
            scene.tap("B1");
            scene.wait(5_000);
            scene.view().stones
        };
        let first = answer(&mut scene);
        scene.choose(Entry::Undo);
        assert_ne!(scene.view().stones, first);
        assert_eq!(answer(&mut scene), first, "{level:?}");
    }
}

#[test]
fn without_a_drawn_number_every_power_on_is_the_same() {
    assert_eq!(demo(&mut Scene::with(DEMO)), demo(&mut Scene::with(DEMO)));
    let mut scene = Scene::with(DEMO);
    let first = demo(&mut scene);
    scene.tap("RESET");
    assert_eq!(demo(&mut scene), first, "and so is every game");
}
