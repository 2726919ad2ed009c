//! Bursts: many iterations of a loop of two instructions, one of which shifts a bit out to a pin, as
//! in a program that transmits words by SPI.
//!
//! Executed one by one, each iteration changes the pins twice. While no other machine runs and no
//! part of the chip depends on the pins meanwhile, all iterations are executed at once, with the
//! same result: the levels of each cycle follow from the bits.

use super::block::{MACHINE_COUNT, Pio};
use super::machine::{Machine, Shift};
use super::pins::Outputs;
use super::{PIO_COUNT, Pios, World};

/// Edges of a burst: two in each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct Burst {
    /// Number of the block.
    pub(in crate::chip) block: usize,
    /// Cycle from which on the outputs of the first instruction are on the pins.
    pub(in crate::chip) cycle: u64,
    /// Levels of the block's outputs before.
    before: u32,
    pub(in crate::chip) shift: Shift,
}

impl Burst {
    /// Creates the burst of a machine that is due in `cycle`, with these outputs of its block before.
    pub(super) fn new(block: usize, cycle: u64, outputs: Outputs, shift: Shift) -> Self {
        Self { block, cycle: cycle + 1, before: outputs.levels, shift }
    }

    /// Returns the outputs of the block after the burst.
    pub(super) fn after(&self, before: Outputs) -> Outputs {
        Outputs { levels: self.levels(self.edge_count() - 1), ..before }
    }

    /// Returns the number of edges.
    pub(in crate::chip) fn edge_count(&self) -> u32 {
        2 * self.shift.count
    }

    /// Returns the cycle of an edge, and the levels of the block's outputs from then on.
    pub(in crate::chip) fn edge(&self, index: u32) -> (u64, u32) {
        (self.cycle + self.shift.cycles(index / 2, !index.is_multiple_of(2)), self.levels(index))
    }

    /// Returns the levels of the block's outputs after an edge.
    pub(in crate::chip) fn levels(&self, index: u32) -> u32 {
        let bit = if self.shift.bit(index / 2) { self.shift.data } else { 0 };
        self.shift.levels[index as usize % 2] | bit
    }

    /// Returns the edges.
    pub(in crate::chip) fn edges(&self) -> impl Iterator<Item = (u64, u32)> {
        (0..self.edge_count()).map(|index| self.edge(index))
    }

    /// Returns the pins that may change.
    pub(in crate::chip) fn pins(&self) -> u32 {
        self.shift.pins
    }
}

/// Number of levels that the synchronisers of the inputs need.
const LAST: u32 = 3;

impl Pios {
    /// Executes a burst before `end`, if the next machine that is due begins one.
    #[inline]
    pub(super) fn run_burst(&mut self, end: u64, world: &mut impl World) -> bool {
        let number = usize::from(self.blocks[1].due() < self.blocks[0].due());
        let other = &self.blocks[1 - number];
        self.blocks[number].is_shifting()
            && other.running() == 0
            && other.due() == u64::MAX
            && self.execute_burst(number, end, world)
    }

    fn execute_burst(&mut self, number: usize, end: u64, world: &mut impl World) -> bool {
        let may = |pins| world.takes_burst(number, pins);
        let Some((burst, next)) = self.blocks[number].shift(number, end, may) else { return false };
        self.cycle = next;
        let inputs = world.burst(&burst, self.outputs());
        self.take_burst(&burst, inputs);
        true
    }

    /// Sets the levels of the inputs at the last three edges of a burst. No machine reads them.
    pub(super) fn take_burst(&mut self, burst: &Burst, inputs: [u32; 3]) {
        let first = burst.edge_count() - LAST;
        for (index, levels) in (first..).zip(inputs) {
            self.inputs.set(burst.edge(index).0, levels);
        }
    }
}

/// Applies the edges of a burst after a cycle one by one. `now` are the levels of all inputs before.
/// Returns those at the last three edges.
pub(super) fn drive_edges(
    world: &mut impl World,
    burst: &Burst,
    mut outputs: [Outputs; PIO_COUNT],
    after: u64,
    now: u32,
) -> [u32; 3] {
    let mut inputs = [now; 3];
    let mut before = burst.before;
    for (cycle, levels) in burst.edges() {
        let changed = std::mem::replace(&mut before, levels) != levels;
        if cycle > after && changed {
            outputs[burst.block].levels = levels;
            inputs = [inputs[1], inputs[2], world.drive(cycle, outputs)];
        } else {
            inputs = [inputs[1], inputs[2], inputs[2]];
        }
    }
    inputs
}

impl Pio {
    /// Returns whether the only machine that runs is about to shift a bit out to a pin.
    #[inline]
    pub(super) fn is_shifting(&self) -> bool {
        self.running().is_power_of_two()
            && self.is_settled()
            && self.machines()[self.sole()].is_shifting(self.memory())
    }

    /// Returns the number of the lowest machine that runs.
    #[inline]
    pub(super) fn sole(&self) -> usize {
        self.running().trailing_zeros() as usize % MACHINE_COUNT
    }

    /// Executes a burst before `end`, if there is one and `may` allows it for its pins. Returns it,
    /// and the cycle after it.
    fn shift(&mut self, block: usize, end: u64, may: impl Fn(u32) -> bool) -> Option<(Burst, u64)> {
        let (number, cycle, outputs) = (self.sole(), self.due(), self.outputs());
        let (memory, machine) = self.parts(number);
        let shift = machine.shift(cycle, end, memory, outputs, may)?;
        let next = cycle + shift.duration();
        let burst = Burst::new(block, cycle, outputs, shift);
        self.shifted(number, next, burst.after(outputs), (2 * shift.count).into());
        Some((burst, next))
    }
}

impl Machine {
    /// Returns whether the next instruction shifts a bit out to a pin.
    #[inline]
    pub(super) fn is_shifting(&self, memory: &[u16; 32]) -> bool {
        memory[self.pc() as usize & 0x1F] & OPERATION == OUT_PINS_1
    }
}

/// OUT PINS, 1.
const OUT_PINS_1: u16 = 0x6001;
/// Bits of an instruction without delay and side-set.
const OPERATION: u16 = 0xE0FF;
