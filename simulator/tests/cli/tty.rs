//! Tests `nudge run` in a terminal: display, input, and exit. `pty` is the terminal.

pub(crate) mod pty;
#[cfg(feature = "pico-test")]
mod stops;

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process::{Command, Stdio};

use base64::Engine as _;
use ili9341_model::Frame;
use reading::golden::{compare, decode_png, read_png};
use rustix::process::{Signal, kill_process};
use vt100::Color;

use crate::command::{NUDGE, check, nudge};
use pty::{Kind, Tty, children_of, is_stopped};

/// The answer of xterm to the query of its attributes.
const XTERM: &str = "\x1b[?64;1;2;6;22c";
/// The answer of kitty to the query of its attributes.
const KITTY: &str = "\x1b[?0u\x1b_Gi=4207;OK\x1b\\\x1b[6;20;10t\x1b[?62;52;c";
const USUAL: Kind =
    Kind { size: (80, 24), variables: &[], answers: XTERM, bytes_per_second: 0, cell: (0, 0) };
/// A terminal with one cell for every two pixels of the LCD.
const WHOLE: Kind = Kind { size: (340, 126), ..USUAL };
const SESSION: &str = "run --tty --record on.trace --seed 7 --game wari";

/// Returns the LCD's pixels in the terminal [`WHOLE`].
fn lcd(screen: &vt100::Screen) -> Frame {
    let mut frame = Frame::filled(320, 240, 0);
    for (row, column) in (0..120).flat_map(|row| (0..320).map(move |column| (row, column))) {
        let Some(cell) = screen.cell(2 + row, 10 + column) else { continue };
        let rgb = |colour| match colour {
            Color::Rgb(red, green, blue) => u32::from_be_bytes([0, red, green, blue]),
            _ => 0x0100_0000,
        };
        let (upper, lower) = match cell.contents() {
            "▀" => (rgb(cell.fgcolor()), rgb(cell.bgcolor())),
            _ => (rgb(cell.bgcolor()), rgb(cell.bgcolor())),
        };
        let at = 2 * usize::from(row) * 320 + usize::from(column);
        frame.pixels_mut()[at] = upper;
        frame.pixels_mut()[at + 320] = lower;
    }
    frame
}

/// Returns the last frame of a recording's replay.
#[track_caller]
fn replayed(folder: &Path) -> Frame {
    check(folder, "replay on.trace", 0, &[]);
    check(folder, "screenshot on.trace --output on.png", 0, &[]);
    read_png(folder.join("on.png")).unwrap()
}

#[test]
fn half_blocks_show_the_lcds_pixels_and_the_recording_replays() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let mut tty = Tty::nudge(folder.path(), SESSION, WHOLE);
    tty.wait_for("native, wari, seed 7");
    tty.wait_for("● REC on");
    let shows = |screen: &vt100::Screen| Some(lcd(screen)).filter(has_colours);
    let before = tty.wait("the first screen", shows);
    tty.type_in("z");
    tty.wait_for("▼ B1");
    let after = |screen: &vt100::Screen| Some(lcd(screen)).filter(|lcd| *lcd != before);
    tty.wait("another screen", after);
    tty.wait("the release", |screen| (!screen.contents().contains('▼')).then_some(()));
    tty.type_in("p");
    tty.wait_for("PAUSED");
    let last = tty.wait("the last screen", |screen| Some(lcd(screen)));
    tty.type_in("\x03");
    assert_eq!(tty.code(), 0, "{}", tty.text());
    tty.check_given_back();
    if let Err(mismatch) = compare(&replayed(folder.path()), &last) {
        panic!("the replay ends with another picture than the terminal: {mismatch}");
    }
    let recording = fs::read_to_string(folder.path().join("on.trace")).unwrap();
    assert!(recording.contains("press B1") && recording.contains("release B1"), "{recording}");
}

/// Returns whether the LCD has more than one colour, so the firmware has drawn something.
fn has_colours(lcd: &Frame) -> bool {
    let first = lcd.pixels()[0];
    lcd.pixels().iter().filter(|rgb| **rgb != first).count() > 1_000
}

#[test]
fn a_described_board_is_shown_with_its_buttons_and_replays() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
    for name in ["handheld.board.toml", "handheld.elf"] {
        fs::copy(examples.join(name), folder.path().join(name)).unwrap();
    }
    let session = "run --tty --board handheld.board.toml --record on.trace --seed 7";
    let mut tty = Tty::nudge(folder.path(), session, USUAL);
    tty.wait_for("Z A");
    tty.wait_for("W UP");
    tty.wait_for("▀");
    tty.wait_for("ready");
    tty.type_in("w");
    tty.wait_for("▼ UP");
    tty.wait("the release", |screen| (!screen.contents().contains('▼')).then_some(()));
    tty.wait_for("square y=60");
    tty.type_in("?");
    tty.wait_for("buttons A B UP DOWN");
    tty.type_in("q");
    tty.wait_for("RUNNING");
    tty.type_in("\x03");
    assert_eq!(tty.code(), 0, "{}", tty.text());
    tty.check_given_back();
    check(folder.path(), "replay on.trace", 0, &[]);
    let recording = fs::read_to_string(folder.path().join("on.trace")).unwrap();
    assert!(recording.contains("press UP") && recording.contains("release UP"), "{recording}");
    assert!(recording.contains("board handheld.board.toml"), "{recording}");
}

#[test]
fn a_session_fits_into_any_size_of_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let tty = Tty::nudge(folder.path(), "run --seed 7 --game wari", USUAL);
    // Without a display, the terminal is used even without `--tty`.
    tty.wait_for("Space RESET");
    tty.wait_for("▀");
    for (size, words) in [
        ((0, 0), ""),
        ((9, 1), "too small"),
        ((40, 10), "RUNNING"),
        ((300, 3), "RUNNING"),
        ((80, 24), "Space RESET"),
    ] {
        tty.resize(size.0, size.1);
        tty.wait_for(words);
    }
    // A small terminal shows the LCD's text instead of its picture, like Enter does.
    tty.type_in("\r");
    tty.wait("the text alone", |screen| (!screen.contents().contains('▀')).then_some(()));
    tty.wait_for("Welcome");
    tty.type_in("?");
    tty.wait_for("holds the next button");
    tty.type_in("q");
    tty.wait_for("RUNNING");
    tty.type_in("\x11");
}

#[test]
fn a_terminal_with_fewer_colours_shows_the_lcd_in_those() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "run --tty --seed 7 --game wari";
    type Case = (&'static [(&'static str, &'static str)], fn(Color) -> bool);
    let cases: [Case; 3] = [
        (&[("COLORTERM", "")], |colour| matches!(colour, Color::Idx(16..))),
        (&[("COLORTERM", ""), ("TERM", "xterm")], |colour| matches!(colour, Color::Idx(0..=15))),
        (&[("NO_COLOR", "1")], |_| false),
    ];
    for (variables, is_right) in cases {
        let tty = Tty::nudge(folder.path(), arguments, Kind { variables, ..USUAL });
        tty.wait_for("Space RESET");
        tty.wait_for("▀");
        let cells = tty.wait("the LCD", |screen| {
            let cells = (2..20).flat_map(|row| (0..48).map(move |column| (row, column)));
            let cells = cells.filter_map(|(row, column)| screen.cell(row, column));
            let colours: Vec<Color> = cells.map(vt100::Cell::bgcolor).collect();
            Some(colours)
        });
        let right = cells.iter().filter(|colour| is_right(**colour)).count();
        let none = cells.iter().filter(|colour| **colour == Color::Default).count();
        assert_eq!(right + none, cells.len(), "{variables:?} {cells:?}");
        assert_eq!(right == 0, variables[0].0 == "NO_COLOR", "{variables:?}");
        tty.type_in("\x03");
    }
}

#[test]
fn kitty_reports_releases_and_shows_the_lcds_pixels() {
    let folder = tempfile::tempdir().unwrap();
    let mut tty = Tty::nudge(folder.path(), SESSION, Kind { answers: KITTY, ..USUAL });
    tty.wait_for("Bottom's turn");
    // X goes down, and up only when the terminal reports it; a repetition is not a second press.
    tty.type_in("\x1b[120;1:1u\x1b[120;1:2u");
    tty.wait_for("▼ B2");
    tty.type_in("\x1b[113;1:1u");
    tty.wait_for("▼ B2 T1");
    tty.type_in("\x1b[120;1:3u");
    tty.wait_for("▼ T1");
    tty.type_in("\x1b[113;1:3u");
    tty.wait("no button", |screen| (!screen.contents().contains('▼')).then_some(()));
    tty.type_in("\x1b[112;1:1u\x1b[112;1:3u");
    tty.wait_for("PAUSED");
    // Ctrl-C in kitty's keyboard protocol.
    tty.type_in("\x1b[99;5u");
    assert_eq!(tty.code(), 0, "{}", tty.text());
    tty.check_given_back();
    let sent = String::from_utf8_lossy(&tty.bytes()).into_owned();
    assert!(
        sent.contains("\x1b[>11u") && sent.contains("\x1b[<1u"),
        "flags are set and taken back"
    );
    assert!(sent.ends_with("\x1b[?25h"), "{:?}", &sent[sent.len() - 80..]);
    let picture = last_picture(&sent);
    assert_eq!(decode_png(Cursor::new(picture)).unwrap(), replayed(folder.path()));
    let recording = fs::read_to_string(folder.path().join("on.trace")).unwrap();
    assert_eq!(recording.matches("press B2").count(), 1, "{recording}");
}

/// Returns the PNG that kitty was sent last.
fn last_picture(sent: &str) -> Vec<u8> {
    let from = sent.rfind("\x1b_Ga=T").expect("a picture");
    let mut data = String::new();
    for chunk in sent[from..].split("\x1b_G").skip(1) {
        let (keys, rest) = chunk.split_once(';').unwrap_or(("a=d", ""));
        if keys.contains("a=d") {
            break;
        }
        data.push_str(rest.split_once("\x1b\\").unwrap().0);
    }
    base64::engine::general_purpose::STANDARD.decode(data).unwrap()
}

#[test]
fn without_releases_only_sticky_key_and_mouse_hold_a_button() {
    let folder = tempfile::tempdir().unwrap();
    // This terminal answers no query.
    let mut tty = Tty::nudge(folder.path(), SESSION, Kind { answers: "", ..USUAL });
    tty.wait_for("Bottom's turn");
    let none = |screen: &vt100::Screen| (!screen.contents().contains('▼')).then_some(());
    tty.type_in("w");
    tty.wait_for("▼ T2");
    tty.wait("its release", none);
    tty.type_in("\t");
    tty.wait_for("the next button stays down (Tab)");
    tty.type_in(" ");
    tty.wait_for("▼ RESET");
    // A chord: another button is pressed meanwhile.
    tty.type_in("y");
    tty.wait_for("▼ T6 RESET");
    tty.wait_for("▼ RESET");
    tty.type_in(" ");
    tty.wait("its release", none);
    // The left button of the mouse on B1, in the row below the LCD.
    tty.type_in("\x1b[<0;10;21M");
    tty.wait_for("▼ B1");
    tty.type_in("\x1b[<0;10;21m");
    tty.wait("its release", none);
    // Alt with a letter is not a press, and an incomplete sequence stops nothing.
    tty.type_in("\x1bq\x1b[");
    tty.wait_for("RUNNING");
    kill_process(tty.process(), Signal::TERM).unwrap();
    assert_eq!(tty.code(), 0, "{}", tty.text());
    tty.check_given_back();
    let recording = fs::read_to_string(folder.path().join("on.trace")).unwrap();
    let held = ["press RESET", "press T6", "release T6", "release RESET"];
    let places = held.map(|words| recording.find(words).expect(words));
    assert!(places.is_sorted(), "{recording}");
    assert!(!recording.contains("press T1"), "{recording}");
    replayed(folder.path());
}

/// Returns the times, in milliseconds, of the lines of a recording with `words`.
fn times(recording: &str, words: &str) -> Vec<u64> {
    let lines = recording.lines().filter(|line| line.ends_with(words));
    let time = |line: &str| {
        let word = line.split_whitespace().next()?;
        match word.strip_suffix("ms") {
            Some(millis) => millis.parse().ok(),
            None => Some((word.strip_suffix('s')?.parse::<f64>().ok()? * 1_000.0).round() as u64),
        }
    };
    lines.map(|line| time(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

#[test]
fn a_held_reset_is_one_long_press_without_releases() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let mut tty = Tty::nudge(folder.path(), SESSION, Kind { answers: "", ..USUAL });
    tty.wait_for("Bottom's turn");
    // A keyboard repeats a held key after half a second, 30 times a second.
    tty.type_in(" ");
    pty::rest(500);
    for _ in 0..40 {
        tty.type_in(" ");
        pty::rest(33);
    }
    tty.wait("its release", |screen| (!screen.contents().contains('▼')).then_some(()));
    // K holds RESET without a repetition, and the hint names it.
    tty.wait_for("K hold RESET");
    tty.type_in("k");
    tty.wait_for("RESET is held down; K releases it");
    pty::rest(1_500);
    tty.type_in("k");
    tty.wait_for("RESET is released");
    kill_process(tty.process(), Signal::TERM).unwrap();
    assert_eq!(tty.code(), 0, "{}", tty.text());
    let recording = fs::read_to_string(folder.path().join("on.trace")).unwrap();
    let [down, up] = ["press RESET", "release RESET"].map(|words| times(&recording, words));
    assert_eq!((down.len(), up.len()), (2, 2), "{recording}");
    let held: Vec<u64> = down.iter().zip(&up).map(|(down, up)| up - down).collect();
    assert!(held[0] >= 1_500 && held[1] >= 1_400, "{held:?}");
    replayed(folder.path());
}

#[test]
fn a_slow_line_loses_and_merges_no_press() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let kind = Kind { bytes_per_second: 2_000, answers: "", ..USUAL };
    let mut tty = Tty::nudge(folder.path(), SESSION, kind);
    tty.wait_for("native, wari");
    // The firmware has booted.
    pty::rest(500);
    // The line is busy with the first pictures meanwhile.
    for key in ["z", "z", "x", "x", "c"] {
        tty.type_in(key);
        pty::rest(400);
    }
    kill_process(tty.process(), Signal::TERM).unwrap();
    assert_eq!(tty.code(), 0, "{}", tty.text());
    let recording = fs::read_to_string(folder.path().join("on.trace")).unwrap();
    let count = |words| times(&recording, words).len();
    let presses = [count("press B1"), count("press B2"), count("press B3")];
    assert_eq!(presses, [2, 2, 1], "{recording}");
    let downs: Vec<u64> = times(&recording, "press B1");
    let ups = times(&recording, "release B1");
    for (down, up) in downs.iter().zip(ups) {
        assert!((100..160).contains(&(up - down)), "{recording}");
    }
    replayed(folder.path());
}

#[test]
fn sixels_have_the_size_of_cells_that_the_system_knows() {
    let folder = tempfile::tempdir().unwrap();
    // It reports that it has sixels, and not the size of a cell.
    let kind = Kind { answers: "\x1b[?62;4;22c", cell: (9, 18), ..USUAL };
    let mut tty = Tty::nudge(folder.path(), SESSION, kind);
    tty.wait_for("RUNNING");
    // 48 × 18 cells.
    let raster = format!("\"1;1;{};{}", 48 * 9, 18 * 18);
    let has_picture = |sent: &[u8]| sent.windows(raster.len()).any(|at| at == raster.as_bytes());
    for _ in 0..1_000 {
        if has_picture(&tty.bytes()) {
            break;
        }
        pty::rest(20);
    }
    assert!(has_picture(&tty.bytes()), "no picture of {raster}");
    kill_process(tty.process(), Signal::TERM).unwrap();
    assert_eq!(tty.code(), 0, "{}", tty.text());
}

#[test]
fn closing_the_terminal_ends_the_session_with_a_whole_recording() {
    let folder = tempfile::tempdir().unwrap();
    let mut tty = Tty::nudge(folder.path(), SESSION, USUAL);
    tty.wait_for("Bottom's turn");
    tty.type_in("z");
    tty.wait_for("▼ B1");
    tty.close();
    assert_eq!(tty.code(), 0);
    let recording = fs::read_to_string(folder.path().join("on.trace")).unwrap();
    assert!(recording.contains("press B1") && recording.ends_with("end\n"), "{recording}");
    replayed(folder.path());
}

#[test]
fn a_killed_session_is_recorded_up_to_its_last_event() {
    let folder = tempfile::tempdir().unwrap();
    let mut tty = Tty::nudge(folder.path(), SESSION, USUAL);
    tty.wait_for("Bottom's turn");
    tty.type_in("z");
    tty.wait_for("▼ B1");
    tty.wait("its release", |screen| (!screen.contents().contains('▼')).then_some(()));
    let path = folder.path().join("on.trace");
    let recorded = || fs::read_to_string(&path).unwrap().contains("release B1");
    tty.wait("the recorded release", |_| recorded().then_some(()));
    kill_process(tty.process(), Signal::KILL).unwrap();
    assert_eq!(tty.code(), -9);
    check(folder.path(), "replay on.trace", 0, &[]);
}

#[test]
fn a_suspension_restores_the_terminal_and_stops_time() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!("{} {SESSION}; echo over $?", crate::command::NUDGE);
    let tty = Tty::start(folder.path(), &["sh", "-c", &script], USUAL);
    tty.wait_for("RUNNING");
    let process = children_of(tty.process())[0];
    tty.type_in("\x1a");
    tty.wait("the stop", |_| is_stopped(process).then_some(()));
    tty.check_given_back();
    kill_process(process, Signal::CONT).unwrap();
    tty.wait_for("RUNNING");
    tty.wait("the other screen", |screen| screen.alternate_screen().then_some(()));
    tty.type_in("\x03");
    tty.wait_for("over 0");
    replayed(folder.path());
}

#[test]
fn a_panic_restores_the_terminal_and_is_written_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("clock_fault.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/tty/clock_fault.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"]).arg(&library).arg(source);
    assert!(compiler.status().expect("a C compiler, which links Rust programs too").success());
    // The library is loaded only into `nudge`, not into the shell that starts it.
    let script = format!(
        "LD_PRELOAD='{}' CLOCK_FAULT='{}' {} {SESSION}; echo over $?",
        library.display(),
        folder.path().join("fault").display(),
        crate::command::NUDGE
    );
    let tty = Tty::start(folder.path(), &["sh", "-c", &script], USUAL);
    tty.wait_for("RUNNING");
    fs::write(folder.path().join("fault"), "").unwrap();
    tty.wait_for("panicked");
    tty.wait_for("over ");
    tty.check_given_back();
    // The panic is reported on the screen to which the terminal returns.
    let text = tty.text();
    assert!(text.contains("panicked") && !text.contains("over 0"), "{text}");
    // The recording has the inputs so far.
    assert!(fs::read_to_string(folder.path().join("on.trace")).unwrap().contains("power on"));
}

#[test]
fn a_recording_with_expect_becomes_a_test_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut tty = Tty::nudge(folder.path(), &format!("{SESSION} --expect"), USUAL);
    tty.wait_for("Bottom's turn");
    // The first screen settles.
    pty::rest(500);
    tty.type_in("z");
    tty.wait_for("▼ B1");
    tty.wait("the release", |screen| (!screen.contents().contains('▼')).then_some(()));
    let path = folder.path().join("on.trace");
    let raw = || fs::read_to_string(&path).unwrap().contains("release B1");
    tty.wait("the raw recording", |_| raw().then_some(()));
    tty.type_in("\x03");
    assert_eq!(tty.code(), 0, "{}", tty.text());
    tty.check_given_back();
    tty.wait_for("settled screens");
    let trace = fs::read_to_string(&path).unwrap();
    assert!(trace.contains("tap B1") && trace.contains("expect frame"), "{trace}");
    assert!(trace.contains("expect text") && !trace.contains("press B1"), "{trace}");
    check(folder.path(), "replay on.trace", 0, &[]);
}

#[test]
fn without_a_terminal_there_is_an_error_message() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &str| {
        let mut command = nudge();
        command.args(arguments.split_whitespace()).stdin(Stdio::null()).env("DISPLAY", "");
        command.env("WAYLAND_DISPLAY", "").env("XDG_DATA_HOME", folder.path());
        let output = command.current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        String::from_utf8(output.stderr).unwrap()
    };
    let err = refused("run --tty --record on.trace");
    assert!(err.contains("no terminal to show the board in: standard input is none"), "{err}");
    assert!(!folder.path().join("on.trace").exists(), "nothing was recorded");
    let err = refused("run --tty --scale 2");
    assert!(
        err.contains("`--scale` is of the window, and this session is in the terminal"),
        "{err}"
    );
    let mut tty =
        Tty::nudge(folder.path(), "run", Kind { variables: &[("TERM", "dumb")], ..USUAL });
    assert_eq!(tty.code(), 2);
    tty.wait_for("TERM says `dumb`");
}

#[test]
fn the_studio_opens_after_the_program_was_replaced_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copied-nudge");
    fs::copy(NUDGE, &copy).unwrap();
    let words = [copy.to_str().unwrap(), "run", "--tty", "--seed", "7"];
    let mut tty = Tty::start(folder.path(), &words, USUAL);
    tty.wait_for("RUNNING");
    fs::remove_file(&copy).unwrap();
    fs::write(&copy, "the next build").unwrap();
    // F9.
    tty.type_in("\x1b[20~");
    // Its address; or, built without the page or with an older one, why it has none.
    let answers = |screen: &vt100::Screen| {
        let shown = screen.contents();
        ["http://127.0.0.1:", "was built without", "was built from other"]
            .into_iter()
            .find(|words| shown.contains(words))
    };
    tty.wait("an answer of the studio", answers);
    tty.type_in("\x03");
    assert_eq!(tty.code(), 0, "{}", tty.text());
}
