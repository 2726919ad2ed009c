//! A debugger of the session's firmware, as the session sees it.

use std::time::Duration;

/// Wall time between two checks for requests of the debugger while virtual time is stopped.
pub(super) const POLL: Duration = Duration::from_millis(4);

/// A debugger of the firmware. The machine answers it while it steps.
pub trait Debugger: Send + Sync {
    /// Connects the debugger to the machine that steps from now on, or disconnects it: machines
    /// that repeat inputs do not stop.
    fn engage(&self, on: bool);

    /// Returns whether the debugger has stopped the firmware.
    fn is_stopped(&self) -> bool;
}
