//! The memory as the source of decoded instructions for blocks.

use super::{FLASH_BASE, Memory, Place, ROM_BASE};
use crate::cpu::blocks::{Blocks, Slots};
use crate::cpu::instruction::Instruction;

impl Slots for Memory {
    fn decoded(&mut self, slot: usize, address: u32) -> Instruction {
        match self.instruction(slot) {
            Instruction::Undecoded => self.decode(slot, address),
            instruction => instruction,
        }
    }

    fn constant(&self, address: u32) -> Option<u32> {
        let flash = self.flash.load32(address.wrapping_sub(FLASH_BASE));
        flash.or_else(|| self.rom.load32(address.wrapping_sub(ROM_BASE)))
    }

    fn function(&self, slot: usize) -> Option<u32> {
        self.transfers.as_ref().map(|transfers| transfers.function(slot))
    }
}

impl Memory {
    /// Builds the block that begins at `place`.
    #[cold]
    pub(crate) fn build_block(&mut self, place: Place) {
        let Place { index, start, length, base } = place;
        if self.blocks.are_full() {
            self.settle_counts();
        }
        // Building reads the memory and discards no block meanwhile.
        let mut blocks = core::mem::take(&mut self.blocks);
        blocks.build(self, index, (start, length), base);
        self.blocks = blocks;
    }

    #[inline(always)]
    pub(crate) fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Returns all blocks, for the caller's notes on operations.
    pub(crate) fn blocks_mut(&mut self) -> &mut Blocks {
        &mut self.blocks
    }
}
