//! A machine whose probe goes back to its pool.

use hal_mock::{Machine, MachineWrapper};
use probe::ProbeMachine;

use super::pool::Lease;

/// A machine, and the probe that it has. They are dropped in this order: the board's power is off when the probe is free.
pub(crate) struct Lent {
    machine: ProbeMachine,
    _lease: Lease,
}

impl Lent {
    pub(crate) fn new(machine: ProbeMachine, lease: Lease) -> Self {
        Self { machine, _lease: lease }
    }
}

impl MachineWrapper for Lent {
    fn inner(&self) -> &dyn Machine {
        &self.machine
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        &mut self.machine
    }
}
