//! Records a replay for the invariants, which are judged afterwards: the events of the trace, the
//! times of visible changes, and the lines that failed.

use std::cell::Cell;
use std::collections::BTreeMap;

use hal_mock::{
    Call, Machine, MachineWrapper,
    replay::{self, ChainFrame, Event, Failure},
};
use ili9341_model::Frame;
use reading::golden::{GoldenError, chain::FrameHash};
use trace::FrameCheck;
use virtual_time::{Instant, Nanos};

use super::goldens::GoldenComparer;

/// Changes closer together than this count as one.
const SAME: Nanos = Nanos::from_millis(1);
/// Maximum number of recorded changes. A screen that changes all the time makes 1,000 per second.
const CHANGES_MAX: usize = 4_000_000;

/// A machine with a record of the times of its visible changes.
pub(super) struct ChangeRecorder {
    machine: Box<dyn Machine>,
    pub(super) changes: Vec<Instant>,
}

impl ChangeRecorder {
    pub(super) fn new(machine: Box<dyn Machine>) -> Self {
        Self { machine, changes: Vec::new() }
    }
}

impl MachineWrapper for ChangeRecorder {
    fn inner(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.machine.as_mut()
    }

    fn after(&mut self, _: Call, _: bool) {
        let change = self.machine.board().last_change();
        let room = self.changes.len() < CHANGES_MAX;
        match self.changes.last_mut() {
            Some(last) if *last == change => {}
            // A change that continues is recorded with its latest time.
            Some(last) if change < last.saturating_add(SAME) => *last = change,
            _ if room => self.changes.push(change),
            _ => {}
        }
    }
}

/// The events of the trace, and its lines that failed.
#[derive(Default)]
pub(super) struct EventLog {
    events: Vec<(Instant, Event)>,
    /// Failures, each with the index of its line. They are retained if the firmware panics after
    /// them.
    pub(super) failures: Vec<(usize, Failure)>,
    /// Picture of the LCD at the first failure of each line, by the index of the line.
    pub(super) screens: BTreeMap<usize, FrameHash>,
}

impl EventLog {
    /// Returns the events in order of time. A replay reports the release of a `tap` late.
    pub(super) fn in_order(&self) -> Vec<(Instant, Event)> {
        let mut events = self.events.clone();
        events.sort_by_key(|(at, _)| *at);
        events
    }
}

/// Records the events and failures, and compares frames if there is a folder of goldens.
pub(super) struct ReplayObserver<'a> {
    pub(super) log: &'a mut EventLog,
    /// Number of executed lines, which is the index of the current one.
    pub(super) over: &'a Cell<usize>,
    pub(super) goldens: Option<GoldenComparer<'a>>,
}

impl replay::Goldens for ReplayObserver<'_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        self.goldens.as_ref().map_or(Ok(()), |goldens| goldens.check(expected, actual))
    }

    fn watch(&mut self, name: &str, seen: &ChainFrame<'_>) {
        if let Some(goldens) = &mut self.goldens {
            goldens.watch(name, seen);
        }
    }

    fn chain(&mut self, name: &str) -> Result<(), GoldenError> {
        self.goldens.as_mut().map_or(Ok(()), |goldens| goldens.chain(name))
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn happened(&mut self, at: Instant, event: Event) {
        self.log.events.push((at, event));
    }

    fn failed(&mut self, failure: &Failure, frame: &Frame) {
        self.log.screens.entry(self.over.get()).or_insert_with(|| FrameHash::of(frame));
        self.log.failures.push((self.over.get(), failure.clone()));
    }
}
