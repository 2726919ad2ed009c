//! Tests `nudge replay --observer`: a capture that `nudge` itself exported of the same trace, as it
//! is and altered.

use std::fs;
use std::path::Path;

use crate::command;

/// Ends within the first picture.
const TRACE: &str = "trace 1\ngame board\n\n0ms power on\n272ms end\n";

#[track_caller]
fn check(folder: &Path, words: &str, code: i32, said: &[&str]) {
    let words = words.split_ascii_whitespace();
    let done = command::nudge().current_dir(folder).args(words).output().unwrap();
    let out = [done.stdout, done.stderr].concat();
    let out = String::from_utf8_lossy(&out);
    assert_eq!(done.status.code(), Some(code), "{out}");
    assert!(said.iter().all(|said| out.contains(said)), "{out}");
}

#[test]
fn a_capture_of_the_same_trace_agrees_and_an_altered_one_does_not() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("a.trace"), TRACE).unwrap();
    check(folder, "replay a.trace --vcd a.vcd", 0, &["wrote a.vcd"]);
    let agrees = ["observer a.vcd: ", " bytes agree within ", "clock is 0.0 ppm"];
    check(folder, "replay a.trace --observer a.vcd", 0, &agrees);
    // The level of DC is inverted in the second half.
    let capture = fs::read_to_string(folder.join("a.vcd")).unwrap();
    let dc = capture.lines().find_map(|line| {
        let mut words = line.split(' ');
        let (id, name) = (words.nth(3)?, words.next()?);
        (name == "DC").then(|| id.to_owned())
    });
    let dc = dc.expect("the wire DC");
    let (high, low) = (format!("1{dc}"), format!("0{dc}"));
    let half = capture.lines().count() / 2;
    let altered = capture.lines().enumerate().map(|(nth, line)| match line {
        line if nth > half && line == high => &low,
        line if nth > half && line == low => &high,
        line => line,
    });
    fs::write(folder.join("b.vcd"), altered.collect::<Vec<_>>().join("\n") + "\n").unwrap();
    let differs = [" differs in byte 1 of ", " of the trace, and ", "(DC low)", "(DC high)"];
    check(folder, "replay a.trace --observer b.vcd", 1, &differs);
}

#[test]
fn an_observer_without_a_usable_capture_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("a.trace"), TRACE).unwrap();
    fs::write(folder.join("b.trace"), TRACE).unwrap();
    check(folder, "replay a.trace --observer none.csv", 2, &["--observer: none.csv: "]);
    check(folder, "replay . --observer none.csv", 2, &["--observer has the capture of one trace"]);
    check(folder, "replay a.trace --observer-map SCK=D0", 2, &["--observer <FILE>"]);
    check(folder, "replay a.trace --vcd a.vcd", 0, &["wrote a.vcd"]);
    let buttons = "trace convert a.vcd c.vcd --signals B1,SCK,MOSI";
    check(folder, buttons, 0, &[]);
    check(
        folder,
        "replay a.trace --observer c.vcd",
        2,
        &["c.vcd: has no DC; `--observer-map DC=CHANNEL`"],
    );
}

/// The capture has what the board's chip sends, the replay what the probe's firmware reports of it.
/// Both runs are the same because no line waits: on a probe, the line after it would come later.
#[cfg(feature = "pico-test")]
#[test]
#[ignore = "needs the probe's program: `make test-tools` runs it"]
fn the_probe_reports_the_bursts_that_the_chip_sends() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let timed = "trace 1\ngame board\n\n0ms power on\n600ms tap B3\n900ms end\n";
    fs::write(folder.join("a.trace"), timed).unwrap();
    check(folder, "replay a.trace --board pico --vcd a.vcd", 0, &["wrote a.vcd"]);
    let agrees = ["observer a.vcd: ", " bytes agree within ", "clock is 0.0 ppm"];
    check(folder, "replay a.trace --board probe:emulated --observer a.vcd", 0, &agrees);
}
