//! The memory in parts, for the fast loop: the RAM is written to while blocks are read.

use super::execution::Ways;
use super::flash::Flash;
use super::transfers::Transfers;
use super::words::Words;
use super::{FLASH_BASE, Memory, PAGE_COUNT, PAGE_SIZE, RAM_BASE, RAM_SIZE, ROM_BASE};
use crate::cpu::blocks::Blocks;

/// Number of words of the RAM.
const RAM_WORDS: usize = RAM_SIZE / 4;
/// Number of words of a page of the RAM.
const PAGE_WORDS: usize = PAGE_SIZE / 4;

/// The parts of the memory that the fast loop accesses.
pub(crate) struct Parts<'a> {
    pub(crate) ram: Ram<'a>,
    pub(crate) fixed: Fixed<'a>,
    pub(crate) blocks: &'a Blocks,
    /// The record of what was executed.
    pub(crate) ways: Ways<'a>,
    /// The record of transfers between functions, if there is one.
    pub(crate) transfers: Option<&'a mut Transfers>,
}

/// The RAM, with lengths that the compiler knows.
pub(crate) struct Ram<'a> {
    words: &'a mut [u32; RAM_WORDS],
    /// Flags of the pages. Nothing may be stored here to pages with a flag.
    flags: &'a [u8; PAGE_COUNT],
}

/// Flash and ROM, which are only read.
#[derive(Clone, Copy)]
pub(crate) struct Fixed<'a> {
    flash: &'a Flash,
    rom: &'a Words,
}

impl Memory {
    pub(crate) fn parts(&mut self) -> Option<Parts<'_>> {
        Some(Parts {
            ram: Ram {
                words: self.ram.all_mut().first_chunk_mut()?,
                flags: self.pages.first_chunk()?,
            },
            fixed: Fixed { flash: &self.flash, rom: &self.rom },
            blocks: &self.blocks,
            ways: Ways::new(&mut self.executed, &mut self.noted, self.counts.as_deref_mut()),
            transfers: self.transfers.as_deref_mut(),
        })
    }
}

/// Loads, which give `None` outside the memory and for an unaligned address. The upper bits are
/// those of the word for `load16` and `load8`.
impl Fixed<'_> {
    #[inline(never)]
    pub(crate) fn load32(self, address: u32) -> Option<u32> {
        let flash = self.flash.load32(address.wrapping_sub(FLASH_BASE));
        flash.or_else(|| self.rom.load32(address.wrapping_sub(ROM_BASE)))
    }

    #[inline(never)]
    pub(crate) fn load16(self, address: u32) -> Option<u32> {
        let flash = self.flash.load16(address.wrapping_sub(FLASH_BASE));
        flash.or_else(|| self.rom.load16(address.wrapping_sub(ROM_BASE)))
    }

    #[inline(never)]
    pub(crate) fn load8(self, address: u32) -> Option<u32> {
        let flash = self.flash.load8(address.wrapping_sub(FLASH_BASE));
        flash.or_else(|| self.rom.load8(address.wrapping_sub(ROM_BASE)))
    }
}

/// Loads and stores as the memory's own, in RAM alone. The offset is rotated so that bits that must
/// be zero make it too large.
impl Ram<'_> {
    #[inline(always)]
    pub(crate) fn load32(&self, address: u32) -> Option<u32> {
        self.words.get(address.wrapping_sub(RAM_BASE).rotate_right(2) as usize).copied()
    }

    #[inline(always)]
    pub(crate) fn load16(&self, address: u32) -> Option<u32> {
        let half = address.wrapping_sub(RAM_BASE).rotate_right(1);
        let word = *self.words.get((half / 2) as usize)?;
        Some(word >> (half % 2 * 16) & 0xFFFF)
    }

    #[inline(always)]
    pub(crate) fn load8(&self, address: u32) -> Option<u32> {
        let offset = address.wrapping_sub(RAM_BASE);
        let word = *self.words.get((offset / 4) as usize)?;
        Some(word >> (offset % 4 * 8) & 0xFF)
    }

    /// Returns the word with this index for storing to it.
    #[inline(always)]
    fn word(&mut self, index: usize) -> Option<&mut u32> {
        let word = self.words.get_mut(index)?;
        (self.flags[index / PAGE_WORDS] == 0).then_some(word)
    }

    #[inline(always)]
    pub(crate) fn store32(&mut self, address: u32, value: u32) -> Option<()> {
        *self.word(address.wrapping_sub(RAM_BASE).rotate_right(2) as usize)? = value;
        Some(())
    }

    #[inline(always)]
    pub(crate) fn store16(&mut self, address: u32, value: u32) -> Option<()> {
        let half = address.wrapping_sub(RAM_BASE).rotate_right(1);
        let word = self.word((half / 2) as usize)?;
        let shift = half % 2 * 16;
        *word = *word & !(0xFFFF << shift) | (value & 0xFFFF) << shift;
        Some(())
    }

    #[inline(always)]
    pub(crate) fn store8(&mut self, address: u32, value: u32) -> Option<()> {
        let offset = address.wrapping_sub(RAM_BASE);
        let word = self.word((offset / 4) as usize)?;
        let shift = offset % 4 * 8;
        *word = *word & !(0xFF << shift) | (value & 0xFF) << shift;
        Some(())
    }

    /// Returns `count` words from `address` on.
    #[inline(always)]
    pub(crate) fn words(&self, address: u32, count: u8) -> Option<&[u32]> {
        let first = address.wrapping_sub(RAM_BASE).rotate_right(2) as usize;
        self.words.get(first..first + usize::from(count))
    }

    /// Returns at most nine words for storing to them, if no page of theirs has a flag.
    #[inline(always)]
    pub(crate) fn words_mut(&mut self, address: u32, count: u8) -> Option<&mut [u32]> {
        let first = address.wrapping_sub(RAM_BASE).rotate_right(2) as usize;
        let words = self.words.get_mut(first..first + usize::from(count))?;
        // Nine words are in one page or two.
        let last = first + usize::from(count).saturating_sub(1);
        let is_free = |index: usize| self.flags.get(index / PAGE_WORDS).is_none_or(|it| *it == 0);
        (is_free(first) && is_free(last)).then_some(words)
    }
}

// Nine words: all low registers and LR.
const _: () = assert!(PAGE_WORDS + 1 >= 9);
