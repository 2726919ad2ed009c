//! A whole run: finds the traces, replays them on all cores and reports on them in order.

mod queue;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use hal_mock::setup::MachineFactory;
use reading::text::Reader;
use trace::{XFAIL_KEY, counted};
use virtual_time::{Instant, Nanos, spoken};

use crate::case;
use crate::choice::choose;
use crate::hang::{HUNG_AFTER, Replays};
use crate::header::header_entry_of;
use crate::memory::Memory;
use crate::observe::ObserverFactory;
use crate::options::ReplayOptions;
use crate::report::{Problem, TraceReport};
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
    run_all(paths, options, boards, reader, observers, (out, err), None)
}

/// Receives each report before it is written.
pub(crate) type ReportListener<'a> = &'a mut dyn FnMut(&mut TraceReport);

/// Replays all traces below `paths`, and passes each report to `listener` only. Errors of files are
/// written to `err`.
///
/// # Errors
/// If `err` cannot be written.
pub(crate) fn run_heard(
    paths: &[PathBuf],
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
    listener: ReportListener<'_>,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let written = (&mut io::sink() as &mut dyn Write, err);
    run_all(paths, options, boards, reader, &|_| Vec::new(), written, Some(listener))
}

fn run_all(
    paths: &[PathBuf],
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
    observers: ObserverFactory<'_>,
    (out, err): (&mut dyn Write, &mut dyn Write),
    listener: Option<ReportListener<'_>>,
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
    if let Err(error) = choose(&mut traces, options) {
        writeln!(err, "nudge: {}", plain(&error.to_string()))?;
        return Ok(Exit::Usage);
    }
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
    let is_whole =
        options.tags.is_empty() && options.excluded_tags.is_empty() && !options.last_failed;
    let orphans = match (&options.filter, options.shard) {
        (None, shard) if is_whole && shard.is_none_or(Shard::is_first) => orphans(paths),
        _ => Vec::new(),
    };
    let reporters = match Reporters::open(options, traces.len() + orphans.len()) {
        Ok(reporters) => reporters,
        Err(message) => {
            writeln!(err, "nudge: {message}")?;
            return Ok(Exit::Usage);
        }
    };
    let collected = Collected {
        traces: &traces,
        options,
        orphans,
        reporters,
        goes_on: true,
        has_run: vec![false; traces.len()],
        passed: Vec::new(),
        all_cached: true,
        // The coercion shortens the lifetime of the closure.
        listener: match listener {
            Some(listener) => Some(listener),
            None => None,
        },
        out,
        err,
    };
    replay_all(&traces, options, boards, reader, observers, collected)
}

/// The reports of a run.
struct Collected<'a, 'out> {
    traces: &'a [FoundTrace],
    options: &'a ReplayOptions,
    /// Reports on goldens without a trace.
    orphans: Vec<TraceReport>,
    reporters: Reporters<'a>,
    goes_on: bool,
    has_run: Vec<bool>,
    /// Traces that have run, and whether they passed.
    passed: Vec<(PathBuf, bool)>,
    all_cached: bool,
    listener: Option<ReportListener<'a>>,
    out: &'a mut TextWriter<'out>,
    err: &'a mut TextWriter<'out>,
}

impl Collected<'_, '_> {
    /// Takes the next report. Returns whether another one is wanted.
    fn take(&mut self, index: usize, mut report: TraceReport) -> io::Result<bool> {
        self.has_run[index] = true;
        if let Some(listener) = &mut self.listener {
            listener(&mut report);
        }
        self.passed.push((report.file.clone(), report.exit == Exit::Passed));
        self.all_cached &= report.from_cache;
        self.goes_on = report.exit == Exit::Passed || !self.options.fail_fast;
        self.reporters.take(report, self.out, self.err)?;
        Ok(self.goes_on)
    }

    /// Writes what is left to write, and flushes the output. The inner error is that of a first thread that cannot be spawned.
    fn close(self, jobs: io::Result<Jobs>) -> io::Result<Exit> {
        let Self {
            traces,
            options,
            orphans,
            mut reporters,
            goes_on,
            has_run,
            passed,
            all_cached,
            listener: _,
            out,
            err,
        } = self;
        remember(&passed, options, err)?;
        if let (Some(results), false) = (Results::of(options), all_cached) {
            results.prune();
        }
        let mut worst = Exit::Passed;
        match jobs {
            Ok(jobs) if jobs.got < jobs.wanted => {
                let Jobs { got, wanted } = jobs;
                writeln!(
                    err,
                    "nudge: there is memory for {got} of {wanted} jobs; {got} did the work"
                )?;
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
        let mut exit = reporters.close(out, err)?.max(worst);
        if options.interrupt.is_set() {
            writeln!(err, "nudge: interrupted")?;
            exit = Exit::Interrupted;
        }
        out.flush()?;
        err.flush()?;
        Ok(exit)
    }
}

/// Records in the file of `options` which traces did not pass. A trace that was stopped early has
/// not passed.
fn remember(
    passed: &[(PathBuf, bool)],
    options: &ReplayOptions,
    err: &mut TextWriter<'_>,
) -> io::Result<()> {
    let Some(file) = options.memory.as_deref().filter(|_| options.until.is_none()) else {
        return Ok(());
    };
    match Memory::update(file, passed) {
        Ok(()) => Ok(()),
        Err(error) => {
            let error = plain(&error.to_string());
            writeln!(err, "nudge: failed traces are not remembered: {error}")
        }
    }
}

/// Number of threads that replayed traces, and the number requested.
struct Jobs {
    got: usize,
    wanted: usize,
}

/// A message of a thread that replays.
enum Message {
    Report(usize, Box<TraceReport>),
    /// The thread ends.
    Left,
}

/// Wall time between two looks for firmware that does not return.
const LOOK: Duration = Duration::from_millis(500);

/// Memory of this process above which firmware that has not returned for a [`LOOK`] is given up. A replay
/// of 10,000 traces takes 21 MB (`docs/performance.md`).
const MEMORY_MAX: u64 = 1 << 30;

/// Replays `traces` on as many threads as there are cores. Passes each report on in the order of the
/// traces, as soon as all earlier reports have been passed, until no more is wanted.
///
/// A trace whose firmware does not return fails, and another thread does the work of its thread. At the end
/// such a thread still runs, and the process with it: then this function ends it. If it also takes more and
/// more memory, no further trace is begun.
fn replay_all(
    traces: &[FoundTrace],
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
    observers: ObserverFactory<'_>,
    mut collected: Collected<'_, '_>,
) -> io::Result<Exit> {
    let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let wanted = options.jobs.unwrap_or(cores).get().min(traces.len());
    let limit = options.timeout.map_or(HUNG_AFTER, |limit| Duration::from_nanos(limit.0));
    let (queue, replays) = (Queue::new(traces.len()), Replays::default());
    std::thread::scope(|scope| {
        let _stops = StopsAtEnd(&queue);
        // If the output fails, the receiver is dropped and the threads end.
        let (sender, receiver) = mpsc::channel();
        let worker = || {
            let sender = sender.clone();
            let (queue, replays) = (&queue, &replays);
            move || {
                while let Some(index) = queue.take() {
                    replays.begin(index);
                    let report =
                        case::replay_one(&traces[index], options, boards, reader, observers);
                    if !replays.end(index) {
                        // It was given up, and another thread is in the place of this one.
                        return;
                    }
                    let Some(report) = report else {
                        queue.stop();
                        break;
                    };
                    if options.fail_fast && report.exit != Exit::Passed {
                        // All earlier traces have already been started.
                        queue.stop();
                    }
                    if sender.send(Message::Report(index, Box::new(report))).is_err() {
                        break;
                    }
                }
                // An error means that no report is wanted any more.
                let _ = sender.send(Message::Left);
            }
        };
        let spawned = jobs::spawn(scope, wanted, worker);
        let mut working = *spawned.as_ref().unwrap_or(&0);
        let jobs = spawned.map(|got| Jobs { got, wanted });
        let mut early = BTreeMap::new();
        let mut due = 0;
        let mut is_wanted = true;
        let mut has_lost = false;
        let mut is_full = false;
        while working > 0 && is_wanted && !is_full {
            match receiver.recv_timeout(LOOK) {
                Ok(Message::Report(index, report)) => {
                    early.insert(index, *report);
                }
                Ok(Message::Left) => working -= 1,
                Err(RecvTimeoutError::Timeout) => {
                    for (index, at) in replays.give_up(limit) {
                        has_lost = true;
                        early.insert(index, known(hung(&traces[index], at, limit), options));
                        if options.fail_fast {
                            queue.stop();
                        }
                        // The new thread is in the place of the lost one.
                        working -= 1;
                        working += jobs::spawn(scope, 1, worker).unwrap_or(0);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if let Some(taken) = host::memory::resident().filter(|bytes| *bytes > MEMORY_MAX) {
                for (index, at) in replays.give_up(LOOK) {
                    (has_lost, is_full) = (true, true);
                    early.insert(index, known(overfull(&traces[index], at, taken), options));
                }
            }
            while is_wanted && let Some(report) = early.remove(&due) {
                is_wanted = collected.take(due, report)?;
                due += 1;
                queue.reported();
            }
        }
        // An earlier trace was interrupted, so these reports have a gap before them.
        for (index, report) in early {
            is_wanted = is_wanted && collected.take(index, report)?;
        }
        queue.stop();
        if !has_lost {
            return collected.close(jobs);
        }
        let exit = collected.close(jobs)?;
        #[expect(
            clippy::disallowed_methods,
            reason = "firmware that never returns has a thread of its own"
        )]
        std::process::exit(exit.code().into());
    })
}

/// Returns the report, judged by the known failure of its trace.
fn known(mut report: TraceReport, options: &ReplayOptions) -> TraceReport {
    if let Some(entry) = header_entry_of(&report.file, &options.converted, XFAIL_KEY) {
        report.expect_failure(&entry, options.today);
    }
    report
}

/// Returns the report on a trace whose firmware has not returned since `at`.
fn hung(found: &FoundTrace, at: Instant, limit: Duration) -> TraceReport {
    let mut report = TraceReport::new(&found.path);
    report.ran = Some((at, limit));
    let seconds = spoken(Nanos(u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX)));
    let mut problem = Problem::of_trace(format!(
        "the firmware has not returned for {seconds} of wall time: it neither waits nor transfers; look for an \
         endless loop, or allow it more time with `--timeout`"
    ));
    problem.at = Some(at);
    report.add(Exit::LimitReached, problem);
    report
}

/// Returns the report on a trace whose firmware allocates memory and has not returned since `at`.
fn overfull(found: &FoundTrace, at: Instant, taken: u64) -> TraceReport {
    let mut report = TraceReport::new(&found.path);
    report.ran = Some((at, LOOK));
    let mut problem = Problem::of_trace(format!(
        "the firmware does not return, and this program takes {} MiB of memory; the limit is {} MiB, so the \
         traces after it are not replayed; look for a loop that allocates without end",
        taken >> 20,
        MEMORY_MAX >> 20
    ));
    problem.at = Some(at);
    report.add(Exit::LimitReached, problem);
    report
}
