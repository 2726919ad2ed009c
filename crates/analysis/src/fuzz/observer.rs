//! Records a replay for the invariants, which are judged afterwards: the events of the trace, and the
//! moments of visible changes.

use std::path::Path;

use hal_mock::golden::{GoldenError, compare_part, read_png};
use hal_mock::replay::{self, Event};
use hal_mock::trace::FrameCheck;
use hal_mock::{Frame, Heap, Instant, Machine, MachineError, Nanos, VirtualBoard};

/// Changes closer together than this count as one.
const SAME: Nanos = Nanos::from_millis(1);
/// At most this many changes are recorded; a screen that changes all the time makes 1,000 a second.
const CHANGES_MAX: usize = 4_000_000;

/// A machine, and the moments at which something visible changed on it.
pub(super) struct ChangeRecorder {
    machine: Box<dyn Machine>,
    pub(super) changes: Vec<Instant>,
}

impl ChangeRecorder {
    pub(super) fn new(machine: Box<dyn Machine>) -> Self {
        Self { machine, changes: Vec::new() }
    }

    fn look(&mut self) {
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

impl Machine for ChangeRecorder {
    fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        let result = self.machine.power_on();
        self.look();
        result
    }

    fn power_off(&mut self) {
        self.machine.power_off();
        self.look();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        let result = self.machine.step(limit);
        self.look();
        result
    }

    fn heap(&self) -> Heap {
        self.machine.heap()
    }
}

/// The events of the trace.
#[derive(Default)]
pub(super) struct EventLog {
    events: Vec<(Instant, Event)>,
}

impl EventLog {
    /// In order of time; a replay reports the release of a `tap` late.
    pub(super) fn in_order(&self) -> Vec<(Instant, Event)> {
        let mut events = self.events.clone();
        events.sort_by_key(|(at, _)| *at);
        events
    }
}

/// Records the events, and compares frames if there is a folder of goldens.
pub(super) struct GoldenFolder<'a> {
    pub(super) log: &'a mut EventLog,
    pub(super) folder: Option<&'a Path>,
}

impl replay::Goldens for GoldenFolder<'_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        let Some(folder) = self.folder else { return Ok(()) };
        let golden = read_png(folder.join(format!("{}.png", expected.name)))
            .map_err(|error| error.to_string())?;
        Ok(compare_part(actual, &golden, expected.shown(), &expected.rules)?)
    }

    fn chain(&mut self, _name: &str) -> Result<(), GoldenError> {
        Ok(())
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn happened(&mut self, at: Instant, event: Event) {
        self.log.events.push((at, event));
    }
}
