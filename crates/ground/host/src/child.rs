//! Runs another program to its end, with limits for its time and its output.
//!
//! The program gets its own process group, which is killed as a whole when the caller is
//! interrupted, because a build starts other programs. This module does not know which program it
//! runs.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::Interrupt;
use crate::clock::Stopwatch;
use thiserror::Error;
use virtual_time::{Nanos, spoken};

/// Polling interval for a running program.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Number of bytes at the end of standard error that are retained.
const STDERR_BYTES_MAX: usize = 64 << 10;
/// Number of bytes read at once.
const CHUNK: usize = 64 << 10;

/// Limits on the time and the output of a program.
#[derive(Clone, Debug)]
pub struct Limits {
    pub interrupt: Interrupt,
    /// Limit of wall time.
    pub time: Option<Nanos>,
    /// Maximum number of bytes of standard output.
    pub bytes: usize,
}

/// A program that has ended.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    /// Standard output of the program.
    pub out: Vec<u8>,
    /// End of the program's standard error.
    pub err: String,
}

/// Reason why a program has no result.
#[derive(Debug, Error)]
pub enum ChildError {
    /// The program cannot be started.
    #[error("{program} cannot be started: {source}")]
    Start { program: String, source: io::Error },
    /// The caller was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The program took too long.
    #[error("it takes longer than {} of wall time", spoken(*.0))]
    TimedOut(Nanos),
    /// The program wrote too much.
    #[error("it writes more than {} MiB", .0 >> 20)]
    TooMuch(usize),
    /// The operating system cannot wait for the program.
    #[error("it cannot be waited for: {0}")]
    Wait(io::Error),
}

enum PipeOutput {
    Out(Vec<u8>),
    Err(String),
}

/// Runs `command` to its end with empty standard input.
///
/// # Errors
/// If it cannot be started, or does not end within `limits`; then it is killed.
pub fn run(command: &mut Command, limits: &Limits) -> Result<Ended, ChildError> {
    run_observed(command, limits, |_| {})
}

/// Runs `command` as [`run`] does, and calls `observe` on another thread with what it writes to
/// standard error.
///
/// # Errors
/// As of [`run`].
pub fn run_observed(
    command: &mut Command,
    limits: &Limits,
    observe: impl FnMut(&[u8]) + Send + 'static,
) -> Result<Ended, ChildError> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    let mut child = command.spawn().map_err(|source| {
        let program = command.get_program().to_string_lossy().into_owned();
        ChildError::Start { program, source }
    })?;
    let (sender, receiver) = mpsc::channel();
    let most = limits.bytes;
    if let Some(mut from) = child.stdout.take() {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut out = Vec::new();
            // Closing the pipe ends a program that writes too much.
            let _ = from.by_ref().take(most as u64 + 1).read_to_end(&mut out);
            let _ = sender.send(PipeOutput::Out(out));
        });
    }
    if let Some(from) = child.stderr.take() {
        thread::spawn(move || {
            let _ = sender.send(PipeOutput::Err(tail(from, observe)));
        });
    }
    let (mut out, mut err) = (Vec::new(), String::new());
    let watch = Stopwatch::start();
    loop {
        match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(PipeOutput::Out(text)) if text.len() > most => {
                kill(&mut child);
                return Err(ChildError::TooMuch(most));
            }
            Ok(PipeOutput::Out(text)) => out = text,
            Ok(PipeOutput::Err(text)) => err = text,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let late = limits.time.filter(|time| watch.elapsed().as_nanos() > time.0.into());
                if limits.interrupt.is_set() || late.is_some() {
                    kill(&mut child);
                    return Err(late.map_or(ChildError::Interrupted, ChildError::TimedOut));
                }
            }
        }
    }
    let status = child.wait().map_err(ChildError::Wait)?;
    if limits.interrupt.is_set() {
        return Err(ChildError::Interrupted);
    }
    Ok(Ended { status, out, err })
}

/// Returns a command that runs `command` in the system's shell.
pub fn shell(command: &str) -> Command {
    let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(shell);
    shell.args([option, command]);
    shell
}

/// Reads to the end and returns the last bytes.
fn tail(mut from: impl Read, mut observe: impl FnMut(&[u8])) -> String {
    let (mut kept, mut chunk) = (Vec::new(), vec![0; CHUNK]);
    while let Ok(length @ 1..) = from.read(&mut chunk) {
        observe(&chunk[..length]);
        kept.extend_from_slice(&chunk[..length]);
        kept.drain(..kept.len().saturating_sub(STDERR_BYTES_MAX));
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// Kills a program and all programs that it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // An error means that the group has already ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limits: &Limits) -> Result<Ended, ChildError> {
        run(&mut super::shell(script), limits)
    }

    fn limits() -> Limits {
        Limits { interrupt: Interrupt::default(), time: None, bytes: 1 << 20 }
    }

    #[test]
    fn output_and_exit_code_of_a_program_are_returned() {
        let ended = shell("echo a; echo b >&2; exit 3", &limits()).unwrap();
        assert_eq!((ended.status.code(), &*ended.out, &*ended.err), (Some(3), &b"a\n"[..], "b\n"));
    }

    #[test]
    fn a_program_beyond_its_limits_is_killed_with_its_children() {
        let late = Limits { time: Some(Nanos::from_millis(10)), ..limits() };
        // The child inherits the pipe: if it were not killed, this would take a minute.
        let error = shell("sleep 60 & wait", &late).unwrap_err();
        assert!(matches!(error, ChildError::TimedOut(_)), "{error}");
        let set = limits();
        set.interrupt.set();
        let error = shell("sleep 60", &set).unwrap_err();
        assert!(matches!(error, ChildError::Interrupted), "{error}");
        let error = shell("yes", &limits()).unwrap_err();
        assert!(matches!(error, ChildError::TooMuch(_)), "{error}");
        let error = run(&mut Command::new("/none/at/all"), &limits()).unwrap_err();
        assert!(error.to_string().starts_with("/none/at/all cannot be started: "), "{error}");
    }
}
