//! `nudge trace check`: reads traces and builds a board for each, without a replay. All that is wrong in a
//! trace is reported, for people, CI and GitHub.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hal_mock::setup::MachineFactory;
use output_files::OutputError;

use crate::exit::Exit;
use crate::options::github::Github;
use crate::rejected;
use crate::report::TraceReport;
use crate::report::tally::Tally;
use crate::reporters::github::GithubReporter;
use crate::reporters::junit::JunitReporter;
use crate::suite::find::find;
use crate::suite::open::open_trace;

/// What the reports are of.
const WHAT: &str = "nudge trace check";

/// The options of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Where the results go as a JUnit file.
    pub junit: Option<PathBuf>,
    /// Replace a file that is there though it is no earlier report of its kind.
    pub force: bool,
    /// Where GitHub runs this, if it does; then it gets annotations and a summary.
    pub github: Option<Github>,
}

/// Checks all traces below `paths`. Well-formed ones are named on `out`, what is wrong with the others
/// on `err`.
///
/// # Errors
/// Only if `out` or `err` cannot be written.
pub fn check(
    paths: &[PathBuf],
    options: &CheckOptions,
    boards: MachineFactory<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let mut refuse = |message: String| {
        writeln!(err, "nudge: {message}")?;
        Ok(Exit::Usage)
    };
    let found = match find(paths, None) {
        Ok(found) => found,
        Err(error) => return refuse(error.to_string()),
    };
    let (mut junit, mut github) = match open_reporters(options) {
        Ok(reporters) => reporters,
        Err(error) => return refuse(error.to_string()),
    };
    let mut exit = Exit::Passed;
    let mut tally = Tally::default();
    for found in &found {
        let report = report(&found.path, boards);
        exit = exit.max(report.exit);
        tally.add(report.exit);
        if report.exit == Exit::Passed {
            writeln!(out, "{}: well-formed", report.path)?;
        }
        for problem in &report.problems {
            writeln!(err, "{}{}", report.place_of(problem), problem.message)?;
        }
        if let Some(junit) = &mut junit {
            junit.add(&report)?;
        }
        if let Some(github) = &mut github {
            github.add(&report, out)?;
        }
    }
    let written = [
        junit.map(|junit| junit.finish().map(Some)),
        github.map(|github| github.finish(&tally).map(|()| None)),
    ];
    for result in written.into_iter().flatten() {
        match result {
            Ok(None) => {}
            Ok(Some(path)) => writeln!(out, "wrote {}", path.display())?,
            Err(error) => {
                exit = Exit::Usage;
                writeln!(err, "nudge: {error}")?;
            }
        }
    }
    Ok(exit)
}

fn open_reporters(
    options: &CheckOptions,
) -> Result<(Option<JunitReporter>, Option<GithubReporter<'_>>), OutputError> {
    let junit = |path: &PathBuf| JunitReporter::new(path, options.force, WHAT);
    Ok((
        options.junit.as_ref().map(junit).transpose()?,
        options.github.as_ref().map(|github| GithubReporter::new(github, WHAT)).transpose()?,
    ))
}

fn report(path: &Path, boards: MachineFactory<'_>) -> TraceReport {
    match open_trace(path) {
        Err(error) => rejected::report(path, &error),
        Ok(trace) => match boards(&trace) {
            Err(error) => rejected::of_setup(path, &error),
            Ok(_) => TraceReport::new(path),
        },
    }
}
