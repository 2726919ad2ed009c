//! Replays one trace and returns its first failure.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use hal_mock::replay::{self, Failure, ReplayOutcome, Verdict};
use hal_mock::setup::{MachineFactory, SetupError};
use hal_mock::text::Reader;
use hal_mock::trace::Trace;
use hal_mock::{Instant, Machine as _, Nanos};
use runner::interrupt::Interrupt;

use super::finding::{Finding, FindingCause, LinePattern};
use super::invariants;
use super::observer::{ChangeRecorder, EventLog, GoldenFolder};
use super::panel::Panel;

/// The limit of virtual time for firmware that does not sleep, in a replay of a fuzz run.
const LIMIT: Nanos = Nanos::from_secs(60);

/// Replays traces and finds their first failure.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// Builds the machines.
    pub boards: MachineFactory<'a>,
    /// Reads the LCD.
    pub reader: &'a Reader,
    /// The folder of the golden frames; `None`: frames are not compared.
    pub goldens: Option<&'a Path>,
    /// Once it is set, a replay ends where it is, and nothing is found.
    pub interrupt: &'a Interrupt,
}

impl Judge<'_> {
    /// Whether `trace` fails like `finding` and, if `passes` is given, passes there. The second board
    /// rules out expectations that fail only because the lines that lead to them were removed.
    pub fn fails_like(&self, finding: &Finding, trace: &Trace, passes: Option<&Self>) -> bool {
        let is_fine = |judge: &Self| matches!(judge.judge(trace), Ok(None));
        let found = self.judge(trace);
        let fails = matches!(found, Ok(Some(found)) if found.cause.kind() == finding.cause.kind());
        fails && passes.is_none_or(is_fine) && !self.interrupt.is_set()
    }

    /// The first failure in a replay of `trace`; `None` if there is none, or if it was interrupted.
    ///
    /// # Errors
    /// If no machine can be built for its header.
    pub fn judge(&self, trace: &Trace) -> Result<Option<Finding>, SetupError> {
        if self.interrupt.is_set() {
            return Ok(None);
        }
        let mut machine = ChangeRecorder::new(self.interrupt.guard((self.boards)(trace)?));
        let mut log = EventLog::default();
        let mut panel = Panel::new(self.reader);
        let options = replay::ReplaySettings { limit: LIMIT, ..replay::ReplaySettings::default() };
        // After a panic only the board is looked at, whose state is consistent between two calls.
        let replayed = catch_unwind(AssertUnwindSafe(|| {
            let mut goldens = GoldenFolder { log: &mut log, folder: self.goldens };
            let mut over = |line: &_, at, board: &_| panel.look(line, at, board);
            replay::replay_watched(
                trace,
                &mut machine,
                self.reader,
                &mut goldens,
                &options,
                &mut over,
            )
        }));
        if self.interrupt.is_set() {
            return Ok(None);
        }
        let now = machine.board().now();
        let (ended_at, failed) = match replayed {
            Ok(outcome) => (outcome.ended_at, failed(outcome, trace)),
            Err(panic) => (now, Some(panicked(panic.as_ref(), now))),
        };
        let lines = machine.board().console_lines();
        let found = [
            failed,
            invariants::stones(&lines),
            invariants::reset(&log.in_order(), &machine.changes, &lines, panel.in_menu(), ended_at),
            panel.into_finding(),
        ];
        Ok(found.into_iter().flatten().min_by_key(|finding| finding.at))
    }
}

fn panicked(panic: &(dyn Any + Send), at: Instant) -> Finding {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    Finding { at, cause: FindingCause::Panic(text) }
}

/// The first failure of a replay of `trace`.
fn failed(outcome: ReplayOutcome, trace: &Trace) -> Option<Finding> {
    let first = |failures: Vec<Failure>| {
        let failure = failures.into_iter().min_by_key(|failure| failure.at)?;
        let line = trace.lines.iter().find(|line| Some(line.place) == failure.place);
        let (at, message) = (failure.at, failure.message());
        let cause = match line {
            Some(line) => FindingCause::Line { line: LinePattern::of(&line.action), message },
            None => FindingCause::Rule { rule: failure.rule()?, message },
        };
        Some(Finding { at, cause })
    };
    match outcome.verdict {
        Verdict::Passed => None,
        Verdict::Failed(failures) => first(failures),
        Verdict::LimitReached { at } => Some(Finding { at, cause: FindingCause::ClockKept }),
        Verdict::Broken(error) => first(outcome.failed_before)
            .or(Some(Finding { at: error.at, cause: FindingCause::Broken(error) })),
    }
}
