//! A session with a debugger: virtual time is stopped while the debugger has stopped the firmware.

use std::time::Duration;

use hal_mock::{Machine as _, MachineWrapper as _};

use super::Session;

impl Session {
    /// Returns whether the debugger has stopped the firmware.
    pub(super) fn is_debugged(&self) -> bool {
        self.debugger.as_ref().is_some_and(|debugger| debugger.is_stopped())
    }

    /// Calls `work` with the debugger connected to the machine.
    pub(super) fn with_debugger<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let engage = |session: &Self, on: bool| {
            if let Some(debugger) = &session.debugger {
                debugger.engage(on);
            }
        };
        engage(self, true);
        let result = work(self);
        engage(self, false);
        result
    }

    /// Answers the debugger while the machine does not step: the debugger has stopped it, or
    /// virtual time is stopped. Returns whether the debugger has stopped the firmware.
    pub(super) fn poll_debugger(&mut self, wall: Duration) -> bool {
        if self.debugger.is_none() {
            return false;
        }
        let is_held = self.pacer.is_paused() || self.past.is_some() || self.broken.is_some();
        if is_held || self.is_debugged() {
            let now = self.machine.board().now();
            // The step takes no time and is none of the session's. A stopped machine reports its
            // error again.
            let _ = self.with_debugger(|session| session.machine.inner_mut().step(now));
        }
        let is_debugged = self.is_debugged();
        if is_debugged && self.past.is_none() {
            self.pacer.jump(wall, self.machine.board().now());
        }
        is_debugged
    }
}
