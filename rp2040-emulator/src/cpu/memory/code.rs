//! The decoded instructions: slots in pages that copies of the memory share until one of them
//! changes a slot. Pages in which nothing has been decoded are all one page.

use std::sync::Arc;

use crate::cpu::instruction::Instruction;

/// Slots in a page: 4 KiB of instructions.
const PAGE: usize = 512;

#[derive(Clone, Debug, Default)]
pub(super) struct Code(Vec<Arc<[Instruction; PAGE]>>);

impl Code {
    /// Creates slots up to the last of `ends`. The slots of `ends` hold [`Instruction::End`].
    pub(super) fn new(ends: &[usize]) -> Self {
        let length = ends.iter().max().map_or(0, |last| last + 1);
        let undecoded = Arc::new([Instruction::Undecoded; PAGE]);
        let mut code = Self(vec![undecoded; length.div_ceil(PAGE)]);
        for end in ends {
            code.set(*end, Instruction::End);
        }
        code
    }

    /// Whether there are no slots.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the instruction in a slot, and [`Instruction::End`] outside of the slots.
    #[inline(always)]
    pub(super) fn get(&self, slot: usize) -> &Instruction {
        match self.0.get(slot / PAGE) {
            Some(page) => &page[slot % PAGE],
            None => &Instruction::End,
        }
    }

    /// Stores an instruction in a slot, in a page that this memory does not share.
    pub(super) fn set(&mut self, slot: usize, instruction: Instruction) {
        if let Some(page) = self.0.get_mut(slot / PAGE) {
            Arc::make_mut(page)[slot % PAGE] = instruction;
        }
    }

    /// Discards the decoded instruction in a slot. Returns whether there was one.
    pub(super) fn forget(&mut self, slot: usize) -> bool {
        let decoded = !matches!(self.get(slot), Instruction::Undecoded);
        if decoded {
            self.set(slot, Instruction::Undecoded);
        }
        decoded
    }

    /// Number of pages that `other` does not share.
    #[cfg(test)]
    pub(super) fn own_pages(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).filter(|(own, other)| !Arc::ptr_eq(own, other)).count()
    }
}
