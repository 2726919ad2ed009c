//! First replay of a trace: the verdict of each line, and every input of the board.

use std::rc::Rc;

use hal_mock::{
    Heap, Machine,
    replay::{Failure, FailureCause, ReplayOutcome, ReplaySettings, Verdict, replay_watched},
};
use trace::{Action, BoardFault, BoardParts, Line, ParseErrors, Trace, When, parse_on};
use virtual_time::Instant;

use crate::copies::{COPIES_MAX, Copies};
use crate::files::Files;
use crate::goldens::ProvidedGoldens;
use crate::input::TimedInput;
use crate::observed::{ObservedMachine, Past};
use crate::setup::Setup;

/// A parsed trace, and its text.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Name of its file.
    pub name: String,
    pub text: String,
    pub trace: Trace,
}

/// Parses the trace in `text`, for a board with these parts; included files come from `files`.
/// `None`: for the LCD board.
///
/// # Errors
/// All errors of the text.
pub fn open(
    name: &str,
    text: &str,
    files: &Files,
    parts: Option<&BoardParts>,
) -> Result<Opened, ParseErrors> {
    // Paths of included files begin in the trace's folder, and so do those of `files`.
    let file = name.rsplit('/').next().unwrap_or(name);
    let trace = parse_on(file, text.as_bytes(), &mut files.clone(), parts)?;
    Ok(Opened { name: file.to_owned(), text: text.to_owned(), trace })
}

/// Verdict of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineVerdict {
    /// The line was executed and passed.
    Passed,
    Failed,
    /// The golden is missing, or the board cannot tell.
    Skipped,
}

/// A timed line that was executed.
#[derive(Clone, Debug)]
pub struct LineRun {
    /// Index among the trace's timed lines.
    pub line: usize,
    /// Time of the line.
    pub at: Instant,
    /// Time at which it was over; `None` if the trace stopped in it.
    pub over: Option<Instant>,
    /// Verdict; `None` if more lines have failed than are stored, and this may be one of them.
    pub verdict: Option<LineVerdict>,
    /// Reason of the failure, as a sentence.
    pub message: Option<String>,
}

/// Result of the first replay of a trace.
pub struct Recording {
    pub opened: Opened,
    pub outcome: ReplayOutcome,
    /// Lines that were executed.
    pub lines: Vec<LineRun>,
    /// Faults that the trace injected, with their times.
    pub faults: Vec<(Instant, BoardFault)>,
    /// Inputs and outputs of the machine.
    pub(crate) past: Past,
}

impl Recording {
    /// Replays `opened` on `machine`, whose clock is at 0 and whose power is off.
    pub(crate) fn of(
        opened: Opened,
        machine: Box<dyn Machine>,
        setup: &Setup,
        files: &Files,
    ) -> Self {
        let copies = Copies::new(setup.copied_every, COPIES_MAX);
        let mut machine = ObservedMachine::new(machine, setup.sees_frames, copies);
        let log = Rc::clone(machine.log());
        log.borrow_mut().line = Some(0);
        let mut goldens = ProvidedGoldens::new(files, &opened.name);
        let missing = Rc::clone(&goldens.missing);
        let trace = &opened.trace;
        let mut lines: Vec<LineRun> = Vec::new();
        let mut clock = Instant::START;
        let mut outcome = replay_watched(
            trace,
            &mut machine,
            &setup.reader,
            &mut goldens,
            &ReplaySettings::default(),
            &mut |line, over, _| {
                let at = time_of(line, clock);
                let skipped = missing.replace(false);
                let verdict = if skipped { LineVerdict::Skipped } else { LineVerdict::Passed };
                lines.push(LineRun {
                    line: lines.len(),
                    at,
                    over: Some(over),
                    verdict: Some(verdict),
                    message: None,
                });
                clock = over;
                log.borrow_mut().line = Some(lines.len());
            },
        );
        if let Some(line) = trace.lines.get(lines.len()).filter(|_| outcome.stopped_in.is_some()) {
            lines.push(LineRun {
                line: lines.len(),
                at: time_of(line, clock),
                over: None,
                verdict: Some(LineVerdict::Failed),
                message: None,
            });
        }
        let failures: &[Failure] = match &outcome.verdict {
            Verdict::Failed(failures) => failures,
            _ => &outcome.failed_before,
        };
        judge(trace, &mut lines, failures);
        if let Verdict::Failed(failures) = &mut outcome.verdict {
            failures.retain(|failure| !is_unknown(failure));
            if failures.is_empty() {
                outcome.verdict = Verdict::Passed;
            }
        }
        if outcome.failures_left_out > 0 {
            let last = lines.iter().rposition(|line| line.verdict == Some(LineVerdict::Failed));
            for line in lines.iter_mut().skip(last.map_or(0, |last| last + 1)) {
                line.verdict = None;
            }
        }
        let mut past = Past { end: outcome.ended_at, ..machine.into_past() };
        attribute(trace, &lines, &mut past.done);
        Self { opened, outcome, lines, faults: goldens.faults, past }
    }

    /// Returns the parsed trace.
    pub(crate) fn trace(&self) -> &Trace {
        &self.opened.trace
    }
}

/// Returns the time of `line`, if the line before was over at `clock`.
fn time_of(line: &Line, clock: Instant) -> Instant {
    match line.when {
        When::After(span) => clock.saturating_add(span),
        When::At(at) => at,
    }
}

/// Gives each movement of a finger that the board got before a power-on the line that moves it. The
/// release of a tap keeps its line.
fn attribute(trace: &Trace, lines: &[LineRun], done: &mut [TimedInput]) {
    let is_power_on =
        |line: usize| trace.lines.get(line).is_some_and(|line| line.action == Action::PowerOn);
    for input in done {
        let (Some((button, down)), Some(given)) = (input.finger(), input.line) else { continue };
        let Some(run) = lines.get(given).filter(|_| is_power_on(given)) else { continue };
        let mut clock = run.at;
        // The lines that the replay gives in advance do not wait, so their times are known.
        for (nth, line) in trace.lines.iter().enumerate().skip(given + 1) {
            clock = time_of(line, clock);
            let moves = match &line.action {
                Action::Press(moved) | Action::Tap { button: moved, .. } => {
                    down && *moved == button
                }
                Action::Release(moved) => !down && *moved == button,
                _ => false,
            };
            if moves && clock == input.at() {
                input.line = Some(nth);
                break;
            }
            if clock > input.at() {
                break;
            }
        }
    }
}

/// Gives each failed line its message.
fn judge(trace: &Trace, lines: &mut [LineRun], failures: &[Failure]) {
    for failure in failures {
        let Some(place) = failure.place else { continue };
        let is_it = |run: &&mut LineRun| {
            trace
                .lines
                .get(run.line)
                .is_some_and(|line| line.place == place && line.included == failure.included)
                && run.message.is_none()
        };
        if let Some(run) = lines.iter_mut().find(is_it) {
            let unknown = is_unknown(failure);
            run.verdict = Some(if unknown { LineVerdict::Skipped } else { LineVerdict::Failed });
            run.message = Some(failure.message());
        }
    }
}

/// Returns whether the board cannot tell: only a program with a meter counts allocations.
fn is_unknown(failure: &Failure) -> bool {
    matches!(failure.cause, FailureCause::Heap(Heap::Unknown(_)))
}
