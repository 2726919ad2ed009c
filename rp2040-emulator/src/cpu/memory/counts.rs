//! The number of executions of each instruction.
//!
//! [`Memory::count_executions`] switches the counts on, [`Memory::executions`] reads one. The fast
//! loop counts ways through blocks and not instructions: one more where a way begins, one less after
//! its end. The sums over the operations become counts of instructions before blocks are discarded,
//! and when the counts are read. Rounds of waiting loops that are skipped are counted as well.

use std::borrow::Cow;

use super::Memory;
use crate::cpu::blocks::Blocks;

/// Executions of the instructions of RAM, ROM and flash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// By slot, without the ways.
    sums: Vec<u64>,
    /// By operation: ways that begin with it, minus ways that have ended before it, modulo 2^64.
    ways: Vec<u64>,
    /// Slots of the instructions of the current round of a waiting loop, if it may be skipped.
    round: Vec<u32>,
    in_round: bool,
}

/// The most instructions of a round that may be skipped. Counting loops have periods of 6,000.
const LONGEST_ROUND: usize = 8_192;

impl Counts {
    fn new(slots: usize) -> Self {
        Self { sums: vec![0; slots], ..Self::default() }
    }

    /// Prepares for ways through blocks with this number of operations.
    pub(super) fn begin(&mut self, operations: usize) {
        self.ways.resize(operations + 1, 0);
    }

    /// Counts a way from operation `first` to before `behind`.
    #[inline(always)]
    pub(super) fn way(&mut self, first: usize, behind: usize) {
        self.ways[first] = self.ways[first].wrapping_add(1);
        self.ways[behind] = self.ways[behind].wrapping_sub(1);
    }

    /// Counts `times` executions of the operations from `first` to before `behind`.
    fn operations(&mut self, first: usize, behind: usize, times: u64) {
        self.ways[first] = self.ways[first].wrapping_add(times);
        self.ways[behind] = self.ways[behind].wrapping_sub(times);
    }

    fn add(&mut self, slot: usize, times: u64) {
        if let Some(sum) = self.sums.get_mut(slot) {
            *sum += times;
        }
    }

    /// Adds the ways to the sums.
    fn settle(&mut self, blocks: &Blocks) {
        let mut executions = 0_u64;
        for op in 0..self.ways.len() {
            executions = executions.wrapping_add(std::mem::take(&mut self.ways[op]));
            if executions != 0 {
                let (slot, instructions) = blocks.instructions_of(op);
                // The jump that ends a block counts none where the block would continue.
                (0..instructions.max(1)).for_each(|nth| self.add(slot + nth, executions));
            }
        }
    }
}

impl Memory {
    /// Counts from now on how often the cores execute each instruction. A copy of the memory
    /// continues the counts.
    pub fn count_executions(&mut self) {
        if self.counts.is_none() {
            let [_, _, (flash, length, _)] = self.regions();
            self.counts = Some(Box::new(Counts::new(flash + length)));
            self.records = true;
        }
    }

    /// Returns a function that gives the number of executions of the instruction at an address
    /// since [`count_executions`](Self::count_executions); none without it, and outside of RAM, ROM
    /// and flash.
    pub fn executions(&self) -> impl Fn(u32) -> u64 {
        let counts = self.settled_counts();
        move |address| {
            let slot = self.region_of(address).map(|place| place.index);
            let sum = slot.and_then(|slot| counts.as_ref()?.sums.get(slot));
            sum.copied().unwrap_or_default()
        }
    }

    /// Returns the counts with all ways added to the sums.
    pub(super) fn settled_counts(&self) -> Option<Cow<'_, Counts>> {
        let counts = self.counts.as_deref()?;
        if counts.ways.iter().all(|ways| *ways == 0) {
            return Some(Cow::Borrowed(counts));
        }
        let mut settled = counts.clone();
        settled.settle(&self.blocks);
        Some(Cow::Owned(settled))
    }

    /// Adds the ways through blocks to the counts, before the blocks are discarded.
    pub(super) fn settle_counts(&mut self) {
        if let Some(counts) = &mut self.counts {
            counts.settle(&self.blocks);
        }
    }

    /// Counts an execution of the instruction in a slot.
    #[inline(always)]
    pub(crate) fn count(&mut self, slot: usize) {
        if let Some(counts) = &mut self.counts {
            counts.add(slot, 1);
            if counts.in_round {
                counts.in_round = counts.round.len() < LONGEST_ROUND;
                counts.round.push(slot as u32);
            }
        }
    }

    /// Counts `times` executions of the instruction at an address.
    pub(crate) fn count_times_at(&mut self, address: u32, times: u64) {
        let slot = self.region_of(address).map(|place| place.index);
        if let (Some(counts), Some(slot)) = (&mut self.counts, slot) {
            counts.add(slot, times);
        }
    }

    /// Counts `times` executions of the operations from `first` to before `behind`.
    pub(crate) fn count_operations(&mut self, first: usize, behind: usize, times: u64) {
        let (operations, _) = self.blocks.extent();
        if let Some(counts) = &mut self.counts {
            counts.begin(operations);
            counts.operations(first, behind, times);
        }
    }

    /// Begins a round of a waiting loop that is executed instruction by instruction, and that may be
    /// repeated by [`repeat_round`](Self::repeat_round).
    pub(crate) fn begin_round(&mut self) {
        if let Some(counts) = &mut self.counts {
            counts.round.clear();
            counts.in_round = true;
        }
        if let Some(transfers) = &mut self.transfers {
            transfers.begin_round();
        }
    }

    /// Ends the round; it has been skipped this number of times. `cycles` are those of one round,
    /// `awake` those of the core so far.
    pub(crate) fn repeat_round(&mut self, core: u8, times: u64, cycles: u64, awake: u64) {
        if let Some(counts) = &mut self.counts {
            counts.in_round = false;
            let round = std::mem::take(&mut counts.round);
            round.iter().for_each(|slot| counts.add(*slot as usize, times));
            counts.round = round;
        }
        if let Some(transfers) = &mut self.transfers {
            transfers.repeat_round(core, times, cycles, awake);
        }
    }
}
