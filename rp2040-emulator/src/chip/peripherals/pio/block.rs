//! One PIO: four state machines, the program that they share, and their interrupt flags (datasheet
//! section 3.2).

use super::inputs::Inputs;
use super::machine::{Machine, View};
use super::pins::Outputs;

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
    /// The next cycle in which a machine is due.
    due: u64,
    /// Held pins must still be written again, after the writes of the last cycle.
    unsettled: bool,
}

impl Default for Pio {
    fn default() -> Self {
        Self {
            memory: [0; 32],
            machines: [0, 1, 2, 3].map(Machine::new),
            outputs: Outputs::default(),
            flags: 0,
            bypass: 0,
            enabled: [0; 2],
            forced: [0; 2],
            due: u64::MAX,
            unsettled: false,
        }
    }
}

impl Pio {
    /// The next cycle in which a machine is due; `u64::MAX` if there is none.
    pub(super) fn due(&self) -> u64 {
        self.due
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

    /// Executes `cycle`, in which a machine is due. True if the outputs change.
    pub(super) fn step(&mut self, cycle: u64, inputs: &Inputs) -> bool {
        let view =
            View { cycle, memory: &self.memory, inputs, bypass: self.bypass, flags: self.flags };
        let before = self.outputs;
        let (mut raised, mut cleared) = (0, 0);
        let (mut holds, mut moves) = (false, false);
        let mut due = u64::MAX;
        // The machine with the highest number has priority.
        for machine in &mut self.machines {
            let ticks = machine.due(cycle) == cycle;
            let held = machine.holds();
            if !ticks && !held {
                due = due.min(machine.due(cycle + 1));
                continue;
            }
            if held {
                self.outputs = machine.held().apply(self.outputs);
            }
            if ticks {
                let effects = machine.tick(&view);
                raised |= effects.raised;
                cleared |= effects.cleared;
                let writes = !effects.pins.is_empty();
                if writes {
                    self.outputs = effects.pins.apply(self.outputs);
                }
                moves |= writes || held || machine.holds();
            }
            holds |= machine.holds();
            due = due.min(machine.due(cycle + 1));
        }
        // Held pins must be written again after the writes of other machines.
        self.unsettled = holds && moves;
        self.due = if self.unsettled { cycle + 1 } else { due };
        let flags = self.flags & !cleared | raised;
        if flags != self.flags {
            self.flags = flags;
            self.wake(cycle + 1);
            self.schedule(cycle + 1);
        }
        self.outputs != before
    }

    /// These pins have changed: wakes the machines that wait for them, at `cycle` or later.
    pub(super) fn wake_for_pins(&mut self, pins: u32, cycle: u64) {
        for machine in &mut self.machines {
            machine.wake_for_pins(pins, cycle, &self.memory);
        }
        self.schedule(cycle);
    }

    /// A register was written, or read with an effect.
    pub(super) fn touched(&mut self, cycle: u64) {
        self.wake(cycle);
        // A machine may hold pins from now on, or no longer.
        self.unsettled = true;
        self.schedule(cycle);
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

    fn schedule(&mut self, cycle: u64) {
        let due = self.machines.iter_mut().map(|machine| machine.due(cycle)).min();
        self.due = if self.unsettled { cycle } else { due.unwrap_or(u64::MAX) };
    }
}
