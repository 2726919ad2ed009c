//! Tests `nudge trace timing` on the command line. With the feature `pico-test` also on the flashed
//! program, which `make firmware` builds.

use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Number of rows: two `wait text`, two `settle`, an `expect frame`, and the end.
const ROWS: usize = 6;

/// Returns the path of the repository's recorded game.
fn game() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/traces/game-1.trace")
}

/// Runs `nudge trace timing`, checks its exit code, and returns its standard output and standard
/// error.
#[track_caller]
fn check(trace: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let output = crate::command::nudge()
        .args(["trace", "timing"])
        .arg(trace)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    (out, err)
}

/// Returns the differences in milliseconds, one for each row below the header.
#[track_caller]
fn differences(out: &str) -> Vec<f64> {
    let difference = |line: &str| {
        let word = line.split_whitespace().find(|word| word.starts_with(['+', '-']));
        word.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{line}\n{out}"))
    };
    out.lines().skip(2).map(difference).collect()
}

#[test]
fn a_board_has_the_same_times_as_itself() {
    let (out, err) = check(&game(), &["--board", "native"], 0);
    assert_eq!(err, "");
    let differences = differences(&out);
    assert_eq!(differences.len(), ROWS, "{out}");
    assert!(differences.iter().all(|ms| *ms == 0.0), "{out}");
}

#[test]
fn a_replay_shows_both_times_below_its_results() {
    let output = crate::command::nudge()
        .arg("replay")
        .arg(game())
        .args(["--board", "native", "--timing"])
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{out}");
    let (results, table) = out.split_once("1 passed, 0 failed\n").unwrap();
    assert!(results.starts_with("PASS "), "{out}");
    assert_eq!(differences(table).len(), ROWS, "{out}");
}

#[test]
fn a_missing_program_or_trace_is_reported() {
    let (out, err) = check(&game(), &["--board", "pico=missing.elf"], 2);
    assert!(out.is_empty() && err.contains("missing.elf"), "{out}{err}");
    let (out, err) = check(Path::new("missing.trace"), &["--board", "native"], 2);
    assert!(out.is_empty() && err.contains("missing.trace"), "{out}{err}");
}

#[cfg(feature = "pico-test")]
#[test]
fn the_flashed_program_satisfies_the_same_waits_later() {
    sampled!();
    let (out, err) = check(&game(), &[], 0);
    assert_eq!(err, "");
    let differences = differences(&out);
    assert_eq!(differences.len(), ROWS, "{out}");
    // Booting and drawing take longer; from row to row the difference grows by less than 1 s.
    assert!(differences[0] > 0.0, "{out}");
    assert!(differences.windows(2).all(|two| two[1] - two[0] < 1_000.0), "{out}");
}
