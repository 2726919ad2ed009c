//! `nudge trace fuzz`: random sessions on all cores; those in which something is wrong are kept as
//! traces, and made small. Ctrl-C ends it as the end of its time does, only sooner.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use analysis::fuzz::session::{Plan, session};
use analysis::fuzz::{self, Finding, FuzzOptions, Judge};
use hal_mock::Nanos;
use hal_mock::trace::Trace;
use output_files::{Output, OutputError};
use runner::shrink;
use runner::{Exit, quoted};
use wall_clock::Stopwatch;

use super::arguments::FuzzArgs;
use super::for_each::for_each;
use super::refused::Refused;
use crate::board_factory::board_factory;
use crate::{ctrl_c, text_reader};

/// How long it goes on unless told otherwise.
const TIME: Nanos = Nanos::from_secs(60);
/// Replays that go into making one finding small.
const RUNS_MAX: u32 = 500;
/// Different traces of one session that a folder holds, of many versions of the firmware.
const NAMES_MAX: u32 = 1_000;

pub fn fuzz(args: &FuzzArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let mut refuse = |message: String| {
        writeln!(err, "nudge: {message}")?;
        Ok(Exit::Usage)
    };
    // Better said now than when there is something to write.
    if args.out.exists() && !args.out.is_dir() {
        return refuse(format!("--out: {} is no folder; name another", args.out.display()));
    }
    let maker = match board_factory(&args.board) {
        Ok(maker) => maker,
        Err(error) => return refuse(error.to_string()),
    };
    let reader = text_reader::reader();
    let build = |trace: &Trace| maker.build(trace, None);
    let interrupt = ctrl_c::listen();
    let judge = Judge { boards: &build, reader: &reader, goldens: None, interrupt: &interrupt };
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

/// Judges traces that are there. What is wrong in them is a result; that one cannot be read is not.
fn look_at(
    args: &FuzzArgs,
    judge: Judge<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let failed = Cell::new(false);
    let exit = for_each(&args.traces, out, err, |path, trace, out| {
        let file = path.display();
        let folder = path.with_extension("");
        match (Judge { goldens: Some(&folder), ..judge }.judge(trace)) {
            _ if judge.interrupt.is_set() => writeln!(out, "{file}: interrupted")?,
            Ok(None) => writeln!(out, "{file}: nothing is wrong")?,
            Ok(Some(finding)) => {
                failed.set(true);
                writeln!(out, "{file}: {finding}")?;
            }
            Err(error) => return Ok(Err(Refused::new(path, error).into())),
        }
        Ok(Ok(()))
    })?;
    Ok(if exit == Exit::Passed && failed.get() { Exit::Failed } else { exit })
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
    let options = FuzzOptions {
        plan: Plan { seed: args.seed, faults: !args.no_faults },
        first: args.session,
        count: args.count,
        jobs: args.jobs.map_or_else(cores, usize::from),
    };
    let (first, seed) = (args.session, args.seed);
    writeln!(out, "sessions of seed {seed} from number {first} on; Ctrl-C ends them sooner")?;
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
    let interrupted = if judge.interrupt.is_set() { ", interrupted" } else { "" };
    let kept = keep(args, &options.plan, judge, &summary.found, out);
    let found = summary.found.len();
    let played = summary.played;
    writeln!(
        out,
        "{played} sessions in {seconds:.1} s{interrupted}: {found} with something wrong"
    )?;
    if let Err(error) = kept {
        writeln!(err, "nudge: {}: {error}", args.out.display())?;
        return Ok(Exit::Usage);
    }
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
    for (number, finding) in found {
        writeln!(out, "session {number}: {finding}")?;
    }
    output_files::create_folder(&args.out)?;
    for number in found.keys() {
        let trace = session(plan, *number);
        let whole = write_new(&stem(args, plan, *number), "trace", &trace)?;
        writeln!(out, "{} has {} lines", whole.display(), trace.lines.len())?;
        let finding = &found[number];
        let shrunk = shrink::shrink(&trace, RUNS_MAX, &mut |candidate| {
            judge.fails_like(finding, candidate, None)
        });
        let small = write_new(&whole.with_extension(""), "small.trace", &shrunk.trace)?;
        let lines = shrunk.trace.lines.len();
        let runs = shrunk.runs;
        writeln!(out, "{} has {lines} of them ({runs} replays)", small.display())?;
        if !shrunk.minimal || judge.interrupt.is_set() {
            let board = quoted(&args.board.to_string());
            let small = quoted(&small.display().to_string());
            writeln!(out, "  it may become smaller: nudge trace shrink --board {board} {small}")?;
        }
        writeln!(out, "  again: {}", again(args, &small))?;
    }
    Ok(())
}

/// Where the traces of session `number` go, without their endings.
fn stem(args: &FuzzArgs, plan: &Plan, number: u64) -> PathBuf {
    let faults = if plan.faults { "" } else { "-no-faults" };
    args.out.join(format!("seed-{}-session-{number}{faults}", plan.seed))
}

/// Writes `trace` to `STEM.ENDING`, or to the first of `STEM-2.ENDING`, `STEM-3.ENDING` … that is
/// not there yet or has just this in it. Nothing is overwritten.
fn write_new(stem: &Path, ending: &str, trace: &Trace) -> io::Result<PathBuf> {
    let text = trace.to_string();
    for number in 1..=NAMES_MAX {
        let mut name = stem.as_os_str().to_owned();
        if number > 1 {
            name.push(format!("-{number}"));
        }
        name.push(".");
        name.push(ending);
        let path = PathBuf::from(name);
        match Output::trace(&path).write(text.as_bytes()) {
            Ok(()) => return Ok(path),
            Err(OutputError::Exists { .. }) => {
                if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
                    return Ok(path);
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    let full = format!("there are {NAMES_MAX} traces of {} already", stem.display());
    Err(io::Error::new(ErrorKind::AlreadyExists, full))
}

fn again(args: &FuzzArgs, trace: &Path) -> String {
    let board = quoted(&args.board.to_string());
    format!("nudge trace fuzz --board {board} {}", quoted(&trace.display().to_string()))
}
