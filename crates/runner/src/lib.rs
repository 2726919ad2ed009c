//! Replays many traces at once and reports on them: `nudge replay` without its command line.
//!
//! [`run`] finds the traces below the given paths, replays them on all cores, prints a line
//! for each in their order, and returns how it all went as an [`Exit`]. Beside a trace
//! `win.trace` its golden frames stand as `win/NAME.png`; only [`Options::bless`] writes them.
//!
//! The rooms inside: `find` turns paths into traces (`orphans`: goldens that have none), `shard` takes
//! a part of them, `queue`
//! hands them out, `case` replays one, `witness` notes what happens in it, `repeat` compares
//! runs, `gallery` keeps goldens and pictures. What comes of it is a `report`; `told` words it
//! (`inline` shows its picture), `junit`, `page` (with `timeline`) and `github` are for others,
//! `sheet` lays screens out on one picture, `progress` says how far it is.
//!
//! Reports go through one after another and are forgotten: memory does not grow with the
//! number of traces, apart from their names and the contact sheet.
//!
//! It knows no firmware, no font and no board from within: machines come from a
//! [`MachineFactory`], text from a [`Reader`]. It reads the wall clock only for the report.

mod case;
pub mod film;
mod find;
pub mod frames;
mod gallery;
mod github;
mod inline;
pub mod interrupt;
mod junit;
mod orphans;
mod outlets;
mod page;
mod progress;
mod queue;
mod repeat;
mod report;
mod shard;
mod sheet;
pub mod shrink;
mod spool;
mod timeline;
pub mod timing;
mod told;
pub mod traffic;
mod witness;

use core::fmt;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;

use hal_mock::Nanos;
use hal_mock::setup::MachineFactory;
use hal_mock::text::Reader;

use crate::interrupt::Interrupt;

pub use find::{FindError, Found, find};
pub use github::Github;
pub use inline::Protocol;
pub use report::quoted;
pub use shard::Shard;

use orphans::orphans;
use outlets::Outlets;
use queue::{Queue, StopsAtEnd};
use report::Report;

/// The most that a trace can be repeated.
pub const REPEATS_MAX: u32 = 1_000;

/// How a run ended. The greater one counts: 130 beats 2 beats 1 beats 42 beats 0.
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
    /// Ctrl-C ended it: 130, as shells number that signal.
    Interrupted,
}

impl Exit {
    /// The number for the shell.
    pub const fn code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::LimitReached => 42,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Interrupted => 130,
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
    /// Of these, only this part.
    pub shard: Option<Shard>,
    /// Only say which traces these are.
    pub list: bool,
    /// Stop each trace at this moment.
    pub until: Option<Nanos>,
    /// Whether broken rules of the LCD's datasheet may pass.
    pub allow_violations: bool,
    /// Write the golden frames that are missing or differ.
    pub bless: bool,
    /// Replay each trace so often, up to [`REPEATS_MAX`] times; all runs must be the same.
    pub repeat: Option<NonZero<u32>>,
    /// Report nothing behind the first trace that does not pass.
    pub fail_fast: bool,
    /// Where each trace gets a folder with its console and pictures.
    pub artifacts: Option<PathBuf>,
    /// Where all screens go as one picture.
    pub contact_sheet: Option<PathBuf>,
    /// Where the results go as a JUnit file.
    pub junit: Option<PathBuf>,
    /// The folder for the results as a page, `index.html`.
    pub html: Option<PathBuf>,
    /// What GitHub is told, if it runs this.
    pub github: Option<Github>,
    /// Print no line for a trace that passed, and no picture.
    pub quiet: bool,
    /// Colour the words PASS and FAIL.
    pub colour: bool,
    /// How the terminal takes pictures; `None` = it does not.
    pub pictures: Option<Protocol>,
    /// Say on `err`, on a line that is taken away again, how far it is.
    pub progress: bool,
    /// How many traces at once; `None` = as many as the computer has cores.
    pub jobs: Option<NonZero<usize>>,
    /// The board that runs the traces, as `--board` names it, for the command that repeats one.
    pub board: Option<String>,
    /// Once it is set, no more traces begin, those under way are given up, and the others'
    /// results are told.
    pub interrupt: Interrupt,
}

impl Options {
    fn repeats(&self) -> u32 {
        self.repeat.map_or(1, NonZero::get).min(REPEATS_MAX)
    }
}

/// How many traces came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: usize,
    /// For whatever reason.
    failed: usize,
    /// Left out behind the first that did not pass.
    not_run: usize,
}

impl Tally {
    fn add(&mut self, exit: Exit) {
        self.passed += usize::from(exit == Exit::Passed);
        self.failed += usize::from(exit != Exit::Passed);
    }
}

/// `3 passed, 1 failed`.
impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)?;
        if self.not_run > 0 {
            write!(out, ", {} not run", self.not_run)?;
        }
        Ok(())
    }
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
    let mut traces = match find(paths, options.filter.as_deref()) {
        Ok(traces) => traces,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    if let Some(shard) = options.shard {
        let count = traces.len();
        shard.keep(&mut traces);
        if traces.is_empty() {
            writeln!(err, "nudge: part {shard} has none of the {count} traces")?;
        }
    }
    if options.list {
        traces.iter().try_for_each(|trace| writeln!(out, "{}", trace.path.display()))?;
        return Ok(Exit::Passed);
    }
    let orphans = match (&options.filter, options.shard) {
        (None, shard) if shard.is_none_or(Shard::is_first) => orphans(paths),
        _ => Vec::new(),
    };
    let mut outlets = match Outlets::open(options, traces.len() + orphans.len()) {
        Ok(outlets) => outlets,
        Err(message) => {
            writeln!(err, "nudge: {message}")?;
            return Ok(Exit::Usage);
        }
    };
    let mut goes_on = true;
    replay_all(&traces, options, boards, reader, |report| {
        goes_on = report.exit == Exit::Passed || !options.fail_fast;
        outlets.take(report, out, err)?;
        Ok(goes_on)
    })?;
    if goes_on && !options.interrupt.is_set() {
        for report in orphans {
            outlets.take(report, out, err)?;
        }
    }
    let exit = outlets.close(out, err)?;
    if options.interrupt.is_set() {
        writeln!(err, "nudge: interrupted")?;
        return Ok(Exit::Interrupted);
    }
    Ok(exit)
}

/// Replays `traces` on as many threads as there are cores, and hands on each report as soon
/// as those before it have been handed on; no more once `hand_on` says no.
fn replay_all(
    traces: &[Found],
    options: &Options,
    boards: MachineFactory<'_>,
    reader: &Reader,
    mut hand_on: impl FnMut(Report) -> io::Result<bool>,
) -> io::Result<()> {
    let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = options.jobs.unwrap_or(cores).get().min(traces.len());
    let queue = Queue::new(traces.len());
    std::thread::scope(|scope| {
        let _stops = StopsAtEnd(&queue);
        // Owned in here: if handing on fails, it is dropped, and the threads end.
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let sender = sender.clone();
            let queue = &queue;
            scope.spawn(move || {
                while let Some(index) = queue.take() {
                    let report = case::replay_one(&traces[index], options, boards, reader);
                    let Some(report) = report else {
                        queue.stop();
                        break;
                    };
                    if options.fail_fast && report.exit != Exit::Passed {
                        // What comes before it is under way already.
                        queue.stop();
                    }
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
                if !hand_on(report)? {
                    return Ok(());
                }
                due += 1;
                queue.reported();
            }
        }
        // Before these is one that was given up.
        for report in early.into_values() {
            if !hand_on(report)? {
                break;
            }
        }
        Ok(())
    })
}
