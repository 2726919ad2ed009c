//! Faults of the cores as the chip reports them: those that still hold a core, and those that the
//! program survived.
//!
//! A HardFault whose handler returns does not end a program: systems such as NuttX take their
//! supervisor calls that way. One whose handler hangs ends with the watchdog's reset, if the
//! program has armed it. Both are notes; every other fault is the end of the program.

use super::Chip;
use super::peripherals::watchdog::Reason;
use crate::backtrace::{self, Names};
use crate::cpu::bus::Bus;
use crate::cpu::{CoreFault, Cpu, SurvivedFaults};

/// How a program survived a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survival {
    /// The handler returned.
    HandlerReturned,
    /// The watchdog's time was over; it reset the chip, with REASON.TIMER.
    WatchdogReset,
}

impl Chip {
    /// Returns the fault that holds a core, or that did when the program reset the chip: of both
    /// cores the one that began first. A fault whose handler has returned, and one that the
    /// watchdog's time has ended, are none: [`survived_faults`](Self::survived_faults) has them.
    pub fn fault(&self) -> Option<&CoreFault> {
        self.fault_of_cores().or(self.old_fault.as_deref())
    }

    /// Returns the core that a fault holds; of both the one whose fault began first.
    pub fn faulted_core(&self) -> Option<usize> {
        self.fault_of_cores().map(|fault| fault.core.into())
    }

    fn fault_of_cores(&self) -> Option<&CoreFault> {
        self.cores.iter().filter_map(Cpu::fault).min_by_key(|fault| fault.began())
    }

    /// Returns whether a fault holds a core while the watchdog counts, which may end it.
    pub fn awaits_watchdog(&self) -> bool {
        self.fault_of_cores().is_some() && self.devices.watchdog.next() != u64::MAX
    }

    /// Returns the faults that the program has survived, since the chip was created.
    pub fn survived_faults(&self) -> impl Iterator<Item = (Survival, &SurvivedFaults)> {
        let returned = self.cores.iter().filter_map(Cpu::survived_faults);
        let reset = self.reset_faults.as_deref();
        returned
            .map(|faults| (Survival::HandlerReturned, faults))
            .chain(reset.map(|faults| (Survival::WatchdogReset, faults)))
    }

    /// Returns a sentence for each kind of survived faults, without a full stop, with addresses
    /// described by `names`.
    pub fn fault_notes(&self, names: &dyn Names) -> Vec<String> {
        self.survived_faults()
            .map(|(survival, SurvivedFaults { first, count })| {
                let CoreFault { core, cycle, kind, pc, .. } = first;
                let place = names.describe(*pc);
                let end = match survival {
                    Survival::HandlerReturned => "its handler returned",
                    Survival::WatchdogReset => "the watchdog then reset the chip (REASON.TIMER)",
                };
                let more =
                    if *count > 1 { format!("; {count} such faults") } else { String::new() };
                format!("HardFault on core {core} at {place}, cycle {cycle}: {kind}; {end}{more}")
            })
            .collect()
    }

    /// Sets whether a core that locks up ends the run, the default, or stays so while the other
    /// core continues. While the watchdog counts, a run never ends by that.
    pub fn set_lockup_halts(&mut self, halts: bool) {
        self.lockup_halts = halts;
    }

    /// Returns whether the run continues although a core has locked up.
    pub(super) fn outlives_lockup(&self) -> bool {
        !self.lockup_halts || self.devices.watchdog.next() != u64::MAX
    }

    /// Passes the time of a core that has locked up, to the next change of a device or to cycle
    /// `deadline`.
    pub(super) fn pass_locked_up(&mut self, core: usize, deadline: u64) {
        let change = self.devices.next_change(0);
        let core = &mut self.cores[core];
        let until = change.clamp(core.cycles() + 1, deadline.max(core.cycles() + 1));
        core.idle(until - core.cycles());
    }

    /// Stores the fault that a reset for `reason` ends; `None` is a reset by the program.
    pub(super) fn store_fault(&mut self, reason: Option<Reason>) {
        let Some(fault) = self.fault_of_cores().cloned() else { return };
        if reason != Some(Reason::Timer) {
            self.old_fault = Some(Box::new(fault));
            return;
        }
        match &mut self.reset_faults {
            Some(faults) => faults.count += 1,
            None => self.reset_faults = Some(Box::new(SurvivedFaults { first: fault, count: 1 })),
        }
    }

    /// Returns a report of a fault of this chip, with addresses described by `names`.
    pub fn explain(&self, fault: &CoreFault, names: &dyn Names) -> String {
        backtrace::report(fault, &self.memory, names)
    }

    /// Returns the address of the instruction that led to a fault of this chip, and those of the likely calls
    /// before it, innermost first.
    pub fn fault_addresses(&self, fault: &CoreFault) -> Vec<u32> {
        let mut first = fault;
        while let Some(cause) = &first.cause {
            first = cause;
        }
        let callers = backtrace::callers(&self.memory, first.registers[13], first.registers[14]);
        let calls = callers.into_iter().map(|caller| caller.wrapping_sub(2));
        std::iter::once(first.pc).chain(calls).collect()
    }

    /// Returns a report of the fault that holds core `number`, or of the first one there whose
    /// handler returned, with addresses described by `names`.
    pub fn fault_report(&self, number: usize, names: &dyn Names) -> Option<String> {
        let core = self.core(number);
        let survived = core.survived_faults().map(|faults| &faults.first);
        Some(self.explain(core.fault().or(survived)?, names))
    }
}
