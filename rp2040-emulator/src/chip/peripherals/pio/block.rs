//! One PIO: four state machines, the program that they share, and their interrupt flags (datasheet
//! section 3.2).

use super::inputs::Inputs;
use super::machine::{Machine, Shared, View};
use super::pins::Outputs;
use super::registers::INTR_SM0;

mod access;

pub(super) const MACHINE_COUNT: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Pio {
    memory: [u16; 32],
    machines: [Machine; MACHINE_COUNT],
    outputs: Outputs,
    flags: u8,
    /// INPUT_SYNC_BYPASS.
    bypass: u32,
    /// The interrupts that reach each of its two lines.
    enabled: [u32; 2],
    forced: [u32; 2],
    /// The next cycle in which each machine is due.
    dues: [u64; MACHINE_COUNT],
    /// The next cycle in which any is, or held pins are written again.
    due: u64,
    /// The machines that may hold pins: bit n is machine n.
    holders: u32,
    /// What they hold is on the pins: writing it again changes nothing.
    settled: bool,
    /// How many ticks its machines have executed since it was reset.
    ticks: u64,
    /// INTR: words in the receive FIFOs, room in the transmit FIFOs, the lower four flags.
    raw: u32,
}

impl Default for Pio {
    fn default() -> Self {
        let mut pio = Self {
            memory: [0; 32],
            machines: [0, 1, 2, 3].map(Machine::new),
            outputs: Outputs::default(),
            flags: 0,
            bypass: 0,
            enabled: [0; 2],
            forced: [0; 2],
            dues: [u64::MAX; MACHINE_COUNT],
            due: u64::MAX,
            holders: 0,
            settled: true,
            ticks: 0,
            raw: 0,
        };
        pio.raw = pio.raw_interrupts();
        pio
    }
}

impl Pio {
    /// The next cycle in which a machine is due; `u64::MAX` if there is none.
    pub(super) fn due(&self) -> u64 {
        self.due
    }

    /// How many ticks its machines have executed one by one since it was reset.
    pub(super) fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Its outputs, for all pins.
    pub(super) fn outputs(&self) -> Outputs {
        self.outputs
    }

    pub(super) fn memory(&self) -> &[u16; 32] {
        &self.memory
    }

    pub(super) fn machines(&self) -> &[Machine; MACHINE_COUNT] {
        &self.machines
    }

    /// Executes the cycles before `end` in which a machine is due, at least one, up to the first one that changes
    /// outputs or interrupts. Returns the cycle behind that one, and whether the outputs have changed.
    pub(super) fn run(&mut self, end: u64, inputs: &Inputs) -> (u64, bool) {
        let (outputs, raw) = (self.outputs, self.raw);
        loop {
            let cycle = self.step(end, inputs) + 1;
            let changed = self.outputs != outputs;
            if changed || self.raw != raw || self.due >= end {
                return (cycle, changed);
            }
        }
    }

    /// Executes the next cycle in which a machine is due, and if that is due alone, what it does before `end`
    /// until it changes something. Returns the last cycle, behind which outputs may be others.
    fn step(&mut self, end: u64, inputs: &Inputs) -> u64 {
        let mut cycle = self.due;
        let (mut ticking, mut next) = (0, end);
        for (number, due) in self.dues.into_iter().enumerate() {
            if due == cycle {
                ticking |= 1 << number;
            } else {
                next = next.min(due);
            }
        }
        let alone = u32::is_power_of_two(ticking) && self.settled && self.holders & ticking == 0;
        let end = if alone { next } else { cycle + 1 };
        let view =
            View { cycle, memory: &self.memory, inputs, bypass: self.bypass, flags: self.flags };
        let mut shared = Shared { outputs: self.outputs, raised: 0, cleared: 0, ticks: 0 };
        // The machine with the highest number has priority.
        let mut busy = ticking | self.holders;
        while busy != 0 {
            let number = busy.trailing_zeros() as usize % MACHINE_COUNT;
            let machine = &mut self.machines[number];
            let bit = busy & busy.wrapping_neg();
            busy ^= bit;
            if self.holders & bit != 0 {
                shared.outputs = machine.held().apply(shared.outputs);
            }
            if ticking & bit != 0 {
                cycle = machine.run(view, end, &mut shared);
                self.holders &= !bit;
                if machine.holds() {
                    self.holders |= bit;
                }
                self.raw &= !(INTR_SM0 << number);
                self.raw |= machine.interrupts() << number;
                self.dues[number] = machine.due(cycle + 1);
            }
        }
        self.outputs = shared.outputs;
        self.ticks += shared.ticks;
        let flags = self.flags & !shared.cleared | shared.raised;
        if flags != self.flags {
            self.flags = flags;
            self.wake(cycle + 1);
            self.schedule(cycle + 1);
        }
        self.settle(cycle + 1);
        cycle
    }

    /// These pins have changed: wakes the machines that wait for them, at `cycle` or later.
    pub(super) fn wake_for_pins(&mut self, pins: u32, cycle: u64) {
        let mut wakes = false;
        for machine in &mut self.machines {
            wakes |= machine.wake_for_pins(pins, cycle, &self.memory);
        }
        if wakes {
            self.schedule(cycle);
        }
    }

    /// A register was written, or read with an effect.
    pub(super) fn touched(&mut self, cycle: u64) {
        self.wake(cycle);
        self.schedule(cycle);
    }

    /// A register was written for which nobody waits, and pins are to be written that may be written already.
    #[cfg(test)]
    pub(super) fn distrust(&mut self, cycle: u64) {
        self.touched(cycle);
        self.settled = false;
        self.due = cycle;
    }

    fn catch_up(&mut self, cycle: u64) {
        for machine in &mut self.machines {
            machine.catch_up(cycle, &self.memory);
        }
    }

    /// Every machine is where it is when all cycles before `cycle` have been executed.
    fn wake(&mut self, cycle: u64) {
        for machine in &mut self.machines {
            machine.wake(cycle, &self.memory);
        }
    }

    /// How many machines only count.
    #[cfg(test)]
    pub(super) fn dozing(&self) -> usize {
        self.machines.iter().filter(|machine| machine.dozes()).count()
    }

    /// How many machines only let the ticks of a delay pass.
    #[cfg(test)]
    pub(super) fn delaying(&self) -> usize {
        self.machines.iter().filter(|machine| machine.delays()).count()
    }

    /// All cycles before `cycle` have been executed, and the machines or what they wait for has changed.
    fn schedule(&mut self, cycle: u64) {
        self.dues = self.machines.each_mut().map(|machine| machine.due(cycle));
        self.raw = self.raw_interrupts();
        // A machine may hold pins from now on, or no longer.
        self.holders = self.gather(|machine| u32::from(machine.holds()));
        self.settle(cycle);
    }

    /// Finds what is due next, in `cycle` or later. What machines hold may have to be written again after the writes of others.
    #[inline]
    fn settle(&mut self, cycle: u64) {
        self.settled = self.holders == 0 || self.held() == self.outputs;
        let due = self.dues.into_iter().fold(u64::MAX, u64::min);
        self.due = if self.settled { due } else { cycle };
    }

    /// The outputs when the pins that machines hold are written again.
    fn held(&self) -> Outputs {
        let held = self.machines.iter().filter(|machine| machine.holds());
        held.fold(self.outputs, |outputs, machine| machine.held().apply(outputs))
    }
}
