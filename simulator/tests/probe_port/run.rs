//! Tests `nudge run --board probe:PORT` in a terminal: the real LCD is shown, keys press the
//! board's buttons, and the recording replays.

use probe::software::Flaws;
use trace::Button;

use super::bench::Bench;
use super::faults::LIMIT;
use super::pty::{Kind, Tty};
use super::{board, trace};
use crate::command;

const USUAL: Kind = Kind {
    size: (80, 24),
    variables: &[],
    answers: "\x1b[?64;1;2;6;22c",
    bytes_per_second: 0,
    cell: (0, 0),
};

#[test]
fn a_key_presses_a_real_button_and_the_recording_replays() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("port");
    let bench = Bench::new(&port, &trace("no-bonus"), Flaws::default());
    let arguments = format!("run --tty --board {} --record on.trace", board(&port));
    let mut tty = Tty::nudge(folder.path(), &arguments, USUAL);
    tty.wait_for("● REC on");
    // Shows the LCD's text in place of its picture.
    tty.type_in("\r");
    tty.wait_for("Player 1's turn");
    tty.type_in("z");
    bench.until_down(&[Button::B1], LIMIT);
    bench.until_down(&[], LIMIT);
    tty.wait_for("Player 2's turn");
    tty.type_in("\x03");
    assert_eq!(tty.code(), 0, "{}", tty.text());
    tty.check_given_back();
    let recording = std::fs::read_to_string(folder.path().join("on.trace")).unwrap();
    assert!(recording.contains("press B1") && recording.contains("release B1"), "{recording}");
    // The recording has no settings, because those of a real board are unknown. The replay needs
    // the same settings as the software board.
    let as_was = recording.replacen("trace 1\n", "trace 1\ngame board\n", 1);
    let as_was = if recording.contains("\ngame ") { recording } else { as_was };
    let judged =
        format!("{}+0ms expect text \"Player 2's turn\"\n+0ms end\n", until_the_end(&as_was));
    std::fs::write(folder.path().join("judged.trace"), judged).unwrap();
    command::check(folder.path(), "replay judged.trace", 0, &[]);
}

/// Returns a trace without its last line.
fn until_the_end(trace: &str) -> String {
    let lines: Vec<&str> =
        trace.lines().filter(|line| !line.trim_end().ends_with(" end")).collect();
    format!("{}\n+0ms settle within 5s\n", lines.join("\n"))
}
