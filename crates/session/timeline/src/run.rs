//! Runs a machine: steps it, and gives it each input at its place.

use hal_mock::{Machine, MachineError, VirtualBoard, replay::STEPS_WITHOUT_TIME};
use thiserror::Error;
use virtual_time::Instant;

use crate::copies::Copies;
use crate::input::{MachineInput, TimedInput};

/// Reason why a machine does not continue.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    /// The machine has failed.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// The firmware lets no time pass.
    #[error("the firmware keeps the clock for itself since {0}")]
    ClockKept(Instant),
}

/// Observes a machine after each of its steps.
pub(crate) trait StepObserver {
    /// Returns how far a step may go, so that nothing is missed.
    fn limit(&self, board: &VirtualBoard, limit: Instant) -> Instant;
    /// Called after each step and each input.
    fn observe(&mut self, board: &VirtualBoard);
}

/// Observes nothing.
pub(crate) struct NoObserver;

impl StepObserver for NoObserver {
    fn limit(&self, _: &VirtualBoard, limit: Instant) -> Instant {
        limit
    }

    fn observe(&mut self, _: &VirtualBoard) {}
}

/// A machine, and the number of inputs that were given to it.
pub(crate) struct Run {
    machine: Box<dyn Machine>,
    /// Number of inputs that were given.
    next: usize,
    /// Number of steps since the clock moved last.
    idle: u32,
    /// Clock before the last step that moved it: of earlier times the board shows nothing exact.
    before: Instant,
    /// Time at which the firmware had started, if this run has switched the power on last.
    started: Option<Instant>,
    broken: Option<Broken>,
}

impl Run {
    /// Runs a machine whose clock is at 0 and whose power is off.
    pub(crate) fn new(machine: Box<dyn Machine>) -> Self {
        Self { machine, next: 0, idle: 0, before: Instant::START, started: None, broken: None }
    }

    /// Runs a copy that was made `idle` steps after the clock had moved last, and to which `next`
    /// inputs had been given.
    pub(crate) fn from_copy(machine: Box<dyn Machine>, next: usize, idle: u32) -> Self {
        let before = machine.board().now();
        Self { machine, next, idle, before, started: None, broken: None }
    }

    /// Returns the machine, or the reason if it does not continue.
    pub(crate) fn into_machine(self) -> Result<Box<dyn Machine>, Broken> {
        self.broken.map_or(Ok(self.machine), Err)
    }

    pub(crate) fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    pub(crate) fn now(&self) -> Instant {
        self.machine.board().now()
    }

    pub(crate) fn next(&self) -> usize {
        self.next
    }

    pub(crate) fn idle(&self) -> u32 {
        self.idle
    }

    /// Returns the time at which the firmware had started, if this run has switched the power on last.
    pub(crate) fn started(&self) -> Option<Instant> {
        self.started
    }

    pub(crate) fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }

    /// Returns whether the machine can show `at`, perhaps after some more steps.
    pub(crate) fn can_reach(&self, at: Instant) -> bool {
        at >= self.before
    }

    /// Gives all inputs of `done` that are due, and steps until the clock is at `until` or, by
    /// one step, after it. A broken machine does nothing.
    pub(crate) fn advance(
        &mut self,
        done: &[TimedInput],
        until: Instant,
        observer: &mut dyn StepObserver,
        mut copies: Option<&mut Copies>,
    ) {
        while self.broken.is_none() || self.is_revived(done) {
            let now = self.now();
            let due = done.get(self.next);
            if let Some(due) = due
                && (due.clock < now
                    || due.clock == now && (due.idle <= self.idle || self.broken.is_some()))
            {
                self.next += 1;
                if due.input == MachineInput::PowerOff {
                    self.broken = None;
                }
                if let Err(error) = due.apply(self.machine.as_mut()) {
                    self.broken = Some(Broken::Machine(error));
                }
                if due.is_power() {
                    let is_on = due.input == MachineInput::PowerOn;
                    self.started = is_on.then(|| self.now());
                }
                self.moved(now);
                observer.observe(self.machine.board());
                continue;
            }
            let waits_here = due.is_some_and(|due| due.clock == now);
            if now >= until && !waits_here {
                return;
            }
            let limit = due.map_or(until, |due| until.min(due.clock)).max(now);
            let limit = observer.limit(self.machine.board(), limit).max(now);
            if let Err(error) = self.machine.step(limit) {
                self.broken = Some(Broken::Machine(error));
            }
            self.moved(now);
            observer.observe(self.machine.board());
            if self.idle >= STEPS_WITHOUT_TIME {
                self.broken = Some(Broken::ClockKept(now));
            }
            if let Some(copies) = copies.as_deref_mut()
                && self.idle == 0
                && self.broken.is_none()
            {
                copies.offer(self.machine.as_ref(), self.next);
            }
        }
    }

    /// Returns whether the power of a stopped machine is switched off at its present time.
    fn is_revived(&self, done: &[TimedInput]) -> bool {
        let now = self.now();
        let here = done.get(self.next..).unwrap_or_default();
        here.iter()
            .take_while(|due| due.clock <= now)
            .any(|due| due.input == MachineInput::PowerOff)
    }

    /// Counts a step that began at `before`.
    fn moved(&mut self, before: Instant) {
        if self.now() > before {
            self.idle = 0;
            self.before = before;
        } else {
            self.idle += 1;
        }
    }
}
