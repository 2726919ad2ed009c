//! The record of executed instructions, and of how the cores left each: two bits a halfword.
//!
//! [`Memory::record_execution`] switches the record on, [`Memory::execution`] reads it. A
//! conditional branch that was left to the next instruction and elsewhere has been both taken and
//! not taken. The record has no counts and does not know the source. An instruction of 32 bits is
//! noted at its first halfword, as a departure elsewhere.

use super::counts::Counts;
use super::{FLASH_BASE, Memory, RAM_BASE, RAM_SIZE};
use crate::cpu::blocks::Blocks;

/// The core has continued at the next halfword.
pub(crate) const ON: u8 = 1;
/// The core has continued anywhere else.
pub(crate) const ELSEWHERE: u8 = 2;

/// Halfwords in a byte of the record.
const PER_BYTE: usize = 4;

/// The executed instructions of RAM and flash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    ram: Vec<u8>,
    flash: Vec<u8>,
}

/// How the cores have left one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Departures {
    /// Whether it was left to the next halfword at least once.
    pub on: bool,
    /// Whether it was left elsewhere at least once.
    pub elsewhere: bool,
}

impl Departures {
    /// Whether the instruction has been executed.
    pub fn any(self) -> bool {
        self.on || self.elsewhere
    }
}

impl Execution {
    /// Returns how the instruction at `address` was left. Outside of RAM and flash nothing is
    /// recorded.
    pub fn at(&self, address: u32) -> Departures {
        let bits = match address.checked_sub(RAM_BASE) {
            Some(offset) => bits(&self.ram, offset),
            None => address.checked_sub(FLASH_BASE).map_or(0, |offset| bits(&self.flash, offset)),
        };
        Departures { on: bits & ON != 0, elsewhere: bits & ELSEWHERE != 0 }
    }

    /// Adds the executed instructions of `other`.
    pub fn add(&mut self, other: &Self) {
        for (own, others) in [(&mut self.ram, &other.ram), (&mut self.flash, &other.flash)] {
            if own.len() < others.len() {
                own.resize(others.len(), 0);
            }
            own.iter_mut().zip(others).for_each(|(own, other)| *own |= other);
        }
    }

    /// Packs the slots of RAM and of flash, two bits each, without the zeros at the end.
    fn of(ram: &[u8], flash: &[u8]) -> Self {
        let packed = |slots: &[u8]| {
            let used = slots.iter().rposition(|bits| *bits != 0).map_or(0, |last| last + 1);
            let byte = |four: &[u8]| {
                four.iter().enumerate().fold(0, |byte, (nth, bits)| byte | bits << (2 * nth))
            };
            slots[..used].chunks(PER_BYTE).map(byte).collect()
        };
        Self { ram: packed(ram), flash: packed(flash) }
    }
}

fn bits(packed: &[u8], offset: u32) -> u8 {
    let halfword = (offset / 2) as usize;
    packed.get(halfword / PER_BYTE).map_or(0, |byte| byte >> (halfword % PER_BYTE * 2) & 3)
}

impl Memory {
    /// Records from now on what the cores execute. A copy of the memory continues the record.
    pub fn record_execution(&mut self) {
        if self.executed.is_empty() {
            let [_, _, (flash, length, _)] = self.regions();
            self.executed = vec![0; flash + length];
            self.records = true;
        }
    }

    /// Returns what was executed since [`record_execution`](Self::record_execution); nothing
    /// without it.
    pub fn execution(&self) -> Execution {
        let [ram, _, flash] = self.regions();
        let slots = |start: usize, length: usize| self.executed.get(start..start + length);
        let (ram, flash) = (slots(ram.0, ram.1), slots(flash.0, flash.1));
        Execution::of(ram.unwrap_or_default(), flash.unwrap_or_default())
    }

    /// Whether anything about what is executed is recorded.
    #[inline(always)]
    pub(crate) fn records_execution(&self) -> bool {
        self.records
    }

    /// Notes that the operations of a block from `first` to before `end` were executed, and that
    /// the last went to slot `next`.
    pub(crate) fn note_way(&mut self, first: usize, end: usize, next: usize) {
        let mut ways = Ways::new(&mut self.executed, &mut self.noted, self.counts.as_deref_mut());
        ways.begin(&self.blocks);
        ways.note(&self.blocks, first, end, next);
    }

    /// Notes how a core left the instruction in a slot, if that is recorded.
    #[inline(always)]
    pub(crate) fn note(&mut self, index: usize, departure: u8) {
        if let Some(bits) = self.executed.get_mut(index) {
            *bits |= departure;
        }
    }
}

/// The ways through blocks that are in the record. A way is executed many times and noted once.
#[derive(Debug, Default)]
pub(crate) struct Noted {
    /// Number of discards of [`Blocks::extent`]. When it changes, the ways through the new blocks
    /// are noted from scratch.
    discards: u64,
    /// For each operation with which a way ends, the first operation of the longest noted way: of
    /// those that continued elsewhere, and of those that continued at the next halfword.
    first: Vec<[u32; 2]>,
}

/// The record, for the fast loop.
pub(crate) struct Ways<'a> {
    /// Empty while nothing is recorded.
    executed: &'a mut [u8],
    noted: &'a mut Noted,
    counts: Option<&'a mut Counts>,
}

impl<'a> Ways<'a> {
    pub(super) fn new(
        executed: &'a mut [u8],
        noted: &'a mut Noted,
        counts: Option<&'a mut Counts>,
    ) -> Self {
        Self { executed, noted, counts }
    }

    /// Prepares for ways through these blocks.
    pub(crate) fn begin(&mut self, blocks: &Blocks) {
        let (length, discards) = blocks.extent();
        if self.noted.discards != discards {
            self.noted.first.clear();
            self.noted.discards = discards;
        }
        self.noted.first.resize(length, [u32::MAX; 2]);
        if let Some(counts) = &mut self.counts {
            counts.begin(length);
        }
    }

    /// Notes that the operations of a block from `first` to before `behind` were executed, and that
    /// the last went to slot `next`.
    #[inline(always)]
    pub(crate) fn note(&mut self, blocks: &Blocks, first: usize, behind: usize, next: usize) {
        if first >= behind {
            return;
        }
        if let Some(counts) = &mut self.counts {
            counts.way(first, behind);
        }
        if self.executed.is_empty() {
            return;
        }
        let (last, instructions) = blocks.instructions_of(behind - 1);
        let on = next == last + instructions;
        let noted = &mut self.noted.first[behind - 1][usize::from(on)];
        if first < *noted as usize {
            *noted = first as u32;
            self.write(blocks, first, behind, next);
        }
    }

    #[cold]
    #[inline(never)]
    fn write(&mut self, blocks: &Blocks, first: usize, behind: usize, next: usize) {
        for op in first..behind {
            let (mut slot, instructions) = blocks.instructions_of(op);
            let next = if op + 1 == behind { next } else { blocks.mark(op + 1).slot as usize };
            // The first instruction of a pair continues at the second.
            if instructions == 2 {
                self.executed[slot] |= ON;
                slot += 1;
            }
            self.executed[slot] |= if next == slot + 1 { ON } else { ELSEWHERE };
        }
    }
}

const _: () = assert!(RAM_SIZE.is_multiple_of(2 * PER_BYTE));

#[cfg(test)]
mod tests {
    use super::*;

    fn on(on: bool, elsewhere: bool) -> Departures {
        Departures { on, elsewhere }
    }

    #[test]
    fn records_are_joined_whatever_their_lengths() {
        let short = Execution::of(&[1], &[0, 0, 2]);
        let long = Execution::of(&[2, 0, 0, 0, 0, 3, 0], &[]);
        for (mut one, other) in [(short.clone(), &long), (long.clone(), &short)] {
            one.add(other);
            assert_eq!(one.at(RAM_BASE), on(true, true));
            assert_eq!(one.at(RAM_BASE + 10), on(true, true));
            assert_eq!(one.at(FLASH_BASE + 4), on(false, true));
            assert!(!one.at(RAM_BASE + 12).any());
        }
    }
}
