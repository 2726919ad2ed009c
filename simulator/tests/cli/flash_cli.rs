//! `nudge flash` on the command line: listings, exports, imports, deletions and refusals.

#[path = "../../../tests/tests/flash/random_damage.rs"]
mod damage;

use std::fs;
use std::path::Path;

use firmware_board::flash_files::FlashFiles;
use firmware_board::game_text;
use firmware_core::history::{History, Setup, Step};
use firmware_core::name::Name;
use firmware_core::rules::{Cup, Player};
use firmware_core::storage::files::FileKind;
use firmware_core::storage::files::Writer;
use firmware_core::storage::{self, Scores, Settings};
use firmware_core::systems::Game;
use hal_mock::flash::{FLASH_SIZE, FlashChip};
use tempfile::TempDir;

const LOG: &str = "\
log of FRIDAY
system wari, 4 stones a cup
   1 Bottom 1
   2 Top 7
end of the log
";

const MINIMAL: &str = "\
nudge saved game 1
game board
board 0,0,0,0,0,1,24,1,0,0,0,0,0,22
turn 0
";

/// Returns a game of `wari` with two moves.
fn game() -> History {
    let setup = Setup { game: Game::Wari, stones: 4, bidirectional: false };
    let mut history = History::new(setup, setup.rules().start(Player::Bottom));
    for place in [0, 7] {
        assert!(history.push(Step::Sow(Cup::at(place).expect("a cup"))));
    }
    history
}

fn saved(history: &History) -> Vec<u8> {
    let mut bytes = vec![0; history.saved_len()];
    history.saved_bytes(0, &mut bytes);
    bytes
}

/// Creates a folder with `flash.bin`, to which the firmware has written these files, the oldest
/// first.
fn folder(files: &[(FileKind, &str, &[u8])]) -> TempDir {
    let mut chip = FlashChip::factory_new();
    for (kind, name, content) in files {
        let name = Name::new(name).expect("a name");
        let mut writer = Writer::begin(&mut chip, *kind, name, 40_000).expect("room");
        writer.append(&mut chip, content).expect("flash");
        writer.finish(&mut chip).expect("flash");
    }
    let mut scores = Scores::default();
    scores.add(Game::Wari, [27, 21]);
    storage::save_scores(&mut chip, &scores).expect("flash");
    let settings = Settings { seed: 9, game: Game::Wari, ..Settings::default() };
    storage::save(&mut chip, &settings).expect("flash");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("flash.bin"), chip.image()).expect("a file");
    folder
}

/// Creates a folder whose flash has a saved game and a log.
fn usual() -> TempDir {
    folder(&[
        (FileKind::Game, "FRIDAY", &saved(&game())),
        (FileKind::Log, "FRIDAY", LOG.as_bytes()),
    ])
}

/// Runs `nudge flash`, checks its exit code, and returns its standard output and standard error.
#[track_caller]
fn check(folder: &Path, arguments: &str, code: i32) -> (String, String) {
    crate::command::check(folder, &format!("flash {arguments}"), code, &[]).into()
}

/// Checks that the command fails with this single message, and changes nothing in the folder.
#[track_caller]
fn refuses(folder: &Path, arguments: &str, sentence: &str) {
    let before = everything(folder);
    let (out, err) = check(folder, arguments, 2);
    assert_eq!((out.as_str(), err), ("", format!("nudge: {sentence}\n")));
    assert_eq!(everything(folder), before, "nudge flash {arguments}: files changed");
}

/// Returns all files of a folder with their content.
fn everything(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.path().is_file());
    let mut all: Vec<(String, Vec<u8>)> = files
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("a file"))
        })
        .collect();
    all.sort();
    all
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect("a file")
}

#[test]
fn a_flash_is_listed_newest_first_with_settings_and_scores() {
    let folder = folder(&[
        (FileKind::Game, "OLD", &saved(&game())),
        (FileKind::Game, "LETTER", b"Dear Sir"),
        (FileKind::Log, "OLD", LOG.as_bytes()),
    ]);
    let before = everything(folder.path());
    let (out, err) = check(folder.path(), "ls flash.bin", 2);
    assert_eq!(err, "nudge: flash.bin: damaged: the game LETTER\n");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "kind      name      system       moves   bytes",
            "log       OLD       wari             2      82",
            "game      LETTER    damaged          -       8",
            "game      OLD       wari             2      30",
        ]
    );
    assert!(lines[5].starts_with("settings  game wari, seed 9, first open, stones 4, "), "{out}");
    assert_eq!(lines[6], "scores    board 0-0, family 0-0, wari 27-21, top-bottom 0-0");
    assert_eq!(lines[7], "progress  none");
    assert!(lines[8].starts_with("room      ") && lines.len() == 9, "{out}");
    assert_eq!(everything(folder.path()), before, "looking changes nothing");
}

#[test]
fn an_empty_flash_is_listed_as_such() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("flash.bin"), vec![0xFF; FLASH_SIZE]).expect("a file");
    let (out, _) = check(folder.path(), "ls flash.bin", 0);
    assert!(out.contains("settings  game board, seed 0, first open, stones 4"), "{out}");
    assert!(out.contains(", introduced no, "), "it will offer How to play: {out}");
    let sentence = "flash.bin: there is no saved game and no log in it";
    refuses(folder.path(), "export flash.bin", sentence);
}

#[test]
fn a_flash_full_of_foreign_data_is_listed_without_files() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("flash.bin"), vec![0x55; FLASH_SIZE]).expect("a file");
    let (out, err) = check(folder.path(), "ls flash.bin", 2);
    assert!(out.contains("settings  cannot be read: "), "{out}");
    assert!(out.contains("scores    cannot be read: "), "{out}");
    let damage = "damaged: the settings (flash is damaged), the scores (flash is damaged)";
    assert_eq!(err, format!("nudge: flash.bin: {damage}\n"));
    let (out, err) = check(folder.path(), "export flash.bin", 2);
    assert_eq!((out.as_str(), err), ("", format!("nudge: flash.bin: {damage}\n")));
    fs::write(folder.path().join("good.txt"), MINIMAL).expect("a file");
    let (out, err) = check(folder.path(), "import flash.bin good.txt", 2);
    assert_eq!(out, "good.txt: is the game GOOD\n");
    assert_eq!(err, format!("nudge: flash.bin: {damage}\n"));
}

#[test]
fn a_damaged_newest_record_is_reported_and_an_older_one_listed() {
    let folder = usual();
    let path = folder.path().join("flash.bin");
    let mut chip = FlashChip::from_image(fs::read(&path).expect("a file")).expect("the size");
    let mut scores = storage::load_scores(&mut chip).expect("flash");
    scores.add(Game::Wari, [1, 47]);
    storage::save_scores(&mut chip, &scores).expect("flash");
    let mut image = chip.image().to_vec();
    // The last scores are at the end of the data in the first sector of records.
    let last = image[..2 * 4096 - 4].iter().rposition(|byte| *byte != 0xFF).expect("a record");
    image[last - 12] ^= 1;
    fs::write(&path, image).expect("a file");
    let (out, err) = check(folder.path(), "ls flash.bin", 2);
    assert!(out.contains("wari 27-21, top-bottom 0-0 (older: the last are damaged)\n"), "{out}");
    assert_eq!(err, "nudge: flash.bin: damaged: the last scores (older ones are left)\n");
}

/// Returns the kinds and names that `nudge flash ls` prints.
fn listed(folder: &Path) -> Vec<String> {
    let (out, _) = check(folder, "ls flash.bin", 0);
    let rows = out.lines().skip(1).take_while(|line| !line.is_empty());
    rows.map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn files_are_deleted_all_or_none() {
    let folder = folder(&[
        (FileKind::Game, "A", &saved(&game())),
        (FileKind::Log, "A", LOG.as_bytes()),
        (FileKind::Game, "B", &saved(&game())),
        (FileKind::Log, "C", LOG.as_bytes()),
    ]);
    let at = folder.path();
    for (arguments, sentence) in [
        ("B A", "a game and a log are called A; `--kind` says which"),
        ("B D", "no saved game or log is called D"),
        ("B C --kind game", "no game is called C"),
        ("C B --kind log", "no log is called B"),
    ] {
        let sentence = format!("flash.bin: {sentence}");
        refuses_mostly(at, &format!("delete flash.bin {arguments}"), &sentence);
    }
    refuses(at, "delete missing.bin A", "missing.bin: no such file");
    refuses(
        at,
        "delete flash.bin A_B",
        "`A_B` is no name on the board, which is 1 to 8 of A to Z, 0 to 9 and -",
    );
    let (out, _) = check(at, "delete flash.bin b c B", 0);
    assert_eq!(out, "deleted the game B\ndeleted the log C\n");
    assert_eq!(listed(at), ["log A", "game A"]);
    check(at, "delete flash.bin A --kind log", 0);
    assert_eq!(listed(at), ["game A"]);
    check(at, "delete flash.bin A", 0);
    assert_eq!(listed(at), [""; 0]);
}

/// Like [`refuses`], but allows a suggestion after the message.
#[track_caller]
fn refuses_mostly(folder: &Path, arguments: &str, sentence: &str) {
    let before = everything(folder);
    let (out, err) = check(folder, arguments, 2);
    assert!(out.is_empty() && err.starts_with(&format!("nudge: {sentence}")), "{err}");
    assert_eq!(everything(folder), before, "nudge flash {arguments}: files changed");
}

#[test]
fn a_deleted_file_makes_room_for_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = String::new();
    for nth in 0..24 {
        let name = format!("g{nth}.txt");
        fs::write(folder.path().join(&name), MINIMAL).expect("a file");
        files.push_str(&format!(" {name}"));
    }
    fs::write(folder.path().join("new.txt"), MINIMAL).expect("a file");
    check(folder.path(), &format!("import flash.bin {files}"), 0);
    check(folder.path(), "import flash.bin new.txt", 2);
    check(folder.path(), "delete flash.bin G7", 0);
    check(folder.path(), "import flash.bin new.txt", 0);
    assert_eq!(listed(folder.path()).len(), 24);
}

#[test]
fn a_damaged_file_can_be_deleted() {
    let folder = folder(&[
        (FileKind::Game, "LETTER", b"\x01Dear Sir"),
        (FileKind::Game, "FRIDAY", &saved(&game())),
    ]);
    check(folder.path(), "ls flash.bin", 2);
    check(folder.path(), "delete flash.bin LETTER", 0);
    assert_eq!(listed(folder.path()), ["game FRIDAY"]);
}

#[test]
fn games_and_logs_come_out_as_text() {
    let folder = usual();
    let (out, _) = check(folder.path(), "export flash.bin --out a/b", 0);
    assert_eq!(out, "wrote a/b/FRIDAY.log.txt\nwrote a/b/FRIDAY.game.txt\n");
    assert_eq!(read(&folder, "a/b/FRIDAY.log.txt"), LOG);
    assert_eq!(read(&folder, "a/b/FRIDAY.game.txt"), game_text::write(&game()));
    check(folder.path(), "export flash.bin --name friday", 0);
    assert_eq!(read(&folder, "FRIDAY.log.txt"), LOG);
}

#[test]
fn no_file_is_overwritten_unless_forced() {
    let folder = usual();
    fs::write(folder.path().join("FRIDAY.game.txt"), "mine").expect("a file");
    let sentence = "./FRIDAY.game.txt is there already; `--force` replaces it";
    refuses(folder.path(), "export flash.bin", sentence);
    check(folder.path(), "export flash.bin --force", 0);
    assert_eq!(read(&folder, "FRIDAY.game.txt"), game_text::write(&game()));
}

#[test]
fn an_export_can_be_imported_unchanged_into_another_flash() {
    let folder = usual();
    check(folder.path(), "export flash.bin", 0);
    let files = "FRIDAY.game.txt FRIDAY.log.txt";
    let (out, _) = check(folder.path(), &format!("import new.bin {files}"), 0);
    assert_eq!(out, "FRIDAY.game.txt: is the game FRIDAY\nFRIDAY.log.txt: is the log FRIDAY\n");
    check(folder.path(), "export new.bin --out again", 0);
    for file in files.split(' ') {
        assert_eq!(read(&folder, &format!("again/{file}")), read(&folder, file));
    }
    assert!(!folder.path().join("new.bin.new").exists());
}

#[test]
fn a_position_written_by_hand_can_be_imported() {
    let folder = usual();
    fs::write(folder.path().join("win-soon.txt"), MINIMAL).expect("a file");
    check(folder.path(), "import flash.bin win-soon.txt", 0);
    check(folder.path(), "import flash.bin win-soon.txt --name other", 0);
    let (out, _) = check(folder.path(), "ls flash.bin", 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[1], "game      OTHER     board            0      28");
    assert_eq!(lines[2], "game      WIN-SOON  board            0      28");
    assert!(out.contains("scores    board 0-0, family 0-0, wari 27-21"), "{out}");
}

#[test]
fn no_file_in_the_flash_is_replaced_unless_forced() {
    let folder = usual();
    fs::write(folder.path().join("friday.game.txt"), MINIMAL).expect("a file");
    let sentence = "flash.bin: there is a game FRIDAY already; replace it by --force";
    refuses(folder.path(), "import flash.bin friday.game.txt", sentence);
    check(folder.path(), "import flash.bin friday.game.txt --force", 0);
    let (out, _) = check(folder.path(), "ls flash.bin", 0);
    assert_eq!(out.lines().filter(|line| line.starts_with("game ")).count(), 1, "{out}");
}

#[test]
fn a_wrong_import_changes_nothing() {
    let folder = usual();
    let at = folder.path();
    fs::write(at.join("good.txt"), MINIMAL).expect("a file");
    fs::write(at.join("bad.txt"), MINIMAL.replace("turn 0", "trun 0")).expect("a file");
    fs::write(at.join("too-long-a-name.txt"), MINIMAL).expect("a file");
    fs::write(at.join("good.game.txt"), MINIMAL).expect("a file");
    fs::write(at.join("binary.txt"), [0xFF, 0xFE]).expect("a file");
    refuses(
        at,
        "import flash.bin good.txt bad.txt",
        "bad.txt:4:1: `trun` is no key of a saved game; did you mean `turn`?",
    );
    let rule = "which is 1 to 8 of A to Z, 0 to 9 and -";
    refuses(
        at,
        "import flash.bin too-long-a-name.txt",
        &format!(
            "too-long-a-name.txt: `too-long-a-name` is no name on the board, {rule}; give it one \
             by --name"
        ),
    );
    refuses(
        at,
        "import flash.bin good.txt --name a_b",
        &format!("`a_b` is no name on the board, {rule}"),
    );
    refuses(
        at,
        "import flash.bin good.txt good.game.txt",
        "good.game.txt: another of these files is the game GOOD as well",
    );
    refuses(
        at,
        "import flash.bin good.txt bad.txt --name a",
        "--name names one file; import several one by one",
    );
    let (_, err) = check(at, "import flash.bin binary.txt", 2);
    assert!(err.starts_with("nudge: binary.txt: cannot be read: "), "{err}");
    let (_, err) = check(at, "import flash.bin missing.txt", 2);
    assert!(err.starts_with("nudge: missing.txt: cannot be read: "), "{err}");
}

#[test]
fn an_import_creates_the_folder_of_its_image() {
    let folder = usual();
    fs::write(folder.path().join("friday.txt"), game_text::write(&game())).expect("a file");
    check(folder.path(), "import a/b/flash.bin friday.txt", 0);
    assert!(folder.path().join("a/b/flash.bin").is_file());
}

#[test]
fn a_full_flash_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = String::new();
    for nth in 0..25 {
        let name = format!("g{nth}.txt");
        fs::write(folder.path().join(&name), MINIMAL).expect("a file");
        files.push_str(&format!(" {name}"));
    }
    let sentence = "game G24 (28 bytes) finds no room in the flash beside 24 files, of which there \
                    can be 24; `nudge flash delete` makes room";
    refuses(folder.path(), &format!("import flash.bin {files}"), sentence);
}

#[test]
fn a_file_that_is_not_a_flash_is_refused() {
    let folder = usual();
    let at = folder.path();
    fs::write(at.join("letter.txt"), "Dear Sir").expect("a file");
    fs::write(at.join("good.txt"), MINIMAL).expect("a file");
    let sentence = "letter.txt: is no flash of this board, which has 262144 bytes";
    for verb in ["ls letter.txt", "export letter.txt", "import letter.txt good.txt"] {
        refuses(at, verb, sentence);
    }
    for verb in ["ls missing.bin", "export missing.bin"] {
        refuses(at, verb, "missing.bin: no such file");
    }
}

#[test]
fn an_export_names_missing_and_unreadable_files() {
    let folder = folder(&[
        (FileKind::Game, "FRIDAY", &saved(&game())),
        (FileKind::Game, "LETTER", b"\x01Dear Sir"),
    ]);
    let at = folder.path();
    refuses(
        at,
        "export flash.bin --name fridya",
        "flash.bin: no saved game or log is called FRIDYA; did you mean `FRIDAY`?",
    );
    refuses(
        at,
        "export flash.bin --name letter",
        "flash.bin: the game LETTER cannot be read: it is cut short",
    );
    let (_, err) = check(at, "export flash.bin", 2);
    assert!(err.ends_with("it is cut short; the others were written\n"), "{err}");
    assert_eq!(read(&folder, "FRIDAY.game.txt"), game_text::write(&game()));
}

#[test]
fn no_verb_panics_or_hides_damage_of_a_damaged_image() {
    sampled!();
    let sound = folder(&[
        (FileKind::Game, "A", &saved(&game())),
        (FileKind::Log, "A", LOG.as_bytes()),
        (FileKind::Game, "B", &saved(&game())),
    ]);
    let sound = fs::read(sound.path().join("flash.bin")).expect("a file");
    let mut damaged = 0;
    for seed in 0..120 {
        let mut image = sound.clone();
        let how = damage::damage(&mut image, seed);
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("new.txt"), MINIMAL).expect("a file");
        fs::write(folder.path().join("flash.bin"), &image).expect("a file");
        let mut flash =
            FlashFiles::open(&folder.path().join("flash.bin")).expect("a flash").expect("a file");
        let found = flash.listing().expect("a listing").damage();
        // Most damage hits unused parts of the image.
        if found.is_none() && seed % 20 != 0 {
            continue;
        }
        damaged += u32::from(found.is_some());
        let code = if found.is_some() { 2 } else { 0 };
        for verb in ["ls flash.bin", "export flash.bin --force", "import flash.bin new.txt"] {
            let (_, err) = check(folder.path(), verb, code);
            assert!(!err.contains("panicked"), "image {seed}, {how:?}: {err}");
        }
    }
    assert!(damaged > 10, "{damaged} of 120 images are damaged where it matters");
}

#[test]
fn the_example_of_the_documentation_can_be_imported() {
    let page = include_str!("../../../docs/command-line.md");
    let example = page.split("```\n").find(|block| block.starts_with("nudge saved game"));
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("win.txt"), example.expect("an example")).expect("a file");
    check(folder.path(), "import flash.bin win.txt", 0);
}
