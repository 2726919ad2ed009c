//! Observers of a replay in addition to the reports: a film, a waveform, a table of times.
//!
//! The caller of [`run_observed`](crate::run_observed) passes an [`ObserverFactory`]. The runner
//! calls it when the first replay of a trace begins, on the thread that replays it. Observers do
//! not change the replay. Replays that [`repeat`](crate::ReplayOptions::repeat) adds are not
//! observed, and [`ended`](ReplayObserver::ended) is not called for an interrupted replay.

use core::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use hal_mock::{
    VirtualBoard,
    replay::{Failure, FailureCause, ReplayOutcome, Verdict},
};
use trace::{Line, Trace};
use virtual_time::Instant;

/// Observes one replay.
pub trait ReplayObserver {
    /// Called when the frame that `board` now shows is complete. Its last pixel changed at `at`.
    /// [`frames`](crate::frames) lists the frames that are not observed.
    fn frame_complete(&mut self, _at: Instant, _board: &VirtualBoard) {}

    /// Called after a line was executed that did not stop the trace. `at` is the virtual time at
    /// which the line ended: later than the line's own time only if the line waited.
    fn line_ended(&mut self, _line: &Line, _at: Instant, _board: &VirtualBoard) {}

    /// Called last, after the replay has ended.
    fn ended(&mut self, _end: &ReplayEnd<'_>) {}
}

/// A replay that begins.
#[derive(Clone, Copy)]
pub struct ReplayStart<'a> {
    /// The trace's file, as it was found.
    pub path: &'a Path,
    pub trace: &'a Trace,
    /// Board that the trace will run on, with its clock at 0 and its power off.
    pub board: &'a VirtualBoard,
}

/// A finished replay.
#[derive(Clone, Copy)]
pub struct ReplayEnd<'a> {
    /// The trace's file, as it was found.
    pub path: &'a Path,
    pub trace: &'a Trace,
    /// Board that the trace ran on.
    pub board: &'a VirtualBoard,
    pub outcome: Result<&'a ReplayOutcome, &'a FirmwarePanic>,
    /// Virtual time at which the replay ended.
    pub ended_at: Instant,
}

/// Makes the observers of a replay.
pub type ObserverFactory<'a> =
    &'a (dyn Fn(&ReplayStart<'_>) -> Vec<Box<dyn ReplayObserver + 'a>> + Sync);

/// The firmware panicked, with this message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the firmware panicked: {0}")]
pub struct FirmwarePanic(pub String);

/// Returns `outcome` without the failures of golden frames, chains and screenshots: the result of a
/// replay with [`Unjudged`](hal_mock::replay::Unjudged), unless more than
/// [`FAILURES_MAX`](hal_mock::replay::FAILURES_MAX) lines failed.
pub fn without_goldens(outcome: &ReplayOutcome) -> ReplayOutcome {
    retain_failures(outcome, |failure| !matches!(failure.cause, FailureCause::Golden(_)))
}

/// Returns `outcome` without the violations of the LCD's datasheet, as if they were allowed.
pub fn without_violations(outcome: &ReplayOutcome) -> ReplayOutcome {
    retain_failures(outcome, |failure| failure.rule().is_none())
}

fn retain_failures(outcome: &ReplayOutcome, retained: impl Fn(&Failure) -> bool) -> ReplayOutcome {
    let mut outcome = outcome.clone();
    outcome.failed_before.retain(&retained);
    if let Verdict::Failed(failures) = &mut outcome.verdict {
        failures.retain(&retained);
        match &failures[..] {
            [] => outcome.verdict = Verdict::Passed,
            // `ClockKept` counts as a failure only together with another one; alone it means the
            // limit was reached.
            [Failure { cause: FailureCause::NoProgress, at, .. }] => {
                outcome.verdict = Verdict::LimitReached { at: *at };
            }
            _ => {}
        }
    }
    outcome
}

/// The observers of one replay. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Observers<'a>(Rc<RefCell<Vec<Box<dyn ReplayObserver + 'a>>>>);

impl<'a> Observers<'a> {
    pub fn new(observers: Vec<Box<dyn ReplayObserver + 'a>>) -> Self {
        Self(Rc::new(RefCell::new(observers)))
    }

    pub fn frame_complete(&self, at: Instant, board: &VirtualBoard) {
        self.0.borrow_mut().iter_mut().for_each(|observer| observer.frame_complete(at, board));
    }

    pub fn line_ended(&self, line: &Line, at: Instant, board: &VirtualBoard) {
        self.0.borrow_mut().iter_mut().for_each(|observer| observer.line_ended(line, at, board));
    }

    pub fn ended(&self, end: &ReplayEnd<'_>) {
        self.0.borrow_mut().iter_mut().for_each(|observer| observer.ended(end));
    }
}

#[cfg(test)]
mod tests {
    use hal_mock::replay::FailureId;
    use ili9341_model::Rule;
    use reading::golden::GoldenError;
    use trace::Place;

    use super::*;

    const AT: Instant = Instant::from_secs(1);

    fn golden() -> FailureCause {
        GoldenError::from("it differs".to_owned()).into()
    }

    fn text() -> FailureCause {
        FailureCause::TextMissing { wanted: "A".into(), near: None }
    }

    fn violation() -> FailureCause {
        let table = &ili9341_model::panel_tables::ILI9341;
        FailureCause::Violation { rule: Rule::ALL[0], bytes: Vec::new(), table, display: None }
    }

    fn outcome(causes: Vec<FailureCause>) -> ReplayOutcome {
        let failures = causes.into_iter().enumerate().map(|(nth, cause)| Failure {
            id: FailureId(nth),
            place: Some(Place::default()),
            included: None,
            at: AT,
            cause,
            display: None,
            shown: None,
        });
        ReplayOutcome {
            verdict: Verdict::Failed(failures.collect()),
            ended_at: AT,
            frames: 0,
            lines: 5,
            stopped_in: None,
            failures_left_out: 0,
            failed_before: Vec::new(),
        }
    }

    fn causes(outcome: ReplayOutcome) -> Vec<FailureCause> {
        match outcome.verdict {
            Verdict::Failed(failures) => {
                failures.into_iter().map(|failure| failure.cause).collect()
            }
            _ => Vec::new(),
        }
    }

    #[test]
    fn goldens_and_violations_are_left_out_and_nothing_else() {
        let without = without_goldens(&outcome(vec![golden(), text(), golden(), violation()]));
        assert_eq!(causes(without.clone()), [text(), violation()]);
        assert_eq!(causes(without_violations(&without)), [text()]);
    }

    #[test]
    fn an_outcome_without_failures_has_passed() {
        assert_eq!(without_goldens(&outcome(vec![golden()])).verdict, Verdict::Passed);
    }

    #[test]
    fn clock_kept_as_the_only_failure_means_the_limit_was_reached() {
        let kept = || FailureCause::NoProgress;
        let without = without_goldens(&outcome(vec![golden(), kept()]));
        assert_eq!(without.verdict, Verdict::LimitReached { at: AT });
        let without = without_goldens(&outcome(vec![golden(), text(), kept()]));
        assert_eq!(causes(without), [text(), kept()]);
    }
}
