//! Firmware that panics or never returns does not end its session.
//!
//! [`ContainedMachine`] turns a panic of the firmware into a [`MachineError`], with its place and
//! message, and reports each call to a [`CallWatch`], by which another thread detects a call that
//! does not return. It knows no firmware and no window.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hal_mock::{Call, Machine, MachineError, MachineWrapper};
use host::caught;
use host::clock::Stopwatch;
use virtual_time::{Instant, Nanos};

/// Wall time after which a call that has not returned counts as hanging.
pub const HUNG_AFTER: Duration = Duration::from_secs(2);
/// Longest virtual time of one step, so that only firmware that hangs takes long for it.
const STEP_MAX: Nanos = Nanos::from_millis(250);

/// The firmware has panicked: "panicked at FILE:LINE:COLUMN: message".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it {0}")]
pub struct FirmwarePanic(String);

/// The firmware has not returned for [`HUNG_AFTER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has not returned for {} s", HUNG_AFTER.as_secs())]
pub struct FirmwareHang;

/// The call of a machine that is in progress, as another thread sees it.
#[derive(Debug)]
pub(super) struct CallWatch {
    /// Number of calls that have begun and ended: odd during a call.
    calls: AtomicU64,
    /// Time of the board before the call.
    at: AtomicU64,
    /// The call that was in progress at the last poll, and since when.
    seen: Mutex<(u64, Duration)>,
    clock: Stopwatch,
}

impl Default for CallWatch {
    fn default() -> Self {
        Self {
            calls: AtomicU64::new(0),
            at: AtomicU64::new(0),
            seen: Mutex::new((0, Duration::ZERO)),
            clock: Stopwatch::start(),
        }
    }
}

impl CallWatch {
    fn enter(&self, at: Instant) {
        self.at.store(at.0, Ordering::Relaxed);
        self.calls.fetch_add(1, Ordering::Release);
    }

    fn leave(&self) {
        self.calls.fetch_add(1, Ordering::Release);
    }

    /// Returns the time of the board before a call that has not returned for [`HUNG_AFTER`], as far
    /// as that was polled.
    pub(super) fn hung(&self) -> Option<Instant> {
        let calls = self.calls.load(Ordering::Acquire);
        let now = self.clock.elapsed();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.is_multiple_of(2) || seen.0 != calls {
            *seen = (calls, now);
            return None;
        }
        let hangs = now.saturating_sub(seen.1) >= HUNG_AFTER;
        hangs.then(|| Instant(self.at.load(Ordering::Relaxed)))
    }
}

/// A machine whose firmware may panic, or not return.
pub(super) struct ContainedMachine {
    inner: Box<dyn Machine>,
    watch: Arc<CallWatch>,
    /// The panic, until the power is switched off.
    panicked: Option<MachineError>,
}

impl ContainedMachine {
    pub(super) fn boxed(inner: Box<dyn Machine>, watch: &Arc<CallWatch>) -> Box<dyn Machine> {
        Box::new(Self { inner, watch: Arc::clone(watch), panicked: None })
    }
}

impl MachineWrapper for ContainedMachine {
    fn inner(&self) -> &dyn Machine {
        self.inner.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.inner.as_mut()
    }

    fn before(&mut self, call: Call) -> Result<(), MachineError> {
        if call == Call::PowerOff {
            self.panicked = None;
        }
        Ok(())
    }

    fn limit(&self, limit: Instant) -> Instant {
        limit.min(self.inner.board().now().saturating_add(STEP_MAX))
    }

    fn execute(
        &mut self,
        work: impl FnOnce(&mut dyn Machine) -> Result<(), MachineError>,
    ) -> Result<(), MachineError> {
        if let Some(panicked) = &self.panicked {
            return Err(panicked.clone());
        }
        // A real board's machine waits for the board.
        let is_watched = self.inner.board().inputs_from().is_none();
        if is_watched {
            self.watch.enter(self.inner.board().now());
        }
        let inner = self.inner.as_mut();
        let result = caught(|| work(inner));
        if is_watched {
            self.watch.leave();
        }
        result.unwrap_or_else(|panic| {
            let panic = FirmwarePanic(panic.to_string());
            let error = MachineError::new(self.inner.board().now(), panic);
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
        Some(Self::boxed(self.inner.fork()?, &self.watch))
    }
}
