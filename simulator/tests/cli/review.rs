//! Tests `nudge review`: which goldens it writes for which answers. The board is the real
//! firmware's; the goldens are changed instead of the firmware.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use reading::golden::{read_png, write_png};
use tempfile::TempDir;

use crate::command::check;

const TRACE: &str =
    "trace 1\nseed 7\n\n0ms power on\n+1s settle within 5s\n+0ms expect frame start\n";

/// Creates traces with goldens: `a` and `b` have another ground, `c` also a white square.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        fs::write(folder.path().join(format!("{name}.trace")), TRACE).unwrap();
    }
    check(folder.path(), "replay . --bless", 0, &[]);
    for name in ["a", "b", "c"] {
        let path = golden(folder.path(), name);
        let mut frame = read_png(&path).unwrap();
        let ground = frame.pixels()[0];
        for pixel in frame.pixels_mut().iter_mut().filter(|pixel| **pixel == ground) {
            *pixel = 0x0012_3456;
        }
        if name == "c" {
            for y in 0..9 {
                frame.pixels_mut()[y * 320..y * 320 + 9].fill(0x00FF_FFFF);
            }
        }
        write_png(&path, &frame).unwrap();
    }
    folder
}

fn golden(folder: &Path, name: &str) -> std::path::PathBuf {
    folder.join(name).join("start.png")
}

/// Answers the questions of `nudge review .`, and returns its exit code and output.
fn answer(folder: &Path, answers: &str) -> (i32, String) {
    let mut command = crate::command::nudge();
    command.args(["review", "."]).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn accepted_causes_write_goldens_and_the_others_are_listed() {
    let folder = folder();
    let [list, _] = check(folder.path(), "review . --list", 1, &[]);
    let causes = list.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    assert!(causes.count() >= 2, "{list}");
    assert!(list.starts_with("1: frames: other colours: #123456 became "), "{list}");
    assert!(list.contains("   3 goldens in 3 traces: "), "{list}");

    // Without an answer everything is rejected.
    let before = fs::read(golden(folder.path(), "a")).unwrap();
    let (code, out) = answer(folder.path(), "");
    assert_eq!(code, 1, "{out}");
    assert_eq!(fs::read(golden(folder.path(), "a")).unwrap(), before);

    let (code, out) = answer(folder.path(), "?\na\nr\nq\n");
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("blessed ./a/start.png\nblessed ./b/start.png\n"), "{out}");
    assert!(out.contains("rejected: cause 2: ./c/start.png of ./c.trace\n"), "{out}");
    assert!(out.ends_with("1 accepted cause: wrote 2 goldens, 1 rejected\n"), "{out}");
    check(folder.path(), "replay a.trace b.trace", 0, &[]);

    let [out, _] = check(folder.path(), "review . --accept all", 0, &[]);
    assert!(out.contains("blessed ./c/start.png\n"), "{out}");
    let [out, _] = check(folder.path(), "review .", 0, &[]);
    assert_eq!(out, "no golden differs\n");
}

#[test]
fn wrong_numbers_and_a_ci_write_nothing() {
    let folder = folder();
    let before = fs::read(golden(folder.path(), "a")).unwrap();
    let [_, err] = check(folder.path(), "review . --accept 1,99", 2, &[]);
    assert!(err.contains("there is no cause 99; the causes are 1 to "), "{err}");
    let [_, err] = check(folder.path(), "review . --accept x", 2, &[]);
    assert!(err.contains("`x` names no causes; give `all`, or their numbers"), "{err}");
    let ci = [("CI", "true")];
    let [_, err] = check(folder.path(), "review . --accept all", 2, &ci);
    assert!(err.contains("use --list, or add --force"), "{err}");
    check(folder.path(), "review . --list", 1, &ci);
    assert_eq!(fs::read(golden(folder.path(), "a")).unwrap(), before);
    check(folder.path(), "review . --accept all --force", 0, &ci);
}

#[test]
fn new_goldens_are_a_cause_and_other_failures_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.trace"), TRACE).unwrap();
    let text = TRACE.replace("expect frame start", "expect text \"NO SUCH\"");
    fs::write(folder.path().join("b.trace"), text).unwrap();
    let [out, _] = check(folder.path(), "review . --accept all", 1, &[]);
    assert!(out.contains("blessed ./a/start.png\n"), "{out}");
    assert!(out.ends_with("no golden mends all failures of ./b.trace\n"), "{out}");
}

#[test]
fn bless_lists_the_causes_that_it_accepts_and_a_red_run_counts_goldens() {
    let folder = folder();
    let [out, _] = check(folder.path(), "replay .", 1, &[]);
    assert!(out.contains("--bless would write 3 goldens; `nudge review` shows"), "{out}");
    let [out, _] = check(folder.path(), "replay . --bless", 0, &[]);
    assert!(out.contains(" in 3 traces:\n  3 traces: frames: other colours: #123456 "), "{out}");
    assert!(out.lines().any(|line| line.starts_with("blessed 2 causes in ")), "{out}");
}

#[test]
fn the_log_of_many_failures_has_at_most_sixty_lines() {
    let folder = tempfile::tempdir().unwrap();
    for nth in 0..70 {
        let text = TRACE.replace("expect frame start", "expect text \"NO SUCH\"");
        let text = if nth % 2 == 0 { text } else { TRACE.replace("+0ms expect frame start\n", "") };
        fs::write(folder.path().join(format!("{nth:02}.trace")), text).unwrap();
    }
    let [out, _] = check(folder.path(), "replay .", 1, &[]);
    assert!(out.lines().count() <= 60, "{out}");
    assert!(out.contains("FAIL ./00.trace") && out.contains("    the LCD showed:"), "{out}");
    assert!(out.contains("left out above: the reports of "), "{out}");
    assert!(
        out.contains("failed: ./00.trace:6\n") && out.contains("35 failed traces, 1 cause:"),
        "{out}"
    );
    let [all, _] = check(folder.path(), "replay . --all", 1, &[]);
    assert_eq!(all.matches("    the LCD showed:").count(), 35);
    assert!(!all.contains("left out above"), "{all}");
}
