//! Saved games, logs, totals.

use super::*;
use crate::interface::page::{FileContent, FileRow, LOG_ROWS, List, ListRow, Notice, Question};
use crate::storage::Scores;
use crate::storage::files;
use crate::storage::files::FileKind;

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// Saves under the offered name, which is a new one.
fn save(scene: &mut Scene) {
    scene.choose(Entry::SaveGame);
    if let Page::Files { list: List::SaveGame, rows, cursor: 0, .. } = scene.page() {
        assert_eq!(rows[0], Some(ListRow::NewName));
        scene.tap("B5");
    }
    assert!(matches!(scene.page(), Page::Name { kind: FileKind::Game, .. }));
    scene.tap("B5");
}

/// Returns the visible files of a list.
#[track_caller]
fn listed(scene: &Scene) -> std::vec::Vec<FileRow> {
    let Page::Files { rows, .. } = scene.page() else { panic!("no list: {:?}", scene.page()) };
    rows.into_iter().flatten().filter_map(ListRow::file).collect()
}

#[test]
fn a_saved_game_can_be_loaded_after_power_off() {
    let mut scene = Scene::new();
    for button in ["B3", "B1", "T2"] {
        scene.tap(button);
        scene.wait(4_000);
    }
    let board = scene.view();
    save(&mut scene);
    assert_eq!(scene.page(), Page::Notice(Notice::Saved(FileKind::Game, name("GAME1"))));
    scene.tap("B5");
    scene.tap("RESET");
    scene.power_cycle();
    scene.choose(Entry::LoadGame);
    let content = FileContent::Game(Game::Board);
    assert_eq!(listed(&scene), [FileRow { name: name("GAME1"), content }]);
    scene.tap("B5");
    assert_eq!(scene.view().stones, board.stones);
    assert!(scene.last_line().contains("move=load"));
    // Its history was restored with it.
    scene.choose(Entry::Undo);
    assert!(scene.last_line().contains("move=undo"));
}

#[test]
fn a_name_is_entered_letter_by_letter() {
    let mut scene = Scene::new();
    scene.choose(Entry::SaveGame);
    for _ in 0..5 {
        scene.tap("B4");
    }
    // From A back past the end to the dash.
    for key in ["B3", "B1", "B3", "B2", "B2", "B3"] {
        scene.tap(key);
    }
    assert!(matches!(scene.page(), Page::Name { name: entered, .. } if entered == name("A-B")));
    scene.tap("B5");
    assert_eq!(scene.page(), Page::Notice(Notice::Saved(FileKind::Game, name("A-B"))));
}

#[test]
fn an_empty_name_is_refused() {
    let mut scene = Scene::new();
    scene.choose(Entry::SaveGame);
    for _ in 0..8 {
        scene.tap("B4");
    }
    scene.tap("B5");
    assert!(matches!(scene.page(), Page::Name { .. }));
    assert!(files::list(&mut scene.chip, Some(FileKind::Game)).expect("a list").files.is_empty());
}

#[test]
fn overwriting_warns_first() {
    let mut scene = Scene::new();
    save(&mut scene);
    scene.tap("B5");
    // From the list.
    scene.choose(Entry::SaveGame);
    scene.tap("B4");
    scene.tap("B5");
    let question = Page::Question(Question::Overwrite(FileKind::Game, name("GAME1")));
    assert_eq!(scene.page(), question);
    scene.tap("B6");
    assert!(matches!(scene.page(), Page::Files { list: List::SaveGame, cursor: 1, .. }));
    // With the new name that already exists.
    scene.tap("B3");
    scene.tap("B5");
    scene.tap("B4");
    for key in ["T5", "T5", "B2", "B3"] {
        scene.tap(key);
    }
    assert!(matches!(scene.page(), Page::Name { name: entered, .. } if entered == name("GAME1")));
    scene.tap("B5");
    assert_eq!(scene.page(), question);
    scene.tap("B6");
    assert!(matches!(scene.page(), Page::Name { .. }), "NO leads back to the letters");
    scene.tap("B5");
    scene.tap("B1");
    assert_eq!(scene.page(), Page::Notice(Notice::Saved(FileKind::Game, name("GAME1"))));
    assert_eq!(files::list(&mut scene.chip, Some(FileKind::Game)).expect("a list").files.len(), 1);
}

#[test]
fn the_offered_name_is_a_new_one() {
    let mut scene = Scene::new();
    for count in 1..=3 {
        save(&mut scene);
        let saved = name(&std::format!("GAME{count}"));
        assert_eq!(scene.page(), Page::Notice(Notice::Saved(FileKind::Game, saved)));
        scene.tap("B5");
        scene.choose(Entry::SaveGame);
        assert_eq!(listed(&scene).len(), count);
        scene.tap("B6");
        scene.tap("RESET");
    }
    // The name of the deleted file is offered again.
    scene.choose(Entry::LoadGame);
    for key in ["B4", "B1", "B1", "B6", "RESET"] {
        scene.tap(key);
    }
    save(&mut scene);
    assert_eq!(scene.page(), Page::Notice(Notice::Saved(FileKind::Game, name("GAME2"))));
}

#[test]
fn a_game_can_be_saved_over_a_damaged_one() {
    let mut scene = Scene::new();
    fill(&mut scene, FileKind::Game, 9, 100);
    scene.choose(Entry::SaveGame);
    assert!(scene.page().keys()[0].is_none(), "nothing is deleted here");
    // Up past the end: F0, the oldest.
    scene.tap("B3");
    assert!(matches!(scene.page(), Page::Files { cursor: 7, above: true, below: false, .. }));
    assert_eq!(listed(&scene).last().map(|row| row.name), Some(name("F0")));
    scene.tap("B5");
    scene.tap("B1");
    assert_eq!(scene.page(), Page::Notice(Notice::Saved(FileKind::Game, name("F0"))));
    scene.tap("B5");
    // The letters lead back to the list, and the list to the menu.
    scene.choose(Entry::SaveGame);
    scene.tap("B5");
    scene.tap("B6");
    assert!(matches!(scene.page(), Page::Files { list: List::SaveGame, .. }));
    scene.tap("RESET");
    assert!(matches!(scene.page(), Page::Menu { .. }));
}

#[test]
fn a_file_that_is_not_a_saved_game_cannot_be_loaded() {
    let mut scene = Scene::new();
    let mut writer =
        files::Writer::begin(&mut scene.chip, FileKind::Game, name("JUNK"), 7).expect("room");
    writer.append(&mut scene.chip, b"no game").expect("room");
    writer.finish(&mut scene.chip).expect("room");
    scene.choose(Entry::LoadGame);
    assert_eq!(listed(&scene)[0].content, FileContent::Damaged);
    scene.tap("B5");
    assert_eq!(scene.page(), Page::Notice(Notice::CannotLoad(name("JUNK"))));
    scene.tap("B5");
    assert_eq!(scene.view().message, Message::Turn(Player::Bottom));
}

#[test]
fn an_empty_list_shows_that_there_are_no_saved_games() {
    let mut scene = Scene::new();
    scene.choose(Entry::LoadGame);
    assert_eq!(scene.page(), Page::Notice(Notice::NoGames));
}

#[test]
fn when_there_is_no_room_the_oldest_is_offered() {
    let mut scene = Scene::new();
    let mut count = 0;
    loop {
        let text = std::format!("G{count}");
        let mut writer =
            match files::Writer::begin(&mut scene.chip, FileKind::Game, name(&text), 100) {
                Ok(writer) => writer,
                Err(_) => break,
            };
        writer.append(&mut scene.chip, &[7; 100]).expect("room");
        writer.finish(&mut scene.chip).expect("room");
        count += 1;
        assert!(count <= files::MAX_FILES);
    }
    save(&mut scene);
    assert_eq!(scene.page(), Page::Question(Question::OverwriteOldest(FileKind::Game, name("G0"))));
    scene.tap("B1");
    assert_eq!(scene.page(), Page::Notice(Notice::Saved(FileKind::Game, name("GAME1"))));
    let left = files::list(&mut scene.chip, Some(FileKind::Game)).expect("a list").files;
    assert!(left.len() == count && left.iter().all(|entry| entry.name != name("G0")));
}

/// Fills the flash with files of `kind`.
pub(super) fn fill(scene: &mut Scene, kind: FileKind, files: usize, bytes: u32) {
    for nth in 0..files {
        let name = name(&std::format!("F{nth}"));
        let mut writer =
            files::Writer::begin(&mut scene.chip, kind, name, bytes).expect("there is room");
        for _ in 0..bytes / 100 {
            writer.append(&mut scene.chip, &[7; 100]).expect("announced");
        }
        writer.finish(&mut scene.chip).expect("powered");
    }
}

#[test]
fn a_full_flash_without_such_files_shows_how_full_it_is() {
    let mut scene = Scene::new();
    fill(&mut scene, FileKind::Log, files::MAX_FILES, 100);
    save(&mut scene);
    let notice = Notice::NoRoom { kind: FileKind::Game, files: 24, older: 0 };
    assert_eq!(scene.page(), Page::Notice(notice));
}

#[test]
fn a_full_flash_with_a_small_oldest_file_shows_how_full_it_is() {
    let mut scene = Scene::new();
    // The oldest log has one sector; the game to be logged needs two.
    fill(&mut scene, FileKind::Log, 1, 100);
    scene.choose(Entry::System(Game::Wari));
    for _ in 0..300 {
        scene.choose(Entry::Bidirectional);
    }
    let room = files::list(&mut scene.chip, None).expect("a list").room;
    let mut writer = files::Writer::begin(&mut scene.chip, FileKind::Game, name("BIG"), room)
        .expect("there is room");
    for _ in 0..room / 64 {
        writer.append(&mut scene.chip, &[7; 64]).expect("announced");
    }
    writer.finish(&mut scene.chip).expect("powered");
    scene.choose(Entry::LogGame);
    scene.tap("B5");
    assert_eq!(scene.page(), Page::Question(Question::OverwriteOldest(FileKind::Log, name("F0"))));
    scene.tap("B1");
    let notice = Notice::NoRoom { kind: FileKind::Log, files: 2, older: 1 };
    assert_eq!(scene.page(), Page::Notice(notice));
}

#[test]
fn a_log_goes_to_the_console_and_to_flash() {
    let mut scene = Scene::new();
    for button in ["B3", "B1", "T2"] {
        scene.tap(button);
        scene.wait(4_000);
    }
    scene.choose(Entry::LogGame);
    scene.tap("B5");
    scene.wait(1_000);
    assert_eq!(scene.page(), Page::Notice(Notice::Saved(FileKind::Log, name("LOG1"))));
    let entry = files::list(&mut scene.chip, Some(FileKind::Log)).expect("a list").files[0];
    let mut text = std::vec![0; entry.length as usize];
    let mut read = 0;
    while read < text.len() {
        read +=
            files::read(&mut scene.chip, &entry, read as u32, &mut text[read..]).expect("whole");
    }
    let text = String::from_utf8(text).expect("text");
    let spoken: String = scene
        .log
        .lines()
        .filter_map(|line| line.strip_prefix("log text=\"")?.strip_suffix('"'))
        .flat_map(|line| [line, "\n"])
        .collect();
    assert_eq!(text, spoken);
    assert!(text.lines().count() >= 4, "{text}");
}

#[test]
fn totals_include_a_finished_game_until_undo() {
    // One stone on each side: the game ends with the next move.
    let mut scene = Scene::with(playing(Game::TopBottom));
    scene.app.stored.settings.first = Some(Player::Bottom);
    scene.choose(Entry::EditBoard);
    move_stones(&mut scene);
    scene.tap("RESET");
    scene.tap("B5");
    let begun = scene.app.position();
    assert_eq!(begun.on_side(Player::Bottom), 1);
    let captured = [begun.in_store(Player::Bottom), begun.in_store(Player::Top)];
    assert_eq!(totals(&mut scene), captured.map(u32::from));
    if begun.turn == Player::Top {
        scene.choose(Entry::EditBoard);
        scene.tap("RESET");
        scene.tap("B3");
        scene.tap("B5");
    }
    scene.tap("B6");
    scene.wait(3_000);
    assert!(scene.last_line().contains("game-over"), "{}", scene.last_line());
    let after = [captured[0] + 1, captured[1]].map(u32::from);
    assert_eq!(totals(&mut scene), after);
    scene.power_cycle();
    assert_eq!(scene.app.stored.scores.of(Game::TopBottom), after);
}

/// Moves all stones except the bottom player's one next to his store into the stores, by hand.
fn move_stones(scene: &mut Scene) {
    for (button, kept) in [("B1", 0), ("B2", 0), ("B3", 0), ("B4", 0), ("B5", 0), ("B6", 1)] {
        for _ in kept..4 {
            scene.tap(button);
            scene.tap("RESET");
            scene.tap("B1");
        }
    }
}

fn totals(scene: &mut Scene) -> [u32; 2] {
    scene.choose(Entry::ShowScores);
    let Page::Scores { totals, .. } = scene.page() else { panic!("no scores") };
    scene.tap("B5");
    totals
}

#[test]
fn reset_scores_leaves_the_game_in_progress() {
    let mut scene = Scene::new();
    scene.app.stored.scores.add(Game::Board, [30, 18]);
    scene.tap("B3");
    scene.wait(3_000);
    assert_eq!(totals(&mut scene), [31, 18]);
    scene.choose(Entry::ResetScores);
    scene.tap("B1");
    scene.tap("B5");
    assert_eq!(totals(&mut scene), [1, 0]);
}

/// The loser begins only while a running total is kept.
#[test]
fn after_reset_scores_the_bottom_player_begins_again() {
    let mut scores = Scores::default();
    scores.add(Game::Wari, [30, 18]);
    scores.begins = Some(Player::Top);
    let settings = Settings { introduced: true, ..playing(Game::Wari) };
    let mut scene = Scene::starting(Start { settings, scores, ..Start::default() });
    scene.wait(0);
    assert_eq!(scene.view().turn, Some(Player::Top));
    let reset = |scene: &mut Scene| {
        scene.choose(Entry::ResetScores);
        scene.tap("B1");
        scene.tap("B5");
    };
    reset(&mut scene);
    assert_eq!(scene.view().turn, Some(Player::Bottom), "the board that was set up");
    assert_eq!(scene.app.stored.scores.begins, None);
    for resets in [false, true] {
        scene.tap("B1");
        scene.tap("B1");
        scene.wait(3_000);
        scene.choose(Entry::Resign);
        scene.tap("B1");
        assert_eq!(scene.view().message, Message::Resigned(Player::Top));
        if resets {
            reset(&mut scene);
        }
        scene.tap("RESET");
        let begins = if resets { Player::Bottom } else { Player::Top };
        assert_eq!(scene.view().turn, Some(begins), "the next board; reset: {resets}");
        scene.tap("T1");
        scene.tap("T1");
        scene.wait(3_000);
        scene.choose(Entry::NewBoard);
        scene.tap("B1");
        scene.tap("B5");
        assert_eq!(scene.view().turn, Some(begins), "it is begun again by the same player");
        if !resets {
            reset(&mut scene);
        }
    }
}

#[test]
fn deleting_moves_the_cursor_and_the_last_file_leaves_a_notice() {
    let mut scene = Scene::new();
    fill(&mut scene, FileKind::Game, 3, 100);
    scene.choose(Entry::LoadGame);
    // F2, F1, F0: the middle one.
    scene.tap("B4");
    for (cursor, left) in [(1, 2), (0, 1)] {
        scene.tap("B1");
        assert!(matches!(scene.page(), Page::Question(Question::Delete(FileKind::Game, _))));
        scene.tap("B6");
        assert!(matches!(scene.page(), Page::Files { .. }), "NO leads back to the list");
        scene.tap("B1");
        scene.tap("B1");
        let Page::Files { cursor: found, .. } = scene.page() else { panic!("no list") };
        assert_eq!((found, listed(&scene).len()), (cursor, left));
    }
    assert_eq!(scene.count("deleted game=F1"), 1);
    scene.tap("B1");
    scene.tap("B1");
    assert_eq!(scene.page(), Page::Notice(Notice::NoGames));
    let listing = files::list(&mut scene.chip, None).expect("a list");
    assert!(listing.files.is_empty());
}

/// Returns the visible rows of the log.
#[track_caller]
fn rows(scene: &Scene) -> std::vec::Vec<String> {
    let View::Page(view) = scene.app.view(scene.now) else { panic!("no page") };
    (0..LOG_ROWS).map(|nth| String::from(view.log.row(nth))).collect()
}

fn write_log(scene: &mut Scene, text: &[u8]) {
    let mut writer =
        files::Writer::begin(&mut scene.chip, FileKind::Log, name("LOG1"), text.len() as u32)
            .expect("room");
    writer.append(&mut scene.chip, text).expect("room");
    writer.finish(&mut scene.chip).expect("room");
}

#[test]
fn a_log_is_read_row_by_row_and_page_by_page() {
    let mut scene = Scene::new();
    let mut text = String::from("a line that is longer than a row: it goes on in the next one\n");
    for line in 1..20 {
        text.push_str(&std::format!("line {line}\n"));
    }
    write_log(&mut scene, text.as_bytes());
    scene.choose(Entry::Logs);
    scene.tap("B5");
    let top = rows(&scene);
    assert_eq!(top[0], "a line that is longer than a");
    assert_eq!(top[1], "     row: it goes on in the");
    assert_eq!((&*top[2], &*top[3], &*top[7]), ("     next one", "line 1", "line 5"));
    assert!(scene.page().keys()[0].is_none() && scene.page().keys()[2].is_none());
    scene.tap("B4");
    assert_eq!(rows(&scene)[0], top[1]);
    scene.tap("B3");
    assert_eq!(rows(&scene), top);
    scene.tap("B2");
    assert_eq!((&*rows(&scene)[0], &*rows(&scene)[7]), ("line 5", "line 12"));
    scene.tap("B2");
    assert_eq!((&*rows(&scene)[0], &*rows(&scene)[7]), ("line 12", "line 19"));
    let Page::Log { below: false, per_cent: 100, .. } = scene.page() else { panic!("not the end") };
    assert!(scene.page().keys()[1].is_none() && scene.page().keys()[3].is_none());
    scene.tap("B1");
    scene.tap("B1");
    assert_eq!(rows(&scene), top);
    scene.tap("B6");
    assert!(matches!(scene.page(), Page::Files { list: List::Logs, .. }));
}

#[test]
fn a_log_of_arbitrary_bytes_is_shown_to_its_end() {
    for text in [&b""[..], b"\n", b"no end", &[b'x'; 500], &[0xFF; 300], &[b' '; 400], &[b'\n'; 50]]
    {
        let mut scene = Scene::new();
        write_log(&mut scene, text);
        scene.choose(Entry::Logs);
        scene.tap("B5");
        for _ in 0..200 {
            match scene.page() {
                Page::Log { below: true, .. } => scene.tap("B4"),
                _ => break,
            }
        }
        assert!(matches!(scene.page(), Page::Log { below: false, .. }), "{text:?}");
        for _ in 0..200 {
            match scene.page() {
                Page::Log { top: 1.., .. } => scene.tap("B3"),
                _ => break,
            }
        }
        assert!(matches!(scene.page(), Page::Log { top: 0, .. }), "{text:?}");
    }
}

#[test]
fn the_top_row_moves_among_the_rows_of_letters() {
    let mut scene = Scene::new();
    scene.choose(Entry::SaveGame);
    let letter = |scene: &Scene| match scene.page() {
        Page::Name { letter, .. } => char::from(crate::storage::name::LETTERS[usize::from(letter)]),
        other => panic!("{other:?}"),
    };
    let mut seen = String::new();
    for key in ["T6", "T5", "T4", "T1", "T2", "T3", "B1", "T1", "T6", "T1", "T1", "B2", "B2"] {
        scene.tap(key);
        seen.push(letter(&scene));
    }
    // From A down and up again past the ends; the dash, before A, is in the column of K and X.
    assert_eq!(seen, "N0A0NA-X-XKLM");
    // The last columns have two rows.
    for (key, expected) in [("T6", 'Z'), ("T6", 'M'), ("T1", 'Z'), ("T1", 'M')] {
        scene.tap(key);
        assert_eq!(letter(&scene), expected, "{key}");
    }
}

#[test]
fn the_offered_name_is_free_with_any_number_of_games() {
    let mut scene = Scene::new();
    for nth in 1..=files::MAX_FILES {
        save(&mut scene);
        let saved = name(&std::format!("GAME{nth}"));
        assert_eq!(scene.page(), Page::Notice(Notice::Saved(FileKind::Game, saved)));
        scene.tap("B5");
    }
    scene.choose(Entry::SaveGame);
    scene.tap("B5");
    let Page::Name { name: offered, .. } = scene.page() else { panic!("no name") };
    assert_eq!(offered, name(&std::format!("GAME{}", files::MAX_FILES + 1)));
}

/// A flash that can be read but not written.
struct Worn(Chip);

impl embedded_storage::nor_flash::ErrorType for Worn {
    type Error = embedded_storage::nor_flash::NorFlashErrorKind;
}

impl embedded_storage::nor_flash::ReadNorFlash for Worn {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.0.read(offset, bytes).map_err(|_| Self::Error::Other)
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

impl NorFlash for Worn {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 4096;

    fn erase(&mut self, _: u32, _: u32) -> Result<(), Self::Error> {
        Err(Self::Error::Other)
    }

    fn write(&mut self, _: u32, _: &[u8]) -> Result<(), Self::Error> {
        Err(Self::Error::Other)
    }
}

#[test]
fn a_failed_save_is_reported_on_the_lcd_and_the_console() {
    let mut scene = Scene::new();
    let mut worn = Worn(Chip::factory_new());
    let button = Button::all().find(|button| button.name() == "B3").expect("a button");
    let edge = Edge { at: scene.now, button, down: true };
    scene.app.step(scene.now, &[edge], Levels::default(), &mut worn);
    scene.read_console();
    assert_eq!(scene.view().message, Message::NotStored);
    assert_eq!(scene.count("storage state=failed"), 1);
    // The board does not try again in each step.
    scene.app.step(scene.now, &[], Levels::default(), &mut worn);
    scene.read_console();
    assert_eq!(scene.count("storage state=failed"), 1);
}
