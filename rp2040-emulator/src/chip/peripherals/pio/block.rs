//! One PIO: four state machines, the program that they share, and their interrupt flags (datasheet
//! section 3.2).

use super::inputs::Inputs;
use super::machine::{Machine, Paths, Shared, View};
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
    /// Interrupts that are enabled for each of the two lines.
    enabled: [u32; 2],
    forced: [u32; 2],
    /// Next cycle in which each machine is due.
    dues: [u64; MACHINE_COUNT],
    /// Next cycle in which any machine is due, or held pins are written again.
    due: u64,
    /// Machines that may hold pins; bit n is machine n.
    holders: u32,
    /// Machines that run, and perhaps others; bit n is machine n.
    running: u32,
    /// Whether the machines that run may read pins.
    reads_pins: bool,
    /// Whether the held values are on the pins already, so that writing them again changes nothing.
    settled: bool,
    /// Number of ticks that the machines have executed since the block was reset.
    ticks: u64,
    /// INTR: words in the receive FIFOs, room in the transmit FIFOs, the lower four flags.
    raw: u32,
    pub(super) paths: Paths,
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
            running: 0,
            reads_pins: false,
            settled: true,
            ticks: 0,
            raw: 0,
            paths: Paths::default(),
        };
        pio.raw = pio.raw_interrupts();
        pio
    }
}

impl Pio {
    /// Returns the next cycle in which a machine is due; `u64::MAX` if there is none.
    pub(super) fn due(&self) -> u64 {
        self.due
    }

    /// Returns the number of ticks that the machines have executed one by one since the block was
    /// reset.
    pub(super) fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns the outputs of the block, for all pins.
    pub(super) fn outputs(&self) -> Outputs {
        self.outputs
    }

    pub(super) fn memory(&self) -> &[u16; 32] {
        &self.memory
    }

    pub(super) fn machines(&self) -> &[Machine; MACHINE_COUNT] {
        &self.machines
    }

    /// Executes the cycles before `end` in which a machine is due, at least one, up to the first
    /// one that changes outputs or interrupts, or that precedes a burst. Returns the cycle after that
    /// one, and whether the outputs have changed.
    pub(super) fn run(&mut self, end: u64, inputs: &Inputs) -> (u64, bool) {
        let (outputs, raw) = (self.outputs, self.raw);
        loop {
            let cycle = self.step(end, inputs) + 1;
            let changed = self.outputs != outputs;
            if changed || self.raw != raw || self.due >= end || self.is_shifting() {
                return (cycle, changed);
            }
        }
    }

    /// Executes the next cycle in which a machine is due. If only one machine is due, continues
    /// with it before `end` until it changes something. Returns the last cycle, after which the
    /// outputs may differ.
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
                let interrupts = machine.interrupts();
                self.raw = self.raw & !(INTR_SM0 << number) | interrupts << number;
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

    /// Returns the machines that run, and perhaps others that have just stopped; bit n is machine n.
    #[inline]
    pub(super) fn running(&self) -> u32 {
        self.running
    }

    /// Returns whether no machine holds pins that would have to be written again.
    #[inline]
    pub(super) fn is_settled(&self) -> bool {
        self.settled && self.holders == 0
    }

    /// Returns whether the machines that run may read pins.
    #[inline]
    pub(super) fn reads_pins(&self) -> bool {
        self.reads_pins
    }

    /// Returns the inputs of a machine in a cycle.
    pub(super) fn view<'a>(&'a self, cycle: u64, inputs: &'a Inputs) -> View<'a> {
        View { cycle, memory: &self.memory, inputs, bypass: self.bypass, flags: self.flags }
    }

    /// Notes whether the machines may read pins, after a change of anything but the FIFOs.
    pub(super) fn note_reads(&mut self) {
        self.reads_pins = self.read_pins() != 0;
    }

    /// Returns the memory and a machine.
    pub(super) fn parts(&mut self, number: usize) -> (&[u16; 32], &mut Machine) {
        (&self.memory, &mut self.machines[number % MACHINE_COUNT])
    }

    /// Updates the interrupts of a machine.
    pub(super) fn note_machine(&mut self, number: usize) {
        let interrupts = self.machines[number % MACHINE_COUNT].interrupts();
        self.raw = self.raw & !(INTR_SM0 << number) | interrupts << number;
    }

    /// Updates the block after a machine has executed `ticks` ticks before `cycle`, which have
    /// changed nothing but these outputs.
    pub(super) fn shifted(&mut self, number: usize, cycle: u64, outputs: Outputs, ticks: u64) {
        self.outputs = outputs;
        self.ticks += ticks;
        self.dues[number] = self.machines[number].due(cycle);
        self.settle(cycle);
    }

    /// Wakes the machines that wait for a change of these pins, at `cycle` or later.
    pub(super) fn wake_for_pins(&mut self, pins: u32, cycle: u64) {
        let mut wakes = false;
        for machine in &mut self.machines {
            wakes |= machine.wake_for_pins(pins, cycle, &self.memory);
        }
        if wakes {
            self.schedule(cycle);
        }
    }

    /// Updates the block after a register was written, or read with a side effect.
    pub(super) fn touched(&mut self, cycle: u64) {
        self.wake(cycle);
        self.schedule(cycle);
    }

    /// Forces an update without a written register, and a write of held pins even if they already
    /// have their values.
    #[cfg(test)]
    pub(super) fn force_update(&mut self, cycle: u64) {
        self.touched(cycle);
        self.settled = false;
        self.due = cycle;
    }

    fn catch_up(&mut self, cycle: u64) {
        for machine in &mut self.machines {
            machine.catch_up(cycle, &self.memory);
        }
    }

    /// Wakes every machine, as of the state in which all cycles before `cycle` have been executed.
    fn wake(&mut self, cycle: u64) {
        for machine in &mut self.machines {
            machine.wake(cycle, &self.memory);
        }
    }

    /// Returns the number of machines that only count in a loop.
    #[cfg(test)]
    pub(super) fn dozing(&self) -> usize {
        self.machines.iter().filter(|machine| machine.dozes()).count()
    }

    /// Returns the number of machines that only wait for the ticks of a delay.
    #[cfg(test)]
    pub(super) fn delaying(&self) -> usize {
        self.machines.iter().filter(|machine| machine.delays()).count()
    }

    /// Recomputes the due cycles, with all cycles before `cycle` executed, after a change of the
    /// machines or of what they wait for.
    fn schedule(&mut self, cycle: u64) {
        self.dues = self.machines.each_mut().map(|machine| machine.due(cycle));
        self.raw = self.raw_interrupts();
        // A machine may start or stop holding pins.
        self.holders = self.gather(|machine| u32::from(machine.holds()));
        self.running = self.gather(|machine| u32::from(machine.runs()));
        self.settle(cycle);
    }

    /// Computes the next due cycle, `cycle` or later. Held values may have to be written again
    /// after the writes of other machines.
    #[inline]
    fn settle(&mut self, cycle: u64) {
        self.settled = self.holders == 0 || self.held() == self.outputs;
        let due = self.dues.into_iter().fold(u64::MAX, u64::min);
        self.due = if self.settled { due } else { cycle };
    }

    /// Returns the outputs after the held pins are written again.
    fn held(&self) -> Outputs {
        let held = self.machines.iter().filter(|machine| machine.holds());
        held.fold(self.outputs, |outputs, machine| machine.held().apply(outputs))
    }
}
