//! The X server of a test, and the command that runs `nudge` on it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// An X server of this test, ended when dropped.
pub(super) struct XServer {
    pub(super) process: Child,
    pub(super) display: String,
}

impl XServer {
    pub(super) fn start(screen: &str) -> Self {
        Self::with_dots(screen, 96)
    }

    /// Starts a server with this number of dots per inch.
    pub(super) fn with_dots(screen: &str, dots: u32) -> Self {
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", screen, "-nolisten", "tcp", "-dpi"])
            .arg(dots.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts (Debian: apt-get install xvfb)");
        // The server writes the number of a free display once it is ready.
        let mut number = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { process, display: format!(":{}", number.trim()) }
    }
}

impl Drop for XServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(super) fn nudge_run(server: &XServer, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = crate::command::nudge_that_takes_signals();
    command.arg("run");
    prepare(command, server, folder, arguments)
}

/// Returns a `nudge run` that can write no file larger than this number of shell blocks, as on a
/// full disk.
pub(super) fn nudge_run_limited(
    server: &XServer,
    folder: &Path,
    arguments: &[&str],
    blocks: u32,
) -> Command {
    let mut command = crate::command::through("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    command.args(["-c", &script, "sh", crate::command::NUDGE, "run"]);
    prepare(command, server, folder, arguments)
}

pub(super) fn prepare(
    mut command: Command,
    server: &XServer,
    folder: &Path,
    arguments: &[&str],
) -> Command {
    command
        .args(arguments)
        .current_dir(folder)
        .env("DISPLAY", &server.display)
        .env("SDL_VIDEODRIVER", "x11")
        .env("SDL_AUDIODRIVER", "dummy")
        .env("XDG_DATA_HOME", folder)
        .env("TMPDIR", folder)
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}
