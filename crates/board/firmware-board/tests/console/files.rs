//! Tests of transferring saved games and logs from one board to another over their consoles, with
//! `export` and `import`.

mod fixtures;

use firmware_board::flash_files::FileContent;
use firmware_core::history::History;
use firmware_core::name::Name;
use firmware_core::storage::Crc;
use firmware_core::storage::files::{self, FileKind};
use firmware_core::systems::{Game, SYSTEMS};
use hal_mock::Machine;
use trace::Button;
use virtual_time::{Nanos, Random};

use crate::{fresh, run, trace, typed};
use fixtures::*;

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
            let lines = firmware_board::header::import_lines(file.name, &content).expect("lines");
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
            board.board().press(now, Button::LCD_BOARD[button]);
            board
                .board()
                .release(now.saturating_add(Nanos::from_millis(80)), Button::LCD_BOARD[button]);
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
        let wanted = switched_on(firmware_board::header::board(&header, None).expect("a header"));
        let mut told = fresh();
        for line in firmware_board::header::console_lines(&header).expect(flash) {
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
