//! One trace from its file to its report. It prints nothing.

use std::fs::{self, File};
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use hal_mock::board::ConsoleLine;
use hal_mock::replay::{self, Failure, Goldens, Outcome, Unjudged, Verdict, replay};
use hal_mock::text::Reader;
use hal_mock::trace::{self, LoadError, Place, Trace, spoken};
use hal_mock::{Machine, Nanos};

use super::gallery::Gallery;
use super::repeat::Chronicle;
use super::report::{Fault, Report, command, command_until, quoted, screenshot};
use super::timeline;
use super::witness::{Notes, Onlooker, Shot, Story, Watched};
use super::{Exit, Found, Options};
use hal_mock::setup::{MachineFactory, SetupError};
use wall_clock::Stopwatch;

/// Of a longer console only the end is reported, in bytes.
const CONSOLE_REPORTED: usize = 64 << 10;
/// How many faults keep what the LCD showed.
const SHOTS_KEPT: usize = 3;

/// `None` if it was interrupted.
pub(super) fn replay_one(
    found: &Found,
    options: &Options,
    boards: MachineFactory<'_>,
    reader: &Reader,
) -> Option<Report> {
    let path = found.path.as_path();
    let unusable = |fault| Some(Report::unusable(path, fault));
    let trace = match trace::load(path) {
        Ok(trace) => trace,
        Err(LoadError::Parse(error)) => {
            let mut fault = Fault::of_trace(error.message);
            (fault.place, fault.quote) = (Some(error.place), quote(path, error.place));
            return unusable(fault);
        }
        Err(error) => return unusable(Fault::elsewhere(error.to_string())),
    };
    let stopwatch = Stopwatch::start();
    let machine = match boards(&trace) {
        Ok(machine) => machine,
        Err(error) => return unusable(of_setup(path, error)),
    };
    let mut gallery = Gallery::new(found, &trace, options);
    if let Err(message) = gallery.open() {
        return unusable(Fault::elsewhere(message));
    }

    let machine = options.interrupt.guard(machine);
    let mut machine = watched(machine, options.repeats() > 1);
    let wants_shots =
        options.html.is_some() || options.artifacts.is_some() || options.pictures.is_some();
    let mut onlooker = Onlooker::new(&mut gallery, path.with_extension(""), wants_shots);
    let outcome = carry_out(&trace, &mut machine, reader, &mut onlooker, options);
    if options.interrupt.is_set() {
        return None;
    }
    let (events, shots) = (onlooker.events, onlooker.shots);
    let ended_at = end(&outcome, &machine);
    let elapsed = stopwatch.elapsed();

    let mut report = Report::new(path);
    report.ran = Some((ended_at, elapsed));
    match outcome {
        Ok(outcome) => report.judge(outcome, shots),
        Err(panic) => {
            let mut fault = Fault::of_trace(format!("the firmware panicked: {panic}"));
            fault.at = Some(ended_at);
            report.add(Exit::Failed, fault);
        }
    }
    if options.repeats() > 1 {
        let first = Chronicle::of(&machine, ended_at);
        if let Err(fault) = repeat(&first, &trace, options, boards, reader) {
            report.add(Exit::Failed, *fault);
        }
        if options.interrupt.is_set() {
            return None;
        }
    }

    let board = machine.board();
    if let Err(message) = gallery.close(board, ended_at) {
        report.add(Exit::Usage, Fault::elsewhere(message));
    }
    match gallery.unused() {
        Err(message) => report.add(Exit::Usage, Fault::elsewhere(message)),
        Ok(unused) => {
            for golden in unused {
                let message = format!(
                    "{}: no `expect frame` of the trace compares with this golden; delete it, or \
                     restore the line",
                    golden.display()
                );
                report.add(Exit::Failed, Fault::elsewhere(message));
            }
        }
    }
    report.exit = report.exit.max(gallery.exit);
    report.notes = gallery.notes;
    report.pictures = gallery.pictures;

    let console = board.console_bytes();
    let frames = std::mem::take(&mut machine.sees.frames);
    let story = Story::new(events, frames);
    if !report.faults.is_empty() {
        let lines = machine.board().console_lines();
        report.explain(&story, &lines, options);
    }
    if let Some(folder) = &options.artifacts {
        report.keep_shots(&folder.join(&found.artifacts));
    }
    if options.junit.is_some() {
        report.console = Some(tail(&console));
    }
    if options.html.is_some() {
        let failed: Vec<Nanos> = report.faults.iter().filter_map(|fault| fault.at).collect();
        report.timeline = Some(timeline::svg(&story, ended_at, &failed));
    }
    Some(report)
}

/// What is wrong with a trace's header, or with the board.
fn of_setup(path: &Path, error: SetupError) -> Fault {
    let Some(place) = error.place else { return Fault::elsewhere(error.message()) };
    let mut fault = Fault::of_trace(error.message());
    (fault.place, fault.quote) = (Some(place), quote(path, place));
    fault
}

/// The replay, with a panic of the firmware made into its message.
fn carry_out(
    trace: &Trace,
    machine: &mut dyn Machine,
    reader: &Reader,
    goldens: &mut dyn Goldens,
    options: &Options,
) -> Result<Outcome, String> {
    let how = replay::Options {
        allow_violations: options.allow_violations,
        until: options.until,
        ..replay::Options::default()
    };
    // Behind a panic only the board is looked at, and nothing of it is half done that matters.
    catch_unwind(AssertUnwindSafe(|| replay(trace, machine, reader, goldens, &how))).map_err(
        |panic| {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            text.or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "without a message".to_owned())
        },
    )
}

fn watched(machine: Box<dyn Machine>, looks: bool) -> Watched {
    Watched::new(machine, Notes { looks, ..Notes::default() })
}

fn end(outcome: &Result<Outcome, String>, machine: &Watched) -> Nanos {
    outcome.as_ref().map_or_else(|_| machine.board().now(), |outcome| outcome.ended_at)
}

/// Replays the trace as often as it is to be repeated, until a run differs from the `first`.
fn repeat(
    first: &Chronicle,
    trace: &Trace,
    options: &Options,
    boards: MachineFactory<'_>,
    reader: &Reader,
) -> Result<(), Box<Fault>> {
    for run in 2..=options.repeats() {
        let machine = boards(trace).map_err(|error| Box::new(Fault::of_trace(error.message())))?;
        let mut machine = watched(options.interrupt.guard(machine), true);
        let outcome = carry_out(trace, &mut machine, reader, &mut Unjudged, options);
        let ended_at = end(&outcome, &machine);
        if let Some((at, what)) = first.parting(&Chronicle::of(&machine, ended_at)) {
            let of = options.repeats();
            let mut fault =
                Fault::of_trace(format!("run {run} of {of} parts from the first: {what}"));
            fault.at = Some(at);
            return Err(Box::new(fault));
        }
    }
    Ok(())
}

impl Report {
    fn judge(&mut self, outcome: Outcome, shots: Vec<Shot>) {
        let left_out = outcome.failures_left_out;
        let mut shots = shots.into_iter();
        let mut failed = |failure: Failure| Fault {
            place: failure.place,
            at: Some(failure.at),
            message: failure.message,
            of_the_trace: true,
            // Only failures of a line have one.
            shot: failure.place.and_then(|_| shots.next()).filter(|shot| !shot.actual.is_empty()),
            shown: failure.shown,
            ..Fault::default()
        };
        match outcome.verdict {
            Verdict::Passed => {}
            Verdict::Failed(failures) => {
                for failure in failures {
                    self.add(Exit::Failed, failed(failure));
                }
            }
            Verdict::LimitReached { at } => {
                let mut fault = Fault::of_trace(format!(
                    "the firmware keeps the clock for itself; the limit of {} is reached",
                    spoken(replay::LIMIT)
                ));
                fault.at = Some(at);
                self.add(Exit::LimitReached, fault);
            }
            Verdict::Broken(error) => {
                for failure in outcome.failed_before {
                    self.add(Exit::Failed, failed(failure));
                }
                let message = format!("the firmware cannot go on: {}", error.message);
                let at = Some(error.at);
                self.add(Exit::Failed, Fault { at, ..Fault::of_trace(message) });
            }
        }
        if left_out > 0 {
            let exit = self.exit;
            self.add(exit, Fault::of_trace(format!("{left_out} more failures are left out")));
        }
        let kept = self.faults.iter_mut().filter(|fault| fault.shot.is_some());
        kept.skip(SHOTS_KEPT).for_each(|fault| fault.shot = None);
    }

    /// Adds to each fault what led to it and how to see it again.
    fn explain(&mut self, story: &Story, console: &[ConsoleLine], options: &Options) {
        let artifacts = options.artifacts.as_ref().map(|folder| folder.display().to_string());
        let mut more = artifacts
            .map(|folder| vec![format!("--artifacts {}", quoted(&folder))])
            .unwrap_or_default();
        if options.repeats() > 1 {
            more.push(format!("--repeat {}", options.repeats()));
        }
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        for fault in &mut self.faults {
            fault.quote = fault.place.and_then(|place| quote(&self.file, place));
            fault.again = Some(match fault.at {
                Some(at) => {
                    fault.events = story.before(at, console);
                    if fault.shown.is_some() {
                        fault.look = Some(screenshot(&self.file, options, at));
                    }
                    command_until(&self.file, options, Some(at), &more)
                }
                None => command(&self.file, options, &more),
            });
        }
    }

    /// Keeps what the LCD showed at each failed line in `folder`, and takes away what an
    /// earlier run left there.
    fn keep_shots(&mut self, folder: &Path) {
        let cannot = |path: &Path, error: io::Error| {
            Fault::elsewhere(format!("{}: cannot be written: {error}", path.display()))
        };
        let mut wrong = Vec::new();
        for path in old_shots(folder) {
            if let Err(error) = fs::remove_file(&path) {
                wrong.push(cannot(&path, error));
            }
        }
        for fault in &mut self.faults {
            if let (Some(shot), Some(place)) = (&fault.shot, fault.place) {
                let path = folder.join(format!("line-{}.failed.png", place.line));
                match fs::write(&path, &shot.actual) {
                    Ok(()) => fault.kept = Some(path),
                    Err(error) => wrong.push(cannot(&path, error)),
                }
            }
        }
        for fault in wrong {
            self.add(Exit::Usage, fault);
        }
    }
}

fn old_shots(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_shot = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let line = name.strip_prefix("line-").and_then(|name| name.strip_suffix(".failed.png"));
        line.is_some_and(|line| line.parse::<u32>().is_ok())
    };
    entries.filter(is_shot).collect()
}

/// The line of the file at `path`, if it can still be read.
fn quote(path: &Path, place: Place) -> Option<String> {
    let mut bytes = Vec::new();
    let file = File::open(path).ok()?;
    file.take(trace::FILE_BYTES_MAX as u64).read_to_end(&mut bytes).ok()?;
    let line = bytes.split(|byte| *byte == b'\n').nth((place.line as usize).checked_sub(1)?)?;
    let line = &line[..line.len().min(trace::LINE_BYTES_MAX)];
    Some(String::from_utf8_lossy(line).trim_end().to_owned())
}

/// The console's last lines as text.
fn tail(console: &[u8]) -> String {
    let start = console.len().saturating_sub(CONSOLE_REPORTED);
    let mut text = String::from_utf8_lossy(&console[start..]).replace('\r', "");
    if start > 0 {
        text.insert_str(0, &format!("({start} bytes before this are left out)\n"));
    }
    text
}
