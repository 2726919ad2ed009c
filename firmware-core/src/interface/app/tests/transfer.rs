//! Saved games and logs over the console: cases that the crates `boards` and `tests` cannot reach
//! from outside.

use std::format;
use std::string::ToString as _;
use std::vec::Vec;

use super::super::refusal::Refusal;
use super::*;
use crate::game::history::saved::OpeningError;
use crate::game::history::text::GameLineError;
use crate::pins::console::LINE;
use crate::storage::files::{self, FileKind, Writer};
use crate::storage::{Contradiction, SettingKey, StorageError};

impl Scene {
    /// Types a line. Returns the answer, without the lines of an export that follow later.
    fn type_line(&mut self, line: &str) -> String {
        let said = self.log.len();
        self.app.command(self.now, Ok(line), &mut self.chip);
        self.read_console();
        self.log[said..].trim_end().into()
    }

    fn put(&mut self, kind: FileKind, name: &str, bytes: &[u8]) {
        let name = Name::new(name).expect("a name");
        let mut writer = Writer::begin(&mut self.chip, kind, name, 4_000).expect("room");
        writer.append(&mut self.chip, bytes).expect("room");
        writer.finish(&mut self.chip).expect("it is whole");
    }

    /// Completes an export: the UART takes each line at once, which the app notices in its next
    /// step.
    fn send_all(&mut self) {
        for _ in 0..20 {
            self.wait(1);
        }
    }

    fn files(&mut self) -> usize {
        files::list(&mut self.chip, None).expect("no cut").files.len()
    }
}

const COVERED: &str =
    "error text=\"a menu, a question or an edit is open; leave it and send the line again\"";

#[test]
fn commands_that_change_the_board_are_refused_while_logging() {
    let mut scene = Scene::new();
    scene.tap("B3");
    scene.wait(5_000);
    scene.choose(Entry::LogGame);
    scene.edge("B5", true);
    assert!(matches!(scene.page(), Page::Logging(_)), "{:?}", scene.page());
    for line in ["set game wari", "export log LOG1", "import game NEW", "factory new"] {
        assert_eq!(scene.type_line(line), COVERED, "{line}");
    }
    scene.wait(1_000);
    assert_eq!(scene.count("logged name=LOG1"), 1);
}

#[test]
fn a_line_of_an_export_waits_for_all_other_output() {
    let mut scene = Scene::new();
    scene.put(FileKind::Log, "LOG1", b"log of LOG1\n");
    assert_eq!(scene.type_line("export log LOG1"), "import log=LOG1 bytes=12");
    scene.app.console().line(format_args!("a line of the game"));
    let step = |scene: &mut Scene| {
        let wake = scene.app.step(scene.now, &[], Levels::default(), &mut scene.chip);
        (wake == Wake::Now, scene.app.is_exporting())
    };
    assert_eq!(step(&mut scene), (false, true));
    scene.read_console();
    assert_eq!(scene.last_line(), "a line of the game");
    step(&mut scene);
    scene.read_console();
    assert_eq!(scene.last_line(), "import text=\"log of LOG1\"");
    // Nothing waits to be sent, and there is more: the app must be called at once.
    assert_eq!(step(&mut scene), (false, false));
    scene.read_console();
    assert!(scene.last_line().starts_with("import end=LOG1 lines=1 sum="), "{}", scene.last_line());
}

#[test]
fn an_export_continues_while_a_menu_is_open() {
    let mut scene = Scene::new();
    scene.put(FileKind::Log, "LOG1", b"log of LOG1\nend of the log\n");
    scene.type_line("export log LOG1");
    scene.edge("RESET", true);
    scene.wait(1_000);
    assert_eq!(scene.count("import end=LOG1 lines=2"), 1);
}

#[test]
fn the_export_of_a_damaged_file_ends_with_an_error() {
    for (kind, name, bytes) in [
        (FileKind::Game, "GAME1", &b"Dear Sir,"[..]),
        (FileKind::Game, "GAME1", &[9; 40]),
        (FileKind::Log, "LOG1", b"log of\x07LOG1\n"),
    ] {
        let mut scene = Scene::new();
        scene.put(kind, name, bytes);
        let kind = kind.name();
        scene.type_line(&format!("export {kind} {name}"));
        scene.send_all();
        let says = format!("error text=\"the {kind} {name} is damaged; delete it in the menu\"");
        assert_eq!(scene.last_line(), says);
        assert_eq!(scene.count("import end="), 0);
        assert!(!scene.app.is_exporting());
    }
    for (kind, name) in [(FileKind::Game, "GAME1"), (FileKind::Log, "LOG1")] {
        let mut scene = Scene::new();
        scene.put(kind, name, b"log of LOG1\nend of the log\n");
        // One bit of its content flips.
        let entry = files::list(&mut scene.chip, None).expect("no cut").files[0];
        let sector = entry.addresses().next().expect("a sector") as usize;
        scene.chip.0[sector + 64 + 20] &= 0xF0;
        scene.type_line(&format!("export {} {name}", kind.name()));
        scene.send_all();
        let kind = kind.name();
        let says = format!("error text=\"the {kind} {name} is damaged; delete it in the menu\"");
        assert_eq!(scene.last_line(), says);
        assert_eq!(scene.count("import end="), 0);
    }
}

/// A game is saved by the buttons while a log is being received: it may have taken the log's
/// sectors.
#[test]
fn an_imported_log_is_dropped_if_another_file_took_its_sectors() {
    let mut scene = Scene::new();
    scene.type_line("import log NEW bytes 3000");
    let text = format!("import text=\"{}\"", "x".repeat(82));
    for _ in 0..5 {
        assert!(scene.type_line(&text).starts_with("imported line="));
    }
    scene.put(FileKind::Game, "GAME1", &[1; 300]);
    let said: Vec<_> = (0..5).map(|_| scene.type_line(&text)).collect();
    let dropped = said.iter().position(|said| said.starts_with("error text=\"another file was"));
    assert!(dropped.is_some(), "{said:?}");
    assert!(scene.type_line(&text).starts_with("error text=\"no import is open"));
    assert_eq!(scene.files(), 1);
}

/// A game of the same name is saved by the buttons while one is being received.
#[test]
fn a_game_saved_meanwhile_is_not_replaced() {
    let mut scene = Scene::new();
    for line in [
        "import game NEW",
        "import text=\"nudge saved game 1\"",
        "import text=\"game board\"",
        "import text=\"board 4,4,4,4,4,4,0,4,4,4,4,4,4,0\"",
        "import text=\"turn 0\"",
    ] {
        assert!(scene.type_line(line).starts_with("import"), "{line}");
    }
    scene.put(FileKind::Game, "NEW", &[1; 300]);
    let says = "error text=\"there is a game NEW; add the word over to replace it\"";
    assert_eq!(scene.type_line("import end NEW"), says);
    assert_eq!(scene.files(), 1);
}

#[test]
fn a_factory_reset_drops_an_import() {
    let mut scene = Scene::new();
    scene.type_line("import log NEW bytes 3");
    scene.type_line("factory new");
    assert!(scene.type_line("import text=\"x\"").starts_with("error text=\"no import is open"));
}

#[test]
fn every_refusal_fits_into_a_line_and_has_no_quote() {
    let word = "\"2345678901234567890123456789012345";
    let name = Name::new("ABCDEFGH").expect("a name");
    let (most, kind) = (u32::MAX, FileKind::Game);
    let game_lines = [
        GameLineError::NoTitle,
        GameLineError::UnknownFormat(word),
        GameLineError::NoKey(word),
        GameLineError::NoStep(word),
        GameLineError::Usage("move PLACE to PLACE"),
        GameLineError::KeyUsage("began-bidirectional"),
        GameLineError::Repeated("began-bidirectional"),
        GameLineError::Missing("board"),
        GameLineError::NoValue {
            key: "board",
            value: word,
            known: "14 numbers of stones with commas between",
        },
        GameLineError::AbandonedAndResigned,
        GameLineError::Opening(OpeningError::Total { found: 60, expected: 60 }),
        GameLineError::Opening(OpeningError::Moves),
        GameLineError::TooManySteps,
        GameLineError::EditNotDone,
    ];
    let others = [
        Refusal::NoValue(SettingKey::Game, word),
        Refusal::Contradiction(SettingKey::Stones, Contradiction::OnlyInWari(Game::TopBottom)),
        Refusal::NoGame(word),
        Refusal::NoName(word),
        Refusal::NoSum(word),
        Refusal::Covered,
        Refusal::Storage(StorageError::UnknownValue { setting: "bidirectional", value: 255 }),
        Refusal::NoFile(kind, name),
        Refusal::DamagedFile(kind, name),
        Refusal::Taken(kind, name),
        Refusal::NoRoom(kind),
        Refusal::NoImport,
        Refusal::ImportIsOpen(kind, name),
        Refusal::PartOfGame,
        Refusal::LogTooLong(most),
        Refusal::WrongLength { stated: most, found: most, of: "lines" },
        Refusal::Sum(most),
        Refusal::SectorsReused,
    ];
    let of_games = game_lines.into_iter().map(|error| Refusal::GameLine(2_014, error));
    for said in of_games.chain(others).map(|refusal| refusal.to_string()) {
        assert!("error text=\"\"\n".len() + said.len() <= LINE, "{said}");
        assert!(!said.contains('"'), "{said}");
    }
}

/// The board has never counted an imported game that was over: undoing its end leaves the totals
/// alone, and ending it here counts it.
#[test]
fn an_imported_finished_game_is_no_part_of_the_totals() {
    let mut scene = Scene::new();
    scene.app.stored.scores.set(Game::Board, [100, 90]);
    for line in [
        "import game NEW",
        "import text=\"nudge saved game 1\"",
        "import text=\"game board\"",
        "import text=\"board 0,0,0,0,0,1,24,1,1,0,0,0,0,21\"",
        "import text=\"turn 0\"",
        "import text=\"steps\"",
        "import text=\"sow 5\"",
        "import end=NEW",
    ] {
        let answer = scene.type_line(line);
        assert!(answer.starts_with("import"), "{line}: {answer}");
    }
    let totals = |scene: &Scene| scene.app.stored.scores.of(Game::Board);
    scene.choose(Entry::LoadGame);
    scene.tap("B5");
    assert!(scene.last_line().contains("move=load event=game-over"), "{}", scene.last_line());
    assert_eq!(totals(&scene), [100, 90]);
    scene.choose(Entry::Undo);
    assert_eq!(totals(&scene), [100, 90]);
    scene.tap("B6");
    scene.wait(5_000);
    assert_eq!(totals(&scene), [125, 113], "it has ended here");
    // Saved and loaded, it is part of the totals.
    scene.choose(Entry::SaveGame);
    scene.tap("B4");
    scene.tap("B5");
    scene.tap("B1");
    scene.tap("B5");
    scene.choose(Entry::LoadGame);
    scene.tap("B5");
    scene.choose(Entry::Undo);
    assert_eq!(totals(&scene), [100, 90]);
}
