//! Tests known failures (`xfail`), tags and `--last-failed`: which traces run, and what their
//! results mean. The board is the real firmware's.

use std::fs;

use quick_junit::{Report, TestCaseStatus};
use tempfile::TempDir;

use crate::command::check;

/// Creates a folder with three traces: `late` fails, `starts` passes, `mended` passes although its
/// header expects a failure.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, header: &str, text: &str| {
        let lines = format!(
            "trace 1\nseed 7\n{header}\n\n0ms power on\n+1s settle within 5s\n+0ms expect text \"{text}\"\n"
        );
        fs::write(folder.path().join(name), lines).unwrap();
    };
    write("late.trace", "tags slow menu\nxfail \"see #12\" until 2027-01-31", "NO SUCH");
    write("mended.trace", "xfail \"never\"", "Player");
    write("starts.trace", "tags quick", "Player");
    folder
}

#[test]
fn a_known_failure_passes_and_an_unexpected_pass_fails() {
    let folder = folder();
    let arguments = "replay . --today 2027-01-31 --junit junit.xml --html page";
    let [out, _] = check(folder.path(), arguments, 1, &[]);
    assert!(out.contains("XFAIL ./late.trace "), "{out}");
    assert!(
        out.contains("  expected to fail: see #12 (until 2027-01-31); expected text "),
        "{out}"
    );
    assert!(out.contains("./mended.trace:3:1: unexpected pass: "), "{out}");
    assert!(out.ends_with("1 passed, 1 failed, 1 failed as expected\n"), "{out}");

    let text = fs::read_to_string(folder.path().join("junit.xml")).unwrap();
    let report = Report::deserialize_from_str(&text).unwrap();
    let suite = &report.test_suites[0];
    assert!(suite.timestamp.is_some(), "{text}");
    assert_eq!((suite.tests, suite.disabled, suite.failures), (3, 1, 1), "{text}");
    let TestCaseStatus::Skipped { message, .. } = &suite.test_cases[0].status else {
        panic!("{text}")
    };
    assert!(message.as_ref().unwrap().as_str().contains("see #12"), "{text}");
    assert!(text.contains("type=\"unexpected-pass\""), "{text}");
    let page = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    assert!(page.contains("expected to fail: see #12"), "{page}");
    let [out, _] = check(folder.path(), "report merge junit.xml --junit all.xml", 1, &[]);
    assert!(out.contains("1 passed, 1 failed, 1 failed as expected"), "{out}");

    // After its date the failure counts.
    let [out, _] = check(folder.path(), "replay late.trace --today 2027-02-01", 1, &[]);
    assert!(out.contains("`xfail` expected this failure until 2027-01-31, and today is "), "{out}");
}

#[test]
fn a_known_failure_has_no_golden_and_is_not_cached() {
    let folder = folder();
    let trace = "trace 1\nxfail \"x\"\n\n0ms power on\n+1s expect frame first\n";
    fs::write(folder.path().join("late.trace"), trace).unwrap();
    let [out, _] = check(folder.path(), "replay late.trace --bless", 0, &[]);
    assert!(out.contains("  no golden is written, because the failure is known"), "{out}");
    assert!(!folder.path().join("late").exists());
    for _ in 0..2 {
        let [out, _] = check(folder.path(), "replay mended.trace --cache results", 1, &[]);
        assert!(out.contains("unexpected pass") && !out.contains("cached"), "{out}");
    }
}

#[test]
fn tags_select_traces() {
    let folder = folder();
    let list = |arguments: &str| {
        let [out, _] = check(folder.path(), &format!("replay . --list {arguments}"), 0, &[]);
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(list("--tag menu"), ["./late.trace"]);
    assert_eq!(list("--tag menu --tag quick"), ["./late.trace", "./starts.trace"]);
    assert_eq!(list("--exclude slow"), ["./mended.trace", "./starts.trace"]);
    assert_eq!(list("--tag menu --tag quick --exclude slow"), ["./starts.trace"]);
    let [_, err] = check(folder.path(), "replay . --tag quik", 2, &[]);
    let expected = "nudge: of 3 traces, none has the tag `quik`; their tags are menu, quick, slow; \
                    did you mean `quick`?\n";
    assert_eq!(err, expected);
    let [_, err] = check(folder.path(), "replay . --tag slow --exclude menu", 2, &[]);
    assert_eq!(err, "nudge: --exclude leaves none of 3 traces; name fewer tags\n");
}

#[test]
fn last_failed_replays_what_did_not_pass() {
    let folder = folder();
    let [_, err] = check(folder.path(), "replay . --last-failed", 2, &[]);
    assert!(err.contains("name one with `--cache DIR`, in each run"), "{err}");
    let run = |arguments: &str, code: i32| {
        let arguments = format!("replay . --cache results {arguments}");
        check(folder.path(), &arguments, code, &[])
    };
    let [_, err] = run("--last-failed", 2);
    assert!(err.contains("no failed trace of these paths is remembered"), "{err}");
    run("", 1);
    let [out, _] = run("--last-failed --list", 0);
    assert_eq!(out, "./mended.trace\n");
    // A run of other traces forgets nothing.
    run("--filter starts", 0);
    let trace = folder.path().join("mended.trace");
    let mended = fs::read_to_string(&trace).unwrap().replace("xfail \"never\"\n", "");
    fs::write(&trace, mended).unwrap();
    let [out, _] = run("--last-failed", 0);
    assert!(out.ends_with("1 passed, 0 failed\n"), "{out}");
    run("--last-failed", 2);
}
