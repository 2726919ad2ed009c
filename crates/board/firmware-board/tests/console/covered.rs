//! Console lines that are typed while a menu, a question, Edit Board or a log covers the game:
//! lines that change the board are refused, and queries are answered.

use firmware_board::native::Native;
use firmware_core::name::Name;
use firmware_core::storage::files::{FileKind, Writer};
use hal_mock::{Machine, flash::FlashChip};
use trace::Button;
use virtual_time::Nanos;

use crate::{run, trace, typed};

const SECOND: u64 = 1_000;
const REFUSED: &str =
    "error text=\"a menu, a question or an edit is open; leave it and send the line again\"";

/// Returns a board of `wari` with a log, in a game that has begun.
fn begun() -> Native {
    let mut chip = FlashChip::factory_new();
    let (name, text) = (Name::new("LOG1").expect("a name"), b"log of LOG1\nend of the log\n");
    let mut writer = Writer::begin(&mut chip, FileKind::Log, name, 64).expect("room");
    writer.append(&mut chip, text).expect("room");
    writer.finish(&mut chip).expect("it is whole");
    let header = trace(&[("game", "wari"), ("first", "bottom")]);
    let config =
        firmware_board::header::board(&header, Some(chip.image().to_vec())).expect("a header");
    let mut board = Native::new(config);
    board.power_on().expect("power");
    run(&mut board, Nanos::from_secs(1));
    press(&mut board, &[("B1", 80), ("B1", 80)]);
    run(&mut board, Nanos::from_secs(5));
    board
}

/// Presses buttons, each for the given number of milliseconds.
fn press(board: &mut Native, presses: &[(&str, u64)]) {
    for (name, millis) in presses {
        let button =
            Button::LCD_BOARD.into_iter().find(|button| button.name() == *name).expect("one");
        let now = board.board().now();
        board.board().press(now, button);
        board.board().release(now.saturating_add(Nanos::from_millis(*millis)), button);
        run(board, Nanos::from_millis(millis + SECOND));
    }
}

/// Checks the answers to lines that change the board, or send much, on the page that `presses` lead
/// to.
#[track_caller]
fn check(page: &str, presses: &[(&str, u64)]) {
    let lines = [
        "set sound off",
        "totals wari 1 2",
        "seed 3",
        "factory new",
        "export log LOG1",
        "import game NEW",
        "import log NEW bytes 3",
        "import text=\"x\"",
        "import end NEW",
    ];
    let mut board = begun();
    press(&mut board, presses);
    let flash = board.board().with_flash(|flash| flash.image().to_vec());
    let frame = board.board().frame_at(board.board().now());
    for line in lines {
        assert_eq!(typed(&mut board, line), [REFUSED], "{page}: `{line}`");
    }
    assert_eq!(typed(&mut board, "get game"), ["setting game=wari"], "{page}");
    assert_eq!(typed(&mut board, "export")[0], "stored log=LOG1 bytes=27", "{page}");
    assert_eq!(typed(&mut board, "totals").len(), 4, "{page}");
    assert!(board.board().with_flash(|chip| chip.image() == flash), "{page}: flash");
    // A cursor blinks in Edit Board.
    if page != "Edit Board" {
        assert!(board.board().frame_at(board.board().now()) == frame, "{page}: screen");
    }
}

#[test]
fn pages_that_cover_the_game_refuse_changes() {
    let hold = ("RESET", 1_200);
    let tap = |name| (name, 80);
    check("the menu", &[hold]);
    check("a question", &[tap("RESET")]);
    let edit = [hold, tap("B2"), tap("B4"), tap("B5")];
    check("Edit Board", &edit);
    check("the soft keys of Edit Board", &[&edit[..], &[tap("RESET")]].concat());
    let logs = [hold, tap("B3"), tap("B3"), tap("B5")];
    check("the list of logs", &logs);
    check("a log", &[&logs[..], &[tap("B5")]].concat());
    check("the question whether to delete a log", &[&logs[..], &[tap("B1")]].concat());
    check("the name of a log", &[hold, tap("B3"), tap("B3"), tap("B3"), tap("B5")]);
}

/// Shows that the lines above are refused because of the page: on the board itself they are
/// executed.
#[test]
fn lines_are_executed_while_no_page_covers_the_board() {
    let mut board = begun();
    for (line, answer) in [
        ("set sound off", "setting sound=off"),
        ("totals wari 1 2", "totals game=wari bottom=1 top=2"),
        ("seed 3", "seed value=3 from=power-on"),
        ("export log LOG1", "import log=LOG1 bytes=27"),
        ("import game NEW", "importing game=NEW"),
        ("factory new", "factory state=new"),
    ] {
        assert_eq!(typed(&mut board, line)[0], answer);
    }
}

/// An import that was started pauses while a menu is open, and then continues.
#[test]
fn an_import_pauses_while_a_menu_is_open() {
    let mut board = begun();
    assert_eq!(typed(&mut board, "import log NEW bytes 4"), ["importing log=NEW"]);
    assert_eq!(typed(&mut board, "import text=\"a\""), ["imported line=1"]);
    press(&mut board, &[("RESET", 1_200)]);
    assert_eq!(typed(&mut board, "import text=\"b\""), [REFUSED]);
    press(&mut board, &[("RESET", 80)]);
    assert_eq!(typed(&mut board, "import text=\"b\""), ["imported line=2"]);
    let said = typed(&mut board, "import end NEW lines 2");
    assert!(said[0].starts_with("imported log=NEW lines=2 sum="), "{said:?}");
}
