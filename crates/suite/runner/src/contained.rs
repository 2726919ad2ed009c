//! Firmware that panics is a machine that cannot continue: the replay ends with the line that was executed,
//! the other traces are replayed, and nothing is printed.

use hal_mock::{Call, Crash, CrashKind, Machine, MachineError, MachineWrapper, SourcePlace};
use host::{Panic, caught};

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

impl MachineWrapper for Contained {
    fn inner(&self) -> &dyn Machine {
        self.inner.as_deref().expect("it is there until it is dropped")
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.inner.as_deref_mut().expect("it is there until it is dropped")
    }

    fn before(&mut self, call: Call) -> Result<(), MachineError> {
        if call == Call::PowerOff {
            self.panicked = None;
        }
        Ok(())
    }

    fn execute(
        &mut self,
        work: impl FnOnce(&mut dyn Machine) -> Result<(), MachineError>,
    ) -> Result<(), MachineError> {
        if let Some(panicked) = &self.panicked {
            return Err(panicked.clone());
        }
        let inner = self.inner_mut();
        caught(|| work(inner)).unwrap_or_else(|panic| {
            let error = MachineError::new(self.board().now(), crash_of(&panic));
            self.panicked = Some(error.clone());
            Err(error)
        })
    }

    fn after(&mut self, call: Call, _: bool) {
        // Firmware that has panicked is dropped as its power goes off, which may panic again.
        if call == Call::PowerOff {
            self.panicked = None;
        }
    }

    fn copy(&self) -> Option<Box<dyn Machine>> {
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
