//! Interruption of replays, for Ctrl-C: a flag, and machines that stop at their next step once it is
//! set.
//!
//! After a replay its caller checks [`Interrupt::is_set`]: an interrupted replay has no result. This
//! module knows no signals; the command `nudge` sets the flag.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hal_mock::{Heap, Instant, Machine, MachineError, VirtualBoard};

/// The flag. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Sets the flag, which cannot be cleared. Returns whether it was set before.
    pub fn set(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Whether it has been set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// `machine`, whose steps fail once the flag is set.
    pub fn guard(&self, machine: Box<dyn Machine>) -> Box<dyn Machine> {
        Box::new(Guarded { machine, interrupt: self.clone() })
    }
}

/// Why a guarded machine stops: the flag is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("interrupted")
    }
}

impl Error for Interrupted {}

struct Guarded {
    machine: Box<dyn Machine>,
    interrupt: Interrupt,
}

impl Guarded {
    fn check(&self) -> Result<(), MachineError> {
        if self.interrupt.is_set() {
            return Err(MachineError::new(self.board().now(), Interrupted));
        }
        Ok(())
    }
}

impl Machine for Guarded {
    fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.check()?;
        self.machine.power_on()
    }

    fn power_off(&mut self) {
        self.machine.power_off();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.check()?;
        self.machine.step(limit)
    }

    fn heap(&self) -> Heap {
        self.machine.heap()
    }
}
