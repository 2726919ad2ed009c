//! HardFaults that did not end the program: their handlers returned.

use super::{CoreFault, Cpu, Exception};

/// HardFaults of one core whose handlers have returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurvivedFaults {
    /// The first of them.
    pub first: CoreFault,
    /// Their number.
    pub count: u64,
}

impl Cpu {
    /// Returns the HardFaults whose handlers have returned, since the core was created.
    pub fn survived_faults(&self) -> Option<&SurvivedFaults> {
        self.survived.as_deref()
    }

    /// Takes the exception `ended` off the record of faults, if it is the HardFault and no other
    /// one is pending.
    pub(super) fn end_fault(&mut self, ended: Exception) {
        if ended != Exception::HARD_FAULT || self.nvic.is_pending(Exception::HARD_FAULT) {
            return;
        }
        let Some(fault) = self.fault.take() else { return };
        match &mut self.survived {
            Some(survived) => survived.count += 1,
            None => self.survived = Some(Box::new(SurvivedFaults { first: *fault, count: 1 })),
        }
    }
}
