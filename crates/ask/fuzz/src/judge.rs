//! Replays one trace and returns its failures.

use runner::{guard::guard, shrink::Candidate};
use std::cell::Cell;
use std::path::Path;

use hal_mock::{
    Machine as _,
    replay::{self, Failure, FailureCause, ReplayOutcome, Verdict},
    setup::{MachineFactory, SetupError},
};
use host::{Interrupt, Panic};
use insight::{ObservedReplay, SessionRules};
use reading::text::Reader;
use trace::Trace;
use virtual_time::Nanos;

use super::answers::{self, Outputs};
use super::evidence::Evidence;
use super::finding::{Finding, FindingCause, Judgement, LinePattern};
use super::goldens::GoldenComparer;
use super::observer::{ChangeRecorder, EventLog, ReplayObserver};
use super::same::Original;

/// Limit of virtual time for firmware that does not sleep, in a replay of a fuzz run.
const LIMIT: Nanos = Nanos::from_secs(60);

/// Replays traces and finds failures.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    pub boards: MachineFactory<'a>,
    pub reader: &'a Reader,
    /// Rules of the firmware, for boards with its buttons.
    pub rules: Option<&'a dyn SessionRules>,
    /// Folder of the golden frames; `None`: frames are not compared.
    pub goldens: Option<&'a Path>,
    /// Once set, a replay ends where it is, and nothing is found.
    pub interrupt: &'a Interrupt,
}

impl Judge<'_> {
    /// Returns whether `candidate` fails like the `original` and, if `passes` is given, passes on
    /// that board. The second board excludes failures that occur only because the lines that lead
    /// to them were removed.
    pub fn fails_like(
        &self,
        original: &Original,
        candidate: &Candidate,
        passes: Option<&Self>,
    ) -> bool {
        let Candidate { trace, origins } = candidate;
        let is_fine = |judge: &Self| matches!(judge.judge(trace), Ok(None));
        let judged = self.examine(trace);
        let fails =
            matches!(judged, Ok(Some(judged)) if original.is_reproduced_by(&judged, origins));
        fails && passes.is_none_or(is_fine) && !self.interrupt.is_set()
    }

    /// Returns the first failure in a replay of `trace`; `None` if there is none, or if the replay
    /// was interrupted.
    ///
    /// # Errors
    /// If no machine can be built for its header.
    pub fn judge(&self, trace: &Trace) -> Result<Option<Finding>, SetupError> {
        let judged = self.examine(trace)?;
        Ok(judged.and_then(|judged| judged.findings.into_iter().next()))
    }

    /// Returns all failures in a replay of `trace`; `None` if it was interrupted.
    ///
    /// # Errors
    /// If no machine can be built for its header.
    pub fn examine(&self, trace: &Trace) -> Result<Option<Judgement>, SetupError> {
        if self.interrupt.is_set() {
            return Ok(None);
        }
        let mut machine = ChangeRecorder::new(guard(self.interrupt, (self.boards)(trace)?));
        let mut log = EventLog::default();
        let buttons = machine.board().buttons();
        let rules = self.rules.filter(|rules| rules.has_buttons(&buttons));
        let mut invariants = rules.map(|rules| rules.invariants(self.reader));
        let lines_over = Cell::new(0);
        let options = replay::ReplaySettings { limit: LIMIT, ..replay::ReplaySettings::default() };
        // After a panic only the board is read, whose state is consistent between two calls.
        let replayed = host::caught(|| {
            let goldens = self.goldens.map(GoldenComparer::new);
            let mut observer = ReplayObserver { log: &mut log, over: &lines_over, goldens };
            let mut over = |line: &_, at, board: &_| {
                if let Some(invariants) = &mut invariants {
                    invariants.look(line, at, board);
                }
                lines_over.set(lines_over.get() + 1);
            };
            replay::replay_watched(
                trace,
                &mut machine,
                self.reader,
                &mut observer,
                &options,
                &mut over,
            )
        });
        if self.interrupt.is_set() {
            return Ok(None);
        }
        let now = machine.board().now();
        let mut passed = vec![false; trace.lines.len()];
        passed.iter_mut().take(lines_over.get()).for_each(|passed| *passed = true);
        for (index, _) in &log.failures {
            passed.iter_mut().skip(*index).take(1).for_each(|passed| *passed = false);
        }
        let failures = log.failures.iter();
        let mut findings: Vec<Finding> =
            failures.map(|(index, failure)| of_line(*index, failure, trace)).collect();
        let ended_at = match replayed {
            Ok(outcome) => {
                let ended_at = outcome.ended_at;
                findings.extend(of_firmware(outcome));
                ended_at
            }
            Err(panic) => {
                let Panic { message, place, .. } = panic;
                findings.push(Finding { at: now, cause: FindingCause::Panic { message, place } });
                now
            }
        };
        let lines = machine.board().console_lines();
        let (events, changes) = (log.in_order(), &machine.changes);
        if let Some(mut invariants) = invariants {
            let replay = ObservedReplay { events: &events, changes, lines: &lines, ended_at };
            let broken = invariants.broken(&replay).into_iter();
            findings.extend(
                broken.map(|(at, broken)| Finding { at, cause: FindingCause::Invariant(broken) }),
            );
        } else {
            let tones = machine.board().tones();
            let outputs = Outputs { changes, lines: &lines, tones: &tones };
            findings.extend(answers::stuck(&events, outputs, &buttons, ended_at));
        }
        findings.sort_by_key(|finding| finding.at);
        Ok(Some(Judgement { findings, passed, screens: log.screens }))
    }
}

/// Returns the failure of the line `index`.
fn of_line(index: usize, failure: &Failure, trace: &Trace) -> Finding {
    let cause = match (&failure.cause, trace.lines.get(index)) {
        (FailureCause::NoProgress, _) | (_, None) => FindingCause::ClockKept,
        (_, Some(line)) => FindingCause::Line {
            line: LinePattern::of(&line.action),
            index,
            evidence: Evidence::of(failure),
            message: failure.message(),
        },
    };
    Finding { at: failure.at, cause }
}

/// Returns the firmware's own failures, which do not depend on the expectations of the lines.
fn of_firmware(outcome: ReplayOutcome) -> Vec<Finding> {
    let rule = |failure: &Failure| match &failure.cause {
        FailureCause::Violation { rule, bytes, .. } => {
            let (rule, bytes, message) = (*rule, bytes.clone(), failure.message());
            Some(Finding { at: failure.at, cause: FindingCause::Rule { rule, bytes, message } })
        }
        _ => None,
    };
    let (failures, stopped) = match outcome.verdict {
        Verdict::Passed => (Vec::new(), None),
        Verdict::Failed(failures) => (failures, None),
        Verdict::LimitReached { at } => {
            (Vec::new(), Some(Finding { at, cause: FindingCause::ClockKept }))
        }
        Verdict::Broken(error) => {
            let stopped = Finding { at: error.at, cause: FindingCause::Broken(error) };
            (outcome.failed_before, Some(stopped))
        }
    };
    failures.iter().filter_map(rule).chain(stopped).collect()
}
