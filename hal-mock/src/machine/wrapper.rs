//! A machine around another one: it forwards each call, and does something before, around or after it.

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

    /// Executes `work`, which is one call of the machine inside: between [`before`](Self::before) and
    /// [`after`](Self::after), and [`Machine::read_flash`]. A wrapper that limits what the firmware can do to
    /// its caller does it here, for all of these.
    ///
    /// # Errors
    /// The error of `work`, or one of the wrapper.
    fn execute(
        &mut self,
        work: impl FnOnce(&mut dyn Machine) -> Result<(), MachineError>,
    ) -> Result<(), MachineError> {
        work(self.inner_mut())
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
        let result = self.execute(|inner| inner.power_on());
        self.after(Call::PowerOn, result.is_ok());
        result
    }

    fn power_off(&mut self) {
        // A failure means that the machine must not run.
        let _ = self.before(Call::PowerOff);
        // Firmware that fails as its power goes off has no power either.
        let _ = self.execute(|inner| {
            inner.power_off();
            Ok(())
        });
        self.after(Call::PowerOff, true);
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.before(Call::Step)?;
        let limit = self.limit(limit);
        let result = self.execute(|inner| inner.step(limit));
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
        self.execute(|inner| inner.read_flash())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoardConfig;

    /// A machine each of whose answers differs from the trait's own.
    struct Outspoken(VirtualBoard);

    impl Machine for Outspoken {
        fn board(&self) -> &VirtualBoard {
            &self.0
        }

        fn power_on(&mut self) -> Result<(), MachineError> {
            self.0.power_on();
            Ok(())
        }

        fn power_off(&mut self) {
            self.0.power_off();
        }

        fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
            self.0.advance_to(limit);
            Ok(())
        }

        fn heap(&self) -> Heap {
            Heap::Absent
        }

        fn fork(&self) -> Option<Box<dyn Machine>> {
            Some(Box::new(Self(self.0.fork())))
        }

        fn remark(&self) -> Option<String> {
            Some("a remark".into())
        }

        fn notes(&self) -> Vec<String> {
            vec!["a note".into()]
        }

        fn findings(&self) -> Vec<String> {
            vec!["a finding".into()]
        }

        fn read_flash(&mut self) -> Result<(), MachineError> {
            Err(MachineError::new(self.0.now(), "no flash"))
        }
    }

    /// A wrapper that counts what it executes, and fails instead if `fails`.
    struct Counting {
        inner: Outspoken,
        executed: usize,
        fails: bool,
    }

    impl MachineWrapper for Counting {
        fn inner(&self) -> &dyn Machine {
            &self.inner
        }

        fn inner_mut(&mut self) -> &mut dyn Machine {
            &mut self.inner
        }

        fn execute(
            &mut self,
            work: impl FnOnce(&mut dyn Machine) -> Result<(), MachineError>,
        ) -> Result<(), MachineError> {
            self.executed += 1;
            if self.fails {
                return Err(MachineError::new(self.inner.0.now(), "it fails"));
            }
            work(&mut self.inner)
        }
    }

    fn counting() -> Counting {
        let inner = Outspoken(VirtualBoard::new(BoardConfig::default()));
        Counting { inner, executed: 0, fails: false }
    }

    #[test]
    fn the_answers_are_those_of_the_machine_inside() {
        let mut machine = counting();
        assert_eq!(machine.heap(), Heap::Absent);
        assert_eq!(machine.remark().as_deref(), Some("a remark"));
        assert_eq!(
            (machine.notes(), machine.findings()),
            (vec!["a note".into()], vec!["a finding".into()])
        );
        assert_eq!(machine.read_flash().unwrap_err().message(), "no flash");
        machine.power_on().unwrap();
        machine.run_until(Instant::from_secs(1)).unwrap();
        let copy = machine.fork().expect("the machine inside can be copied");
        assert_eq!((copy.board().now(), copy.board().is_powered()), (Instant::from_secs(1), true));
        machine.power_off();
        assert!(!machine.board().is_powered());
    }

    #[test]
    fn each_call_of_the_firmware_is_executed_by_the_wrapper() {
        let mut machine = counting();
        machine.power_on().unwrap();
        machine.step(Instant::from_secs(1)).unwrap();
        machine.read_flash().unwrap_err();
        machine.power_off();
        assert_eq!(machine.executed, 4);

        machine.fails = true;
        assert_eq!(machine.power_on().unwrap_err().message(), "it fails");
        assert_eq!(machine.step(Instant::from_secs(2)).unwrap_err().message(), "it fails");
        assert_eq!(machine.read_flash().unwrap_err().message(), "it fails");
        machine.power_off();
        assert_eq!((machine.executed, machine.board().now()), (8, Instant::from_secs(1)));
    }
}
