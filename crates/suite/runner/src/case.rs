//! Replays one trace, from its file to its report. Prints nothing.

mod chain_frame;
mod crash;
pub(crate) mod gallery;
mod observer;
mod repeat;

use crate::guard::guard_within;
use crate::header::header_entry_of;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use hal_mock::{
    Machine, VirtualBoard,
    board::ConsoleLine,
    replay::{self, Failure, FailureId, Goldens, ReplayOutcome, Unjudged, Verdict, replay_watched},
    setup::MachineFactory,
};
use host::{Exit, clock::Stopwatch, output_files::Output};
use reading::text::Reader;
use trace::{Action, Display, Line, Trace, XFAIL_KEY};
use virtual_time::{Instant, spoken};

use crate::command::{command, command_until, screenshot};
use crate::contained::contained;
use crate::notice::{self, JudgedLines, Notice, Replayed};
use crate::observe::{FirmwarePanic, ObserverFactory, Observers, ReplayEnd, ReplayStart};
use crate::options::ReplayOptions;
use crate::options::player::Player;
use crate::rejected;
use crate::report::history::History;
use crate::report::{FailureScreen, Problem, TraceReport, timeline};
use crate::results::{CacheLookup, Entry, Key, Results};
use crate::suite::find::FoundTrace;
use crate::suite::open::{OpenError, open_trace_on};
use crate::suite::pack::pack_trace_on;
use gallery::Gallery;
use observer::{DifferingPixels, FrameLog, ObservedMachine, Observer};
use repeat::RunRecord;

/// Longest console output in a report, in bytes. Of a longer one only the end is reported.
const CONSOLE_REPORTED: usize = 64 << 10;
/// Greatest number of screen elements that a failure names.
const ELEMENTS_NAMED: usize = 6;
/// Greatest number of problems per trace that are reported with a picture of the LCD.
const SCREENS_SAVED: usize = 3;

/// Replays the trace and returns its report. Returns `None` if the replay was interrupted.
///
/// If the bench that a real board is on fails, the trace is replayed once more: the factory then
/// builds the machine with another probe, if there is one.
pub(crate) fn replay_one(
    found: &FoundTrace,
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
    observers: ObserverFactory<'_>,
) -> Option<TraceReport> {
    let known = header_entry_of(&found.path, &options.converted, XFAIL_KEY);
    // The picture of a known failure is no golden.
    let held_back = (known.is_some() && options.bless)
        .then(|| ReplayOptions { bless: false, ..options.clone() });
    let options = held_back.as_ref().unwrap_or(options);
    let mut report = replay_once(found, options, boards, reader, observers)?;
    if report.exit == Exit::Bench {
        let why = report.problems.last().map_or("", Problem::headline);
        let note = format!("this is the second attempt, because the first one failed: {why}");
        report = replay_once(found, options, boards, reader, observers)?;
        report.notes.push(note);
    }
    if let Some(entry) = &known {
        report.expect_failure(entry, options.today);
        if held_back.is_some() && report.expected.is_some() {
            report.notes.push("no golden is written, because the failure is known".to_owned());
        }
    }
    Some(report)
}

fn replay_once(
    found: &FoundTrace,
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
    observers: ObserverFactory<'_>,
) -> Option<TraceReport> {
    let path = found.path.as_path();
    let unusable = |problem| Some(TraceReport::unusable(path, problem));
    let earlier = EarlierResult::of(path, options);
    if let Some(EarlierResult { known: CacheLookup::Passed(entry), .. }) = &earlier {
        let mut report = TraceReport::cached(path, entry.ended_at);
        report.firmware = options.firmware_of.as_ref().and_then(|namer| {
            let trace = open(path, options).ok();
            trace.and_then(|trace| namer.of(&trace))
        });
        return Some(report);
    }
    let trace = match open(path, options) {
        Ok(trace) => trace,
        Err(error) => {
            return Some(rejected::report_with_header(path, &error, options, boards));
        }
    };
    let stopwatch = Stopwatch::start();
    let machine = match boards(&trace) {
        Ok(machine) => machine,
        Err(error) => return Some(rejected::of_setup(path, &error)),
    };
    let opened = Gallery::new(found, &trace, options, reader)
        .and_then(|mut gallery| gallery.open().map(|()| gallery));
    let mut gallery = match opened {
        Ok(gallery) => gallery,
        Err(error) => return unusable(Problem::elsewhere(error.to_string())),
    };

    let machine = guard_within(&options.interrupt, contained(machine), options.timeout);
    let judged = JudgedLines::default();
    let mut observers = observers(&ReplayStart { path, trace: &trace, board: machine.board() });
    observers.push(Box::new(judged.clone()));
    let observers = Observers::new(observers);
    let mut machine = watched(machine, options.repeats() > 1, observers.clone());
    let wants_screens =
        options.html.is_some() || options.artifacts.is_some() || options.pictures.is_some();
    let goldens = gallery.folder().to_owned();
    let mut observer = Observer::new(&mut gallery, goldens, wants_screens);
    observer.names_elements = options.elements.is_some();
    let outcome = carry_out(&trace, &mut machine, reader, &mut observer, options, &observers);
    if options.interrupt.is_set() {
        return None;
    }
    let elements = named_elements(&trace, &observer.differing, options);
    let own_reader = machine.board().text_reader();
    let chains = observer.chains.iter().map(|(id, found)| {
        (*id, chain_frame::ChainTexts::read(found, own_reader.as_deref().unwrap_or(reader)))
    });
    let chains: BTreeMap<FailureId, chain_frame::ChainTexts> = chains.collect();
    let (events, screens) = (observer.events, observer.screens);
    let last = outcome
        .as_ref()
        .ok()
        .and_then(|outcome| crash::last_screen(outcome, machine.board(), reader, wants_screens));
    let ended_at = end(&outcome, &machine);
    observers.ended(&ReplayEnd {
        path,
        trace: &trace,
        board: machine.board(),
        outcome: outcome.as_ref(),
        ended_at,
    });
    let elapsed = stopwatch.elapsed();

    let mut report = TraceReport::new(path);
    report.ran = Some((ended_at, elapsed));
    report.firmware = options.firmware_of.as_ref().and_then(|namer| namer.of(&trace));
    match outcome {
        Ok(outcome) => {
            report.judge(outcome, Explanations { screens, elements, chains, last });
        }
        Err(panic) => {
            let mut problem = Problem::of_trace(panic.to_string());
            problem.at = Some(ended_at);
            report.add(Exit::Failed, problem);
        }
    }
    if options.repeats() > 1 {
        let first = RunRecord::of(&machine, ended_at);
        match repeat(&first, &trace, options, boards, reader) {
            Ok(()) => report.equal_runs = Some(options.repeats()),
            Err(problem) => report.add(Exit::Failed, *problem),
        }
        if options.interrupt.is_set() {
            return None;
        }
    }

    let board = machine.board();
    if let Err(error) = gallery.close(board, ended_at) {
        report.add(Exit::Usage, Problem::elsewhere(error.to_string()));
    }
    match gallery.unused() {
        Err(error) => report.add(Exit::Usage, Problem::elsewhere(error.to_string())),
        Ok(unused) => {
            for golden in unused {
                let message = format!(
                    "{}: no `expect frame` of the trace compares with this golden; delete it, or \
                     restore the line",
                    golden.display()
                );
                report.add(Exit::Failed, Problem::elsewhere(message));
            }
        }
    }
    report.exit = report.exit.max(gallery.exit);
    let mut lcd_notes = board.notes();
    lcd_notes.retain(|note| note.at <= ended_at);
    let findings = machine.findings();
    let mut program = machine.notes();
    if options.lenient {
        program.extend(findings.iter().cloned());
    }
    let notices = notice::of_replay(&Replayed {
        trace: &trace,
        goldens: gallery.folder(),
        reader: own_reader.as_deref().unwrap_or(reader),
        panel: board.panel(),
        until: options.until,
        judged: &judged,
        lcd_notes: &lcd_notes,
        misplaced: board.with_lcd(ili9341_model::Ili9341::misplaced),
        colours: (0..board.display_count())
            .flat_map(|display| {
                board.at_display(display).with_lcd(ili9341_model::Ili9341::colour_settings)
            })
            .collect(),
        program,
        passed: report.exit == Exit::Passed,
    });
    if !options.lenient {
        report.judge_chip(findings);
    }
    report.notify(notices, options.strict);
    let about_flash = |line: &Line| matches!(line.action, Action::ExpectFlash(_));
    let wanted = report.exit != Exit::Passed || trace.lines.iter().any(about_flash);
    if let Err(error) = gallery.save_flash(board, wanted) {
        report.add(Exit::Usage, Problem::elsewhere(error.to_string()));
    }
    let artifacts = gallery.artifacts_folder().map(Path::to_owned);
    report.notes = gallery.notes;
    report.causes = gallery.causes;
    report.changes = gallery.changes;
    report.unmet_goldens = gallery.unmet;
    report.pictures = gallery.pictures;
    if let Some(earlier) = earlier {
        let now = Entry::of(board, ended_at);
        earlier.compare_or_store(&now, &mut report, options);
    }

    let console = board.console_bytes();
    let frames = std::mem::take(&mut machine.observer.frames);
    let history = History::new(events, frames);
    let board_buttons = machine.board().buttons();
    if let Some(problem) = report.problems.iter_mut().find(|problem| problem.at.is_some())
        && let Some(remark) = machine.remark()
    {
        problem.message.push('\n');
        problem.message.push_str(&remark);
    }
    if !report.problems.is_empty() {
        let lines = machine.board().console_lines();
        report.explain(&history, &lines, options);
    }
    if let Some(folder) = artifacts {
        report.save_screens(&folder);
    }
    if options.junit.is_some() {
        report.console = Some(tail(&console));
        // The firmware has a property of its own.
        let key = Key::of("", path, options).filter(|_| options.converted.get(path).is_none());
        report.inputs = key.map(|key| key.to_string()[..16].to_owned());
    }
    if options.html.is_some() {
        let failed: Vec<Instant> =
            report.problems.iter().filter_map(|problem| problem.at).collect();
        report.timeline = Some(timeline::svg(&history, &board_buttons, ended_at, &failed));
        if matches!(options.player, Player::Engine { .. }) && report.exit != Exit::Passed {
            // A page plays no trace that cannot be packed; the report then gives the command that
            // opens it.
            report.packed =
                pack_trace_on(path, options.parts.as_ref()).ok().map(|(packed, _)| packed);
        }
    }
    Some(report)
}

/// Opens the trace at `path`, or returns the one that was made of that file.
fn open(path: &Path, options: &ReplayOptions) -> Result<Trace, OpenError> {
    match options.converted.get(path) {
        Some(converted) => Ok(converted.trace.clone()),
        None => open_trace_on(path, options.parts.as_ref()),
    }
}

/// Returns the names of the elements in which frames differ, for the first failures with pictures.
fn named_elements(
    trace: &Trace,
    differing: &BTreeMap<FailureId, DifferingPixels>,
    options: &ReplayOptions,
) -> BTreeMap<FailureId, Vec<String>> {
    let Some(namer) = &options.elements else { return BTreeMap::new() };
    // Each one takes a replay of the trace up to the frame.
    let first = differing.iter().take(SCREENS_SAVED);
    first.map(|(id, found)| (*id, namer.names(trace, found.at, &found.pixels))).collect()
}

/// Returns `message` with the names of elements at the end of its first line.
fn with_elements(message: String, elements: Option<&Vec<String>>) -> String {
    let Some(elements) = elements.filter(|elements| !elements.is_empty()) else { return message };
    let shown = elements.iter().take(ELEMENTS_NAMED).map(String::as_str).collect::<Vec<_>>();
    let more = match elements.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (first, rest) = match message.split_once('\n') {
        Some((first, rest)) => (first, format!("\n{rest}")),
        None => (message.as_str(), String::new()),
    };
    format!("{first}; drawn there: {}{more}{rest}", shown.join("; "))
}

/// Facts on the failures of a replay, beside their messages.
#[derive(Default)]
struct Explanations {
    /// Pictures of the LCD.
    screens: BTreeMap<FailureId, FailureScreen>,
    /// Names of the elements in which frames differ.
    elements: BTreeMap<FailureId, Vec<String>>,
    /// Texts of the frames of chains.
    chains: BTreeMap<FailureId, chain_frame::ChainTexts>,
    /// The LCD when the firmware stopped.
    last: Option<crash::LastScreen>,
}

/// The cached result of an earlier replay of a trace, and the key under which the new result is
/// stored.
struct EarlierResult<'a> {
    results: Results<'a>,
    key: Key,
    known: CacheLookup,
}

impl<'a> EarlierResult<'a> {
    fn of(path: &Path, options: &'a ReplayOptions) -> Option<Self> {
        if options.converted.get(path).is_some() {
            return None;
        }
        let results = Results::of(options)?;
        let key = results.key(path, options)?;
        let known = results.look_up(&key);
        Some(Self { results, key, known })
    }

    fn compare_or_store(self, now: &Entry, report: &mut TraceReport, options: &ReplayOptions) {
        // If the file has changed since the key was computed, it is unknown which version was
        // replayed.
        if self.results.key(&report.file, options).as_ref() != Some(&self.key) {
            return;
        }
        let passed = report.exit == Exit::Passed;
        if let CacheLookup::Check(before) = &self.known {
            report.checks_cache = true;
            if let Some(message) = before.contradiction(now, passed) {
                report.add(Exit::Failed, Problem::of_trace(message));
            }
            return;
        }
        if passed
            && report.notices.is_empty()
            && report.notes.is_empty()
            && let Err(error) = self.results.keep(&self.key, now)
        {
            report.notes.push(format!("the result cannot be kept: {error}"));
        }
        if let CacheLookup::Unusable(why) = self.known {
            report.notes.push(why);
        }
    }
}

/// Replays the trace and converts a panic of the firmware into an error.
fn carry_out(
    trace: &Trace,
    machine: &mut dyn Machine,
    reader: &Reader,
    goldens: &mut dyn Goldens,
    options: &ReplayOptions,
    observers: &Observers<'_>,
) -> Result<ReplayOutcome, FirmwarePanic> {
    let how = replay::ReplaySettings {
        allow_violations: options.allow_violations,
        until: options.until,
        ..replay::ReplaySettings::default()
    };
    // After a panic only the board is read, and no state that matters is left half changed.
    let mut over =
        |line: &Line, at: Instant, board: &VirtualBoard| observers.line_ended(line, at, board);
    let replay = || replay_watched(trace, machine, reader, goldens, &how, &mut over);
    catch_unwind(AssertUnwindSafe(replay)).map_err(|panic| {
        FirmwarePanic(host::panic_text(panic.as_ref()).unwrap_or("without a message").to_owned())
    })
}

fn watched<'a>(
    machine: Box<dyn Machine>,
    hashes_frames: bool,
    observers: Observers<'a>,
) -> ObservedMachine<'a> {
    ObservedMachine::new(machine, FrameLog { hashes_frames, observers, ..FrameLog::default() })
}

fn end(outcome: &Result<ReplayOutcome, FirmwarePanic>, machine: &ObservedMachine<'_>) -> Instant {
    outcome.as_ref().map_or_else(|_| machine.board().now(), |outcome| outcome.ended_at)
}

/// Repeats the replay [`ReplayOptions::repeat`] times, or until a run differs from the `first`.
fn repeat(
    first: &RunRecord,
    trace: &Trace,
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
    reader: &Reader,
) -> Result<(), Box<Problem>> {
    for run in 2..=options.repeats() {
        let machine =
            boards(trace).map_err(|error| Box::new(Problem::of_trace(error.message())))?;
        let unobserved = Observers::default();
        let machine = guard_within(&options.interrupt, contained(machine), options.timeout);
        let mut machine = watched(machine, true, unobserved.clone());
        let outcome = carry_out(trace, &mut machine, reader, &mut Unjudged, options, &unobserved);
        let ended_at = end(&outcome, &machine);
        if let Some((at, what)) = first.first_difference_from(&RunRecord::of(&machine, ended_at)) {
            let of = options.repeats();
            let mut problem =
                Problem::of_trace(format!("run {run} of {of} parts from the first: {what}"));
            problem.at = Some(at);
            return Err(Box::new(problem));
        }
    }
    Ok(())
}

impl TraceReport {
    /// Adds the failures of `outcome`, with their pictures and the names of the elements in which
    /// frames differ.
    fn judge(&mut self, outcome: ReplayOutcome, explanations: Explanations) {
        let Explanations { mut screens, elements, mut chains, last } = explanations;
        let left_out = outcome.failures_left_out;
        let mut failed = |failure: Failure| {
            let mut problem = Problem {
                place: failure.place,
                at: Some(failure.at),
                message: with_elements(failure.message(), elements.get(&failure.id)),
                of_the_trace: true,
                screen: screens.remove(&failure.id).filter(|screen| !screen.actual.is_empty()),
                display: failure.display.map(Display::name),
                shown: failure.shown,
                ..Problem::default()
            };
            if let Some(chain) = chains.remove(&failure.id) {
                chain.explain(&mut problem);
            }
            problem
        };
        match outcome.verdict {
            Verdict::Passed => {}
            Verdict::Failed(failures) => {
                for failure in failures {
                    self.add(Exit::Failed, failed(failure));
                }
            }
            Verdict::LimitReached { at } => {
                let mut problem = Problem::of_trace(format!(
                    "the firmware keeps the clock for itself; the limit of {} is reached",
                    spoken(replay::LIMIT)
                ));
                problem.at = Some(at);
                self.add(Exit::LimitReached, problem);
            }
            Verdict::Broken(error) => {
                for failure in outcome.failed_before {
                    self.add(Exit::Failed, failed(failure));
                }
                let (exit, problem) = crash::broken(&error, outcome.stopped_in, last);
                self.add(exit, problem);
            }
        }
        if left_out > 0 {
            let exit = self.exit;
            self.add(exit, Problem::of_trace(format!("{left_out} more failures are left out")));
        }
        let kept = self.problems.iter_mut().filter(|problem| problem.screen.is_some());
        kept.skip(SCREENS_SAVED).for_each(|problem| problem.screen = None);
    }

    /// Adds a problem for each rule of the chip that the program broke.
    fn judge_chip(&mut self, findings: Vec<String>) {
        for finding in findings {
            let message = format!("the chip would not do this: {finding}; --lenient permits it");
            self.add(Exit::Failed, Problem::of_trace(message));
        }
    }

    /// Adds `notices` to the report, or adds them as problems if `strict` is set.
    pub(crate) fn notify(&mut self, notices: Vec<Notice>, strict: bool) {
        if !strict {
            self.notices = notices;
            return;
        }
        for Notice { place, kind } in notices {
            let message = format!("{kind}; --strict passes no trace with a notice");
            self.add(Exit::Failed, Problem { place, ..Problem::of_trace(message) });
        }
    }

    /// Adds to each problem the events before it and the command that reproduces it.
    fn explain(&mut self, history: &History, console: &[ConsoleLine], options: &ReplayOptions) {
        // The command has no option that names an output file of this run: on CI its folders belong
        // to another machine.
        let repeat = format!("--repeat {}", options.repeats());
        let more: &[&str] = if options.repeats() > 1 { &[&repeat] } else { &[] };
        for problem in &mut self.problems {
            problem.quote = problem.place.and_then(|place| rejected::quote(&self.file, place));
            problem.again = Some(match problem.at {
                Some(at) => {
                    problem.events = history.before(at, console);
                    // `nudge screenshot` and `open` read traces only.
                    if problem.shown.is_some() && options.converted.get(&self.file).is_none() {
                        problem.look = Some(screenshot(&self.file, options, at, problem.display));
                    }
                    let until = problem.judged_at.unwrap_or(at);
                    command_until(&self.file, options, Some(until), more)
                }
                None => command(&self.file, options, more),
            });
        }
    }

    /// Writes what the LCD showed at each failed line into `folder`, and removes such pictures of an
    /// earlier run.
    fn save_screens(&mut self, folder: &Path) {
        let cannot = |path: &Path, error: io::Error| {
            Problem::elsewhere(format!("{}: cannot be written: {error}", path.display()))
        };
        let mut wrong = Vec::new();
        let mut in_line: BTreeMap<u32, u32> = BTreeMap::new();
        for path in old_screens(folder) {
            if let Err(error) = fs::remove_file(&path) {
                wrong.push(cannot(&path, error));
            }
        }
        for problem in &mut self.problems {
            if let (Some(screen), Some(place)) = (&problem.screen, problem.place) {
                // Included lines have the place of the line that includes them, so several failures
                // can share one line number.
                let nth = in_line.entry(place.line).and_modify(|nth| *nth += 1).or_insert(1);
                let nth = if *nth == 1 { String::new() } else { format!("-{nth}") };
                let path = folder.join(format!("line-{}{nth}.failed.png", place.line));
                match Output::new(&path).replace(true).write(&screen.actual) {
                    Ok(()) => problem.saved_at = Some(path),
                    Err(error) => wrong.push(Problem::elsewhere(error.to_string())),
                }
            }
        }
        for problem in wrong {
            self.add(Exit::Usage, problem);
        }
    }
}

fn old_screens(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_screen = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let line = name.strip_prefix("line-").and_then(|name| name.strip_suffix(".failed.png"));
        let is_number = |text: &str| text.parse::<u32>().is_ok();
        line.is_some_and(|line| line.split('-').count() <= 2 && line.split('-').all(is_number))
    };
    entries.filter(is_screen).collect()
}

/// Returns the end of the console output as text, cut to whole lines.
fn tail(console: &[u8]) -> String {
    let start = console.len().saturating_sub(CONSOLE_REPORTED);
    let mut text = String::from_utf8_lossy(&console[start..]).replace('\r', "");
    if start > 0 {
        text.insert_str(0, &format!("({start} bytes before this are left out)\n"));
    }
    text
}

#[cfg(test)]
mod tests;
