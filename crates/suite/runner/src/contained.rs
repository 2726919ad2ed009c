//! Firmware that panics is a machine that cannot continue: the replay ends with the line that was executed,
//! the other traces are replayed, and nothing is printed.

use hal_mock::{Crash, CrashKind, Heap, Machine, MachineError, SourcePlace, VirtualBoard};
use host::{Panic, caught};
use virtual_time::Instant;

/// A machine whose panic is a [`MachineError`] with a [`Crash`], as of every call until the power is off.
struct Contained {
    /// `None` only while it is dropped.
    inner: Option<Box<dyn Machine>>,
    panicked: Option<MachineError>,
}

/// Returns `machine` with panics that are errors.
pub fn contained(machine: Box<dyn Machine>) -> Box<dyn Machine> {
    Box::new(Contained { inner: Some(machine), panicked: None })
}

/// Returns the crash that a panic of the firmware is.
pub fn crash_of(panic: &Panic) -> Crash {
    let place = panic.place.as_ref().map(|place| SourcePlace {
        file: place.file.clone(),
        line: place.line,
        column: Some(place.column),
    });
    let message = format!("the firmware {panic}");
    Crash { kind: CrashKind::Panic, message, place, calls: panic.calls() }
}

impl Contained {
    fn inner(&self) -> &dyn Machine {
        self.inner.as_deref().expect("it is there until it is dropped")
    }

    fn call(
        &mut self,
        work: impl FnOnce(&mut dyn Machine) -> Result<(), MachineError>,
    ) -> Result<(), MachineError> {
        if let Some(panicked) = &self.panicked {
            return Err(panicked.clone());
        }
        let inner = self.inner.as_deref_mut().expect("it is there until it is dropped");
        match caught(|| work(inner)) {
            Ok(result) => result,
            Err(panic) => {
                let error = MachineError::new(self.inner().board().now(), crash_of(&panic));
                self.panicked = Some(error.clone());
                Err(error)
            }
        }
    }
}

impl Machine for Contained {
    fn board(&self) -> &VirtualBoard {
        self.inner().board()
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.call(|inner| inner.power_on())
    }

    fn power_off(&mut self) {
        self.panicked = None;
        // Firmware that has panicked is dropped here, which may panic again.
        let _ = self.call(|inner| {
            inner.power_off();
            Ok(())
        });
        self.panicked = None;
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.call(|inner| inner.step(limit))
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

    fn read_flash(&mut self) -> Result<(), MachineError> {
        self.call(|inner| inner.read_flash())
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        if self.panicked.is_some() {
            return None;
        }
        Some(contained(self.inner().fork()?))
    }
}

impl Drop for Contained {
    fn drop(&mut self) {
        let inner = self.inner.take();
        // Destructors of the firmware may panic too; nothing is left to report.
        let _ = caught(|| drop(inner));
    }
}
