//! Functions that accept any bytes: each may refuse them, but must not panic or run without end.
//! `fuzz/` calls them from cargo-fuzz, `simulator/tests/cli/fuzz_targets.rs` from proptest.

use std::io::Write as _;

use hal_mock::Machine;
use trace::{Button, ButtonSet, Trace, parse_bytes};
use virtual_time::{Instant, Nanos};

use tempfile::NamedTempFile;

use captures::{Capture, Wiring, compare, presses, scenario};

/// Maximum number of presses, releases and power cuts in one input of [`step`].
const MOVES_MAX: usize = 256;
/// Longest virtual time of one input of [`step`]: a short game.
const TIME_MAX: Nanos = Nanos::from_secs(60);
/// Longest input of any target, in bytes.
pub const INPUT_MAX: usize = 16 * 1024;

/// Fuzzes the trace parser. A trace that it accepts must be written and parsed again to the same
/// trace. `set_up` gets it for the board that runs it, and may refuse its settings.
///
/// # Panics
/// If the traces differ, or `set_up` panics.
pub fn trace(input: &[u8], set_up: impl Fn(&Trace)) {
    let Ok(trace) = parse_bytes("input.trace", &input[..input.len().min(INPUT_MAX)]) else {
        return;
    };
    let written = trace.to_string();
    let again = parse_bytes("again.trace", written.as_bytes());
    let again = again.map(|again| again.to_string());
    assert_eq!(again.ok().as_deref(), Some(written.as_str()), "what was written reads otherwise");
    // A `flash` is skipped because it would name a file of this computer.
    if trace.get("flash").is_none() {
        set_up(&trace);
    }
}

/// Fuzzes the readers of foreign formats. The first byte selects one: a VCD, a CSV export, a
/// scenario, a VCD whose contacts bounce, two VCDs to compare (separated by a NUL byte), a board
/// file, a diagram of Wokwi, a devicetree overlay.
///
/// # Panics
/// If no temporary file can be written, or a reader panics.
pub fn formats(input: &[u8]) {
    let Some((kind, text)) = input[..input.len().min(INPUT_MAX)].split_first() else { return };
    match kind % 8 {
        0 => capture(".vcd", text, None),
        1 => capture(".csv", text, None),
        2 => {
            if let Ok(text) = core::str::from_utf8(text)
                && let Ok(scenario) = scenario::parse("input.yaml", text, &Wiring::default())
            {
                is_read_back_if_it_is_a_trace(&scenario.converted.trace);
            }
        }
        3 => capture(".vcd", text, Some(Nanos::from_millis(5))),
        4 => {
            let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
            let (first, second) = (file(".vcd", &text[..end]), file(".vcd", &text[end..]));
            let options = compare::CompareOptions {
                tolerance: Nanos::from_micros(10),
                skew_ppm: 50,
                ..compare::CompareOptions::default()
            };
            let _ = compare::compare([first.path(), second.path()], &options);
        }
        5 => {
            if let Ok(board) = board_file::parse_bytes("input.board.toml", text) {
                let _ = (board_file::table(&board), board_file::face_text(&board));
            }
        }
        6 => imported("input.json", text),
        _ => imported("input.overlay", text),
    }
}

/// Imports a board. Its board file may be incomplete, but is always TOML.
fn imported(name: &str, bytes: &[u8]) {
    let Ok(imported) = board_file::import::import(name, bytes) else { return };
    if let Err(errors) = board_file::parse("output.board.toml", &imported.text) {
        let broken = errors.list().iter().find(|error| error.kind.is_syntax());
        assert!(broken.is_none(), "{broken:?}");
    }
}

fn capture(ends_with: &str, text: &[u8], debounce: Option<Nanos>) {
    let file = file(ends_with, text);
    if let Ok(mut capture) = Capture::open(file.path(), &Wiring::default())
        && let Ok(carried) = presses::trace_of(&mut capture, debounce)
    {
        is_read_back_if_it_is_a_trace(&carried.trace);
    }
}

fn file(ends_with: &str, text: &[u8]) -> NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(ends_with).tempfile().expect("a folder");
    file.write_all(text).expect("room for a small file");
    file
}

/// Checks that a trace that can be parsed is parsed to the same trace. A capture may have events
/// that no trace allows (power on twice).
fn is_read_back_if_it_is_a_trace(trace: &Trace) {
    let written = trace.to_string();
    if let Ok(read) = parse_bytes("input.trace", written.as_bytes()) {
        assert_eq!(read.to_string(), written, "what was written reads otherwise");
    }
}

/// Fuzzes the firmware of `machine`, a factory-new LCD board without power. An event has two bytes: one selects a button or the power, one the time
/// since the previous event.
///
/// # Panics
/// If the firmware panics, fails or breaks a rule of the LCD's datasheet.
pub fn step(input: &[u8], machine: &mut dyn Machine) {
    machine.power_on().expect("a factory-new board starts");
    let mut down = ButtonSet::EMPTY;
    let moves = input.chunks_exact(2).take(MOVES_MAX);
    for pair in moves {
        // Short pauses of 0 to 65 ms, long ones of up to 2 s.
        let (which, pause) = (pair[0], u64::from(pair[1]));
        let pause = if pause < 128 { pause * 512 } else { (pause - 127) * 16_000 };
        let at = machine.board().now().saturating_add(Nanos::from_micros(pause));
        if at > Instant::START.saturating_add(TIME_MAX) {
            break;
        }
        match Button::LCD_BOARD.get(usize::from(which % 16)) {
            Some(&button) => {
                if down.insert(button) {
                    machine.board().press(at, button);
                } else {
                    down.remove(button);
                    machine.board().release(at, button);
                }
            }
            None if which % 16 == 15 => {
                machine.board().cut_power_at(at);
                machine.run_until(at).expect("the firmware goes on");
                machine.power_off();
                machine.power_on().expect("it starts again");
            }
            None => {}
        }
        machine.run_until(at).expect("the firmware goes on");
    }
    let violations = machine.board().violations();
    assert!(violations.is_empty(), "{}", violations[0]);
}
