//! Tests the Pico's binary in the window: its past, and a program that stops.

use std::fs;
use std::path::{Path, PathBuf};

use ili9341_model::Frame;
use reading::golden::{compare, read_png, write_png};
use trace::Button;

use crate::command::crashing::crashing;
use crate::command::nudge;
use crate::desktop::{Desktop, key};
use crate::{folder, input_names, layout, output_text, panel_of, words};

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../firmware").join(name)
}

fn panel(window: &Frame) -> Frame {
    panel_of(window, &layout(1), 1)
}

fn is_lit(window: &Frame) -> bool {
    panel(window).pixels().iter().any(|pixel| *pixel != 0)
}

#[test]
#[cfg_attr(not(feature = "pico-test"), ignore = "needs the program of `make firmware`")]
fn the_past_of_a_pico_is_shown_and_a_press_continues_from_it() {
    let folder = folder("pico-past");
    let board = format!("pico={}", program("nudge-pico.elf").display());
    let arguments = ["--board", &board, "--record", "w.trace", "--seed", "7", "--scale", "1"];
    let mut desktop = Desktop::new(&folder, &arguments);
    let booted = desktop.settled(is_lit);
    desktop.click(&layout(1), Button::B3);
    let played = desktop.settled(|window| panel(window) != panel(&booted));
    let mut shown = played.clone();
    while panel(&shown) != panel(&booted) {
        desktop.tap_named(key::LEFT);
        shown = desktop.settled(|_| true);
    }
    write_png(folder.join("past.png"), &shown).unwrap();
    desktop.tap_named(key::END);
    shown = desktop.settled(|window| panel(window) == panel(&played));
    while panel(&shown) != panel(&booted) {
        desktop.tap_named(key::LEFT);
        shown = desktop.settled(|_| true);
    }
    // The press may be slightly earlier than its picture.
    desktop.tap_named(key::LEFT);
    desktop.settled(|window| panel(window) == panel(&booted));
    desktop.click(&layout(1), Button::B5);
    let last = desktop.settled(|window| panel(window) != panel(&booted));
    write_png(folder.join("last.png"), &last).unwrap();
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    // The branch is a whole trace in the file of the branches.
    let branches = std::fs::read_to_string(folder.join("w.branches")).unwrap();
    let section = branches.split("# A branch ").nth(1).expect("a branch");
    let (_, branch) = section.split_once('\n').expect("a trace after the heading");
    std::fs::write(folder.join("w.2.trace"), branch).unwrap();
    // Both recordings replay on that board to the picture that was shown.
    for (name, button, picture) in [("w", "B5", &last), ("w.2", "B3", &played)] {
        let recording = folder.join(format!("{name}.trace"));
        let names = input_names(&runner::open_trace(&recording).unwrap());
        let expected =
            ["power on", &format!("press of {button}"), &format!("release of {button}"), "end"];
        assert_eq!(names, expected, "{name}");
        let png = folder.join(format!("{name}-replayed.png"));
        let mut command = nudge();
        command.args(["screenshot", "--board", &board]).arg(&recording).arg("--output").arg(&png);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", output_text(&output));
        assert!(compare(&read_png(&png).unwrap(), &panel(picture)).is_ok(), "{name}");
    }
}

#[test]
#[cfg_attr(not(feature = "pico-test"), ignore = "needs the program of `make firmware`")]
fn a_stopped_program_shows_the_reason_until_a_power_cycle() {
    let folder = folder("pico-stops");
    fs::write(folder.join("crashes.elf"), crashing()).unwrap();
    let arguments =
        ["--board", "pico=crashes.elf", "--record", "w.trace", "--seed", "7", "--scale", "1"];
    let mut desktop = Desktop::new(&folder, &arguments);
    let booted = desktop.settled(is_lit);
    write_png(folder.join("booted.png"), &booted).unwrap();
    let says = |window: &Frame| words::footer(window, &layout(1));
    assert!(says(&booted).starts_with("pico, "), "{}", says(&booted));
    desktop.click(&layout(1), Button::B3);
    let stopped = desktop.settled(|window| says(window).starts_with("the firmware stopped"));
    write_png(folder.join("stopped.png"), &stopped).unwrap();
    let why = says(&stopped);
    // The key that revives the firmware comes before the reason, which may be truncated.
    assert!(why.starts_with("the firmware stopped (F5 revives it) at "), "{why}");
    assert!(why.contains("HardFault"), "{why}");
    assert!(panel(&stopped) == panel(&booted), "the LCD shows what it showed");
    // Only power revives the firmware.
    desktop.click(&layout(1), Button::B1);
    desktop.tap('p');
    assert_eq!(says(&desktop.settled(|_| true)), why);
    desktop.power_key();
    let revived = desktop.settled(|window| is_lit(window) && says(window).starts_with("pico, "));
    write_png(folder.join("revived.png"), &revived).unwrap();
    assert!(panel(&revived) == panel(&booted));
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    assert!(output_text(&output).contains("the firmware stopped"), "{}", output_text(&output));
    let names = input_names(&runner::open_trace(&folder.join("w.trace")).unwrap());
    let power: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| !name.contains("B1")).collect();
    let expected = ["power on", "press of B3", "release of B3", "power off", "power on", "end"];
    assert_eq!(power, expected, "{names:?}");
}
