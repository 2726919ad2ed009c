//! `nudge trace check`: reads traces and builds a board for each, without a replay. Reports every
//! error in a trace, for people, CI and GitHub.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hal_mock::setup::MachineFactory;
use host::{
    Exit,
    output_files::{OutputError, goldens_of},
};
use reading::text::Reader;

use crate::notice;
use crate::options::ReplayOptions;
use crate::rejected;
use crate::report::TraceReport;
use crate::report::tally::Tally;
use crate::reporters::github::GithubReporter;
use crate::reporters::junit::JunitReporter;
use crate::reporters::{announce, notices};
use crate::suite::find::find;
use crate::suite::open::open_trace_on;
use escape::terminal::{TextWriter, plain};

/// Name of the command in the reports.
const COMMAND_NAME: &str = "nudge trace check";

/// Checks all traces below `paths`. Names the well-formed ones on `out` and reports errors in the
/// others on `err`. Uses only the reporters' options and `strict`: `junit`, `force`, `github`,
/// `project`, `firmware`.
///
/// # Errors
/// Only if `out` or `err` cannot be written.
pub fn check(
    paths: &[PathBuf],
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let on_github = options.github.is_some();
    let (out, err) = (&mut TextWriter::new(out, on_github), &mut TextWriter::new(err, on_github));
    let mut refuse = |message: String| {
        writeln!(err, "nudge: {}", plain(&message))?;
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
        let report = report(&found.path, options, boards, reader);
        exit = exit.max(report.exit);
        tally.add(&report);
        if report.exit == Exit::Passed {
            writeln!(out, "{}: well-formed", plain(&report.path))?;
        }
        for notice in notices::lines(&report) {
            writeln!(out, "{}", plain(&notice))?;
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
    let file = junit.map(|junit| junit.finish().map(Some));
    let summary = github.map(|github| github.finish(&tally, &[], &[], out)).transpose()?;
    for written in [file, summary.map(|done| done.map(|()| None))].into_iter().flatten() {
        exit = exit.max(announce(written, out, err)?);
    }
    Ok(exit)
}

fn open_reporters(
    options: &ReplayOptions,
) -> Result<(Option<JunitReporter<'_>>, Option<GithubReporter<'_>>), OutputError> {
    let junit = |path: &PathBuf| JunitReporter::new(path, options, COMMAND_NAME);
    Ok((
        options.junit.as_ref().map(junit).transpose()?,
        options
            .github
            .as_ref()
            .map(|github| GithubReporter::new(github, COMMAND_NAME))
            .transpose()?,
    ))
}

fn report(
    path: &Path,
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
) -> TraceReport {
    match open_trace_on(path, options.parts.as_ref()) {
        Err(error) => rejected::report_with_header(path, &error, options, boards),
        Ok(trace) => match boards(&trace) {
            Err(error) => rejected::of_setup(path, &error),
            Ok(machine) => {
                let mut report = TraceReport::new(path);
                // `open_trace` has already refused a name that has no folder of goldens.
                let goldens = goldens_of(path).unwrap_or_default();
                let panel = machine.board().panel();
                let own_reader = machine.board().text_reader();
                let reader = own_reader.as_deref().unwrap_or(reader);
                let notices = notice::of_trace(&trace, &goldens, reader, panel);
                report.notify(notices, options.strict);
                report
            }
        },
    }
}
