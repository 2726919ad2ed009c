//! Tests the output of a replay for CI systems: GitHub's annotations, GitLab's attachments, cases
//! that did not run, and the commands for another machine.

use std::fs;
use std::path::Path;

use quick_junit::{Report, TestCaseStatus};
use tempfile::TempDir;

/// A trace that fails in three lines.
const BAD: &str = "trace 1\n0ms power on\n+0ms settle within 9s\n+0ms expect text \"one\"\n\
                   +0ms expect text \"two\"\n+0ms expect text \"three\"\n";

/// Creates a folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Runs `nudge` in `folder`; checks its exit code and returns its standard output.
#[track_caller]
fn check(folder: &Path, arguments: &str, code: i32, variables: &[(&str, &str)]) -> String {
    let [out, _] = crate::command::check(folder, arguments, code, variables);
    out
}

fn junit(folder: &Path) -> Report {
    let text = fs::read_to_string(folder.join("junit.xml")).unwrap();
    Report::deserialize_from_str(&text).unwrap()
}

#[test]
fn each_trace_has_an_annotation_before_any_has_a_second() {
    let folder =
        folder(&[("a.trace", BAD), ("b.trace", "trace 1\nx\n0ms power on\n"), ("c.trace", BAD)]);
    let out = check(folder.path(), "replay .", 2, &[("GITHUB_ACTIONS", "true")]);
    let places: Vec<String> = out
        .lines()
        .filter_map(|line| line.strip_prefix("::error file=./"))
        .map(|line| line.split(",col").next().unwrap().to_owned())
        .collect();
    let lines = ["a 4", "b 2", "c 4", "a 5", "a 6", "c 5", "c 6"];
    let expected = lines.map(|line| line.replace(' ', ".trace,line="));
    assert_eq!(places, expected, "{out}");
}

#[test]
fn the_details_of_a_failed_trace_are_a_group_of_the_log() {
    let folder = folder(&[("a.trace", BAD), ("c.trace", "trace 1\n0ms power on\n1s end\n")]);
    let out = check(folder.path(), "replay .", 1, &[("GITHUB_ACTIONS", "true")]);
    let lines: Vec<&str> = out.lines().filter(|line| line.starts_with("::")).collect();
    let commands: Vec<&str> =
        lines.iter().map(|line| line.split(['=', ' ']).next().unwrap()).collect();
    assert_eq!(commands[..3], ["::group::details", "::endgroup::", "::error"], "{out}");
    assert_eq!(out.matches("::group::").count(), 1, "{out}");
    let plain = check(folder.path(), "replay .", 1, &[]);
    assert!(!plain.contains("::"), "{plain}");
}

#[test]
fn one_screen_is_described_once() {
    let lines = ["A", "B", "C"].map(|text| format!("+0ms expect text \"{text}\"\n")).concat();
    let trace =
        format!("trace 1\n0ms power on\n1s settle within 5s\n{lines}+1s expect text \"D\"\n");
    let folder = folder(&[("a.trace", &trace)]);
    let out = check(folder.path(), "replay .", 1, &[]);
    assert_eq!(out.matches("the LCD showed:").count(), 2, "{out}");
    assert_eq!(out.matches("    on the same screen as the problem above\n").count(), 2, "{out}");
    assert_eq!(out.matches("^\n").count(), 4, "each line is quoted: {out}");
}

#[test]
fn errors_of_the_header_come_with_those_of_the_lines() {
    let folder = folder(&[
        ("a.trace", "trace 1\ngame chess\nseed x\n\n0ms power on\n1s tup B1\n2s expect text “A”\n"),
        ("b.trace", "trace 1\ngame chess\n\n0ms power on\n"),
    ]);
    for command in ["replay .", "trace check ."] {
        let all = crate::command::check(folder.path(), command, 2, &[]).concat();
        for place in ["a.trace:2:6", "a.trace:3:6", "a.trace:6:4", "a.trace:7:16", "b.trace:2:6"] {
            assert_eq!(
                all.matches(&format!("{place}: ")).count(),
                1,
                "{place} of {command}:\n{all}"
            );
        }
    }
}

#[test]
fn failures_of_one_cause_are_one_line_and_the_failed_traces_are_named_last() {
    sampled!();
    let names: Vec<String> = (10..80).map(|number| format!("{number}.trace")).collect();
    let texts: Vec<String> = (10..80)
        .map(|number| format!("trace 1\n0ms power on\n+0ms expect text \"BONUS {number}\"\n"))
        .collect();
    let files: Vec<(&str, &str)> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder(&files);
    let variables = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", "summary.md")];
    let out = check(folder.path(), "replay . -q --junit junit.xml --html html", 1, &variables);
    let end = out.find("70 failed traces, 1 cause:\n").expect("the causes");
    let cause = "  70 traces: expected text \"BONUS N\" on the LCD";
    let end: Vec<&str> = out[end..].lines().collect();
    assert_eq!(end[1..3], [cause, "      first in ./10.trace"], "{out}");
    assert!(end.contains(&"failed: ./10.trace:3") && end.len() <= 60, "{out}");
    assert!(end.contains(&"and 45 more traces failed"), "{out}");
    let words = "70 traces: expected text";
    for file in ["summary.md", "html/index.html"] {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(text.contains(words), "{file}");
    }
    let text = fs::read_to_string(folder.path().join("junit.xml")).unwrap();
    assert_eq!(text.matches("name=\"cause\"").count(), 70, "{text}");
}

#[test]
fn at_most_50_annotations_are_written_first_one_per_trace() {
    let names: Vec<String> = (10..55).map(|number| format!("{number}.trace")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), BAD)).collect();
    let folder = folder(&files);
    let out = check(folder.path(), "replay . -q", 1, &[("GITHUB_ACTIONS", "true")]);
    let lines: Vec<&str> = out.lines().filter(|line| line.starts_with("::error ")).collect();
    assert_eq!(lines.len(), 50);
    assert_eq!(lines.iter().filter(|line| line.contains(",line=4,")).count(), 45);
}

#[test]
fn the_command_to_repeat_a_failure_names_no_ci_path() {
    let folder = folder(&[("t/a.trace", BAD)]);
    let root = fs::canonicalize(folder.path()).unwrap();
    let options = "--artifacts out --junit junit.xml --html page --contact-sheet sheet.png";
    let out = check(&root, &format!("replay t {options}"), 1, &[]);
    let again = |out: &str| {
        let lines = out.lines().filter_map(|line| line.split_once("just this again: "));
        lines.map(|(_, command)| command.to_owned()).collect::<Vec<_>>()
    };
    let commands = again(&out);
    assert_eq!(commands.len(), 3);
    for command in commands {
        let words: Vec<&str> = command.split(' ').take(4).collect();
        assert_eq!(words, ["nudge", "replay", "t/a.trace", "--until"], "{command}");
        assert_eq!(command.split(' ').count(), 5, "{command}");
    }
    // In CI an absolute path would be one of the CI machine.
    let project = root.to_str().unwrap();
    for name in ["CI_PROJECT_DIR", "GITHUB_WORKSPACE"] {
        let out = check(&root, &format!("replay {project}/t"), 1, &[(name, project)]);
        assert!(again(&out)[0].starts_with("nudge replay t/a.trace --until "), "{out}");
    }
    let out = check(&root, &format!("replay {project}/t"), 1, &[]);
    assert!(again(&out)[0].starts_with(&format!("nudge replay {project}/t/a.trace ")), "{out}");
}

#[test]
fn a_failure_attaches_its_pictures_from_the_projects_root() {
    let picture = "trace 1\n0ms power on\n+0ms settle within 9s\n+0ms expect frame start\n";
    let folder = folder(&[("part/t/a.trace", picture), ("part/t/b.trace", BAD)]);
    let root = fs::canonicalize(folder.path()).unwrap();
    let part = root.join("part");
    check(&part, "replay t/a.trace --bless", 0, &[]);
    let golden = part.join("t/a/start.png");
    let mut frame = reading::golden::read_png(&golden).unwrap();
    frame.pixels_mut()[0] ^= 0x00FF_FFFF;
    reading::golden::write_png(&golden, &frame).unwrap();

    let in_ci = [("CI_PROJECT_DIR", root.to_str().unwrap())];
    check(&part, "replay t --junit junit.xml --artifacts ../out", 1, &in_ci);
    let report = junit(&part);
    let output = |case: usize| report.test_suites[0].test_cases[case].system_out.clone().unwrap();
    assert!(
        output(0).as_str().starts_with(
            "[[ATTACHMENT|out/a/start.diff.png]]\n[[ATTACHMENT|out/a/line-4.failed.png]]\nboot nudge="
        ),
        "{:?}",
        output(0)
    );
    let lines: Vec<String> =
        (4..7).map(|line| format!("[[ATTACHMENT|out/b/line-{line}.failed.png]]\n")).collect();
    assert!(output(1).as_str().starts_with(&lines.concat()), "{:?}", output(1));
    for name in ["start.diff.png", "line-4.failed.png"] {
        assert!(root.join("out/a").join(name).exists());
    }
    // Files outside of the project, and files that were not saved, are not attached.
    let in_part = [("CI_PROJECT_DIR", part.to_str().unwrap())];
    check(&part, "replay t --junit junit.xml --artifacts ../out", 1, &in_part);
    assert!(!fs::read_to_string(part.join("junit.xml")).unwrap().contains("ATTACHMENT"));
    check(&part, "replay t --junit junit.xml", 1, &in_ci);
    assert!(!fs::read_to_string(part.join("junit.xml")).unwrap().contains("ATTACHMENT"));
}

#[test]
fn traces_skipped_by_fail_fast_are_skipped_cases_and_rows() {
    let good = "trace 1\n0ms power on\n1ms end\n";
    let folder = folder(&[
        ("a/1.trace", good),
        ("a/2.trace", BAD),
        ("a/3.trace", good),
        ("b/4.trace", good),
        // Goldens without a trace are searched for at the end.
        ("b/gone/x.png", ""),
    ]);
    let arguments = "replay . --fail-fast --jobs 1 --junit junit.xml --html page";
    let out = check(folder.path(), arguments, 1, &[]);
    assert!(out.ends_with("1 passed, 1 failed, 3 not run\n"), "{out}");
    let report = junit(folder.path());
    assert_eq!((report.tests, report.failures, report.errors), (5, 1, 0));
    let mut cases = Vec::new();
    for suite in &report.test_suites {
        assert_eq!(suite.tests, suite.test_cases.len());
        for case in &suite.test_cases {
            let skipped = matches!(case.status, TestCaseStatus::Skipped { .. });
            cases.push((suite.name.as_str(), suite.disabled, case.name.as_str(), skipped));
        }
    }
    let expected = [
        ("./a", 1, "1", false),
        ("./a", 1, "2", false),
        ("./a", 1, "3", true),
        ("./b", 2, "4", true),
        ("./b", 2, "gone", true),
    ];
    assert_eq!(cases, expected);
    let page = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    for name in ["./a/3.trace", "./b/4.trace", "./b/gone"] {
        let row = format!("<i>–</i> not run</span><span class=name>{name}</span>");
        assert!(page.contains(&row), "{name}");
    }
    assert_eq!(page.matches("<li class=\"row skip\">").count(), 3);
}

#[test]
fn every_report_names_the_firmware() {
    let good = "trace 1\n0ms power on\n1ms end\n";
    let folder = folder(&[("a.trace", good), ("summary.md", "")]);
    let version = check(folder.path(), "--version", 0, &[]);
    let (_, hash) = version.trim_end_matches(")\n").rsplit_once(' ').unwrap();
    let name = format!("native, source {hash}");
    let variables = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", "summary.md")];
    let arguments = "replay a.trace --junit junit.xml --html page";
    let out = check(folder.path(), arguments, 0, &variables);
    assert!(out.contains(&format!("\nfirmware: {name}\n")), "{out}");
    let properties = &junit(folder.path()).test_suites[0].properties;
    let property = properties.iter().find(|property| property.name.as_str() == "firmware");
    assert_eq!(property.unwrap().value.as_str(), name);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("page/index.html").contains(&format!("<p class=firmware>firmware: {name}</p>")));
    assert!(
        read("summary.md").contains(&format!("\nfirmware: {name}\n")),
        "{}",
        read("summary.md")
    );
}

#[test]
fn a_program_is_named_by_checksum_time_and_a_sources_note() {
    let folder = folder(&[("a.trace", "trace 1\n0ms power on\n1ms end\n")]);
    let put = |bytes: &[u8]| fs::write(folder.path().join("a.bin"), bytes).unwrap();
    let replay = || {
        // The chip does not boot the program, which is named nevertheless.
        let arguments = "replay a.trace --board pico=a.bin --junit junit.xml";
        check(folder.path(), arguments, 1, &[])
    };
    put(&[0; 1024]);
    let written = fs::File::open(folder.path().join("a.bin")).unwrap();
    let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    written.set_modified(then).unwrap();
    let out = replay();
    let name = "pico, a.bin, SHA-256 5f70bf18a0860070, written 2023-11-14T22:13:20Z";
    assert!(out.contains(&format!("\nfirmware: {name}\n")) && !out.contains("note:"), "{out}");

    let mut program = vec![0; 1024];
    program[600..639].copy_from_slice(b"nudge-firmware-source=0123456789abcdef\n");
    put(&program);
    let out = replay();
    assert!(out.contains(", source 0123456789abcdef\nnote: a.bin was built from other"), "{out}");
    let note = junit(folder.path()).test_suites[0]
        .properties
        .iter()
        .find(|property| property.name.as_str() == "firmware-note")
        .map(|property| property.value.as_str().to_owned());
    assert!(note.unwrap().starts_with("a.bin was built from other firmware sources"));
}
