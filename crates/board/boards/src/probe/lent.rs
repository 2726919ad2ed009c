//! A machine whose probe returns to its pool when the machine is dropped.

use hal_mock::{Machine, MachineWrapper};
use probe::ProbeMachine;

use super::pool::Lease;

/// A machine with its probe. The fields are dropped in this order: the board's power is off before
/// the probe becomes free.
pub(crate) struct LeasedMachine {
    machine: ProbeMachine,
    _lease: Lease,
}

impl LeasedMachine {
    pub(crate) fn new(machine: ProbeMachine, lease: Lease) -> Self {
        Self { machine, _lease: lease }
    }
}

impl MachineWrapper for LeasedMachine {
    fn inner(&self) -> &dyn Machine {
        &self.machine
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        &mut self.machine
    }
}
