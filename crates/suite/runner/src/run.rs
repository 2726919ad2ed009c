//! A whole run: finds the traces, replays them on all cores and reports on them in order.

mod queue;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc;

use hal_mock::setup::MachineFactory;
use reading::text::Reader;
use trace::counted;

use crate::case;
use crate::observe::ObserverFactory;
use crate::options::ReplayOptions;
use crate::report::TraceReport;
use crate::reporters::Reporters;
use crate::results::Results;
use crate::suite::find::{FoundTrace, find};
use crate::suite::orphans::orphans;
use crate::suite::shard::Shard;
use escape::terminal::{TextWriter, plain};
use host::{Exit, jobs};
use queue::{Queue, StopsAtEnd};

/// Replays all traces below `paths`. Results are written to `out` in the order of the traces,
/// errors of files to `err`.
///
/// # Errors
/// Only if `out` or `err` cannot be written: all other errors are reported and are in the [`Exit`].
pub fn run(
    paths: &[PathBuf],
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    run_observed(paths, options, boards, reader, &|_| Vec::new(), out, err)
}

/// Like [`run`], with observers of each trace's replay.
///
/// # Errors
/// As for [`run`].
pub fn run_observed(
    paths: &[PathBuf],
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
    observers: ObserverFactory<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let on_github = options.github.is_some();
    let (out, err) = (&mut TextWriter::new(out, on_github), &mut TextWriter::new(err, on_github));
    let mut traces = match find(paths, options.filter.as_deref()) {
        Ok(traces) => traces,
        Err(error) => {
            writeln!(err, "nudge: {}", plain(&error.to_string()))?;
            return Ok(Exit::Usage);
        }
    };
    if let Some(shard) = options.shard {
        let count = traces.len();
        shard.select(&mut traces, &options.durations);
        if traces.is_empty() {
            writeln!(err, "nudge: part {shard} has none of {}", counted(count, "trace"))?;
        }
    }
    if options.list {
        let mut names = traces.iter().map(|trace| plain(&trace.path.display().to_string()));
        names.try_for_each(|name| writeln!(out, "{name}"))?;
        return Ok(Exit::Passed);
    }
    let orphans = match (&options.filter, options.shard) {
        (None, shard) if shard.is_none_or(Shard::is_first) => orphans(paths),
        _ => Vec::new(),
    };
    let mut reporters = match Reporters::open(options, traces.len() + orphans.len()) {
        Ok(reporters) => reporters,
        Err(message) => {
            writeln!(err, "nudge: {message}")?;
            return Ok(Exit::Usage);
        }
    };
    let mut goes_on = true;
    let mut has_run = vec![false; traces.len()];
    let mut all_cached = true;
    let jobs = replay_all(&traces, options, boards, reader, observers, |index, report| {
        has_run[index] = true;
        all_cached &= report.from_cache;
        goes_on = report.exit == Exit::Passed || !options.fail_fast;
        reporters.take(report, out, err)?;
        Ok(goes_on)
    })?;
    if let (Some(results), false) = (Results::of(options), all_cached) {
        results.prune();
    }
    let mut worst = Exit::Passed;
    match jobs {
        Ok(jobs) if jobs.got < jobs.wanted => {
            let Jobs { got, wanted } = jobs;
            writeln!(err, "nudge: there is memory for {got} of {wanted} jobs; {got} did the work")?;
        }
        Ok(_) => {}
        Err(error) => {
            worst = Exit::Usage;
            writeln!(err, "nudge: no replay can begin, because no thread can: {error}")?;
        }
    }
    for (trace, _) in traces.iter().zip(&has_run).filter(|(_, has_run)| !**has_run) {
        reporters.skip(&trace.path)?;
    }
    let goes_on = goes_on && !options.interrupt.is_set();
    for report in orphans {
        if goes_on {
            reporters.take(report, out, err)?;
        } else {
            reporters.skip(&report.file)?;
        }
    }
    let exit = reporters.close(out, err)?.max(worst);
    if options.interrupt.is_set() {
        writeln!(err, "nudge: interrupted")?;
        return Ok(Exit::Interrupted);
    }
    Ok(exit)
}

/// Number of threads that replayed traces, and the number requested.
struct Jobs {
    got: usize,
    wanted: usize,
}

/// Replays `traces` on as many threads as there are cores. Passes each report to `hand_on` in the
/// order of the traces, as soon as all earlier reports have been passed, until `hand_on` returns
/// false. The inner error is that of a first thread that cannot be spawned.
fn replay_all(
    traces: &[FoundTrace],
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
    observers: ObserverFactory<'_>,
    mut hand_on: impl FnMut(usize, TraceReport) -> io::Result<bool>,
) -> io::Result<io::Result<Jobs>> {
    let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let wanted = options.jobs.unwrap_or(cores).get().min(traces.len());
    let queue = Queue::new(traces.len());
    std::thread::scope(|scope| {
        let _stops = StopsAtEnd(&queue);
        // If `hand_on` fails, the receiver is dropped and the threads end.
        let (sender, receiver) = mpsc::channel();
        let spawned = jobs::spawn(scope, wanted, || {
            let sender = sender.clone();
            let queue = &queue;
            move || {
                while let Some(index) = queue.take() {
                    let report =
                        case::replay_one(&traces[index], options, boards, reader, observers);
                    let Some(report) = report else {
                        queue.stop();
                        break;
                    };
                    if options.fail_fast && report.exit != Exit::Passed {
                        // All earlier traces have already been started.
                        queue.stop();
                    }
                    if sender.send((index, report)).is_err() {
                        break;
                    }
                }
            }
        });
        drop(sender);
        let jobs = spawned.map(|got| Jobs { got, wanted });
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, report) in receiver {
            early.insert(index, report);
            while let Some(report) = early.remove(&due) {
                if !hand_on(due, report)? {
                    return Ok(jobs);
                }
                due += 1;
                queue.reported();
            }
        }
        // An earlier trace was interrupted, so these reports have a gap before them.
        for (index, report) in early {
            if !hand_on(index, report)? {
                break;
            }
        }
        Ok(jobs)
    })
}
