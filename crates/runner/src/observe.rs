//! Observers of a replay beside the reports: a film, a waveform, a table of times.
//!
//! The caller of [`run_observed`](crate::run_observed) gives an [`ObserverFactory`]. The runner calls
//! it when the first replay of a trace begins, on the thread that replays it. Observers do not
//! change the replay. Replays that [`repeat`](crate::ReplayOptions::repeat)
//! adds are not observed, and a replay that is interrupted does not end.

use core::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use hal_mock::replay::{Failure, Outcome, Verdict};
use hal_mock::trace::{Action, Line, Place, Trace};
use hal_mock::{Instant, VirtualBoard};

/// Observes one replay.
pub trait ReplayObserver {
    /// A frame is complete that `board` shows now; its last pixel changed at `at`.
    /// [`frames`](crate::frames) lists the frames that are not observed.
    fn frame_complete(&mut self, _at: Instant, _board: &VirtualBoard) {}

    /// A line was carried out and did not stop the trace. `at` is the virtual time at which it was
    /// over: behind the line's own time only if the line waited.
    fn line_over(&mut self, _line: &Line, _at: Instant, _board: &VirtualBoard) {}

    /// The replay is over. It is the last call.
    fn ended(&mut self, _end: &ReplayEnd<'_>) {}
}

/// A replay that begins.
#[derive(Clone, Copy)]
pub struct ReplayStart<'a> {
    /// The trace's file, as it was found.
    pub path: &'a Path,
    /// The trace.
    pub trace: &'a Trace,
    /// The board that it runs on: its clock at 0, its power off.
    pub board: &'a VirtualBoard,
}

/// A replay that is over.
#[derive(Clone, Copy)]
pub struct ReplayEnd<'a> {
    /// The trace's file, as it was found.
    pub path: &'a Path,
    /// The trace.
    pub trace: &'a Trace,
    /// The board that it ran on.
    pub board: &'a VirtualBoard,
    /// How it went.
    pub outcome: Result<&'a Outcome, &'a FirmwarePanic>,
    /// The virtual time of its end.
    pub ended_at: Instant,
}

/// Makes the observers of a replay.
pub type ObserverFactory<'a> =
    &'a (dyn Fn(&ReplayStart<'_>) -> Vec<Box<dyn ReplayObserver + 'a>> + Sync);

/// The firmware panicked, with this message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the firmware panicked: {0}")]
pub struct FirmwarePanic(pub String);

/// `outcome` of `trace` without what golden frames, chains and screenshots were blamed for: what a
/// replay with [`Unjudged`](hal_mock::replay::Unjudged) returns, unless more than
/// [`FAILURES_KEPT`](hal_mock::replay::FAILURES_KEPT) lines failed.
pub fn without_goldens(trace: &Trace, outcome: &Outcome) -> Outcome {
    let of_golden = |place: Place| {
        let line = trace.lines.iter().find(|line| line.place == place);
        line.is_some_and(|line| {
            matches!(
                line.action,
                Action::ExpectFrame(_) | Action::ExpectFrames { .. } | Action::Screenshot(_)
            )
        })
    };
    retain_failures(outcome, |failure| !failure.place.is_some_and(of_golden))
}

/// `outcome` without broken rules of the LCD's datasheet, as if they were allowed.
pub fn without_violations(outcome: &Outcome) -> Outcome {
    retain_failures(outcome, |failure| failure.place.is_some())
}

fn retain_failures(outcome: &Outcome, retained: impl Fn(&Failure) -> bool) -> Outcome {
    let mut outcome = outcome.clone();
    outcome.failed_before.retain(&retained);
    if let Verdict::Failed(failures) = &mut outcome.verdict {
        failures.retain(&retained);
        if failures.is_empty() {
            outcome.verdict = Verdict::Passed;
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

    pub fn line_over(&self, line: &Line, at: Instant, board: &VirtualBoard) {
        self.0.borrow_mut().iter_mut().for_each(|observer| observer.line_over(line, at, board));
    }

    pub fn ended(&self, end: &ReplayEnd<'_>) {
        self.0.borrow_mut().iter_mut().for_each(|observer| observer.ended(end));
    }
}

#[cfg(test)]
mod tests {
    use hal_mock::replay::{FailureCause, FailureId};
    use hal_mock::trace;

    use super::*;

    const TRACE: &str = "trace 1\n\n0ms power on\n+1s expect frame end\n+0ms screenshot end\n\
                         +0ms expect frames all\n+0ms expect text \"A\"\n";

    /// An outcome with a failure of each line of [`TRACE`] from the second on, and a violation.
    fn outcome(trace: &Trace) -> Outcome {
        let failure = |(id, place)| Failure {
            id: FailureId(id),
            place,
            at: Instant::from_secs(1),
            cause: FailureCause::Golden("it differs".to_owned().into()),
            shown: None,
        };
        let places = trace.lines[1..].iter().map(|line| Some(line.place)).chain([None]);
        Outcome {
            verdict: Verdict::Failed(places.enumerate().map(failure).collect()),
            ended_at: Instant::from_secs(1),
            frames: 0,
            lines: 5,
            stopped_in: None,
            failures_left_out: 0,
            failed_before: Vec::new(),
        }
    }

    /// The lines of the failures, 0 for a violation.
    fn lines(outcome: &Outcome) -> Vec<u32> {
        match &outcome.verdict {
            Verdict::Failed(failures) => {
                failures.iter().map(|failure| failure.place.map_or(0, |place| place.line)).collect()
            }
            _ => Vec::new(),
        }
    }

    #[test]
    fn goldens_and_violations_are_left_out_and_nothing_else() {
        let trace = trace::parse("a.trace", TRACE).unwrap();
        let outcome = outcome(&trace);
        assert_eq!(lines(&outcome), [4, 5, 6, 7, 0]);
        let without = without_goldens(&trace, &outcome);
        assert_eq!(lines(&without), [7, 0]);
        assert_eq!(lines(&without_violations(&without)), [7]);
    }

    #[test]
    fn an_outcome_without_failures_has_passed() {
        let trace = trace::parse("a.trace", TRACE).unwrap();
        let mut outcome = outcome(&trace);
        if let Verdict::Failed(failures) = &mut outcome.verdict {
            failures.truncate(3);
        }
        assert_eq!(without_goldens(&trace, &outcome).verdict, Verdict::Passed);
    }
}
