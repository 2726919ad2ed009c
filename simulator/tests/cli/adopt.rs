//! `nudge adopt` on the program of the LCD board. The feature `pico-test`, because it needs the
//! output of `make firmware`.

use std::fs;
use std::path::Path;

use boards::pico::firmware;

use crate::command::nudge;

/// Number of buttons of the LCD board, GP2 to GP14.
const BUTTONS: std::ops::RangeInclusive<u8> = 2..=14;

#[test]
fn the_lcd_boards_pins_are_found_in_its_program() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("lcd.board.toml");
    let program = firmware::path().expect("the output of `make firmware`");
    let run = || {
        let arguments = ["adopt".as_ref(), program.as_os_str()];
        nudge().args(arguments).arg("--output").arg(&output).output().unwrap()
    };
    let first = run();
    let printed = String::from_utf8(first.stdout).unwrap();
    assert_eq!(first.status.code(), Some(0), "{printed}");
    let pins = [(18, "SCK"), (19, "MOSI"), (17, "CS"), (20, "DC"), (21, "RST"), (0, "console TX")];
    for (pin, what) in pins.into_iter().chain(BUTTONS.map(|pin| (pin, "button"))) {
        let line = format!("sure    GP{pin} {what}: ");
        assert!(printed.lines().any(|found| found.starts_with(&line)), "{line}\n{printed}");
    }
    assert!(printed.contains("likely  GP22 backlight: "), "{printed}");
    let text = fs::read_to_string(&output).unwrap();
    for line in
        ["name = \"lcd\"", "dc = \"GP20\"", "size = \"240x320 px\"", "rotation = \"90 deg\""]
    {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    // The file is a board file with the wires of the LCD board, once its unsure panel is accepted.
    let accepted = text.replace("# panel =", "panel =");
    let found = board_file::parse("lcd", &accepted);
    let found = found.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let (lcd, expected) = (&found.display[0], &board_file::lcd_board().display[0]);
    assert_eq!(
        (lcd.bus, lcd.sck, lcd.mosi, lcd.cs, lcd.dc, lcd.rst),
        (expected.bus, expected.sck, expected.mosi, expected.cs, expected.dc, expected.rst)
    );
    assert_eq!((lcd.rotation, lcd.mirror), (expected.rotation, expected.mirror));
    // A file that exists is not replaced.
    let second = run();
    assert_eq!(second.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&output).unwrap(), text);
}

#[test]
fn every_display_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
    for (name, count) in [("gauge", 2), ("album", 1), ("handheld", 1)] {
        let output = folder.path().join(format!("{name}.board.toml"));
        let program = examples.join(format!("{name}.elf"));
        let arguments = ["adopt".as_ref(), program.as_os_str(), "--output".as_ref()];
        let run = nudge().args(arguments).arg(&output).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let text = fs::read_to_string(&output).unwrap();
        assert_eq!(text.matches("\n[[display]]\n").count(), count, "{name}: {text}");
        let accepted = text.replace("# panel =", "panel =");
        let found = board_file::parse(name, &accepted);
        let found = found.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let file = board_file::load(&examples.join(format!("{name}.board.toml"))).unwrap();
        let wires = |display: &board_file::parts::Display| {
            let pins = [display.sck, display.mosi, display.dc, display.sda, display.scl];
            (display.bus, pins.map(|pin| pin.map(|pin| pin.gpio)))
        };
        let all = |file: &board_file::BoardFile| file.display.iter().map(wires).collect::<Vec<_>>();
        assert_eq!(all(&found), all(&file), "{name}");
    }
}
