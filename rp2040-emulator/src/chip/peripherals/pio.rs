//! The two PIOs with four state machines each (datasheet chapter 3).
//!
//! They are advanced lazily and are exact to the cycle: [`Pios::advance`] executes the cycles in
//! which a machine is due, and asks its caller for the levels of the pins whenever a machine
//! changes its outputs. A machine that is disabled, stalled on an external event, delayed, or
//! counting in a loop, costs nothing. [`Pios::next`] executes a copy up to the cycle in which a
//! line or a request changes; if nothing happens in between, the copy then becomes the PIOs.
//!
//! A machine that shifts bits out in a loop of two instructions is executed for many iterations at
//! once where no other part of the chip can notice (`burst`). While the DMA keeps its FIFO full,
//! whole words are executed at once (`words`).
//!
//! A write in cycle n takes effect before the machines execute cycle n; outputs of cycle n are on
//! the pins from cycle n + 1 on. The PIOs do not know pads and function selects.

use std::cmp::Ordering;

mod block;
mod burst;
mod control;
mod divider;
mod fifo;
mod inputs;
mod lookahead;
mod machine;
mod pin_reads;
mod pins;
pub(in crate::chip) mod registers;
mod sole;
mod words;

use block::Pio;
pub(in crate::chip) use burst::Burst;
use inputs::Inputs;
use lookahead::Predicted;
pub(in crate::chip) use machine::WordBit;
pub(in crate::chip) use pins::Outputs;
use registers::is_disturbed_by_reading;
use sole::SoleAhead;
pub(in crate::chip) use words::{Beginning, Words};

pub(in crate::chip) const PIO_COUNT: usize = 2;

/// The pins as the PIOs use them.
pub(in crate::chip) trait World {
    /// Applies the outputs of the PIOs from `cycle` on. Returns the levels of all inputs then.
    fn drive(&mut self, cycle: u64, outputs: [Outputs; PIO_COUNT]) -> u32;

    /// Returns whether a burst on these pins of a block changes only levels and latched edges, and no
    /// part of the chip needs its edges one by one.
    fn takes_burst(&self, _block: usize, _pins: u32) -> bool {
        false
    }

    /// Applies a burst that [`takes_burst`](Self::takes_burst) allows, after which the outputs are
    /// these. Returns the levels of all inputs at its last three edges.
    fn burst(&mut self, burst: &Burst, outputs: [Outputs; PIO_COUNT]) -> [u32; 3];

    /// Applies the edges of words, which [`takes_burst`](Self::takes_burst) allows for their pins and
    /// after which the outputs are these. Returns the levels of all inputs at the last three edges.
    fn words(&mut self, words: Words, outputs: [Outputs; PIO_COUNT]) -> [u32; 3];

    /// Returns whether the pins now interrupt a core.
    fn pins_interrupt(&self) -> bool;

    /// Returns the levels of the pins at whose changes a run ends.
    fn stops(&self) -> u32 {
        0
    }

    /// Returns the cycle of the next level that is known to arrive; `u64::MAX` if there is none.
    fn next_arrival(&self) -> u64 {
        u64::MAX
    }

    /// Applies the levels of [`next_arrival`](Self::next_arrival). Returns the levels of all inputs
    /// then.
    fn arrive(&mut self) -> u32 {
        0
    }
}

#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Pios {
    blocks: [Pio; PIO_COUNT],
    inputs: Inputs,
    /// Cycle before which all cycles have been executed.
    cycle: u64,
    /// Last result of [`next`](Self::next); `look` is how far it looks ahead.
    predicted: Option<Predicted>,
    look: u64,
    /// Whether the next look ahead need not begin with few instructions.
    looks_far: bool,
    /// Memory for the next prediction.
    spare: Option<Box<SoleAhead>>,
}

impl Pios {
    /// Executes all cycles before `cycle`.
    pub(in crate::chip) fn advance(&mut self, cycle: u64, world: &mut impl World) {
        self.adopt(cycle, world);
        while self.due() < cycle {
            self.run(cycle, world);
        }
        self.pass(cycle);
    }

    /// Skips to `cycle`, before which nothing is due.
    #[inline]
    pub(in crate::chip) fn pass(&mut self, cycle: u64) {
        self.cycle = self.cycle.max(cycle);
    }

    /// Returns whether no machine is due without an external event.
    pub(in crate::chip) fn is_quiet(&self) -> bool {
        self.due() == u64::MAX
    }

    /// Returns whether all cycles before `cycle` have been executed.
    pub(in crate::chip) fn is_done(&self, cycle: u64) -> bool {
        self.due() >= cycle
    }

    /// Returns the outputs of both blocks, for all pins.
    pub(in crate::chip) fn outputs(&self) -> [Outputs; PIO_COUNT] {
        [self.blocks[0].outputs(), self.blocks[1].outputs()]
    }

    /// Discards the predicted change.
    pub(in crate::chip) fn discard_prediction(&mut self) {
        self.predicted = None;
    }

    /// Sets the levels of the inputs at the current cycle.
    pub(in crate::chip) fn set_inputs(&mut self, levels: u32) {
        if self.take_inputs(self.cycle, levels) {
            self.predicted = None;
        }
        self.discard_ahead();
    }

    /// Applies levels that arrive at the current cycle and that [`next`](Self::next) has taken into
    /// account.
    pub(in crate::chip) fn arrived(&mut self, levels: u32) {
        self.take_inputs(self.cycle, levels);
    }

    /// Resets a block.
    pub(in crate::chip) fn reset(&mut self, number: usize) {
        self.blocks[number] = Pio::default();
        self.predicted = None;
    }

    pub(in crate::chip) fn read(&mut self, number: usize, offset: u32) -> Option<u32> {
        if is_disturbed_by_reading(offset) {
            self.predicted = None;
        }
        self.blocks[number].read(offset, self.cycle)
    }

    /// Returns the value that a write through an alias modifies. A PIO modifies its registers
    /// itself, so that such a write takes no word from a FIFO.
    pub(in crate::chip) fn before_change(&mut self, number: usize, offset: u32) -> Option<u32> {
        if is_disturbed_by_reading(offset) { Some(0) } else { self.read(number, offset) }
    }

    pub(in crate::chip) fn write(&mut self, number: usize, offset: u32, value: u32) -> Option<()> {
        self.predicted = None;
        self.blocks[number].write(offset, value, self.cycle)
    }

    /// Lets the next look ahead be a long one.
    pub(in crate::chip) fn look_far(&mut self) {
        self.looks_far = true;
    }

    /// Returns whether any interrupt that the machines can raise is enabled.
    pub(in crate::chip) fn may_interrupt(&self) -> bool {
        self.blocks.iter().any(Pio::may_interrupt)
    }

    /// Returns the DMA's requests 0 to 15.
    pub(in crate::chip) fn requests(&self) -> u32 {
        self.blocks[0].requests() | self.blocks[1].requests() << 8
    }

    /// Returns the lines PIO0_IRQ_0 to PIO1_IRQ_1; bit 0 is the first one.
    pub(in crate::chip) fn interrupts(&self) -> u32 {
        let lines = self.blocks.iter().flat_map(|pio| [pio.interrupts(0), pio.interrupts(1)]);
        lines.enumerate().fold(0, |all, (line, raised)| all | u32::from(raised != 0) << line)
    }

    fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    fn due(&self) -> u64 {
        self.blocks[0].due().min(self.blocks[1].due())
    }

    /// Executes cycles before `end`, at least one, up to the first one that changes outputs or
    /// interrupts, or up to the next one in which both blocks are due.
    fn run(&mut self, end: u64, world: &mut impl World) {
        if self.run_burst(end, world) {
            return;
        }
        let [first, second] = &mut self.blocks;
        let (one, other) = (first.due(), second.due());
        let (cycle, changed) = match one.cmp(&other) {
            Ordering::Less => first.run(other.min(end), &self.inputs),
            Ordering::Greater => second.run(one.min(end), &self.inputs),
            Ordering::Equal => {
                let changed = [first, second].map(|pio| pio.run(one + 1, &self.inputs).1);
                (one + 1, changed.contains(&true))
            }
        };
        self.cycle = cycle;
        if changed {
            let levels = world.drive(cycle, self.outputs());
            self.take_inputs(cycle, levels);
        }
    }

    /// Sets the levels of the inputs. Returns true if a level has changed.
    fn take_inputs(&mut self, cycle: u64, levels: u32) -> bool {
        let changed = self.inputs.set(cycle, levels);
        if changed != 0 {
            for pio in &mut self.blocks {
                pio.wake_for_pins(changed, cycle);
            }
        }
        changed != 0
    }
}

#[cfg(test)]
mod tests;
