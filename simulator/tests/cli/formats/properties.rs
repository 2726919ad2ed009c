//! Properties of any input: presses survive the conversion to a waveform and back, and no input
//! makes the readers panic.

use std::fs;
use std::path::Path;

use captures::presses::trace_of;
use captures::record::record_vcd;
use captures::{Capture, Signal, Wiring, scenario};
use hal_mock::{VirtualBoard, board::BoardConfig};
use proptest::prelude::*;
use trace::{Action, Button, TAP_HOLD, Trace, When};
use virtual_time::{Instant, Nanos};

/// Returns every press and release: the time, the button, and whether it is pressed.
fn movements(trace: &Trace) -> Vec<(u64, Button, bool)> {
    let mut list = Vec::new();
    for line in &trace.lines {
        let When::At(Instant(at)) = line.when else { panic!("relative: {line}") };
        match line.action {
            Action::Press(button) => list.push((at, button, true)),
            Action::Release(button) => list.push((at, button, false)),
            Action::Tap { button, hold } => {
                list.push((at, button, true));
                list.push((at + hold.unwrap_or(TAP_HOLD).0, button, false));
            }
            _ => {}
        }
    }
    list.sort();
    list
}

/// Records presses on a board without firmware as a waveform, and converts it back to a trace.
fn through_a_waveform(moves: &[(u64, Button, bool)], end: u64, path: &Path) -> Trace {
    let board = VirtualBoard::new(BoardConfig::default());
    let signals: Vec<Signal> = Signal::all().collect();
    let file = fs::File::create(path).unwrap();
    let recording = record_vcd(&board, file, &signals, &[]).unwrap();
    board.power_on();
    for (at, button, down) in moves {
        if *down {
            board.press(Instant(*at), *button);
        } else {
            board.release(Instant(*at), *button);
        }
        board.advance_to(Instant(*at));
        board.terminals().is_closed(Instant(*at), *button);
    }
    board.advance_to(Instant(end));
    recording.finish(&board, Instant(end)).unwrap();
    let mut capture = Capture::open(path, &Wiring::default()).unwrap();
    let carried = trace_of(&mut capture, None).unwrap();
    trace::parse("back.trace", &carried.trace.to_string()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..Default::default() })]

    #[test]
    fn presses_survive_conversion_to_a_waveform(
        toggles in proptest::collection::vec((0..Button::LCD_BOARD.len(), 1..400_000_000_u64), 0..60),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut down = [false; Button::LCD_BOARD.len()];
        let mut now = 0;
        let mut moves = Vec::new();
        for (place, later) in toggles {
            // Often one nanosecond later, or at the same time as another button.
            now += if later % 3 == 0 { 1 } else { later };
            down[place] = !down[place];
            moves.push((now, Button::LCD_BOARD[place], down[place]));
        }
        let back = through_a_waveform(&moves, now + 5, &folder.path().join("a.vcd"));
        moves.sort();
        prop_assert_eq!(movements(&back), moves);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(
        start in 0..6_usize,
        noise in proptest::collection::vec(any::<u8>(), 0..300),
        words in proptest::collection::vec(0..WORDS.len(), 0..60),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut bytes = STARTS[start].as_bytes().to_vec();
        for word in words {
            bytes.extend(WORDS[word].as_bytes());
        }
        bytes.extend(noise);
        for name in ["a.vcd", "a.csv", "a.yaml"] {
            let path = folder.path().join(name);
            fs::write(&path, &bytes).unwrap();
            if let Ok(mut capture) = Capture::open(&path, &Wiring::default())
                && let Ok(carried) = trace_of(&mut capture, Some(Nanos(3)))
            {
                trace::parse("x", &carried.trace.to_string()).unwrap();
            }
            if let Ok(scenario) = scenario::load(&path, &Wiring::default()) {
                trace::parse("x", &scenario.converted.trace.to_string()).unwrap();
            }
        }
    }
}

const STARTS: [&str; 6] = [
    "",
    "$timescale 1 ns $end $var wire 1 ! B1 $end $var wire 1 % POWER $end $enddefinitions $end\n",
    "Time [s],B1,B2\n0,1,1\n",
    "; Samplerate: 3 Hz\n; Channels (2/2): B1, B2\nlogic,logic\n",
    "name: x\nversion: 1\nsteps:\n",
    "$timescale 100 fs $end $scope module a $end ",
];

const WORDS: [&str; 32] = [
    "#1\n",
    "#7\n",
    "1!\n",
    "0!\n",
    "x!\n",
    "b1 !\n",
    "0%\n",
    "1%\n",
    "$end ",
    "$dumpvars ",
    "$var ",
    "\n",
    " ",
    ",",
    "1",
    "0",
    "X",
    "-",
    ".",
    "e9",
    "\"",
    ";",
    "- delay: 3ms\n",
    "- set-control: {part-id: B1, control: pressed, value: 1}\n",
    "- wait-serial: x\n",
    "- take-screenshot: {save-to: a.png}\n",
    "- ",
    "  ",
    ": ",
    "[",
    "{",
    "&a *a ",
];
