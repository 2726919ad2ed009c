//! Loops that only wait: they read registers of devices until a value is another, and change nothing
//! but registers of the core.
//!
//! Most programs spend most of their time in one: `while the timer has not reached …`, `while the
//! FIFO is full`. If a round of such a loop ends with the registers and flags that it began with, and
//! no device that it reads changes before a cycle that the bus names
//! ([`Bus::steady_until`](crate::cpu::bus::Bus::steady_until)), every round until then is the same: its
//! cycles and instructions are added without executing them. The core is then exactly where it would
//! have been.
//!
//! A loop whose registers follow a counter is no such loop; of these, whole periods are added likewise.
//!
//! This is the state of it; `repeat` finds the loops, and `counting` those with a counter.

use crate::cpu::Cpu;

/// A loop in which the core waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    /// Cycles of a round, at least 2.
    pub(crate) cycles: u64,
    /// Instructions of a round.
    pub(crate) instructions: u64,
    /// No device that it reads changes before this cycle unless something is written.
    pub(crate) steady_until: u64,
}

impl Wait {
    /// How many whole rounds from `cycle` on end by `until`.
    pub(crate) fn rounds(&self, cycle: u64, until: u64) -> u64 {
        until.min(self.steady_until).saturating_sub(cycle) / self.cycles
    }
}

/// What a core looked like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(in crate::cpu) pc: u32,
    pub(in crate::cpu) registers: [u32; 15],
    pub(in crate::cpu) apsr: u32,
}

/// What is known of the loop that a core is in.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cpu) struct Waiting {
    /// Where the last access to a device was.
    pub(in crate::cpu) last: u32,
    /// The access with which a round begins: one that was there twice in a row, or one of several in a
    /// loop, which compilers make of one by unrolling it.
    pub(in crate::cpu) anchor: u32,
    /// The accesses elsewhere since the last one there.
    pub(in crate::cpu) others: u32,
    /// The core at the anchor, if it was there before.
    pub(in crate::cpu) seen: Option<Seen>,
    /// The load at which the core waited last.
    pub(in crate::cpu) waited_at: u32,
    /// A load in no such loop: its address, and the cycle up to which it is not looked at again.
    pub(in crate::cpu) refused: (u32, u64),
    /// How often the core has been at the anchor since a loop was looked for that waits for a counter, and the
    /// cycle before which none is looked for.
    pub(in crate::cpu) visits: u32,
    pub(in crate::cpu) uncounted_until: u64,
    /// How often in turn there was none.
    pub(in crate::cpu) refusals: u32,
    /// A load of a polling loop whose rounds cannot be skipped by its operations alone.
    pub(in crate::cpu) unfit: u32,
    /// Cycles of rounds that were skipped.
    pub(in crate::cpu) skipped: u64,
}

impl Cpu {
    /// The cycles since the core was created that were added without executing the rounds of a
    /// waiting loop. They are part of [`cycles`](Cpu::cycles).
    pub fn skipped(&self) -> u64 {
        self.waiting.skipped
    }

    /// What the core looks like at `pc`.
    pub(crate) fn seen(&self, pc: u32) -> Seen {
        let registers = std::array::from_fn(|number| self.registers[number]);
        Seen { pc, registers, apsr: self.flags.apsr() }
    }

    /// Adds cycles and instructions of rounds that are not executed. If the core sleeps, it slept.
    pub(crate) fn skip(&mut self, cycles: u64, instructions: u64) {
        self.idle(cycles);
        if !self.asleep() {
            self.waiting.skipped += cycles;
        }
        self.instructions += instructions;
    }
}
