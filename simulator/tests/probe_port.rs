//! Tests `--board probe:PORT` with the command itself, in real time, without hardware: a software
//! probe is connected by a pseudo-terminal.
#![cfg(unix)]

mod command;

mod probe_port {
    mod bench;
    mod emulated;
    mod faults;
    mod port;
    #[path = "../cli/tty/pty.rs"]
    #[expect(dead_code, reason = "the tests of terminals need more of it")]
    mod pty;
    mod replays;
    mod run;
    mod verbs;

    use std::path::{Path, PathBuf};
    use std::process::{Command, Output, Stdio};

    use super::command;

    /// Returns a trace of this repository.
    pub(crate) fn trace(name: &str) -> PathBuf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        root.join("tests/traces").join(name).with_extension("trace")
    }

    /// Returns `nudge replay` of `trace` on `board`.
    pub(crate) fn replay(board: &str, trace: &Path) -> Command {
        let mut command = command::nudge();
        command.args(["replay", "--board", board]).arg(trace).stdin(Stdio::null());
        command
    }

    /// Returns the exit code, and all output.
    pub(crate) fn ended(output: &Output) -> (Option<i32>, String) {
        let said = [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said));
        (output.status.code(), said.concat())
    }

    pub(crate) fn board(port: &Path) -> String {
        format!("probe:{}", port.display())
    }
}
