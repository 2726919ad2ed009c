//! The game in progress after power-off.

use super::*;
use crate::game::history::History;
use crate::game::opponent::Players;
use crate::storage::progress::BlockInfo;

#[test]
fn a_game_in_progress_survives_power_off() {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(5_000);
    let before = scene.view();
    scene.power_cycle();
    assert_eq!(scene.view().message, Message::Resumed(Player::Top));
    assert!(scene.last_line().contains("turn=1 move=resume event=none"), "{}", scene.last_line());
    scene.wait(NOTICE.0 as u32 / 1_000);
    assert_eq!(scene.view(), before);
}

#[test]
fn a_suspended_game_survives_power_off_in_the_demo() {
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
    assert_eq!(scene.app.stored.settings.players, Players::Two);
    assert!(scene.last_line().contains("move=resume"), "{}", scene.last_line());
    assert_eq!(scene.view().stones, before);
}

#[test]
fn totals_pending_at_power_off_are_stored_at_the_next_start() {
    let mut scene = Scene::new();
    scene.tap("B3");
    scene.wait(5_000);
    scene.app.stored.scores.add(Game::Board, [30, 18]);
    scene.app.memory.history.push(Step::Abandon);
    // The power goes off between the log and the totals.
    assert_eq!(scene.app.log_game(&mut scene.chip, Some([30, 18])), Ok(true));
    scene.power_cycle();
    assert_eq!(scene.app.stored.scores.of(Game::Board), [30, 18]);
    assert!(scene.last_line().contains("move=-"), "the game is over");
    let scores = crate::storage::load_scores(&mut scene.chip).expect("scores");
    assert_eq!(scores.of(Game::Board), [30, 18]);
    // From then on the stored totals count, not those in the log.
    scene.choose(Entry::ResetScores);
    scene.tap("B1");
    scene.power_cycle();
    assert_eq!(scene.app.stored.scores.of(Game::Board), [0, 0]);
}

#[test]
fn a_name_is_restored_with_its_game() {
    let mut scene = Scene::new();
    scene.tap("B3");
    scene.wait(5_000);
    scene.choose(Entry::SaveGame);
    scene.tap("B5");
    scene.tap("B5");
    scene.power_cycle();
    assert_eq!(scene.app.files.named, Name::new("GAME1"));
}

#[test]
fn sectors_that_are_not_blank_are_erased_before_a_game_is_stored() {
    let mut scene = Scene::new();
    let start = 13 * 4096;
    scene.chip.0[start..start + 3 * 4096].fill(0);
    scene.tap("B3");
    scene.wait(5_000);
    assert!(game_in_progress(&mut scene.chip).is_some());
    assert!(!scene.app.log.progress.must_erase_next(), "the next is erased when no one plays");
    assert_eq!(scene.count("storage"), 0);
}

/// Returns a flash whose log has `history` as the game in progress, truncated to `length` bytes.
fn logged(history: &History, length: usize) -> Chip {
    let mut chip = Chip::factory_new();
    let mut progress = Progress::default();
    progress.start(&mut chip).expect("a flash");
    let about = BlockInfo { system: Game::Board as u8, totals: None, begins: None, name: None };
    let write = |from: usize, out: &mut [u8]| history.saved_bytes(from, out);
    progress.begin(&mut chip, &about, length, write).expect("room");
    chip
}

/// Returns a game of `board` in which Player 1 has sown the cup at B3.
fn begun() -> History {
    let mut scene = Scene::new();
    scene.tap("B3");
    scene.app.memory.history.clone()
}

#[test]
fn a_finished_game_in_the_log_is_not_resumed() {
    let mut history = begun();
    let in_progress = logged(&history, history.saved_len());
    assert!(history.push(Step::Abandon));
    let over = logged(&history, history.saved_len());
    for (chip, goes_on) in [(in_progress, true), (over, false)] {
        let settings = Settings { introduced: true, ..Settings::default() };
        let mut scene = Scene::starting(Start { settings, ..Start::default() });
        scene.chip = chip;
        assert_eq!(game_in_progress(&mut scene.chip).is_some(), goes_on);
        scene.wait(0);
        assert_eq!(scene.last_line().contains("move=resume"), goes_on, "{}", scene.last_line());
    }
}

#[test]
fn a_game_with_missing_steps_is_not_resumed() {
    let history = begun();
    assert_eq!(game_in_progress(&mut logged(&history, history.saved_len())), Some(history.clone()));
    assert_eq!(game_in_progress(&mut logged(&history, history.saved_len() - 1)), None);
}

#[test]
fn totals_are_logged_together_with_missing_steps() {
    let cup = |name: &str| Button::all().find(|button| button.name() == name)?.cup();
    let sow = |scene: &mut Scene, name| {
        assert!(scene.app.memory.history.push(Step::Sow(cup(name).expect("a cup"))));
    };
    let has = |scene: &mut Scene, totals| {
        let found = Progress::default().start(&mut scene.chip).expect("a flash").expect("a log");
        found.about.totals == totals
    };
    let mut scene = Scene::new();
    sow(&mut scene, "B3");
    assert_eq!(scene.app.log_game(&mut scene.chip, None), Ok(false), "a log without totals");
    assert!(has(&mut scene, None));
    sow(&mut scene, "B1");
    assert_eq!(scene.app.log_game(&mut scene.chip, Some([1, 2])), Ok(true), "and a step");
    assert!(has(&mut scene, Some([1, 2])));
    assert!(scene.app.memory.history.undo());
    assert_eq!(scene.app.log_game(&mut scene.chip, Some([3, 4])), Ok(true), "and a step less");
    assert!(has(&mut scene, Some([3, 4])));
}

#[test]
fn undo_adds_an_entry_to_the_log_and_not_a_new_log() {
    let mut scene = Scene::new();
    scene.tap("B3");
    scene.wait(5_000);
    scene.tap("B1");
    scene.wait(5_000);
    let log = scene.app.log.progress.sequence();
    scene.choose(Entry::Undo);
    assert!(scene.last_line().contains("move=undo"));
    assert_eq!(scene.app.log.progress.sequence(), log);
    let game = game_in_progress(&mut scene.chip).expect("a game");
    assert_eq!(game.moves(), 1);
}

/// Returns a board on which a game has begun and the next sector of the log must be erased.
fn untidy() -> Scene {
    let mut scene = Scene::new();
    scene.chip.0[13 * 4096..16 * 4096].fill(0);
    scene.tap("B3");
    assert!(scene.app.log.progress.must_erase_next());
    scene
}

#[test]
fn a_sector_is_erased_three_seconds_after_the_last_press() {
    let mut scene = untidy();
    scene.wait(2_999);
    assert!(scene.app.log.progress.must_erase_next());
    scene.wait(1);
    assert!(!scene.app.log.progress.must_erase_next());
}

#[test]
fn no_sector_is_erased_while_a_menu_is_open() {
    let mut scene = untidy();
    scene.wait(1_500);
    scene.hold_reset();
    scene.wait(10_000);
    assert!(scene.app.log.progress.must_erase_next());
    scene.tap("RESET");
    scene.wait(3_000);
    assert!(!scene.app.log.progress.must_erase_next());
}
