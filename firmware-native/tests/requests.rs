//! The requests that `nudge run --watch` makes of the program.

use std::path::Path;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_nudge-firmware");

fn run(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(root).stdin(Stdio::null());
    command.output().unwrap()
}

#[track_caller]
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn traces_are_observed() {
    let output = run(&["trace", "observe", "--until", "2s", "tests/traces/demo.trace"]);
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let name = format!("\"firmware\":\"native, source {}\"", firmware_core::SOURCE_HASH);
    assert!(lines[0].contains(&name), "{}", lines[0]);
    assert!(lines.iter().any(|line| line.starts_with("{\"frame\":")), "no frame");
    let end = lines.last().unwrap();
    assert!(end.starts_with("{\"end\":{\"at\":2000000000,"), "{end}");
}

#[test]
fn a_session_without_a_beginning_is_refused() {
    let output = run(&["session"]);
    assert_eq!(output.status.code(), Some(2));
    let expected = "nudge: a session is told what to do by `nudge run --watch`: ";
    assert!(text(&output.stderr).starts_with(expected), "{}", text(&output.stderr));
}

#[test]
fn other_verbs_are_refused_with_the_next_step() {
    for arguments in [&["replay", "tests/traces"][..], &[], &["trace", "observe", "--board", "x"]] {
        let output = run(arguments);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{arguments:?}");
        assert_eq!(
            text(&output.stderr),
            "nudge: this program was built by `run --watch` and is the firmware only; `cargo run -- …` \
             builds the complete program again\n"
        );
    }
}
