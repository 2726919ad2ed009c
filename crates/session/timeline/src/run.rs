//! A machine on its way: it is stepped forward, and what was done is done to it at its place.

use hal_mock::{Machine, MachineError, VirtualBoard, replay::STEPS_WITHOUT_TIME};
use thiserror::Error;
use virtual_time::Instant;

use crate::copies::Copies;
use crate::input::{MachineInput, TimedInput};

/// Why a machine does not go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    /// It cannot.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// Its firmware lets no time pass.
    #[error("the firmware keeps the clock for itself since {0}")]
    ClockKept(Instant),
}

/// What looks at a machine behind each of its steps.
pub(crate) trait StepObserver {
    /// How far a step may go, so that nothing is missed.
    fn limit(&self, board: &VirtualBoard, limit: Instant) -> Instant;
    /// A step, or something that was done, is over.
    fn observe(&mut self, board: &VirtualBoard);
}

/// Looks at nothing.
pub(crate) struct NoObserver;

impl StepObserver for NoObserver {
    fn limit(&self, _: &VirtualBoard, limit: Instant) -> Instant {
        limit
    }

    fn observe(&mut self, _: &VirtualBoard) {}
}

/// A machine, and how much of what was done has been done to it.
pub(crate) struct Run {
    machine: Box<dyn Machine>,
    /// Deeds that have been done.
    next: usize,
    /// Steps since the clock moved last.
    idle: u32,
    /// The clock before the last step that moved it: what it shows of moments before is not exact.
    before: Instant,
    broken: Option<Broken>,
}

impl Run {
    /// Of a machine whose clock is at 0 and whose power is off.
    pub(crate) fn new(machine: Box<dyn Machine>) -> Self {
        Self { machine, next: 0, idle: 0, before: Instant::START, broken: None }
    }

    /// Of a copy that was made right behind a step that moved the clock, with `next` inputs done to it.
    pub(crate) fn from_copy(machine: Box<dyn Machine>, next: usize) -> Self {
        let before = machine.board().now();
        Self { machine, next, idle: 0, before, broken: None }
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

    pub(crate) fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }

    /// Whether it can show the moment `at`, perhaps after some more steps.
    pub(crate) fn can_reach(&self, at: Instant) -> bool {
        at >= self.before
    }

    /// Does all of `done` that has its place by now, and steps until the clock stands at `until` or, by one
    /// step, behind it. Once it is broken it does nothing.
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
                copies.offer(&self.machine, self.next);
            }
        }
    }

    /// Whether the power of a machine that has stopped is switched off where it stands.
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
