//! `nudge trace fuzz`: plays random sessions on all cores. Sessions that fail are saved as traces,
//! whole and shrunk. Ctrl-C ends the run like the end of its time.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use boards::session::{SessionError, board_file_from};
use boards::{Board, BoardFactory};
use fuzz::session::{Plan, session_on};
use fuzz::{FuzzOptions, FuzzSummary, Judge, Original};
use host::{
    Exit,
    clock::Stopwatch,
    output_files::{Output, OutputError, goldens_of},
};
use runner::{quoted, shrink};
use trace::{BOARD_KEY, BoardParts, Buttons, HeaderEntry, Trace, counted};
use virtual_time::Nanos;

use super::arguments::FuzzArgs;
use super::for_each::for_each_on;
use super::refused::Refused;
use crate::board_factory::{session_rules, virtual_factory};
use crate::{ctrl_c, text_reader};

/// Duration of a run without `--time` and `--count`.
const TIME: Nanos = Nanos::from_secs(60);
/// Maximum number of replays while one finding is shrunk.
const RUNS_MAX: u32 = 500;
/// Maximum number of different traces of one session in a folder, from different versions of the
/// firmware.
const NAMES_MAX: u32 = 1_000;

pub fn fuzz(args: &FuzzArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let mut refuse = |message: String| {
        writeln!(err, "nudge: {message}")?;
        Ok(Exit::Usage)
    };
    // Checked before the run, which may take long.
    if args.out.exists() && !args.out.is_dir() {
        return refuse(format!("--out: {} is no folder; name another", args.out.display()));
    }
    if let Err(error) = host::output_files::check_folder(&args.out) {
        return refuse(format!("--out: {error}"));
    }
    let factory = match virtual_factory(&args.board) {
        Ok(factory) => factory,
        Err(error) => return refuse(error.to_string()),
    };
    let reader = text_reader::reader();
    let build = |trace: &Trace| factory.build(trace, None);
    let interrupt = ctrl_c::listen();
    let judge = Judge {
        boards: &build,
        reader: &reader,
        rules: session_rules(),
        goldens: None,
        interrupt: &interrupt,
    };
    if args.traces.is_empty() {
        let buttons = factory.parts().unwrap_or_else(BoardParts::lcd_board).buttons;
        play(args, &buttons, &judge, out, err)
    } else {
        judge_traces(args, &factory, judge, out, err)
    }
}

/// Runs `work` without panic messages, for searches that catch the panics of the firmware themselves.
pub fn silently<T>(work: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = work();
    std::panic::set_hook(hook);
    result
}

/// Judges existing traces. A failure in a trace is a result; an unreadable trace is an error.
fn judge_traces(
    args: &FuzzArgs,
    factory: &BoardFactory,
    judge: Judge<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let failed = Cell::new(false);
    let parts = factory.parts();
    let exit = for_each_on(&args.traces, parts.as_ref(), out, err, |path, trace, out| {
        let file = path.display();
        let folder = goldens_of(path)?;
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
    buttons: &Buttons,
    judge: &Judge<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let time = args.time.or(args.count.is_none().then_some(TIME));
    let time = time.map(|time| Duration::from_nanos(time.0));
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let options = FuzzOptions {
        plan: Plan { seed: args.seed, faults: !args.no_faults },
        buttons: buttons.clone(),
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
    let saved = save(args, &options, judge, &summary, out);
    let found = summary.failed;
    let kinds = match &saved {
        Ok(kinds) if found > 1 => format!(", {}", counted(*kinds, "kind")),
        _ => String::new(),
    };
    writeln!(
        out,
        "{} in {seconds:.1} s{interrupted}: {found} with something wrong{kinds}",
        counted(summary.played, "session")
    )?;
    if let Err(error) = saved {
        writeln!(err, "nudge: {}: {error}", args.out.display())?;
        return Ok(Exit::Usage);
    }
    Ok(if found == 0 { Exit::Passed } else { Exit::Failed })
}

/// Writes a trace of each kind of finding, whole and shrunk, and prints the command that replays it. Returns the
/// number of kinds: findings of one defect whose shrunk traces have the same lines, apart from times and buttons.
fn save(
    args: &FuzzArgs,
    options: &FuzzOptions,
    judge: &Judge<'_>,
    summary: &FuzzSummary,
    out: &mut dyn Write,
) -> io::Result<usize> {
    if summary.failed == 0 {
        return Ok(0);
    }
    host::output_files::create_folder(&args.out)?;
    let mut kinds = 0;
    let mut defects: Vec<_> = summary.defects.iter().collect();
    defects.sort_by_key(|(_, found)| found.samples.keys().next().copied());
    for (defect, found) in defects {
        // A place in the source is the same defect, whatever leads there.
        let samples = if defect.by_place { 1 } else { found.samples.len() };
        let mut shapes = BTreeSet::new();
        for (number, finding) in found.samples.iter().take(samples) {
            let shrunk = Shrunk::of(args, options, judge, *number)?;
            // A trace that is not minimal says nothing about its kind.
            let is_small = shrunk.small.minimal && !judge.interrupt.is_set();
            if (!is_small && !shapes.is_empty()) || !shapes.insert(shrunk.shape()) {
                continue;
            }
            kinds += 1;
            writeln!(out, "session {number}: {finding}")?;
            let more = found.count - 1;
            if shapes.len() == 1 && more > 0 {
                writeln!(out, "  the same in {}", counted(more, "more session"))?;
            }
            shrunk.write(args, &options.plan, *number, judge, out)?;
        }
    }
    Ok(kinds)
}

/// The trace of a session with a finding, and its shrunk one.
struct Shrunk {
    whole: Trace,
    small: shrink::Shrunk,
}

impl Shrunk {
    fn of(
        args: &FuzzArgs,
        options: &FuzzOptions,
        judge: &Judge<'_>,
        number: u64,
    ) -> io::Result<Self> {
        let mut whole = session_on(&options.plan, &options.buttons, judge.rules, number);
        whole.header.splice(0..0, board_line(args)?);
        // After Ctrl-C nothing is judged any more, and the trace is saved unshrunk.
        let original = judge.examine(&whole).ok().flatten().and_then(Original::new);
        let small = shrink::shrink(&whole, RUNS_MAX, &mut |candidate| {
            let original = original.as_ref();
            original.is_some_and(|original| judge.fails_like(original, candidate, None))
        });
        Ok(Self { whole, small })
    }

    /// Returns the verbs of the shrunk trace.
    fn shape(&self) -> Vec<String> {
        let lines = self.small.small.trace.lines.iter();
        let verb = |noun: String| noun.split(' ').next().unwrap_or_default().to_owned();
        lines.map(|line| verb(line.action.noun())).collect()
    }

    fn write(
        &self,
        args: &FuzzArgs,
        plan: &Plan,
        number: u64,
        judge: &Judge<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let whole = write_new(&stem(args, plan, number), "trace", &self.whole)?;
        writeln!(out, "{} has {}", whole.display(), counted(self.whole.lines.len(), "line"))?;
        let small = &self.small.small.trace;
        let lines = small.lines.len();
        let small = write_new(&whole.with_extension(""), "small.trace", small)?;
        let runs = self.small.runs;
        writeln!(out, "{} has {lines} of them ({runs} replays)", small.display())?;
        if !self.small.minimal || judge.interrupt.is_set() {
            let board = quoted(&args.board.to_string());
            let small = quoted(&small.display().to_string());
            writeln!(out, "  it may become smaller: nudge trace shrink --board {board} {small}")?;
        }
        writeln!(out, "  again: {}", again(args, &small))
    }
}

/// Returns the line of a header that names the board file of the command line, from the folder of
/// the findings, so that a finding can be replayed without `--board`.
fn board_line(args: &FuzzArgs) -> io::Result<Option<HeaderEntry>> {
    let Board::Described(file) = &args.board else { return Ok(None) };
    let named = board_file_from(file, &args.out);
    let named = named.map_err(|error: SessionError| io::Error::other(error.to_string()))?;
    Ok(Some(HeaderEntry::new(BOARD_KEY, named)))
}

/// Returns the path of the traces of session `number`, without the extension.
fn stem(args: &FuzzArgs, plan: &Plan, number: u64) -> PathBuf {
    let faults = if plan.faults { "" } else { "-no-faults" };
    args.out.join(format!("seed-{}-session-{number}{faults}", plan.seed))
}

/// Writes `trace` to `STEM.ENDING`, or to the first of `STEM-2.ENDING`, `STEM-3.ENDING` … that does
/// not exist or has the same content. Nothing is overwritten.
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
