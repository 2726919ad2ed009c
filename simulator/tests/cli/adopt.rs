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
    sampled!();
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

/// The program sets FBDIV of PLL_SYS to 40 instead of 125, so its oscillator is at 480 MHz;
/// its shortest delay was made for 125 MHz.
#[test]
fn rules_that_a_program_breaks_are_permitted_and_its_first_replay_passes() {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards/handheld.elf");
    let mut program = fs::read(example).unwrap();
    // `movs Rd, #125` (Armv6-M ARM, A6.7.39).
    let is_divider = |bytes: &&mut [u8]| bytes[0] == 125 && bytes[1] & 0xF8 == 0x20;
    let mut found: Vec<&mut [u8]> = program.chunks_exact_mut(2).filter(is_divider).collect();
    assert_eq!(found.len(), 1);
    found[0][0] = 40;
    fs::write(folder.path().join("slow.elf"), &program).unwrap();
    let run = |words: &[&str]| nudge().current_dir(folder.path()).args(words).output().unwrap();
    let printed = String::from_utf8(run(&["adopt", "slow.elf"]).stdout).unwrap();
    assert!(printed.contains("\nbroken  pll-vco: "), "{printed}");
    let text = fs::read_to_string(folder.path().join("slow.board.toml")).unwrap();
    let permitted = "\npermit = [\"ResetPulse\", \"pll-vco\"]\n";
    assert!(text.contains(permitted), "{text}");
    let trace =
        "trace 1\nboard slow.board.toml\n\n0ms power on\n1s expect violations none\n+0ms end\n";
    fs::write(folder.path().join("first.trace"), trace).unwrap();
    let replayed = run(&["replay", "first.trace"]);
    assert_eq!(replayed.status.code(), Some(0), "{}", String::from_utf8_lossy(&replayed.stdout));
    let taken_out = text.replace(permitted, "\n");
    fs::write(folder.path().join("slow.board.toml"), taken_out).unwrap();
    assert_eq!(run(&["replay", "first.trace"]).status.code(), Some(1));
}

#[test]
fn every_display_is_found() {
    sampled!();
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

/// A signal of a board: what it is, and its pins.
type Signal = (&'static str, Vec<u8>);

/// Returns the signals of a board file that `nudge adopt` can find. A switch is a contact like a button.
fn signals(file: &board_file::BoardFile) -> Vec<Signal> {
    let mut signals = Vec::new();
    let gpio = |pin: board_file::value::Pin| pin.gpio;
    let mut add = |what: &'static str, pins: &[board_file::value::Pin]| {
        signals.push((what, pins.iter().copied().map(gpio).collect::<Vec<u8>>()));
    };
    for display in &file.display {
        let wires = [
            ("sck", display.sck),
            ("mosi", display.mosi),
            ("cs", display.cs),
            ("dc", display.dc),
            ("rst", display.rst),
            ("backlight", display.backlight),
            ("te", display.te),
            ("sda", display.sda),
            ("scl", display.scl),
        ];
        for (what, pin) in wires {
            add(what, pin.as_slice());
        }
    }
    for console in &file.console {
        add("tx", console.tx.as_slice());
    }
    for button in &file.button {
        add("contact", &[button.pin]);
    }
    for switch in &file.switch {
        add("contact", &[switch.pin]);
    }
    for encoder in &file.encoder {
        add("encoder", &[encoder.a, encoder.b]);
    }
    for matrix in &file.matrix {
        add("rows", &matrix.rows);
        add("columns", &matrix.columns);
    }
    for card in &file.sd_card {
        add("card", &[card.cs]);
    }
    for flash in &file.spi_flash {
        add("flash", &[flash.cs]);
    }
    for touch in &file.touch {
        add("touch", touch.cs.as_slice());
        add("touch irq", touch.irq.as_slice());
    }
    for led in file.led.iter().filter(|led| led.red.is_none()) {
        add("led", led.pin.as_slice());
    }
    signals.retain(|(_, pins)| !pins.is_empty());
    signals
}

/// At least 90 % of the signals of the example boards are found, the programs tell the rest to nobody; and
/// what is not theirs is marked likely at most.
#[test]
fn the_signals_of_the_example_boards_are_found() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
    let (mut all, mut missed, mut sure_and_wrong) = (0, Vec::new(), Vec::new());
    for name in ["album", "badge", "dial", "gauge", "handheld", "keypad", "oled", "pio"] {
        let output = folder.path().join(format!("{name}.board.toml"));
        let program = examples.join(format!("{name}.elf"));
        let arguments = ["adopt".as_ref(), program.as_os_str(), "--output".as_ref()];
        let run = nudge().args(arguments).arg(&output).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let text = fs::read_to_string(&output).unwrap();
        let found = board_file::parse(name, &text);
        let found = signals(&found.unwrap_or_else(|error| panic!("{error}\n{text}")));
        let file = board_file::load(&examples.join(format!("{name}.board.toml"))).unwrap();
        let right = signals(&file);
        // An input that reacts like a button, and an output that has never fallen.
        let touch = right.iter().filter(|(what, _)| what.starts_with("touch"));
        assert!(touch.into_iter().all(|signal| found.contains(signal)), "{name}: {found:?}");
        all += right.len();
        missed.extend(
            right
                .iter()
                .filter(|signal| !found.contains(signal))
                .map(|signal| (name, signal.clone())),
        );
        for signal @ (_, pins) in found.iter().filter(|signal| !right.contains(signal)) {
            let is_sure = |line: &str| {
                line.starts_with("sure ") && line.contains(&format!(" GP{} ", pins[0]))
            };
            let printed = String::from_utf8_lossy(&run.stdout);
            sure_and_wrong.extend(
                printed
                    .lines()
                    .filter(|line| is_sure(line))
                    .map(|line| (name, signal.clone(), line.to_owned())),
            );
        }
    }
    assert!(missed.len() * 10 <= all, "{} of {all}: {missed:?}", missed.len());
    assert!(sure_and_wrong.is_empty(), "{sure_and_wrong:?}");
}
