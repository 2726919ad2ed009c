//! Tests `nudge atlas`: the page, the written traces, the screens seen by traces, and wrong
//! arguments.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::command;

fn nudge(folder: &Path, arguments: &[&str]) -> Output {
    command::nudge().args(arguments).current_dir(folder).output().unwrap()
}

#[track_caller]
fn text_of(output: &Output, code: i32) -> String {
    let text = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}

#[test]
fn the_page_marks_seen_screens_and_the_written_traces_replay() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(
        at.join("look.trace"),
        "trace 1\n\n0ms power on\n+4s tap RESET for 1200ms\n+4s end\n",
    )
    .unwrap();
    let arguments =
        ["atlas", "--screens", "4", "--seen-by", "look.trace", "--traces", "ways", "--jobs", "2"];
    let text = text_of(&nudge(at, &arguments), 0);
    assert!(text.contains("\n2 screens that none of 1 traces sees\n"), "{text}");
    assert!(text.ends_with("wrote atlas.html\n"), "{text}");
    let page = fs::read_to_string(at.join("atlas.html")).unwrap();
    assert!(page.contains("\"title\":\"Load Game / Goes on with a game that was saved\""));
    assert!(page.contains("\"traces\":[\"look\"]"));

    let replayed = text_of(&nudge(at, &["replay", "ways", "--strict"]), 0);
    assert!(replayed.contains("4 passed, 0 failed"), "{replayed}");

    // The page exists already; the traces are unchanged.
    let text = text_of(&nudge(at, &arguments), 2);
    assert!(text.contains("atlas.html") && text.contains("--force"), "{text}");
    text_of(&nudge(at, &[&arguments[..], &["--force"]].concat()), 0);
    assert_eq!(fs::read_to_string(at.join("atlas.html")).unwrap(), page);
}

#[test]
fn wrong_arguments_are_refused_before_the_search() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, told) in [
        (&["atlas", "--panel", "320"][..], "like 480x320"),
        (&["atlas", "--panel", "20x9000"], "like 480x320"),
        (&["atlas", "--output", "atlas.png"], ".html"),
        (&["atlas", "--seen-by", "nowhere"], "nowhere"),
        (&["atlas", "--time", "0s"], "0s"),
    ] {
        let text = text_of(&nudge(folder.path(), arguments), 2);
        assert!(text.contains(told), "{arguments:?}: {text}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
