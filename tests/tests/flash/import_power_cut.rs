//! Tests power cuts while a saved game or a log is imported over the console, at every byte that
//! the import programs or erases. The next start must find the files as they were before the
//! import, or as they are after it.

use firmware_board::flash_files::FileContent;
use firmware_board::header::import_lines;
use firmware_core::history::{History, Setup, Step};
use firmware_core::name::Name;
use firmware_core::places::{Cup, Player};
use firmware_core::storage::StorageError;
use firmware_core::systems::Game;
use hal_mock::flash::FlashChip;

use crate::cut::in_every_operation;
use crate::files_power_cut::{check, full, used};
use crate::player::Board;
use crate::stored_files::stored;

/// Returns the lines that import a file with this name, over an existing one if there is one.
fn lines(name: &str, content: &FileContent) -> Vec<String> {
    let mut lines = import_lines(Name::new(name).expect("a name"), content).expect("text");
    lines[0] += " over";
    lines
}

fn a_game() -> FileContent {
    let setup = Setup { game: Game::Wari, stones: 4, bidirectional: false };
    let mut history = History::new(setup, setup.rules().start(Player::Bottom));
    for _ in 0..400 {
        let legal = |cup: &Cup| history.rules().play(&history.position(), *cup).is_ok();
        let Some(cup) = Cup::all().find(legal) else { break };
        assert!(history.push(Step::Sow(cup)));
    }
    FileContent::Game(Box::new(history))
}

fn a_log(bytes: usize) -> FileContent {
    let line = "   1 Bottom 5, captures 5 and goes on\n";
    FileContent::Log(line.chars().cycle().take(bytes).collect())
}

/// Returns an operation that switches a board on and types these lines.
fn types_lines(lines: &[String]) -> impl Fn(&mut FlashChip) -> Result<(), StorageError> {
    move |chip| {
        Board::power_on(chip).type_lines(lines);
        // An operation that fails without power is the cut itself.
        if chip.is_powered() { Ok(()) } else { Err(StorageError::Full) }
    }
}

#[test]
fn an_imported_game_is_all_or_nothing() {
    let cuts = check(&FlashChip::factory_new(), types_lines(&lines("NEW", &a_game())));
    assert_eq!(cuts.erases, 0);
    check(&used(), types_lines(&lines("NEW", &a_game())));
}

#[test]
fn a_game_that_is_imported_over_another_is_the_old_or_the_new() {
    check(&used(), types_lines(&lines("A", &a_game())));
    check(&full(), types_lines(&lines("X20", &a_game())));
}

#[test]
fn an_imported_log_of_several_sectors_is_all_or_nothing() {
    let cuts = check(&used(), types_lines(&lines("LOG-3", &a_log(9_000))));
    assert_eq!(cuts.erases, 3);
}

#[test]
fn a_log_that_is_imported_over_another_is_the_old_or_the_new() {
    check(&used(), types_lines(&lines("LOG-1", &a_log(5_000))));
}

/// Types all lines but the last: with and without a power cut, the files must be unchanged.
#[test]
fn an_import_without_its_end_leaves_every_file_as_it_was() {
    let before = used();
    for (name, content) in [("A", a_game()), ("LOG-1", a_log(5_000))] {
        let mut lines = lines(name, &content);
        lines.pop();
        let old = stored(&mut before.clone());
        let mut after = before.clone();
        types_lines(&lines)(&mut after).expect("nothing cuts this");
        assert!(stored(&mut after) == old, "{name}");
        in_every_operation(&before, 509, types_lines(&lines), |moment, chip| {
            assert!(stored(chip) == old, "{name}: {moment}");
        });
    }
}
