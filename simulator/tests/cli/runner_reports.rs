//! Tests the reports of `nudge replay` other than the terminal's: JUnit, the page, GitHub's
//! annotations and summary. The board is the real firmware's.

use std::fs;

use quick_junit::{NonSuccessKind, Report, TestCaseStatus};
use tempfile::TempDir;

use crate::command::check;

const GOOD: &str =
    "trace 1\nseed 7\n\n0ms power on\n500ms tap B3\n+1s settle within 9s\n+0ms end\n";
const BAD: &str = "trace 1\nseed 7\n\n0ms power on\n500ms tap B3\n+1s settle within 9s\n\
                   +0ms expect text \"<b>&amp;|50%\" # never\n+0ms end\n";

/// Creates four traces in two folders: one fails and one is invalid.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("one/good.trace", GOOD),
        ("one/bad.trace", BAD),
        ("two/good.trace", GOOD),
        ("two/wrong.trace", "trace 1\n0ms power on\n1s tup B3\n"),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn a_junit_file_has_a_suite_a_folder_and_a_case_a_trace() {
    let folder = folder();
    check(folder.path(), "replay . --junit junit.xml", 2, &[]);
    let text = fs::read_to_string(folder.path().join("junit.xml")).unwrap();
    let report = Report::deserialize_from_str(&text).unwrap_or_else(|error| {
        panic!("{error}\n{text}");
    });
    assert_eq!((report.tests, report.failures, report.errors), (4, 1, 1), "{text}");
    let suites: Vec<(&str, usize, usize, usize)> = report
        .test_suites
        .iter()
        .map(|suite| (suite.name.as_str(), suite.tests, suite.failures, suite.errors))
        .collect();
    assert_eq!(suites, [("./one", 2, 1, 0), ("./two", 2, 0, 1)]);
    for suite in &report.test_suites {
        assert_eq!(suite.test_cases.len(), suite.tests, "{text}");
    }
    let [bad, good] = report.test_suites[0].test_cases.as_slice() else { panic!("{text}") };
    assert_eq!((bad.name.as_str(), good.name.as_str()), ("bad", "good"));
    assert!(matches!(good.status, TestCaseStatus::Success { .. }), "{text}");
    let console = good.system_out.as_ref().unwrap().as_str();
    assert!(console.contains("event=free-turn"), "{console}");
    assert!(good.time.is_some());
    assert_eq!(good.properties[0].name.as_str(), "board-seconds");
    assert!(good.properties[0].value.as_str().starts_with("1."), "{text}");
    match &bad.status {
        TestCaseStatus::NonSuccess { kind, message, description, .. } => {
            assert_eq!(*kind, NonSuccessKind::Failure);
            let message = message.as_ref().unwrap().as_str();
            assert_eq!(message, "expected text \"<b>&amp;|50%\" on the LCD");
            let description = description.as_ref().unwrap().as_str();
            assert!(description.contains("one/bad.trace:7:6: at 1."), "{description}");
            assert!(description.contains("Player 1 FREE TURN"), "{description}");
            assert!(description.contains("nudge replay ./one/bad.trace --until "), "{description}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(bad.extra.get("line").unwrap().as_str(), "7");
    let wrong = &report.test_suites[1].test_cases[1];
    assert!(
        matches!(wrong.status, TestCaseStatus::NonSuccess { kind: NonSuccessKind::Error, .. }),
        "{text}"
    );
}

#[test]
fn the_page_is_one_file_that_needs_no_other() {
    let folder = folder();
    let [out, _] = check(folder.path(), "replay . --html page", 2, &[]);
    assert!(out.contains("wrote page/index.html\n2 passed, 2 failed\n"), "{out}");
    let files: Vec<_> = fs::read_dir(folder.path().join("page")).unwrap().collect();
    assert_eq!(files.len(), 1);
    let page = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    // SVG's namespace is an address, but nothing is fetched from it.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for foreign in ["http://", "https://", "src=\"/", "href=", "<b>&amp;|50%"] {
        assert!(!page.contains(foreign), "{foreign} in the page");
    }
    assert!(page.contains("default-src 'none'"));
    assert!(page.contains("expected text &quot;&lt;b&gt;&amp;amp;|50%&quot; on the LCD"));
    let picture = "<figure class=actual><span class=pic><img alt=\"What the LCD showed\" \
                   src=\"data:image/png";
    assert!(page.contains(picture));
    assert!(page.contains("Player 1 FREE TURN"));
    assert_eq!(page.matches("<li class=\"row pass\">").count(), 2);
    assert_eq!(page.matches("<li class=\"row fail\"").count(), 2);
    let failed = page.find("row fail").unwrap();
    assert!(failed < page.find("<li class=\"row pass").unwrap(), "failed ones first");
    assert!(page.contains("aria-label=\"1 presses, ") || page.contains("aria-label=\"1 press, "));
}

#[test]
fn a_passed_trace_takes_little_space_in_the_page() {
    let folder = folder();
    let size = |count: usize| {
        let many = folder.path().join(format!("many-{count}"));
        fs::create_dir(&many).unwrap();
        for number in 0..count {
            fs::write(many.join(format!("{number:03}.trace")), GOOD).unwrap();
        }
        check(folder.path(), &format!("replay many-{count} --html page -q"), 0, &[]);
        fs::metadata(folder.path().join("page/index.html")).unwrap().len()
    };
    let (few, many) = (size(10), size(60));
    assert!((many - few) / 50 < 1_500, "{} bytes a trace", (many - few) / 50);
}

#[test]
fn github_gets_an_annotation_for_each_line_and_a_summary() {
    let folder = folder();
    let root = fs::canonicalize(folder.path()).unwrap();
    let summary = root.join("summary.md");
    fs::write(&summary, "before\n").unwrap();
    let variables = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_WORKSPACE", root.to_str().unwrap()),
        ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
    ];
    let [out, _] = check(&root, "replay one two", 2, &variables);
    let annotations: Vec<&str> = out.lines().filter(|line| line.starts_with("::error ")).collect();
    assert_eq!(annotations.len(), 2, "{out}");
    assert!(
        annotations[0].starts_with(
            "::error file=one/bad.trace,line=7,col=6,title=nudge replay%3A expected text \
             \"<b>&amp;|50%25\" on the LCD::one/bad.trace:7:6: at 1."
        ),
        "{}",
        annotations[0]
    );
    assert!(
        annotations[0].contains("%0Ajust this again: nudge replay one/bad.trace"),
        "{}",
        annotations[0]
    );
    assert!(
        annotations[1].starts_with("::error file=two/wrong.trace,line=3,col=4,"),
        "{}",
        annotations[1]
    );
    let text = fs::read_to_string(&summary).unwrap();
    assert!(text.starts_with("before\n### nudge replay: 2 passed, 2 failed\n"), "{text}");
    assert!(
        text.contains(
            "| one/bad.trace:7 | expected text \"&lt;b&gt;&amp;amp;\\|50%\" on the LCD |"
        ),
        "{text}"
    );
}

#[test]
fn unwritable_outputs_are_reported_before_the_run() {
    let folder = folder();
    fs::write(folder.path().join("file"), "in the way").unwrap();
    fs::create_dir(folder.path().join("one.xml")).unwrap();
    for (option, said) in [
        ("--junit file/such/junit.xml", "nudge: file/such/junit.xml: cannot be written: "),
        ("--contact-sheet file/sheet.png", "nudge: file/sheet.png: cannot be written: "),
        ("--junit one.xml", "nudge: one.xml: cannot be written: it is a folder"),
        ("--html file/page", "nudge: file/page: cannot be written: "),
    ] {
        let [out, err] = check(folder.path(), &format!("replay one {option}"), 2, &[]);
        assert!(err.starts_with(said), "{err}");
        assert!(!err.contains(".nudge-"), "the name of a temporary file: {err}");
        assert_eq!(out, "", "{option}");
    }
    let summary = folder.path().join("no/summary.md");
    let variables =
        [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap())];
    let [out, err] = check(folder.path(), "replay one", 2, &variables);
    assert!(err.contains("summary.md: cannot be written: ") && out.is_empty(), "{err}{out}");
}

#[test]
fn output_to_a_file_has_no_escape_sequences() {
    let folder = folder();
    let kitty = [("TERM", "xterm-kitty"), ("KITTY_WINDOW_ID", "1")];
    for options in ["", "--pictures kitty", "--color never --pictures sixel", "-q"] {
        let [out, err] = check(folder.path(), &format!("replay one {options}"), 1, &kitty);
        assert!(!out.contains('\x1b') && !err.contains('\x1b'), "{options}: {out}{err}");
        assert!(err.is_empty(), "no progress in a file: {err}");
    }
    let no_color = [("NO_COLOR", "1")];
    let [out, _] = check(folder.path(), "replay one --color always", 1, &no_color);
    assert!(out.contains("\x1b[1;31mFAIL\x1b[0m ") && !out.contains("\x1b_G"), "{out}");
}

#[test]
fn the_real_board_is_the_same_in_every_run() {
    let folder = folder();
    let [out, _] = check(folder.path(), "replay one/good.trace --repeat 3", 0, &[]);
    assert!(out.ends_with("1 passed, 0 failed\n"), "{out}");
}
