//! Starts the command under test with the same environment on a developer's computer and on a CI
//! machine.

// Each test program compiles this module and uses a part of it.
#![allow(dead_code)]

pub mod crashing;

use std::path::Path;
use std::process::{Command, Stdio};

/// The path of the command.
pub const NUDGE: &str = env!("CARGO_BIN_EXE_nudge");

/// The environment variables that change the command's output or exit code.
const VARIABLES: [&str; 9] = [
    "CI",
    "CI_PROJECT_DIR",
    "GITHUB_ACTIONS",
    "GITHUB_STEP_SUMMARY",
    "GITHUB_WORKSPACE",
    "KONSOLE_VERSION",
    "NO_COLOR",
    "RUST_BACKTRACE",
    "TERM_PROGRAM",
];

/// Returns the command without these variables; a test adds the variables that it needs.
pub fn nudge() -> Command {
    through(NUDGE)
}

/// Runs the command in `folder` with these environment variables; checks its exit code, and returns
/// standard output and error.
#[track_caller]
pub fn check(folder: &Path, arguments: &str, code: i32, variables: &[(&str, &str)]) -> [String; 2] {
    let mut command = nudge();
    command.args(arguments.split_whitespace()).envs(variables.iter().copied());
    let output = command.current_dir(folder).stdin(Stdio::null()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(code), "nudge {arguments}\n{out}\n{err}");
    [out, err]
}

/// Returns the command with no signal ignored, even if this process ignores some: `nohup` and some
/// CI machines ignore the hangup.
pub fn nudge_that_takes_signals() -> Command {
    if cfg!(not(target_os = "linux")) {
        return nudge();
    }
    let mut command = through("env");
    command.args(["--default-signal", NUDGE]);
    command
}

/// Returns a program, such as a shell, that starts the command.
pub fn through(program: &str) -> Command {
    let mut command = Command::new(program);
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    // A test replays every trace, and leaves nothing in the user's folders.
    command.env("NUDGE_NO_CACHE", "1");
    command
}
