//! Tests of transferring saved games and logs from one board to another over their consoles, with
//! `export` and `import`.

use boards::flash_files::{FileContent, FlashFiles};
use boards::native::Native;
use firmware_core::history::saved::mark_uncounted;
use firmware_core::history::{History, Setup, Step};
use firmware_core::name::Name;
use firmware_core::places::{Cup, Player};
use firmware_core::storage::Crc;
use firmware_core::storage::files::{self, FileKind, Writer};
use firmware_core::systems::{Game, SYSTEMS};
use hal_mock::{BoardConfig, Machine, flash::FlashChip};
use trace::Button;
use virtual_time::{Nanos, Random};

use crate::{fresh, run, trace, typed};

/// Time within which a line is answered, and within which a line of an export is sent.
const LINE: Nanos = Nanos::from_millis(500);

/// A file with its bytes in flash.
#[derive(Clone, Debug, PartialEq, Eq)]
struct File {
    kind: FileKind,
    name: Name,
    bytes: Vec<u8>,
}

impl File {
    fn new(kind: FileKind, name: &str, bytes: Vec<u8>) -> Self {
        Self { kind, name: Name::new(name).expect("a name"), bytes }
    }

    fn game(name: &str, history: &History) -> Self {
        let mut bytes = vec![0; history.saved_len()];
        history.saved_bytes(0, &mut bytes);
        Self::new(FileKind::Game, name, bytes)
    }

    fn log(name: &str, text: &str) -> Self {
        Self::new(FileKind::Log, name, text.into())
    }

    /// Returns the file as a board stores it after an import: a finished game is marked as no part
    /// of the totals of that board.
    fn imported(&self) -> Self {
        let mut file = self.clone();
        let is_game = file.kind == FileKind::Game;
        if is_game && History::from_bytes(&file.bytes).expect("a game").is_over() {
            mark_uncounted(&mut file.bytes);
        }
        file
    }

    /// Returns the command that exports the file.
    fn export(&self) -> String {
        format!("export {} {}", self.kind.name(), self.name)
    }
}

/// Returns a flash that contains `files`, the last one newest.
fn flash_of(files: &[File]) -> Vec<u8> {
    let mut chip = FlashChip::factory_new();
    put(&mut chip, files);
    chip.image().to_vec()
}

fn put(chip: &mut FlashChip, files: &[File]) {
    for File { kind, name, bytes } in files {
        let mut writer = Writer::begin(chip, *kind, *name, bytes.len() as u32).expect("room");
        writer.append(chip, bytes).expect("room");
        writer.finish(chip).expect("it is whole");
    }
}

/// Returns a board with these files that is switched on and shows no question.
fn board_with(stored: &[File]) -> Native {
    let config = boards::header::board(&trace(&[]), Some(flash_of(stored))).expect("a header");
    switched_on(config)
}

fn switched_on(config: BoardConfig) -> Native {
    let mut board = Native::new(config);
    board.power_on().expect("power");
    run(&mut board, Nanos::from_secs(1));
    board
}

fn image(board: &Native) -> Vec<u8> {
    board.board().with_flash(|flash| flash.image().to_vec())
}

/// Returns the files on a board, newest first. Each must be complete.
fn stored(board: &Native) -> Vec<File> {
    let mut chip = FlashChip::from_image(image(board)).expect("the board's own flash");
    let listing = files::list(&mut chip, None).expect("powered");
    assert_eq!(listing.damaged, 0);
    let read = |entry: &files::FileEntry| {
        assert_eq!(files::verify(&mut chip, entry), Ok(()), "{entry:?}");
        let mut bytes = vec![0; entry.length as usize];
        assert_eq!(files::read(&mut chip, entry, 0, &mut bytes), Ok(bytes.len()));
        File { kind: entry.kind, name: entry.name, bytes }
    };
    listing.files.iter().map(read).collect()
}

/// Returns the text that `nudge flash export` writes for the newest file.
fn exported_by_the_host(board: &Native) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board.bin");
    std::fs::write(&path, image(board)).expect("a file");
    let mut files = FlashFiles::open(&path).expect("a flash").expect("a file");
    let listing = files.listing().expect("a listing");
    listing.files[0].content.as_ref().map(FileContent::to_text).expect("it can be read")
}

/// Types a line and returns the console lines up to the first that is `last`.
#[track_caller]
fn lines_until(board: &mut Native, line: &str, last: impl Fn(&str) -> bool) -> Vec<String> {
    let mut heard = board.board().console_lines().len();
    board.board().type_line(board.board().now(), line);
    let mut said = Vec::new();
    let mut silent = Nanos::ZERO;
    while silent < LINE {
        run(board, Nanos::from_millis(5));
        silent = silent.saturating_add(Nanos::from_millis(5));
        let lines = board.board().console_lines();
        for line in &lines[heard..] {
            said.push(line.text.clone());
            silent = Nanos::ZERO;
        }
        heard = lines.len();
        if said.iter().any(|line| last(line)) {
            return said;
        }
    }
    panic!("`{line}` is not answered: {said:?}");
}

/// Returns the lines of an export, or the refusal.
#[track_caller]
fn exported(board: &mut Native, command: &str) -> Vec<String> {
    lines_until(board, command, |line| {
        line.starts_with("import end=") || line.starts_with("error ")
    })
}

/// Returns the only answer to a line of an import.
#[track_caller]
fn answer(board: &mut Native, line: &str) -> String {
    let is_answer = |line: &str| line.starts_with("import") || line.starts_with("error ");
    lines_until(board, line, is_answer).pop().expect("an answer")
}

#[track_caller]
fn import(board: &mut Native, lines: &[String]) {
    for line in lines {
        assert!(line.len() <= 96, "{line}");
        let answer = answer(board, line);
        assert!(answer.starts_with("import"), "`{line}`: {answer}");
    }
}

/// Returns the text in the lines of an export.
fn text_of(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let quoted = |key: &str| line.strip_prefix(key)?.strip_suffix('"');
        if let Some(line) = quoted("import text=\"") {
            text += line;
            text.push('\n');
        } else if let Some(part) = quoted("import part=\"") {
            text += part;
        }
    }
    text
}

/// Returns a game with every kind of step.
fn random_game(game: Game, random: &mut Random, steps: u64) -> History {
    let choices = game.system().choices;
    let stones = if choices { 3 + random.below(3) as u8 } else { 4 };
    let setup = Setup { game, stones, bidirectional: choices && random.below(2) == 0 };
    let mut history =
        History::new(setup, setup.rules().start(Player::BOTH[random.below(2) as usize]));
    for _ in 0..steps {
        match random.below(20) {
            0 => {
                let mut after = history.position();
                let (from, to) = (random.below(14) as usize, random.below(14) as usize);
                let moved = after.stones[from].min(2);
                after.stones[from] -= moved;
                after.stones[to] += moved;
                history.edit(&after);
            }
            1 => _ = history.push(Step::Bidirectional(!history.rules().bidirectional)),
            2 => _ = history.undo(),
            _ if history.is_over() => _ = history.edit(&setup.rules().start(Player::Top)),
            _ => {
                let cup = Cup::nth(history.position().turn, random.below(6) as usize);
                history.push(Step::Sow(cup.expect("a cup")));
            }
        }
    }
    match random.below(4) {
        0 => _ = history.push(Step::Abandon),
        1 => _ = history.push(Step::Resign(Player::Top)),
        _ => {}
    }
    history
}

/// Returns lines of random length, with all characters that a line can have.
fn random_log(random: &mut Random) -> String {
    let mut text = String::from("log of X\n");
    for _ in 0..random.below(30) {
        let most = [2, 30, 90, 200][random.below(4) as usize];
        for _ in 0..random.below(most) {
            text.push(char::from(b' ' + random.below(95) as u8));
        }
        text.push('\n');
    }
    if random.below(3) == 0 {
        text += "not ended";
    }
    text
}

/// Exports `file` from one board, imports it on another, and compares the files.
#[track_caller]
fn check_round_trip(what: &str, file: &File) {
    let mut first = board_with(std::slice::from_ref(file));
    let lines = exported(&mut first, &file.export());
    let host = exported_by_the_host(&first);
    assert_eq!(text_of(&lines), host, "{what}");
    let sum = format!(" sum={:08x}", Crc::of(host.as_bytes()));
    assert!(lines.last().is_some_and(|end| end.ends_with(&sum)), "{what}: {lines:?}");
    let mut second = board_with(&[]);
    import(&mut second, &lines);
    assert_eq!(stored(&second), [file.imported()], "{what}");
    assert_eq!(exported_by_the_host(&second), host, "{what}");
    // Imports the file on the first board again, over itself.
    let mut over = lines.clone();
    over[0] += " over";
    import(&mut first, &over);
    assert_eq!(stored(&first), [file.imported()], "{what}");
    assert_eq!(exported(&mut second, &file.export()), lines, "{what}");
}

#[test]
fn any_saved_game_is_transferred_without_a_change() {
    for seed in 0..16 {
        let mut random = Random::new(seed);
        let system = SYSTEMS[seed as usize % SYSTEMS.len()];
        let steps = if seed == 15 { 2_500 } else { random.below(60) };
        let history = random_game(system.game, &mut random, steps);
        check_round_trip(&format!("{}, seed {seed}", system.name), &File::game("GAME1", &history));
    }
}

#[test]
fn any_log_is_transferred_without_a_change() {
    for text in ["", "\n", "\n\n", "x", "log of X\n  \"quoted\" \n", "import stop\n"] {
        check_round_trip(&format!("{text:?}"), &File::log("LOG1", text));
    }
    // A line that just fits, and one that does not; a file that fills its first sector.
    for letters in [81, 82, 83, 164, 165, 4_031, 4_032, 4_033] {
        let text = "y".repeat(letters);
        check_round_trip(&format!("{letters} letters"), &File::log("LOG1", &text));
        check_round_trip(&format!("{letters} letters, ended"), &File::log("L", &(text + "\n")));
    }
    for seed in 0..24 {
        let text = random_log(&mut Random::new(seed));
        check_round_trip(&format!("seed {seed}"), &File::log("LOG1", &text));
    }
}

/// Returns a game with a few moves and a log of some lines, as a board could store them.
fn some_files() -> [File; 2] {
    let history = random_game(Game::Wari, &mut Random::new(3), 9);
    [File::game("GAME1", &history), File::log("LOG1", "log of LOG1\n   1 Top 9\nend of the log\n")]
}

/// Returns the lines that transfer `file` to a board.
fn lines_of(file: &File) -> Vec<String> {
    exported(&mut board_with(std::slice::from_ref(file)), &file.export())
}

#[test]
fn an_incomplete_import_leaves_no_file() {
    let [game, log] = some_files();
    let other = File::log("OTHER", "log of OTHER\n");
    // Files of the same names with other content.
    let old = [
        File::game("GAME1", &random_game(Game::Board, &mut Random::new(8), 5)),
        File::log("LOG1", &"another line\n".repeat(500)),
    ];
    for file in [&game, &log] {
        let mut lines = lines_of(file);
        lines[0] += " over";
        for sent in 0..lines.len() {
            let mut board = board_with(&old);
            let before = stored(&board);
            import(&mut board, &lines[..sent]);
            assert_eq!(stored(&board), before, "{sent} lines of {file:?}");
            match sent % 3 {
                // Another import begins.
                0 => import(&mut board, &lines_of(&other)),
                1 if sent > 0 => import(&mut board, &["import stop".into()]),
                _ => {
                    board.power_off();
                    assert_eq!(stored(&board), before, "{sent} lines of {file:?}");
                    board.power_on().expect("power");
                    run(&mut board, Nanos::from_secs(1));
                }
            }
            let kept: Vec<File> =
                stored(&board).into_iter().filter(|file| *file != other).collect();
            assert_eq!(kept, before, "{sent} lines of {file:?}");
            let no_import =
                "error text=\"no import is open; begin with import game NAME or import log NAME\"";
            assert_eq!(answer(&mut board, &lines[lines.len() - 1]), no_import);
            // The file is sent again from the beginning.
            import(&mut board, &lines);
            assert_eq!(stored(&board)[0], file.imported(), "{sent} lines of {file:?}");
        }
    }
}

/// Checks the answer to the last of the lines that are sent to a board with a game GAME1 and a log
/// LOG1.
#[track_caller]
fn check_answer(lines: &[&str], expected: &str) {
    let mut board = board_with(&some_files());
    let before = stored(&board);
    let mut last = String::new();
    for line in lines {
        last = answer(&mut board, line);
    }
    assert_eq!(last, expected, "{lines:?}");
    assert_eq!(stored(&board), before, "{lines:?}");
}

#[track_caller]
fn check_refused(lines: &[&str], says: &str) {
    check_answer(lines, &format!("error text=\"{says}\""));
}

#[test]
fn a_wrong_line_is_answered_with_error_place_and_advice() {
    for (line, says) in [
        ("export game", "it is written: export [game|log NAME]"),
        ("export games GAME1", "it is written: export [game|log NAME]"),
        ("export game GAME1 now", "it is written: export [game|log NAME]"),
        ("export game game1", "'game1' is no name; it is 1 to 8 of A to Z, 0 to 9 and -"),
        ("export game LOG1", "no game is called LOG1; type export for all of them"),
        ("export log GAME1", "no log is called GAME1; type export for all of them"),
        ("import", "it is written: import game NAME|log NAME bytes N [over]"),
        ("import file NEW", "it is written: import game NAME|log NAME bytes N [over]"),
        ("import game NEW now", "it is written: import game NAME|log NAME bytes N [over]"),
        ("import game NEW bytes 9", "it is written: import game NAME|log NAME bytes N [over]"),
        ("import log NEW", "it is written: import game NAME|log NAME bytes N [over]"),
        ("import log NEW bytes", "it is written: import game NAME|log NAME bytes N [over]"),
        ("import log NEW bytes -1", "'-1' is no whole number in range"),
        (
            "import log NEW bytes 200000",
            "the flash has no room for this log; delete one in the menu",
        ),
        ("import game ABCDEFGHI", "'ABCDEFGHI' is no name; it is 1 to 8 of A to Z, 0 to 9 and -"),
        ("import game GAME1", "there is a game GAME1; add the word over to replace it"),
        ("import log=LOG1 bytes=3", "there is a log LOG1; add the word over to replace it"),
        ("import text", "it is written: import text|part=QUOTED"),
        ("import text=x", "it is written: import text|part=QUOTED"),
        ("import text=\"", "it is written: import text|part=QUOTED"),
        ("import stop now", "it is written: import stop"),
        ("import end", "it is written: import end NAME [lines N] [sum CRC]"),
        ("import end NEW lines", "it is written: import end NAME [lines N] [sum CRC]"),
        ("import end NEW bytes 3", "it is written: import end NAME [lines N] [sum CRC]"),
        ("import end NEW sum 12", "'12' is no sum; it has 8 digits 0 to f"),
        ("import end NEW sum +2345678", "'+2345678' is no sum; it has 8 digits 0 to f"),
        ("import stop", "no import is open; begin with import game NAME or import log NAME"),
        ("import text=\"x\"", "no import is open; begin with import game NAME or import log NAME"),
        ("import end NEW", "no import is open; begin with import game NAME or import log NAME"),
    ] {
        check_refused(&[line], says);
    }
    let game = ["import game NEW", "import text=\"nudge saved game 1\""];
    let with = |lines: &[&'static str]| [&game[..], lines].concat();
    check_refused(
        &with(&["import text=\"gmae wari\""]),
        "line 2: 'gmae' is no key; steps come below a line steps",
    );
    check_refused(
        &with(&["import text=\"\"", "import text=\"turn \"x\""]),
        "line 3: turn cannot be ''x'; it is 0 (bottom) or 1 (top)",
    );
    check_refused(
        &with(&["import part=\"game\""]),
        "a line of a saved game is sent whole, as text",
    );
    check_refused(&with(&["import end NEW"]), "line 2: game is missing; send it first");
    check_refused(
        &with(&["import end GAME1"]),
        "the import of the game NEW is open; end it or type import stop",
    );
    check_refused(
        &with(&["export game GAME1"]),
        "the import of the game NEW is open; end it or type import stop",
    );
    check_refused(
        &with(&["import end NEW lines 3"]),
        "1 lines came, not 3; nothing is stored, begin again",
    );
    let log = ["import log NEW bytes 5", "import text=\"abc\""];
    let with = |lines: &[&'static str]| [&log[..], lines].concat();
    check_refused(
        &with(&["import text=\"d\""]),
        "the log would have more than the 5 bytes of its first line",
    );
    check_refused(
        &with(&["import end NEW"]),
        "4 bytes came, not 5; nothing is stored, begin again",
    );
    let sum = "the sum is 4788814e; nothing is stored, begin again";
    check_refused(&with(&["import end NEW lines 1 sum 12345678"]), sum);
    check_answer(&with(&["import stop"]), "imported state=dropped log=NEW");
    // A refused line can be sent again.
    check_answer(&with(&["import text=\"d\"", "import part=\"d\""]), "imported line=2");
}

#[test]
fn a_wrong_line_can_be_sent_again() {
    let file = &some_files()[0];
    let mut board = board_with(&[]);
    for line in lines_of(file) {
        for wrong in
            ["import text=\"x\"", "get \u{fc}", "import part=\"x\"", "import text=\"sow 99\""]
        {
            assert!(answer(&mut board, wrong).starts_with("error "), "{wrong}");
        }
        import(&mut board, &[line]);
    }
    assert_eq!(stored(&board), [file.imported()]);
}

/// A game typed by hand has no checksums and has blanks between its words.
#[test]
fn a_game_is_typed_by_hand_and_loaded() {
    let mut board = board_with(&[]);
    for line in [
        "import game WIN",
        "import text=\"nudge saved game 1\"",
        "import text=\"game board\"",
        "import text=\"board 0,0,0,0,0,1,20,1,14,0,0,0,0,12\"",
        "import text=\"turn 0\"",
    ] {
        assert!(answer(&mut board, line).starts_with("import"), "{line}");
    }
    let said = answer(&mut board, "import  end  WIN ");
    assert!(said.starts_with("imported game=WIN lines=4 sum="), "{said}");
    let said = typed(&mut board, "export");
    assert_eq!(said[0], "stored game=WIN bytes=28");
    assert!(said[1].starts_with("stored files=1 damaged=0 room="), "{said:?}");
}

/// A flash with the maximum number of files.
#[test]
fn a_full_flash_refuses_new_files_and_replaces_existing_ones() {
    let game = &some_files()[0];
    let mut full: Vec<File> = Vec::new();
    for nth in 0..files::MAX_FILES {
        full.push(File { name: Name::new(&format!("X{nth}")).expect("a name"), ..game.clone() });
    }
    let mut board = board_with(&full);
    assert_eq!(typed(&mut board, "export").len(), files::MAX_FILES + 1);
    let says = "error text=\"the flash has no room for this game; delete one in the menu\"";
    assert_eq!(answer(&mut board, "import game NEW"), says);
    let mut lines = lines_of(&some_files()[0]);
    lines[0] = "import game=X3 over".into();
    let end = lines.len() - 1;
    lines[end] = lines[end].replace("GAME1", "X3");
    import(&mut board, &lines);
    assert_eq!(stored(&board)[0], full[3].imported());
    assert_eq!(stored(&board).len(), files::MAX_FILES);
}

/// The host generates the same lines that a board sends.
#[test]
fn the_host_and_a_board_write_the_same_lines() {
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let system = SYSTEMS[seed as usize % SYSTEMS.len()];
        let game = File::game("GAME1", &random_game(system.game, &mut random, 40));
        for file in [game, File::log("LOG1", &random_log(&mut random))] {
            let text = exported_by_the_host(&board_with(std::slice::from_ref(&file)));
            let content = match file.kind {
                FileKind::Game => FileContent::from_text("x", &text).expect("a game"),
                FileKind::Log => FileContent::Log(text),
            };
            let lines = boards::header::import_lines(file.name, &content).expect("lines");
            assert_eq!(lines, lines_of(&file), "seed {seed}");
        }
    }
}

/// An export continues while the user plays: no frame changes, and a line of the game waits for at
/// most one line of the export.
#[test]
fn an_export_changes_no_frame_and_no_line_of_the_game() {
    let played = |exports: bool| {
        let log = File::log("LOG1", &"a line of a log that is long enough to last\n".repeat(900));
        let mut board = board_with(&[log]);
        if exports {
            board.board().type_line(board.board().now(), "export log LOG1");
        }
        for button in [3, 1, 7, 2, 8] {
            let now = board.board().now();
            board.board().press(now, Button::ALL[button]);
            board.board().release(now.saturating_add(Nanos::from_millis(80)), Button::ALL[button]);
            run(&mut board, Nanos::from_secs(1));
        }
        let frames = board.board().frame_count_at(board.board().now());
        let lines = board.board().console_lines();
        let (sent, said): (Vec<_>, Vec<_>) =
            lines.into_iter().partition(|line| line.text.starts_with("import "));
        (frames, sent.len(), said, board.board().frame_at(board.board().now()))
    };
    let (alone, beside) = (played(false), played(true));
    assert!(beside.1 > 400, "{} lines were sent", beside.1);
    assert_eq!(beside.0, alone.0, "frames");
    assert!(beside.3 == alone.3, "the last frame");
    assert_eq!(beside.2.len(), alone.2.len());
    for (beside, alone) in beside.2.iter().zip(&alone.2) {
        assert_eq!(beside.text, alone.text);
        // The longest line of an import takes 8.4 ms at 115,200 baud.
        let late = beside.at.saturating_since(alone.at);
        assert!(late <= Nanos::from_millis(9), "{}: {late} late", beside.text);
    }
}

/// Types random bytes and random lines of imports: a file that exists is complete, and earlier
/// files remain.
#[test]
fn no_input_creates_an_incomplete_file() {
    let [game, log] = some_files();
    let words = [
        "import game=",
        "import log=",
        "import end=",
        "import text=\"",
        "import part=\"",
        "import stop",
        "export game ",
        "export log ",
        "NEW",
        "GAME1",
        "\"",
        " bytes=",
        "5",
        "30",
        " over",
        " lines=1",
        " sum=00000000",
        "nudge saved game 1",
        "game wari",
        "turn 0",
        "sow 2",
        "steps",
        "log of NEW",
        "\n",
        "\n",
        "\n",
        "x",
        " ",
        "=",
    ];
    let [new_game, new_log] =
        [&game, &log].map(|file| File { name: Name::new("NEW").expect("a name"), ..file.clone() });
    let valid = [lines_of(&new_game), lines_of(&new_log)].concat();
    let mut made = 0;
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let mut board = board_with(&[game.clone(), log.clone()]);
        for _ in 0..60 {
            let mut line = String::new();
            match random.below(4) {
                0 => {
                    for _ in 0..random.below(6) {
                        line += words[random.below(words.len() as u64) as usize];
                    }
                }
                1 => line = valid[random.below(valid.len() as u64) as usize].clone(),
                2 => {
                    let at = random.below(valid.len() as u64) as usize;
                    line = valid[at].replace(char::from(b'0' + random.below(10) as u8), "");
                }
                // A sequence of valid lines.
                _ => line = valid[..random.below(valid.len() as u64) as usize].join("\n"),
            }
            let now = board.board().now();
            for byte in line.bytes() {
                let byte = if random.below(3_000) == 0 { random.below(256) as u8 } else { byte };
                board.board().type_byte(now, byte);
            }
            board.board().type_byte(now, b'\n');
            run(&mut board, Nanos::from_millis(random.below(300)));
        }
        run(&mut board, Nanos::from_secs(5));
        // Each file is complete: `stored` verifies it, and the host reads games and logs.
        let found = stored(&board);
        made += found.len() - 2;
        for file in &found {
            if file.kind == FileKind::Game {
                assert!(History::from_bytes(&file.bytes).is_ok(), "seed {seed}: {file:?}");
            }
        }
        assert!(found.contains(&log), "seed {seed}: {found:?}");
        board.board().type_byte(board.board().now(), b'\n');
        run(&mut board, Nanos::from_secs(1));
        assert_eq!(typed(&mut board, "get sound"), ["setting sound=on"], "seed {seed}");
    }
    assert!(made > 0, "no file was made at all");
}

/// Sets up boards from headers whose flash has saved games and logs, and compares the files.
#[test]
fn the_files_of_a_header_are_imported_in_order() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/traces");
    // The maximum number of files; a game of 1,802 steps; games that were continued.
    for flash in ["menu/full.flash", "menu/long-log.flash", "storage/long.flash"] {
        let path = folder.join(flash);
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let header = trace::Trace {
            folder: path.parent().map(Into::into),
            ..trace(&[("game", "wari"), ("flash", name)])
        };
        let wanted = switched_on(boards::header::board(&header, None).expect("a header"));
        let mut told = fresh();
        for line in boards::header::console_lines(&header).expect(flash) {
            let said = match line.starts_with("import ") {
                true => answer(&mut told, &line),
                false => typed(&mut told, &line).remove(0),
            };
            assert!(!said.starts_with("error"), "`{line}`: {said}");
        }
        assert_eq!(stored(&told), stored(&wanted), "{flash}");
        assert!(!stored(&told).is_empty(), "{flash}");
    }
}

/// A line typed after `export` waits for its end, and is executed then.
#[test]
fn a_line_typed_during_an_export_is_answered_after_it() {
    for file in &some_files() {
        let mut board = board_with(std::slice::from_ref(file));
        let mut expected = lines_of(file);
        expected.push("setting game=board".into());
        let heard = board.board().console_lines().len();
        board.board().type_line(board.board().now(), &file.export());
        board.board().type_line(board.board().now(), "get game");
        run(&mut board, Nanos::from_secs(2));
        let said = board.board().console_lines();
        let said: Vec<String> = said[heard..].iter().map(|line| line.text.clone()).collect();
        assert_eq!(said, expected);
    }
}
