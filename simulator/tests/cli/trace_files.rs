//! Tests traces as files on the command line: all errors at once, includes, formatting, the allowed
//! paths of outputs, and special files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;

const BOOT: &str = "0ms power on\n+0ms wait text \"Player 1's turn\" within 5s\n";
const INCLUDES: &str =
    "trace 1\ngame board\n\ninclude boot.inc\n+500ms tap B3\n+0ms settle within 9s\n+0ms end\n";

/// Creates a folder with `win.trace`, which includes `boot.inc`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("boot.inc"), BOOT).unwrap();
    fs::write(folder.path().join("win.trace"), INCLUDES).unwrap();
    folder
}

/// Runs a shell's command line that starts `nudge`; returns the exit code and all output.
fn sh(folder: &Path, script: &str) -> (Option<i32>, String) {
    let nudge = crate::command::NUDGE;
    let output = crate::command::through("sh")
        .args(["-c", &script.replace("nudge ", &format!("'{nudge}' "))])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[track_caller]
fn check(folder: &Path, script: &str, code: i32, said: &[&str]) -> String {
    let (ended, output) = sh(folder, script);
    assert_eq!(ended, Some(code), "{script}\n{output}");
    for said in said {
        assert!(output.contains(said), "{script}: no {said:?} in\n{output}");
    }
    output
}

/// Returns all files in a folder and below, sorted, with their content.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_check_reports_all_errors_for_people_ci_and_github() {
    let folder = folder();
    let wrong = "trace 1\n0ms power on\n1s tpa B3\n2s tap b3\n3s press B4\n4s press B4\n";
    fs::write(folder.path().join("a.trace"), wrong).unwrap();
    let errors = [
        "a.trace:3:4: unknown verb `tpa`; did you mean `tap`?\n",
        "a.trace:4:8: unknown button `b3`; did you mean `B3`?\n",
        "a.trace:6:4: press of B4, which is down already (pressed in line 5); release it first\n",
    ];
    let said = check(folder.path(), "nudge trace check a.trace", 2, &errors);
    assert_eq!(said.lines().count(), 3, "{said}");
    let said = check(folder.path(), "nudge replay a.trace", 2, &errors.map(str::trim_end));
    assert!(said.contains("0 passed, 1 failed\n"), "{said}");

    let script = "GITHUB_ACTIONS=true nudge trace check a.trace win.trace --junit check.xml";
    let said = check(folder.path(), script, 2, &["win.trace: well-formed", "wrote check.xml"]);
    assert_eq!(said.matches("::error file=a.trace,line=").count(), 3, "{said}");
    assert!(
        said.contains("::error file=a.trace,line=4,col=8,title=nudge trace check%3A "),
        "{said}"
    );
    let junit = fs::read_to_string(folder.path().join("check.xml")).unwrap();
    assert!(junit.contains("<testsuites name=\"nudge trace check\" tests=\"2\""), "{junit}");
    assert!(junit.contains("errors=\"1\"") && junit.contains("unknown button"), "{junit}");
    check(folder.path(), "nudge trace check win.trace --junit check.xml", 0, &["wrote check.xml"]);
}

#[test]
fn all_errors_of_a_header_are_reported_at_once() {
    let folder = folder();
    let wrong = "trace 1\ngame board\nfirst top\nlevel hard\nsead 7\nstones 5\n0ms power on\n";
    fs::write(folder.path().join("a.trace"), wrong).unwrap();
    let places = ["a.trace:3:7: ", "a.trace:4:7: ", "a.trace:5:1: ", "a.trace:6:1: "];
    for script in ["nudge trace check a.trace", "nudge replay a.trace", "nudge trace fuzz a.trace"]
    {
        check(folder.path(), script, 2, &places);
    }
    // With an unknown game, the permitted keys are unknown too.
    fs::write(folder.path().join("a.trace"), wrong.replace("game board", "game bord")).unwrap();
    let said = check(folder.path(), "nudge trace check a.trace", 2, &["a.trace:2:6: "]);
    assert_eq!(said.lines().count(), 3, "{said}");
}

#[test]
fn errors_beyond_twenty_are_only_counted() {
    let folder = folder();
    let wrong = format!("trace 1\n0ms power on\n{}", "1s tpa B3\n".repeat(25));
    fs::write(folder.path().join("a.trace"), wrong).unwrap();
    let said = check(folder.path(), "nudge trace check a.trace", 2, &["\na.trace: and 5 more\n"]);
    assert_eq!(said.lines().count(), 21, "{said}");
}

#[test]
fn every_verb_understands_include() {
    sampled!();
    let folder = folder();
    for (script, said) in [
        ("nudge replay win.trace", "1 passed, 0 failed"),
        ("nudge trace check win.trace", "well-formed"),
        ("nudge trace info win.trace", "1 tap, 2 waits"),
        ("nudge trace timing win.trace --board native", "wait text"),
        ("nudge trace convert win.trace win.vcd", "wrote win.vcd"),
        ("nudge trace why win.trace --pixel 160,120", "written"),
        ("nudge trace tidy win.trace --output tidy.trace", "wrote tidy.trace"),
        ("nudge trace fuzz win.trace", "nothing is wrong"),
        ("nudge screenshot win.trace --output win.png", "wrote win.png"),
    ] {
        check(folder.path(), script, 0, &[said]);
    }
    let tidy = fs::read_to_string(folder.path().join("tidy.trace")).unwrap();
    assert!(tidy.contains("power on") && !tidy.contains("include"), "{tidy}");
}

#[test]
fn a_failure_in_an_included_line_has_both_places() {
    let folder = folder();
    let boot = format!("{BOOT}+0ms expect text \"nowhere\"\n+0ms expect frame begins\n");
    fs::write(folder.path().join("boot.inc"), boot).unwrap();
    let both = [
        "win.trace:4:1: at ",
        "in the included file boot.inc:3:6: expected text \"nowhere\"",
        "in the included file boot.inc:4:6: expected frame begins",
        "    4 | include boot.inc\n",
    ];
    check(folder.path(), "nudge replay win.trace --artifacts out", 1, &both);
    // Both failures have the line of the `include`, and a picture each.
    for picture in ["line-4.failed.png", "line-4-2.failed.png"] {
        assert!(folder.path().join("out/win").join(picture).exists(), "{picture}");
    }
    let said = ["blessed win/begins.png"];
    check(folder.path(), "nudge replay win.trace --bless", 1, &said);
    check(folder.path(), "nudge trace shrink win.trace", 0, &["win.small.trace: "]);
    let small = fs::read_to_string(folder.path().join("win.small.trace")).unwrap();
    assert!(small.contains("expect text \"nowhere\"") && !small.contains("include"), "{small}");
    fs::write(folder.path().join("boot.inc"), "0ms power on\n+1s tpa B3\n").unwrap();
    let said = "win.trace:4:1: in the included file boot.inc:2:5: unknown verb `tpa`";
    check(folder.path(), "nudge trace check win.trace", 2, &[said]);
}

#[test]
fn formatting_a_trace_twice_changes_nothing() {
    let folder = folder();
    let before = files(folder.path());
    let said = ["boot.inc: not laid out", "win.trace: not laid out"];
    check(folder.path(), "nudge trace fmt . --check", 1, &said);
    assert_eq!(files(folder.path()), before);
    check(folder.path(), "nudge trace fmt .", 0, &["laid out ./boot.inc\nlaid out ./win.trace\n"]);
    let boot = fs::read_to_string(folder.path().join("boot.inc")).unwrap();
    assert_eq!(boot, "0ms     power on\n+0ms    wait text \"Player 1's turn\" within 5s\n");
    assert_eq!(check(folder.path(), "nudge trace fmt . --check", 0, &[]), "");
    fs::write(folder.path().join("b.trace"), "trace 1\n0ms   power  of\n").unwrap();
    let before = files(folder.path());
    check(folder.path(), "nudge trace fmt .", 2, &["./b.trace:2:14: unknown state"]);
    assert_eq!(files(folder.path()), before);
}

#[test]
fn names_in_a_trace_cannot_leave_its_folders() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("t/inner")).unwrap();
    let text = "trace 1\n0ms power on\n1s expect frame x\n+0ms screenshot y\n";
    for name in ["...trace", "....trace", "..trace", ".trace", "nul.trace", "inner/...trace"] {
        fs::write(path("t").join(name), text).unwrap();
    }
    fs::write(path("x.png"), "of another program").unwrap();
    fs::write(path("console.txt"), "of another program").unwrap();
    let before = files(folder.path());
    for name in ["...trace", "....trace", "..trace", ".trace", "inner/...trace"] {
        let script = format!("nudge replay t/{name} --artifacts a --bless");
        check(folder.path(), &script, 2, &["needs a name before its extension"]);
        assert_eq!(files(folder.path()), before, "{name}");
    }
    check(folder.path(), "nudge replay t --artifacts a --bless", 2, &["device on Windows"]);
    assert_eq!(files(folder.path()), before);
    for script in [
        "nudge trace shrink t/...trace",
        "nudge trace fuzz t/...trace",
        "nudge trace tidy win.trace --output t/new/...trace --expect",
        "nudge trace tidy win.trace --output ...trace --expect",
    ] {
        check(folder.path(), script, 2, &["needs a name before its extension"]);
        assert_eq!(files(folder.path()), before, "{script}");
    }
}

#[test]
fn a_report_replaces_no_file_of_another_program() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("site")).unwrap();
    let page = "<!DOCTYPE html>\n<title>nudge replay: how we test</title>\n";
    fs::write(path("site/index.html"), page).unwrap();
    fs::write(path("pytest.xml"), "<?xml version=\"1.0\"?><testsuites><testsuite/></testsuites>")
        .unwrap();
    let png = "nudge screenshot win.trace --output photo.png";
    check(folder.path(), png, 0, &[]);
    let before = files(folder.path());
    for option in ["--html site", "--junit pytest.xml", "--contact-sheet photo.png"] {
        let script = format!("nudge replay win.trace {option}");
        check(folder.path(), &script, 2, &["it is no earlier report of this kind"]);
        assert_eq!(files(folder.path()), before, "{option}");
    }
}

#[test]
fn traces_in_linked_folders_are_found() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("elsewhere/deep")).unwrap();
    fs::create_dir_all(path("t/real")).unwrap();
    let fails = "trace 1\n0ms power on\n1s expect text \"nowhere\"\n";
    fs::write(path("elsewhere/deep/f.trace"), fails).unwrap();
    fs::write(path("t/real/ok.trace"), "trace 1\n0ms power on\n1s end\n").unwrap();
    symlink("../elsewhere", path("t/link")).unwrap();
    symlink("..", path("t/real/up")).unwrap();
    symlink("real", path("t/again")).unwrap();
    symlink("../../t", path("elsewhere/deep/round")).unwrap();
    symlink("nowhere", path("t/dangling")).unwrap();
    let said = check(folder.path(), "nudge replay t", 1, &["FAIL t/link/deep/f.trace"]);
    assert!(
        said.contains("PASS t/real/ok.trace") && said.ends_with("1 passed, 1 failed\n"),
        "{said}"
    );
    // Goldens without a trace are also found through a link.
    fs::create_dir(path("elsewhere/gone")).unwrap();
    fs::copy(path("win.trace"), path("elsewhere/gone/x.png")).unwrap();
    check(folder.path(), "nudge replay t -q", 1, &["t/link/gone: goldens without a trace"]);
}

#[test]
fn a_trace_that_takes_too_long_fails_and_the_others_run() {
    let folder = folder();
    // Days of the demo, which no machine plays in that time.
    let slow = "trace 1\nplayers demo\n0ms power on\n+90h end\n";
    fs::write(folder.path().join("slow.trace"), slow).unwrap();
    let script = "nudge replay slow.trace win.trace --timeout 300ms --junit r.xml";
    let said = ["it takes longer than 300 ms of wall time (`--timeout`)", "PASS win.trace"];
    // A slow machine must not fail the short trace.
    let (_, first) = sh(folder.path(), "nudge replay win.trace");
    assert!(first.contains("1 passed"), "{first}");
    check(folder.path(), script, 42, &said);
    let junit = fs::read_to_string(folder.path().join("r.xml")).unwrap();
    assert!(junit.contains("type=\"limit\""), "{junit}");
    let zero = "nudge replay win.trace --timeout 0s";
    check(folder.path(), zero, 2, &["`0s` is no time at all"]);
    check(folder.path(), "nudge trace fuzz --time 0s", 2, &["`0s` is no time at all"]);
    let jobs = "`0` is no number of jobs; give one from 1 to 1024";
    check(folder.path(), "nudge replay win.trace --jobs 0", 2, &[jobs]);
}

#[test]
fn many_jobs_in_little_memory_become_fewer() {
    let folder = folder();
    for number in 0..80 {
        fs::copy(folder.path().join("win.trace"), folder.path().join(format!("{number}.trace")))
            .unwrap();
    }
    let script = "ulimit -v 600000 && nudge replay . -j 64 -q";
    check(folder.path(), script, 0, &["81 passed, 0 failed", "nudge: there is memory for "]);
    let script = "ulimit -v 600000 && nudge trace fuzz --count 3 --jobs 64";
    check(folder.path(), script, 0, &["3 sessions"]);
}

#[test]
fn a_file_that_is_not_regular_is_refused_without_waiting() {
    let folder = folder();
    let wait = "timeout 20 ";
    for (name, scripts) in [
        (
            "a.trace",
            &["replay .", "replay a.trace", "trace check a.trace", "trace fmt a.trace"][..],
        ),
        ("a.vcd", &["trace convert a.vcd x.trace"]),
        ("a.csv", &["trace convert a.csv x.trace"]),
        ("capture", &["trace convert capture x.trace"]),
        ("a.yaml", &["trace convert a.yaml x.trace"]),
        ("a.flash", &["flash ls a.flash"]),
        ("a.game.txt", &["flash import new.flash a.game.txt"]),
        ("a.elf", &["emulate a.elf", "replay win.trace --board pico=a.elf"]),
        ("seen/x.png", &["replay seen.trace"]),
        ("seen/y.frames", &["replay seen.trace"]),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let seen = INCLUDES.replace(
            "+0ms end",
            if name.ends_with("png") { "+0ms expect frame x" } else { "+0ms expect frames y" },
        );
        fs::write(folder.path().join("seen.trace"), seen).unwrap();
        check(folder.path(), &format!("mkfifo {name}"), 0, &[]);
        for script in scripts {
            let said = if name == "a.elf" { "no regular file" } else { "FIFO" };
            check(folder.path(), &format!("{wait}nudge {script}"), 2, &[said]);
        }
        fs::remove_file(path).unwrap();
    }
    fs::write(folder.path().join("win.trace"), INCLUDES.replace("boot.inc", "fifo.inc")).unwrap();
    let said = "fifo.inc: it is no regular file";
    check(folder.path(), "mkfifo fifo.inc; timeout 20 nudge trace check win.trace", 2, &[said]);
}
