//! Replays many traces at once and reports on them: `nudge replay` without its command line.
//!
//! [`run`] finds the traces below the given paths, replays them on all cores, prints a line
//! for each in their order, and returns how it all went as an [`Exit`]. Beside a trace
//! `win.trace` its golden frames stand as `win/NAME.png`; only [`Options::bless`] writes them.
//!
//! The rooms inside: `find` turns paths into traces, `case` replays one of them, `gallery`
//! keeps its goldens and pictures, `report` words it, `sheet` lays screens out on one picture.
//!
//! It knows no firmware, no font and no board from within: machines come from a
//! [`MachineFactory`], text from a [`Reader`]. It reads the wall clock only for the report.

mod case;
mod find;
mod gallery;
mod report;
mod sheet;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use hal_mock::Nanos;
use hal_mock::text::Reader;

use crate::setup::MachineFactory;

pub use find::{FindError, Found, find};

/// How a run ended. The greater one counts: 2 beats 1 beats 42 beats 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything was as expected: 0.
    #[default]
    Passed,
    /// Firmware reached the limit of virtual time: 42.
    LimitReached,
    /// An expectation failed: 1.
    Failed,
    /// Wrong usage, or a file that cannot be read or written: 2.
    Usage,
}

impl Exit {
    /// The number for the shell.
    pub const fn code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::LimitReached => 42,
            Self::Failed => 1,
            Self::Usage => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only traces whose path contains this.
    pub filter: Option<String>,
    /// Stop each trace at this moment.
    pub until: Option<Nanos>,
    /// Whether broken rules of the LCD's datasheet may pass.
    pub allow_violations: bool,
    /// Write the golden frames that are missing or differ.
    pub bless: bool,
    /// Where each trace gets a folder with its console and pictures.
    pub artifacts: Option<PathBuf>,
    /// Where all screens go as one picture.
    pub contact_sheet: Option<PathBuf>,
    /// Print no line for a trace that passed.
    pub quiet: bool,
    /// Colour the words PASS and FAIL.
    pub colour: bool,
    /// How many traces at once; `None` = as many as the computer has cores.
    pub jobs: Option<NonZero<usize>>,
}

/// Replays all traces below `paths`. Results go to `out`, in the order of the traces;
/// what could not be read or written goes to `err`.
///
/// # Errors
/// Only if `out` or `err` cannot be written: everything else is reported and is in the [`Exit`].
pub fn run(
    paths: &[PathBuf],
    options: &Options,
    boards: MachineFactory<'_>,
    reader: &Reader,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let traces = match find(paths, options.filter.as_deref()) {
        Ok(traces) => traces,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let mut exit = Exit::Passed;
    let mut passed = 0;
    let mut pictures = Vec::new();
    replay_all(&traces, options, boards, reader, |report| {
        exit = exit.max(report.exit);
        passed += usize::from(report.exit == Exit::Passed);
        report.write(options, out, err)?;
        pictures.extend(report.pictures);
        Ok(())
    })?;
    if let Some(path) = &options.contact_sheet {
        exit = exit.max(sheet::write(path, pictures, out, err)?);
    }
    let failed = traces.len() - passed;
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(exit)
}

/// Replays `traces` on as many threads as there are cores, and hands on each report as soon
/// as those before it have been handed on.
fn replay_all(
    traces: &[Found],
    options: &Options,
    boards: MachineFactory<'_>,
    reader: &Reader,
    mut hand_on: impl FnMut(report::Report) -> io::Result<()>,
) -> io::Result<()> {
    let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = options.jobs.unwrap_or(cores).get().min(traces.len());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        // Owned in here: if handing on fails, it is dropped, and the threads end.
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let sender = sender.clone();
            let next = &next;
            scope.spawn(move || {
                while let Some(index) = take(next, traces.len()) {
                    let report = case::replay_one(&traces[index], options, boards, reader);
                    if sender.send((index, report)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, report) in receiver {
            early.insert(index, report);
            while let Some(report) = early.remove(&due) {
                hand_on(report)?;
                due += 1;
            }
        }
        Ok(())
    })
}

/// The next trace that nobody has taken.
fn take(next: &AtomicUsize, count: usize) -> Option<usize> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    (index < count).then_some(index)
}
