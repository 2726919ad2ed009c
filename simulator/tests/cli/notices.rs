//! Tests notices: traces that pass although they test nothing. They are in each report, and
//! `--strict` makes them failures. Also tests `--bless` in CI. The board is the real firmware's.

use std::fs;

use quick_junit::{Report, TestCaseStatus};
use tempfile::TempDir;

use crate::command::check;

const NOTHING: &str = "trace 1\nseed 7\n\n0ms power on\n500ms tap B3\n+1s settle within 9s\n";
/// A chain without a frame, and one with the first screens.
const CHAINS: &str = "trace 1\nseed 7\n\n0ms power on\n+0ms expect frames none\n\
                      +1s expect text \"Player\"\n+0ms expect frames some\n";

fn folder(traces: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in traces {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

const EXPECTS_NOTHING: &str = "a.trace: notice: the trace expects nothing: ";

#[test]
fn a_trace_without_expectations_has_a_notice_and_fails_strict() {
    let folder = folder(&[("a.trace", NOTHING)]);
    let [out, _] = check(folder.path(), "replay a.trace", 0, &[]);
    assert!(out.starts_with("PASS a.trace ") && out.contains(EXPECTS_NOTHING), "{out}");
    let [out, _] = check(folder.path(), "replay a.trace --quiet", 0, &[]);
    assert!(out.ends_with("1 passed, 0 failed\n") && !out.contains("notice"), "{out}");
    let [out, _] = check(folder.path(), "replay a.trace --strict", 1, &[]);
    assert!(out.starts_with("FAIL a.trace "), "{out}");
    assert!(out.contains("a.trace: the trace expects nothing: "), "{out}");
    assert!(out.contains("--strict passes no trace with a notice"), "{out}");
    assert!(out.contains("just this again: nudge replay a.trace --strict\n"), "{out}");
}

#[test]
fn a_chain_without_a_frame_always_has_a_notice() {
    let folder = folder(&[("a.trace", CHAINS)]);
    let notice = "a.trace:5:6: notice: the chain none has no frame: ";
    for arguments in ["replay a.trace --bless", "replay a.trace", "trace check a.trace"] {
        let [out, _] = check(folder.path(), arguments, 0, &[]);
        assert_eq!(out.matches("notice: ").count(), 1, "{out}");
        assert!(out.contains(notice), "{out}");
    }
    let [out, _] = check(folder.path(), "replay a.trace --strict", 1, &[]);
    assert!(out.contains("    5 | +0ms expect frames none\n"), "{out}");
}

#[test]
fn an_end_before_every_expectation_has_a_notice() {
    let text =
        "trace 1\nseed 7\n\n0ms power on\n1s expect text \"Player\"\n2s expect text \"Never\"\n";
    let folder = folder(&[("a.trace", text)]);
    let [out, _] = check(folder.path(), "replay a.trace --until 999ms", 0, &[]);
    assert!(out.contains("a.trace:5:4: notice: --until 999 ms ended the replay"), "{out}");
    check(folder.path(), "replay a.trace --until 999ms --strict", 1, &[]);
    let [out, _] = check(folder.path(), "replay a.trace --until 1s --strict", 0, &[]);
    assert!(!out.contains("notice"), "{out}");
}

#[test]
fn check_reports_notices_that_need_no_replay() {
    let text = "trace 1\n\n0ms power on\n1s expect frame a at most 76799 pixels\n\
                +1s expect no text \"日本\"\n";
    let folder = folder(&[("a.trace", text), ("b.trace", NOTHING)]);
    let [out, _] = check(folder.path(), "trace check .", 0, &[]);
    for place in ["a.trace:4:4", "a.trace:5:5", "b.trace"] {
        assert!(out.contains(&format!("./{place}: notice: ")), "{place}\n{out}");
    }
    check(folder.path(), "trace check . --strict", 1, &[]);
    fs::write(folder.path().join("c.trace"), "trace 1\n0ms power on\n1s tup B3\n").unwrap();
    check(folder.path(), "trace check . --strict", 2, &[]);
}

#[test]
fn junit_has_notices_and_equal_runs_as_properties() {
    let folder = folder(&[("a.trace", NOTHING)]);
    let case = |arguments: &str, code| {
        let arguments = format!("replay a.trace --junit junit.xml {arguments}");
        check(folder.path(), &arguments, code, &[]);
        let text = fs::read_to_string(folder.path().join("junit.xml")).unwrap();
        let mut report = Report::deserialize_from_str(&text).unwrap();
        report.test_suites.remove(0).test_cases.remove(0)
    };
    let passed = case("--repeat 3", 0);
    assert!(matches!(passed.status, TestCaseStatus::Success { .. }));
    let value = |name: &str| {
        let mut found = passed.properties.iter().filter(|property| property.name.as_str() == name);
        found.next().map(|property| property.value.as_str().to_owned())
    };
    assert!(value("notice").unwrap().starts_with("the trace expects nothing: "));
    assert_eq!(value("equal-runs").as_deref(), Some("3"));
    let TestCaseStatus::NonSuccess { message, .. } = case("--strict", 1).status else { panic!() };
    assert!(message.unwrap().as_str().starts_with("the trace expects nothing: "));
}

#[test]
fn the_page_and_github_show_notices_at_their_place() {
    let folder = folder(&[("a.trace", CHAINS)]);
    check(folder.path(), "replay a.trace --bless", 0, &[]);
    let root = fs::canonicalize(folder.path()).unwrap();
    let github = [("GITHUB_ACTIONS", "true"), ("GITHUB_WORKSPACE", root.to_str().unwrap())];
    let [out, _] = check(folder.path(), "replay a.trace --html page", 0, &github);
    let annotation = "::notice file=a.trace,line=5,col=6,title=nudge replay%3A ";
    let line = out.lines().find(|line| line.starts_with(annotation));
    assert!(line.is_some_and(|line| line.contains("::the chain none has no frame: ")), "{out}");
    let page = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    let row = "<p class=\"more notice\">a.trace:5:6: notice: the chain none has no frame: ";
    assert!(page.contains(row), "{page}");
    let [out, _] = check(folder.path(), "replay a.trace --strict", 1, &github);
    assert!(out.contains("::error file=a.trace,line=5,col=6,"), "{out}");
}

#[test]
fn equal_runs_are_named_in_the_line_of_the_trace() {
    let folder = folder(&[("a.trace", CHAINS)]);
    check(folder.path(), "replay a.trace --bless", 0, &[]);
    let [out, _] = check(folder.path(), "replay a.trace --repeat 3", 0, &[]);
    let line = out.lines().next().unwrap();
    assert!(line.starts_with("PASS ") && line.ends_with("x), 3 runs were equal"), "{out}");
    let [out, _] = check(folder.path(), "replay a.trace", 0, &[]);
    assert!(!out.contains("equal"), "{out}");
}

#[test]
fn bless_is_refused_in_ci_unless_forced() {
    let folder = folder(&[("a.trace", CHAINS)]);
    let golden = folder.path().join("a/some.frames");
    let [out, err] = check(folder.path(), "replay a.trace --bless", 2, &[("CI", "true")]);
    assert!(out.is_empty() && err.starts_with("nudge: --bless "), "{out}{err}");
    assert!(err.contains("or add --force") && !golden.exists(), "{err}");
    check(folder.path(), "replay a.trace --bless --force", 0, &[("CI", "true")]);
    assert!(golden.exists());
    for not_ci in ["", "false"] {
        check(folder.path(), "replay a.trace --bless", 0, &[("CI", not_ci)]);
    }
    // In CI a replay without `--bless` works as usual.
    check(folder.path(), "replay a.trace", 0, &[("CI", "true")]);
}
