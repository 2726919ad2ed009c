//! `nudge trace fuzz`: random sessions on all cores; those in which something is wrong are kept as
//! traces, and made small.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::Duration;

use hal_mock::Nanos;
use hal_mock::trace::{self, Trace};
use simulator::boards::Maker;
use simulator::fuzz::session::{Plan, session};
use simulator::fuzz::{self, Finding, Judge, Options};
use simulator::pace::Stopwatch;
use simulator::runner::Exit;
use simulator::shrink;

use super::arguments::FuzzArgs;
use crate::boards;

/// How long it goes on unless told otherwise.
const TIME: Nanos = Nanos::from_secs(60);
/// Replays that go into making one finding small.
const RUNS_MAX: u32 = 500;

pub fn fuzz(args: &FuzzArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let maker = match Maker::of(&args.board) {
        Ok(maker) => maker,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let reader = boards::reader();
    let build = |trace: &Trace| maker.build(trace, None);
    let judge = Judge { boards: &build, reader: &reader, goldens: None };
    silently(|| {
        if args.traces.is_empty() {
            play(args, &judge, out, err)
        } else {
            look_at(args, judge, out, err)
        }
    })
}

/// A panic of the firmware is a finding, and many replays may end in it: it is told once.
pub(super) fn silently<T>(work: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = work();
    std::panic::set_hook(hook);
    result
}

/// Judges traces that are there.
fn look_at(
    args: &FuzzArgs,
    judge: Judge<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    super::for_each(&args.traces, out, err, |path, trace, out| {
        let folder = path.with_extension("");
        let judged = Judge { goldens: Some(&folder), ..judge }.judge(trace);
        Ok(match judged {
            Ok(None) => {
                writeln!(out, "{}: nothing is wrong", path.display())?;
                Ok(())
            }
            Ok(Some(finding)) => Err((Exit::Failed, format!("{}: {finding}", path.display()))),
            Err(error) => Err((Exit::Usage, format!("{}: {error}", path.display()))),
        })
    })
}

fn play(
    args: &FuzzArgs,
    judge: &Judge<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let time = args.time.or(args.count.is_none().then_some(TIME));
    let time = time.map(|time| Duration::from_nanos(time.0));
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let options = Options {
        plan: Plan { seed: args.seed, faults: !args.no_faults },
        first: args.session,
        count: args.count,
        jobs: args.jobs.map_or_else(cores, usize::from),
    };
    let watch = Stopwatch::start();
    let is_over = || time.is_some_and(|time| watch.elapsed() >= time);
    let summary = match fuzz::run(&options, judge, &is_over, &|_, _| {}) {
        Ok(summary) => summary,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let seconds = watch.elapsed().as_secs_f64();
    if let Err(error) = keep(args, &options.plan, judge, &summary.found, out) {
        writeln!(err, "nudge: {}: {error}", args.out.display())?;
        return Ok(Exit::Usage);
    }
    let found = summary.found.len();
    let (played, seed) = (summary.played, args.seed);
    writeln!(
        out,
        "{played} sessions of seed {seed} from number {} on in {seconds:.1} s: {found} with \
         something wrong",
        args.session
    )?;
    Ok(if found == 0 { Exit::Passed } else { Exit::Failed })
}

/// Writes each finding's trace, and a small one, and says how to see it again.
fn keep(
    args: &FuzzArgs,
    plan: &Plan,
    judge: &Judge<'_>,
    found: &BTreeMap<u64, Finding>,
    out: &mut dyn Write,
) -> io::Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(&args.out)?;
    for (number, finding) in found {
        writeln!(out, "session {number}: {finding}")?;
        let stem = format!("seed-{}-session-{number}", plan.seed);
        let trace = session(plan, *number);
        let whole = args.out.join(format!("{stem}.trace"));
        fs::write(&whole, trace.to_string())?;
        let shrunk =
            shrink::shrink(&trace, RUNS_MAX, &mut |candidate| is_same(judge, candidate, finding));
        let small = args.out.join(format!("{stem}.small.trace"));
        fs::write(&small, shrunk.trace.to_string())?;
        writeln!(
            out,
            "  {} has {} lines, {} has {} of them ({} replays{})",
            whole.display(),
            trace.lines.len(),
            small.display(),
            shrunk.trace.lines.len(),
            shrunk.runs,
            if shrunk.minimal { "" } else { "; `nudge trace shrink` may go on" }
        )?;
        writeln!(out, "  again: {}", again(args, &small))?;
    }
    Ok(())
}

fn again(args: &FuzzArgs, trace: &Path) -> String {
    format!("nudge trace fuzz --board {} {}", args.board, trace.display())
}

/// Whether `candidate` has a finding of the same kind.
pub(super) fn is_same(judge: &Judge<'_>, candidate: &Trace, finding: &Finding) -> bool {
    let judged = judge.judge(candidate);
    matches!(judged, Ok(Some(found)) if found.kind == finding.kind)
}

/// The trace in `path`, or the sentence that it cannot be read.
pub(super) fn load(path: &Path) -> Result<Trace, String> {
    trace::load(path).map_err(|error| error.to_string())
}
