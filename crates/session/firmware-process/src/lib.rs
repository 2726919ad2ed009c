//! A program that is a firmware and nothing else.
//!
//! `nudge run --watch` builds one on every save and starts it: the window, the reports and the tools
//! are in the program that the user has started, so they are neither compiled nor linked again.
//! [`main()`] answers the two requests of that program: `session` runs a session, `trace observe`
//! replays traces. The complete command executes them with the same functions, [`session`] and
//! [`observe`].
//!
//! This crate knows no window, no emulated chip and no particular firmware: a [`FirmwareProgram`] has it.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use changes::sides::{How, observed_here};
use changes::stream::{write_head, write_trace};
use hal_mock::Machine;
use hal_mock::setup::SetupError;
use host::Exit;
use live::{ChildError, MachineFactory, Machines, serve};
use reading::text::Reader;
use trace::{BoardParts, HeaderEntry, Trace};
use virtual_time::Instant;

/// Environment variable with which `nudge run --watch` builds: an application then becomes a program
/// that is its firmware and nothing else.
pub const BUILD_VARIABLE: &str = "NUDGE_FIRMWARE_ONLY";

/// A firmware with its board.
pub trait FirmwareProgram: Send + Sync {
    /// Builds the board that the header of `trace` describes, with its power off, and with this content of
    /// its flash.
    ///
    /// # Errors
    /// If the header is wrong.
    fn machine(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Box<dyn Machine>, SetupError>;

    /// Returns the parts of the board; `None` if the header of each trace names the board.
    fn parts(&self) -> Option<BoardParts>;

    /// Returns the reader of text on the LCD.
    fn reader(&self) -> Reader;

    /// Returns the name of the firmware in reports.
    fn name(&self) -> String;
}

/// Executes the request in the program's arguments.
pub fn main(firmware: Arc<dyn FirmwareProgram>) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map_while(|word| word.to_str()).take(2).collect();
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let exit = match words[..] {
        ["session", ..] => session(firmware, &mut out, &mut err),
        ["trace", "observe"] => match observed_traces(&arguments[2..]) {
            Some((paths, until)) => {
                let how = How { until, ..How::default() };
                observe(&*firmware, &firmware.name(), &paths, &how, &mut out, &mut err)
            }
            None => refuse(&mut err),
        },
        _ => refuse(&mut err),
    };
    // If the error stream is closed too, only the exit code reports it.
    exit.unwrap_or(Exit::Usage).into()
}

fn refuse(err: &mut dyn Write) -> io::Result<Exit> {
    writeln!(
        err,
        "nudge: this program was built by `run --watch` and is the firmware only; `cargo run -- …` \
         builds the complete program again"
    )?;
    Ok(Exit::Usage)
}

/// Returns the traces and the end in the arguments of `trace observe`.
fn observed_traces(arguments: &[OsString]) -> Option<(Vec<PathBuf>, Option<Instant>)> {
    match arguments {
        [option, until, paths @ ..] if option == "--until" => {
            let until = trace::parse_instant(until.to_str()?).ok()?;
            Some((paths.iter().map(PathBuf::from).collect(), Some(until)))
        }
        [option, ..] if option.to_string_lossy().starts_with('-') => None,
        paths => Some((paths.iter().map(PathBuf::from).collect(), None)),
    }
}

/// Runs a session: commands come from standard input, updates are written to `out`.
///
/// # Errors
/// If `err` cannot be written.
pub fn session(
    firmware: Arc<dyn FirmwareProgram>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    match serve(BufReader::new(io::stdin()), out, &Boards(firmware)) {
        Ok(()) => Ok(Exit::Passed),
        // The firmware has panicked and reported it, or the window was closed.
        Err(ChildError::Gone | ChildError::Io(_)) => Ok(Exit::Failed),
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

/// Machines with the firmware.
struct Boards(Arc<dyn FirmwareProgram>);

impl Machines for Boards {
    fn machine(&self, header: Vec<HeaderEntry>, image: Option<Vec<u8>>) -> MachineFactory {
        let firmware = Arc::clone(&self.0);
        let trace = Trace { header, ..Trace::default() };
        Box::new(move || firmware.machine(&trace, image.clone()))
    }

    fn parts(&self) -> BoardParts {
        self.0.parts().unwrap_or_default()
    }

    fn reader(&self) -> Reader {
        self.0.reader()
    }
}

/// Replays the traces at `paths` with the firmware of this `name`, and writes their observations. The
/// lines are ASCII, and `changes::stream` escapes commands to logs.
///
/// # Errors
/// If `out` or `err` cannot be written.
pub fn observe(
    firmware: &dyn FirmwareProgram,
    name: &str,
    paths: &[PathBuf],
    how: &How,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let build = |trace: &Trace| firmware.machine(trace, None);
    let (parts, reader) = (firmware.parts(), firmware.reader());
    write_head(out, name)?;
    let mut exit = Exit::Passed;
    for path in paths {
        let observed = observed_here(path, parts.as_ref(), &build, &reader, how);
        if how.interrupt.is_set() {
            return Ok(Exit::Interrupted);
        }
        if let Err(message) = &observed {
            writeln!(err, "nudge: {message}")?;
            exit = Exit::Usage;
        }
        write_trace(out, &path.display().to_string(), &observed)?;
    }
    Ok(exit)
}
