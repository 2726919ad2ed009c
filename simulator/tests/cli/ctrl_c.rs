//! Tests Ctrl-C and other signals in `nudge replay` and `nudge trace convert`: the results so far
//! are reported, and no incomplete file remains.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

const ON: &str = "trace 1\n\n0ms power on\n+0ms settle within 9s\n";
/// Prefix of temporary files.
const TEMPORARY: &str = ".nudge-";
/// Number of taps; enough for a replay of many seconds.
const TAPS: usize = 100_000;

/// Creates a folder with a trace that ends at once, and a long one.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.trace"), ON).unwrap();
    let taps = "+100ms tap B3\n+100ms tap B4\n".repeat(TAPS / 2);
    fs::write(folder.path().join("b.trace"), format!("{ON}{taps}")).unwrap();
    fs::write(folder.path().join("c.trace"), ON).unwrap();
    folder
}

fn nudge(folder: &Path, arguments: &str) -> Child {
    crate::command::nudge_that_takes_signals()
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Sends SIGINT, like Ctrl-C; returns the exit code and the remaining output.
fn interrupt(child: Child) -> (Option<i32>, String) {
    send("-INT", child)
}

/// Sends a signal; returns the exit code and the remaining output.
fn send(signal: &str, mut child: Child) -> (Option<i32>, String) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let mut said = String::new();
    if let Some(mut out) = child.stdout.take() {
        out.read_to_string(&mut said).unwrap();
    }
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

/// Returns the files in a folder, including hidden ones.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_interrupted_replay_reports_finished_traces_in_whole_files() {
    sampled!();
    reports_what_is_finished("-INT", 130);
}

#[test]
fn a_replay_that_is_terminated_does_the_same() {
    sampled!();
    reports_what_is_finished("-TERM", 143);
}

#[cfg(target_os = "linux")]
#[test]
fn a_hangup_ends_a_replay_in_the_same_way_unless_ignored() {
    sampled!();
    reports_what_is_finished("-HUP", 129);
    let folder = folder();
    let nudge = crate::command::NUDGE;
    let script = format!("trap '' HUP; exec '{nudge}' replay a.trace b.trace c.trace -j 1");
    let mut child = crate::command::through("sh")
        .args(["-c", &script])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("PASS a.trace"), "{first}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-HUP", &id]).status().unwrap().success());
    // The first signal that is not ignored decides the exit code.
    assert_eq!(send("-TERM", child).0, Some(143));
}

/// Checks that `signal` ends a replay with the exit code `expected`, and that finished traces are
/// reported.
#[track_caller]
fn reports_what_is_finished(signal: &str, expected: i32) {
    let folder = folder();
    let arguments = "replay a.trace b.trace c.trace -j 1 --junit results.xml --html page";
    let mut child = nudge(folder.path(), arguments);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    assert!(first.starts_with("PASS a.trace"), "{first}");
    let (code, err) = send(signal, child);
    let mut said = String::new();
    out.read_to_string(&mut said).unwrap();
    assert_eq!(code, Some(expected), "{said}{err}");
    assert!(said.ends_with("1 passed, 0 failed, 2 not run\n"), "{said}");
    assert_eq!(err, "nudge: interrupted\n");
    let expected = ["a.trace", "b.trace", "c.trace", "page", "results.xml"];
    assert_eq!(files(folder.path()), expected);
    assert_eq!(files(&folder.path().join("page")), ["index.html"]);
    let results = fs::read_to_string(folder.path().join("results.xml")).unwrap();
    assert!(results.contains("name=\"a\"") && results.ends_with("</testsuites>\n"), "{results}");
}

#[test]
fn an_interrupted_conversion_leaves_no_file() {
    sampled!();
    let folder = folder();
    let child = nudge(folder.path(), "trace convert b.trace b.vcd");
    while !files(folder.path()).iter().any(|name| name.starts_with(TEMPORARY)) {
        std::thread::yield_now();
    }
    let (code, said) = interrupt(child);
    assert_eq!((code, said.as_str()), (Some(130), "nudge: interrupted; nothing is written\n"));
    assert_eq!(files(folder.path()), ["a.trace", "b.trace", "c.trace"]);
}

#[test]
fn a_second_signal_ends_at_once_without_temporary_files() {
    sampled!();
    for _ in 0..10 {
        let folder = folder();
        let child = nudge(folder.path(), "replay b.trace --junit out/b.xml --vcd out/b.vcd");
        let out = folder.path().join("out");
        let begun = || out.exists() && files(&out).len() == 2;
        while !begun() {
            std::thread::yield_now();
        }
        // The second signal arrives while the first is being handled, or after the process has
        // ended.
        let twice = format!("kill -INT {0}; kill -INT {0}", child.id());
        assert!(crate::command::through("sh").args(["-c", &twice]).status().is_ok());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{said}");
        let left = if out.exists() { files(&out) } else { Vec::new() };
        assert!(left.iter().all(|name| name == "b.xml"), "{left:?}");
    }
}
