//! A machine around another one: it forwards each call, and does something before and after it.

use super::{Heap, Machine, MachineError};
use crate::VirtualBoard;
use virtual_time::Instant;

/// A call of a wrapped machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// [`Machine::power_on`].
    PowerOn,
    /// [`Machine::power_off`].
    PowerOff,
    /// [`Machine::step`].
    Step,
}

/// A machine around another one, which is a [`Machine`] by that. Only what it does besides
/// forwarding is written.
pub trait MachineWrapper {
    /// The machine inside.
    fn inner(&self) -> &dyn Machine;

    /// The machine inside.
    fn inner_mut(&mut self) -> &mut dyn Machine;

    /// Called before each call.
    ///
    /// # Errors
    /// The call fails with it, and the machine inside does nothing. The power goes off in any case.
    fn before(&mut self, _call: Call) -> Result<(), MachineError> {
        Ok(())
    }

    /// Returns how far a step to `limit` may go.
    fn limit(&self, limit: Instant) -> Instant {
        limit
    }

    /// Called after each call of the machine inside; `succeeded` is false if that returned an
    /// error.
    fn after(&mut self, _call: Call, _succeeded: bool) {}

    /// Returns what [`Machine::fork`] returns: a copy of the machine inside. A wrapper that changes
    /// what the machine does returns a copy that changes it too, or none.
    fn copy(&self) -> Option<Box<dyn Machine>> {
        self.inner().fork()
    }
}

impl<T: MachineWrapper> Machine for T {
    fn board(&self) -> &VirtualBoard {
        self.inner().board()
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.before(Call::PowerOn)?;
        let result = self.inner_mut().power_on();
        self.after(Call::PowerOn, result.is_ok());
        result
    }

    fn power_off(&mut self) {
        // A failure says that the machine must not run.
        let _ = self.before(Call::PowerOff);
        self.inner_mut().power_off();
        self.after(Call::PowerOff, true);
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.before(Call::Step)?;
        let limit = self.limit(limit);
        let result = self.inner_mut().step(limit);
        self.after(Call::Step, result.is_ok());
        result
    }

    fn heap(&self) -> Heap {
        self.inner().heap()
    }

    fn notes(&self) -> Vec<String> {
        self.inner().notes()
    }

    fn findings(&self) -> Vec<String> {
        self.inner().findings()
    }

    fn remark(&self) -> Option<String> {
        self.inner().remark()
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        self.copy()
    }

    fn read_flash(&mut self) -> Result<(), MachineError> {
        self.inner_mut().read_flash()
    }
}
