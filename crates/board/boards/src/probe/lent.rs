//! A machine whose probe returns to its pool when the machine is dropped.

use hal_mock::{Heap, Machine, MachineError, VirtualBoard};
use probe::ProbeMachine;
use virtual_time::Instant;

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

impl Machine for LeasedMachine {
    fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.machine.power_on()
    }

    fn power_off(&mut self) {
        self.machine.power_off();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.machine.step(limit)
    }

    fn heap(&self) -> Heap {
        self.machine.heap()
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        self.machine.fork()
    }
}
