//! Two programs that write the same file at the same time: afterwards the file is complete and
//! written by one of them, or one of them has reported that the file is in use.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use quick_junit::Report;
use reading::golden::read_png;

use crate::command::{check, nudge};
use crate::export::has_page;
use crate::part::Part;

/// Number of rounds of a whole run; two programs start together in each.
const ROUNDS: u32 = 4;
const TRACE: &str = "trace 1\nseed 7\n\n0ms power on\n+0ms settle within 9s\n+0ms expect frame start\n+0ms screenshot shot\n\
                     +500ms tap B3\n+0ms expect frames drop\n+0ms settle within 9s\n+0ms end\n";

/// Returns the number of rounds of this run.
fn rounds() -> u32 {
    Part::of_this_run().share(ROUNDS).max(2)
}

/// Runs `arguments` twice at once in `folder`; returns the exit codes and standard error.
fn twice(folder: &Path, arguments: &str) -> [(i32, String); 2] {
    let start = || {
        let mut command = nudge();
        command.args(arguments.split_whitespace()).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    [start(), start()].map(|child| {
        let output = child.wait_with_output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    })
}

/// Returns every file below `folder`, by its path in the folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(&inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Runs `arguments` alone in one folder and twice at once in others. Both must end with `code`, and
/// leave the same files as one alone. `is_whole` returns whether a file is equal to that of one run
/// or at least complete.
#[track_caller]
fn leaves_what_one_leaves(
    arguments: &str,
    code: i32,
    is_whole: impl Fn(&str, &[u8], &[u8]) -> bool,
) {
    let scene = || {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c"] {
            fs::create_dir_all(folder.path().join("suite")).unwrap();
            fs::write(folder.path().join(format!("suite/{name}.trace")), TRACE).unwrap();
        }
        folder
    };
    let alone = scene();
    check(alone.path(), arguments, code, &[]);
    let alone = files(alone.path());
    for round in 0..rounds() {
        let folder = scene();
        for (found, err) in twice(folder.path(), arguments) {
            assert_eq!(found, code, "{arguments}, round {round}: {err}");
        }
        let left = files(folder.path());
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&left), names(&alone), "{arguments}, round {round}");
        for (name, bytes) in &left {
            assert!(is_whole(name, bytes, &alone[name]), "{arguments}, round {round}: {name}");
        }
    }
}

#[test]
fn goldens_are_whole() {
    leaves_what_one_leaves("replay suite --bless", 0, |_, bytes, alone| bytes == alone);
}

#[test]
fn reports_are_whole() {
    sampled!();
    let arguments =
        "replay suite --junit junit.xml --html page --artifacts out --contact-sheet sheet.png";
    leaves_what_one_leaves(arguments, 1, |name, bytes, alone| {
        let text = String::from_utf8_lossy(bytes);
        match name {
            // Reports contain the times of their run.
            "junit.xml" => {
                let report = Report::deserialize_from_str(&text).unwrap();
                report.test_suites.iter().map(|suite| suite.test_cases.len()).sum::<usize>() == 3
            }
            "page/index.html" => {
                text.matches("<span class=name>").count() == 3
                    && text.trim_end().ends_with("</html>")
            }
            _ => bytes == alone,
        }
    });
}

#[test]
fn a_comparison_is_whole() {
    let arguments = "replay suite --against native --markdown changes.md --html page";
    leaves_what_one_leaves(arguments, 0, |name, bytes, alone| {
        let text = String::from_utf8_lossy(bytes);
        bytes == alone
            || name == "changes.md"
                && text.lines().count() == String::from_utf8_lossy(alone).lines().count()
            || name == "page/index.html" && text.trim_end().ends_with("</html>")
    });
}

#[test]
fn cached_results_are_whole_and_serve_the_next_run() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("suite")).unwrap();
    for seed in 0..6 {
        let trace = format!("trace 1\nseed {seed}\n\n0ms power on\n1s expect text \"Player\"\n");
        fs::write(folder.path().join(format!("suite/{seed}.trace")), trace).unwrap();
    }
    for round in 0..rounds() {
        let kept = format!("kept-{round}");
        for (code, err) in twice(folder.path(), &format!("replay suite --cache {kept}")) {
            assert_eq!((code, err.as_str()), (0, ""), "round {round}");
        }
        let [out, err] = check(folder.path(), &format!("replay suite --cache {kept}"), 0, &[]);
        assert!(out.contains("  cached, ") && err.is_empty(), "{out}{err}");
        assert!(!out.contains("damaged") && out.contains("6 passed, 0 failed"), "{out}");
        let strange: Vec<_> = files(&folder.path().join(kept)).into_keys().collect();
        assert_eq!(strange.len(), 6, "{strange:?}");
    }
}

#[test]
fn only_one_of_two_writes_a_file_that_must_not_be_replaced() {
    sampled!();
    for (arguments, file) in [
        ("replay suite/a.trace --gif a.gif", "a.gif"),
        ("screenshot suite/a.trace --output a.png", "a.png"),
        ("trace tidy suite/a.trace --output a.trace", "a.trace"),
        ("export a.html --trace suite/a.trace", "a.html"),
    ] {
        // Changed firmware has no page until `make page` has built it again.
        if file == "a.html" && !has_page() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("suite")).unwrap();
        let trace =
            TRACE.replace("+0ms expect frame start\n", "").replace("+0ms expect frames drop\n", "");
        fs::write(folder.path().join("suite/a.trace"), trace).unwrap();
        check(folder.path(), arguments, 0, &[]);
        let alone = fs::read(folder.path().join(file)).unwrap();
        for round in 0..rounds() {
            fs::remove_file(folder.path().join(file)).unwrap();
            let ends = twice(folder.path(), arguments);
            assert!(
                ends.iter().any(|(code, _)| *code == 0),
                "{arguments}, round {round}: {ends:?}"
            );
            for (code, err) in &ends {
                let refused = *code == 2 && err.contains(file) && err.contains("--force");
                assert!(*code == 0 || refused, "{arguments}, round {round}: {ends:?}");
            }
            assert_eq!(
                fs::read(folder.path().join(file)).unwrap(),
                alone,
                "{arguments}, round {round}"
            );
        }
    }
    // The same is true of the picture.
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.trace"), "trace 1\n0ms power on\n+1s end\n").unwrap();
    twice(folder.path(), "screenshot a.trace --output a.png --force");
    assert!(read_png(folder.path().join("a.png")).is_ok());
}

#[cfg(all(target_os = "linux", feature = "terminal"))]
#[test]
fn only_one_of_two_sessions_records() {
    use crate::tty::pty::{Kind, Tty};

    const TERMINAL: Kind = Kind {
        size: (80, 24),
        variables: &[],
        answers: "\x1b[?64;1;2;6;22c",
        bytes_per_second: 0,
        cell: (0, 0),
    };
    for _ in 0..2 {
        let folder = tempfile::tempdir().unwrap();
        let session = || {
            Tty::nudge(folder.path(), "run --tty --record on.trace --seed 7 --game wari", TERMINAL)
        };
        let mut sessions = [session(), session()];
        // The session that records shows the board, the other one has ended with its message.
        let shown = sessions.each_ref().map(|tty| {
            tty.wait("the board or a sentence", |screen| {
                let text = screen.contents();
                let records = text.contains("Bottom's turn").then_some(true);
                records.or_else(|| {
                    text.contains("on.trace").then_some(text.contains("native, wari, seed 7"))
                })
            })
        });
        assert_eq!(shown.iter().filter(|records| **records).count(), 1, "{shown:?}");
        for (tty, records) in sessions.iter_mut().zip(shown) {
            if records {
                tty.type_in("\x03");
                assert_eq!(tty.code(), 0, "{}", tty.text());
            } else {
                assert_eq!(tty.code(), 2, "{}", tty.text());
                assert!(
                    tty.text().contains("on.trace") && tty.text().contains("exists"),
                    "{}",
                    tty.text()
                );
            }
        }
        let recording = fs::read_to_string(folder.path().join("on.trace")).unwrap();
        assert!(
            recording.ends_with("end\n") && recording.matches("power on").count() == 1,
            "{recording}"
        );
        check(folder.path(), "replay on.trace", 0, &[]);
    }
}
