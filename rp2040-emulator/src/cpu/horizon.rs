//! The cycle up to which a core may act on what it shares with another core.
//!
//! Two cores take turns, each with a few cycles of its own memory ahead of the other. Whatever is
//! on the bus is shared: a core that is ahead ends its turn before it accesses or samples the bus,
//! so that the other core, which may access it earlier, catches up first. Every access then happens
//! at its own cycle and in the order of cycles.

use super::{Cpu, State, Stop};
use crate::cpu::bus::Bus;
use crate::cpu::memory::Memory;

impl Cpu {
    /// Sets the latest cycle at which the core may access the bus, or sample its interrupts. Later
    /// ones end the run with [`Stop::Deadline`]. `u64::MAX`, for a core alone, is the default.
    pub fn set_horizon(&mut self, cycle: u64) {
        self.horizon = cycle;
    }

    /// Returns whether another core must catch up before this one accesses the bus.
    #[inline(always)]
    pub(super) fn is_ahead(&self) -> bool {
        self.cycles > self.horizon
    }

    /// Returns the cycle up to which a core that nothing wakes before `until` may sleep: the other
    /// core can wake it by an access at any later one.
    pub(super) fn sleeps_until(&self, until: u64) -> u64 {
        until.min(self.horizon.saturating_add(1))
    }

    /// Completes a return from an exception that had to wait for the other core, so that the
    /// program counter is that of the next instruction.
    pub(crate) fn complete_return<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) {
        if matches!(self.state, State::Returning(_)) && !self.is_ahead() {
            self.sample(bus);
            self.complete_exception(memory, bus);
        }
    }

    /// Returns the end of a turn if the core is ahead.
    #[inline(always)]
    pub(super) fn yields(&self) -> Option<Stop> {
        self.is_ahead().then_some(Stop::Deadline)
    }
}
