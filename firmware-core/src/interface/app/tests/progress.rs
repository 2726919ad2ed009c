//! The game in progress after power-off.

use super::*;
use crate::game::opponent::Players;

#[test]
fn a_game_in_progress_goes_on_where_it_was() {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(5_000);
    let before = scene.view();
    scene.power_cycle();
    assert_eq!(scene.view().message, Message::GoesOn(Player::Top));
    assert!(scene.last_line().contains("turn=1 move=resume event=none"), "{}", scene.last_line());
    scene.wait(NOTICE.0 as u32 / 1_000);
    assert_eq!(scene.view(), before);
}

#[test]
fn the_demo_is_not_stored_and_a_persons_game_waits_for_its_end() {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(5_000);
    let before = scene.view().stones;
    scene.choose(Entry::DemoMode);
    scene.tap("B1");
    scene.wait(20_000);
    assert_ne!(scene.view().stones, before);
    scene.power_cycle();
    assert!(scene.last_line().contains("move=-"), "the demo begins a game of its own");
    scene.wait(5_000);
    scene.edge("B1", true);
    scene.wait(1_000);
    scene.edge("B1", false);
    scene.tap("B1");
    scene.wait(0);
    assert_eq!(scene.app.settings.players, Players::Two);
    assert!(scene.last_line().contains("move=resume"), "{}", scene.last_line());
    assert_eq!(scene.view().stones, before);
}

#[test]
fn totals_that_were_about_to_be_stored_when_the_power_went_are_stored_at_the_next_start() {
    let mut scene = Scene::new();
    scene.tap("B3");
    scene.wait(5_000);
    scene.app.scores.add(Game::Board, [30, 18]);
    scene.app.memory.history.push(Step::Abandon);
    // The power goes between the log and the totals.
    assert_eq!(scene.app.log_game(&mut scene.chip, Some([30, 18])), Ok(true));
    scene.power_cycle();
    assert_eq!(scene.app.scores.of(Game::Board), [30, 18]);
    assert!(scene.last_line().contains("move=-"), "the game is over");
    let scores = crate::storage::load_scores(&mut scene.chip).expect("scores");
    assert_eq!(scores.of(Game::Board), [30, 18]);
    // From then on the totals count, and not the log.
    scene.choose(Entry::ResetScores);
    scene.tap("B1");
    scene.power_cycle();
    assert_eq!(scene.app.scores.of(Game::Board), [0, 0]);
}

#[test]
fn a_name_comes_back_with_its_game() {
    let mut scene = Scene::new();
    scene.tap("B3");
    scene.wait(5_000);
    scene.choose(Entry::SaveGame);
    scene.tap("B5");
    scene.tap("B5");
    scene.power_cycle();
    assert_eq!(scene.app.named, Name::new("GAME1"));
}

#[test]
fn sectors_that_are_not_blank_are_erased_before_a_game_is_stored() {
    let mut scene = Scene::new();
    let start = 13 * 4096;
    scene.chip.0[start..start + 3 * 4096].fill(0);
    scene.tap("B3");
    scene.wait(5_000);
    assert!(game_in_progress(&mut scene.chip).is_some());
    assert!(!scene.app.progress.must_tidy(), "the next is erased when no one plays");
    assert_eq!(scene.count("storage"), 0);
}
