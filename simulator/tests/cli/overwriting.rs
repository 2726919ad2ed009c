//! Checks that no option overwrites a file of another kind, and that only `--force` replaces a
//! file.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

/// A trace that fails because its golden does not exist.
const RED: &str = "trace 1\n0ms power on\n+0ms settle within 9s\n+0ms expect frame start\n\
                   +0ms screenshot start\n";
const GREEN: &str = "trace 1\n0ms power on\n+0ms settle within 9s\n+0ms end\n";
/// A trace that ends before the first picture: its waveform is short.
const DARK: &str = "trace 1\n0ms power on\n100ms end\n";

/// Creates a folder with a trace that passes and one that fails.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("green.trace"), GREEN).unwrap();
    fs::write(folder.path().join("red.trace"), RED).unwrap();
    folder
}

/// Runs `nudge`; returns its exit code and its output.
fn nudge(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let output = crate::command::nudge()
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text.into_owned())
}

/// Returns every file below `folder` with its content.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

/// Checks that `nudge` fails with the message `said` and changes no file.
#[track_caller]
fn refuses(folder: &Path, arguments: &str, said: &str) {
    let before = files(folder);
    let (code, text) = nudge(folder, arguments);
    assert_eq!(code, Some(2), "nudge {arguments}\n{text}");
    assert!(text.contains(said), "nudge {arguments}: no {said:?} in\n{text}");
    assert_eq!(files(folder), before, "nudge {arguments}");
}

/// Checks that `nudge` passes and writes `file`.
#[track_caller]
fn writes(folder: &Path, arguments: &str, file: &str) {
    let (code, text) = nudge(folder, arguments);
    assert_eq!(code, Some(0), "nudge {arguments}\n{text}");
    assert!(folder.join(file).is_file(), "nudge {arguments}\n{text}");
}

#[test]
fn an_option_requires_the_extension_of_its_file_type() {
    let folder = folder();
    for arguments in [
        "replay green.trace --junit red.trace",
        "replay green.trace --contact-sheet red.trace",
        "replay green.trace --contact-sheet sheet.jpg",
        "replay green.trace --vcd red.trace --force",
        "replay green.trace --gif red.trace --force",
        "replay green.trace --perfetto red.trace --force",
        "screenshot green.trace --output green.trace --force",
        "screenshot green.trace --output red.trace --force",
        "screenshot green.trace --output picture.jpg",
        "trace tidy green.trace --output green.png --force",
        "trace shrink red.trace --output red.png --force",
        "emulate green.trace --vcd red.trace --force",
        "emulate green.trace --flamegraph red.trace --force",
        "emulate green.trace --coverage red.trace --force",
        "emulate green.trace --trace-instructions=red.trace --force",
        "run --record red.png",
        // The error is reported before the session, not at its end when the trace is written.
        "run --record red --expect",
        "run --flash red.trace",
    ] {
        refuses(folder.path(), arguments, "the file to write must be named *.");
    }
}

#[test]
fn a_file_is_replaced_only_by_force() {
    let folder = folder();
    fs::write(folder.path().join("dark.trace"), DARK).unwrap();
    for name in ["a.png", "a.vcd", "a.gif", "a.json", "a.trace"] {
        fs::write(folder.path().join(name), "of another program").unwrap();
    }
    for (arguments, file) in [
        ("screenshot green.trace --output a.png", "a.png"),
        ("replay dark.trace --vcd a.vcd", "a.vcd"),
        ("replay green.trace --gif a.gif", "a.gif"),
        ("replay dark.trace --perfetto a.json", "a.json"),
        ("trace convert dark.trace a.vcd", "a.vcd"),
        ("trace tidy green.trace --output a.trace", "a.trace"),
    ] {
        fs::write(folder.path().join(file), "of another program").unwrap();
        refuses(folder.path(), arguments, "--force");
        writes(folder.path(), &format!("{arguments} --force"), file);
        assert_ne!(fs::read(folder.path().join(file)).unwrap(), b"of another program");
    }
}

#[test]
fn a_report_replaces_only_a_report_of_its_kind() {
    sampled!();
    let folder = folder();
    for (option, file) in [
        ("--junit report.xml", "report.xml"),
        ("--html page", "page/index.html"),
        ("--contact-sheet sheet.png", "sheet.png"),
    ] {
        let arguments = format!("replay green.trace {option}");
        writes(folder.path(), &arguments, file);
        writes(folder.path(), &arguments, file);
        fs::write(folder.path().join(file), "<project/>").unwrap();
        refuses(folder.path(), &arguments, "it is no earlier report of this kind");
        writes(folder.path(), &format!("{arguments} --force"), file);
    }
}

#[test]
fn only_bless_writes_goldens() {
    let folder = folder();
    for arguments in [
        "replay red.trace --artifacts .",
        "replay red.trace --artifacts red",
        "replay red.trace --artifacts red/inside",
        "replay green.trace --artifacts red",
        "replay green.trace --html red",
        "replay green.trace --contact-sheet red/start.png",
        "replay green.trace --gif red/start.gif",
        "screenshot green.trace --output red/start.png",
    ] {
        refuses(folder.path(), arguments, "golden pictures of");
    }
    // The failing trace still fails, and passes after `--bless`.
    assert_eq!(nudge(folder.path(), "replay red.trace").0, Some(1));
    writes(folder.path(), "replay red.trace --bless", "red/start.png");
    let before = files(folder.path());
    refuses(
        folder.path(),
        "screenshot green.trace --output red/start.png --force",
        "golden pictures",
    );
    assert_eq!(files(folder.path()), before);
    assert_eq!(nudge(folder.path(), "replay red.trace").0, Some(0));
}

#[cfg(unix)]
#[test]
fn no_file_has_two_roles() {
    let folder = folder();
    let link = |from: &str, to: &str| {
        std::os::unix::fs::symlink(folder.path().join(from), folder.path().join(to)).unwrap();
    };
    link("green.trace", "green.bin");
    fs::hard_link(folder.path().join("green.trace"), folder.path().join("green.png")).unwrap();
    let game = "nudge saved game 1\ngame board\nboard 0,0,0,0,0,1,24,1,0,0,0,0,0,22\nturn 0\n";
    fs::write(folder.path().join("win.game.txt"), game).unwrap();
    for arguments in [
        "run --record green.trace --flash green.bin",
        "replay green.trace --contact-sheet green.png --force",
        "replay . --contact-sheet green.png --force",
        "screenshot green.trace --output green.png --force",
        "trace shrink red.trace --output ./red.trace --force",
        "flash import win.game.txt win.game.txt",
    ] {
        refuses(folder.path(), arguments, "are the same file, which would be overwritten");
    }
    // The exported file gets its name from the image.
    writes(folder.path(), "flash import FILE.game.txt win.game.txt --name FILE", "FILE.game.txt");
    let arguments = "flash export FILE.game.txt --force";
    refuses(folder.path(), arguments, "are the same file, which would be overwritten");
}

#[test]
fn missing_folders_are_created_for_every_output() {
    let folder = folder();
    fs::write(folder.path().join("dark.trace"), DARK).unwrap();
    for (arguments, file) in [
        ("screenshot green.trace --output a/b/c.png", "a/b/c.png"),
        ("replay dark.trace --vcd b/c.vcd", "b/c.vcd"),
        ("replay green.trace --gif c/c.gif", "c/c.gif"),
        ("replay green.trace --junit d/e/f.xml", "d/e/f.xml"),
        ("replay green.trace --html e/page", "e/page/index.html"),
        ("replay green.trace --contact-sheet f/s.png", "f/s.png"),
        ("replay green.trace --artifacts g/h", "g/h/green/console.txt"),
        ("trace convert dark.trace h/w.vcd", "h/w.vcd"),
        ("trace tidy green.trace --output i/t.trace", "i/t.trace"),
    ] {
        writes(folder.path(), arguments, file);
    }
    // A failing command leaves no folder.
    assert_eq!(nudge(folder.path(), "screenshot nowhere.trace --output z/a.png").0, Some(2));
    assert!(!folder.path().join("z").exists());
}
