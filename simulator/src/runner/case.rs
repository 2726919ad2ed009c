//! One trace from its file to its report. It prints nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use hal_mock::Machine;
use hal_mock::Nanos;
use hal_mock::replay::{self, Failure, Outcome, Verdict, replay};
use hal_mock::text::Reader;
use hal_mock::trace::{self, Trace, spoken};

use super::gallery::Gallery;
use super::report::{Report, command};
use super::{Exit, Found, Options};
use crate::pace::Stopwatch;
use crate::setup::MachineFactory;

pub(super) fn replay_one(
    found: &Found,
    options: &Options,
    boards: MachineFactory<'_>,
    reader: &Reader,
) -> Report {
    let path = found.path.as_path();
    let trace = match trace::load(path) {
        Ok(trace) => trace,
        Err(error) => return Report::unusable(path, error.to_string()),
    };
    let stopwatch = Stopwatch::start();
    let mut machine = match boards(&trace) {
        Ok(machine) => machine,
        Err(error) if error.place.is_some() => {
            return Report::unusable(path, format!("{}:{error}", path.display()));
        }
        Err(error) => return Report::unusable(path, error.to_string()),
    };
    let mut gallery = Gallery::new(found, &trace, options);
    if let Err(message) = gallery.open() {
        return Report::unusable(path, message);
    }

    let mut report = Report {
        path: path.display().to_string(),
        exit: Exit::Passed,
        ran: None,
        faults: Vec::new(),
        notes: Vec::new(),
        again: None,
        pictures: Vec::new(),
    };
    let outcome = carry_out(&trace, machine.as_mut(), reader, &mut gallery, options);
    let ended_at = match &outcome {
        Ok(outcome) => outcome.ended_at,
        Err(_) => machine.board().now(),
    };
    report.ran = Some((ended_at, stopwatch.elapsed()));
    match outcome {
        Ok(outcome) => report.judge(path, outcome),
        Err(panic) => report.add(
            Exit::Failed,
            format!("{}: at {}: the firmware panicked: {panic}", path.display(), spoken(ended_at)),
        ),
    }

    let board = machine.board();
    if let Err(message) = gallery.close(board, ended_at) {
        report.add(Exit::Usage, message);
    }
    match gallery.unused() {
        Err(message) => report.add(Exit::Usage, message),
        Ok(unused) => {
            for golden in unused {
                let message = format!(
                    "{}: no `expect frame` of the trace compares with this golden; delete it, or \
                     restore the line",
                    golden.display()
                );
                report.add(Exit::Failed, message);
            }
        }
    }
    report.exit = report.exit.max(gallery.exit);
    report.notes = gallery.notes;
    report.pictures = gallery.pictures;
    if report.exit != Exit::Passed {
        report.again = Some(repeat(path, options));
    }
    report
}

/// The replay, with a panic of the firmware made into its message.
fn carry_out(
    trace: &Trace,
    machine: &mut dyn Machine,
    reader: &Reader,
    gallery: &mut Gallery<'_>,
    options: &Options,
) -> Result<Outcome, String> {
    let how = replay::Options {
        allow_violations: options.allow_violations,
        until: options.until,
        ..replay::Options::default()
    };
    // Behind a panic only the board is looked at, and nothing of it is half done that matters.
    catch_unwind(AssertUnwindSafe(|| replay(trace, machine, reader, gallery, &how))).map_err(
        |panic| {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            text.or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "without a message".to_owned())
        },
    )
}

fn repeat(path: &Path, options: &Options) -> String {
    let artifacts = options.artifacts.as_ref().map(|folder| folder.display().to_string());
    let artifacts = artifacts.unwrap_or_else(|| "artifacts".to_owned());
    command(path, options, &["--artifacts", &super::report::quoted(&artifacts)])
}

impl Report {
    fn add(&mut self, exit: Exit, fault: String) {
        self.exit = self.exit.max(exit);
        self.faults.push(fault);
    }

    fn judge(&mut self, path: &Path, outcome: Outcome) {
        let path = path.display();
        let left_out = outcome.failures_left_out;
        let failed = |failure: &Failure| match failure.place {
            Some(_) => format!("{path}:{failure}"),
            None => format!("{path}: {failure}"),
        };
        match outcome.verdict {
            Verdict::Passed => {}
            Verdict::Failed(failures) => {
                for failure in &failures {
                    self.add(Exit::Failed, failed(failure));
                }
            }
            Verdict::LimitReached { at } => {
                self.add(Exit::LimitReached, format!("{path}: {}", limit_reached(at)));
            }
            Verdict::Broken(error) => {
                for failure in &outcome.failed_before {
                    self.add(Exit::Failed, failed(failure));
                }
                self.add(Exit::Failed, format!("{path}: the firmware cannot go on: {error}"));
            }
        }
        if left_out > 0 {
            self.faults.push(format!("{path}: {left_out} more failures are left out"));
        }
    }
}

fn limit_reached(at: Nanos) -> String {
    format!(
        "at {}: the firmware keeps the clock for itself; the limit of {} is reached",
        spoken(at),
        spoken(replay::LIMIT)
    )
}
