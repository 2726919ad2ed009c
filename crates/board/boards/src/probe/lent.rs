//! A machine whose probe returns to its pool when the machine is dropped.

use hal_mock::{Call, Machine, MachineWrapper};
use probe::ProbeMachine;

use super::pool::Lease;

/// A machine with its probe. The fields are dropped in this order: the board's power is off before
/// the probe becomes free.
pub(crate) struct LeasedMachine {
    machine: ProbeMachine,
    lease: Lease,
    /// Whether the pool knows of the failure of the bench.
    has_failed: bool,
}

impl LeasedMachine {
    pub(crate) fn new(machine: ProbeMachine, lease: Lease) -> Self {
        Self { machine, lease, has_failed: false }
    }
}

impl MachineWrapper for LeasedMachine {
    fn inner(&self) -> &dyn Machine {
        &self.machine
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        &mut self.machine
    }

    /// Sets the probe aside if the bench has failed.
    fn after(&mut self, _: Call, succeeded: bool) {
        let failure = self.machine.failure().filter(|error| !succeeded && error.is_of_bench());
        if let Some(error) = failure.filter(|_| !std::mem::replace(&mut self.has_failed, true)) {
            self.lease.fail(error);
        }
    }
}
