//! Interrupts replays for Ctrl-C: a flag, and machines that stop at their next step after it is set
//! or after they have taken too long.
//!
//! After a replay the caller checks [`Interrupt::is_set`]: an interrupted replay has no result. A
//! replay that took too long fails because the machine cannot continue, with the cause
//! [`TimedOut`]. This module does not know signals; the command `nudge` sets the flag.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use hal_mock::{Call, Machine, MachineError, MachineWrapper};
use host::Interrupt;
use host::clock::Stopwatch;
use virtual_time::{Nanos, spoken};

use crate::hang::CallMark;

/// Returns `machine` with steps that fail once `interrupt` is set.
pub fn guard(interrupt: &Interrupt, machine: Box<dyn Machine>) -> Box<dyn Machine> {
    guard_within(interrupt, machine, None)
}

/// Returns `machine` with steps that fail once `interrupt` is set, or once `limit` of wall time has
/// passed since this call.
pub fn guard_within(
    interrupt: &Interrupt,
    machine: Box<dyn Machine>,
    limit: Option<Nanos>,
) -> Box<dyn Machine> {
    let limit = limit.map(|limit| (Stopwatch::start(), limit));
    // The times of a real board's machine are those of the board, which it waits for.
    let mark = machine.board().inputs_from().is_none().then(CallMark::of_thread);
    Box::new(Guarded { machine, interrupt: interrupt.clone(), limit, mark })
}

/// Reason why a guarded machine stops: the flag is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("interrupted")
    }
}

impl Error for Interrupted {}

/// Reason why a guarded machine stops: it has taken too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedOut {
    /// Limit of wall time that was exceeded.
    pub limit: Nanos,
}

impl fmt::Display for TimedOut {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "it takes longer than {} of wall time", spoken(self.limit))
    }
}

impl Error for TimedOut {}

struct Guarded {
    machine: Box<dyn Machine>,
    interrupt: Interrupt,
    limit: Option<(Stopwatch, Nanos)>,
    /// Notes each call, if one that does not return is an error.
    mark: Option<CallMark>,
}

impl MachineWrapper for Guarded {
    fn inner(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.machine.as_mut()
    }

    fn before(&mut self, _: Call) -> Result<(), MachineError> {
        if self.interrupt.is_set() {
            return Err(MachineError::new(self.board().now(), Interrupted));
        }
        match self.limit {
            Some((watch, limit)) if watch.elapsed() > Duration::from_nanos(limit.0) => {
                return Err(MachineError::new(self.board().now(), TimedOut { limit }));
            }
            _ => {}
        }
        if let Some(mark) = &self.mark {
            mark.enter(self.board().now());
        }
        Ok(())
    }

    fn after(&mut self, _: Call, _: bool) {
        if let Some(mark) = &self.mark {
            mark.leave();
        }
    }

    fn copy(&self) -> Option<Box<dyn Machine>> {
        let machine = self.machine.fork()?;
        let (interrupt, mark) = (self.interrupt.clone(), self.mark.clone());
        Some(Box::new(Self { machine, interrupt, limit: self.limit, mark }))
    }
}
