//! The memories that a core executes from: ROM, flash and RAM, each as words, together with the
//! instructions that have been decoded from them.
//!
//! An instruction is decoded once, when it is first reached; [`Memory`] caches it until a write
//! changes its halfwords. All regions share one array of decoded instructions,
//! so that a core follows a program with one index (`Place`).
//!
//! A copy of the memory costs little more than the RAM: the flash (`flash`) and what has been
//! decoded (`code`) are in pages that copies share until one of them changes a page.
//!
//! `Memory` does not know devices or the bus: an access outside its regions gives `None`.

use crate::cpu::blocks::Blocks;
use crate::cpu::decode::{decode, is_wide, pair};
use crate::cpu::instruction::Instruction;

mod block_source;
mod code;
mod counts;
pub mod execution;
mod flash;
mod parts;
pub mod transfers;
mod watch;
mod words;

use code::Code;
use counts::Counts;
use execution::Noted;
use flash::Flash;
pub(crate) use parts::{Fixed, Parts, Ram};
use transfers::Transfers;
use watch::Watch;
use words::Words;

/// The first address of the ROM.
pub const ROM_BASE: u32 = 0x0000_0000;
/// The first address of the flash, in the cached XIP window.
pub const FLASH_BASE: u32 = 0x1000_0000;
/// The first address of the RAM.
pub const RAM_BASE: u32 = 0x2000_0000;
/// Bytes of RAM: four striped banks of 64 KiB, and two of 4 KiB.
pub const RAM_SIZE: usize = 264 * 1024;
/// The size of the XIP window: the most bytes of flash.
pub const MAX_FLASH_SIZE: usize = 16 * 1024 * 1024;

/// Bytes of RAM that share one flag "an instruction was decoded from this page". Functions in RAM
/// have variables beside them.
const PAGE_SIZE: usize = 32;
const PAGE_COUNT: usize = RAM_SIZE / PAGE_SIZE;
/// Flags of a page: an instruction was decoded from it; some of it is watched.
const DECODED: u8 = 1;
const WATCHED: u8 = 2;
const _: () = assert!(RAM_SIZE.is_multiple_of(PAGE_SIZE));

/// The slot for addresses that cannot be executed, followed by its end.
const NO_PLACE: usize = 0;

/// An attempt to load bytes to an address that is neither ROM, flash nor RAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no memory at 0x{address:08x}")]
pub struct OutsideMemory {
    /// The first address without memory.
    pub address: u32,
}

/// The slot of an instruction, and its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub index: usize,
    /// First slot of the region.
    pub start: usize,
    /// Number of slots, and halfwords, of the region.
    pub length: usize,
    /// Base address: `base + 2 * index` is the address of the instruction.
    pub base: u32,
}

/// ROM, flash and RAM with what has been decoded from them.
#[derive(Debug)]
pub struct Memory {
    rom: Words,
    flash: Flash,
    ram: Words,
    /// The slot for addresses that cannot be executed, then the slots of RAM and ROM, each followed
    /// by an [`Instruction::End`], then those of the flash. Empty until a core executes.
    code: Code,
    /// Blocks for the fast loop, discarded with any decoded instruction.
    blocks: Blocks,
    /// Flags of the pages of RAM: `DECODED`, `WATCHED`. Stores to other pages need no search.
    pages: Box<[u8]>,
    /// Number of the pages with decoded instructions.
    decoded_page_count: usize,
    /// Record of what was executed, a byte a slot (`execution`). Empty while it is switched off.
    executed: Vec<u8>,
    noted: Noted,
    /// Numbers of executions, while they are counted.
    counts: Option<Box<Counts>>,
    /// Record of the transfers between functions, while it is switched on.
    transfers: Option<Box<Transfers>>,
    /// Whether anything about the execution is recorded.
    records: bool,
    watch: Watch,
}

impl Memory {
    /// Creates memory with `rom_size` and `flash_size` bytes of ROM and flash, the ROM rounded up
    /// to whole words and the flash to whole sectors. ROM and RAM hold zeros, the flash is erased.
    ///
    /// # Panics
    /// If the ROM is larger than 256 MiB or the flash than [`MAX_FLASH_SIZE`].
    pub fn new(rom_size: usize, flash_size: usize) -> Self {
        assert!(rom_size <= FLASH_BASE as usize, "{rom_size} bytes of ROM reach into the flash");
        assert!(flash_size <= MAX_FLASH_SIZE, "{flash_size} bytes of flash, at most 16 MiB");
        Self {
            rom: Words::new(rom_size, 0),
            flash: Flash::new(flash_size),
            ram: Words::new(RAM_SIZE, 0),
            code: Code::default(),
            blocks: Blocks::default(),
            pages: vec![0; PAGE_COUNT].into(),
            decoded_page_count: 0,
            executed: Vec::new(),
            noted: Noted::default(),
            counts: None,
            transfers: None,
            records: false,
            watch: Watch::default(),
        }
    }

    /// Size of the flash in bytes.
    pub fn flash_size(&self) -> usize {
        self.flash.size()
    }

    /// Returns the byte at `address`, if it is in one of the regions.
    pub fn byte(&self, address: u32) -> Option<u8> {
        self.load8(address).map(|byte| byte as u8)
    }

    /// Returns `N` bytes from `address` on, if all are in one region.
    pub fn bytes<const N: usize>(&self, address: u32) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        for (offset, byte) in bytes.iter_mut().enumerate() {
            *byte = self.byte(address.wrapping_add(offset as u32))?;
        }
        Some(bytes)
    }

    /// Returns the word at `address`, if it is aligned and in one of the regions.
    pub fn word(&self, address: u32) -> Option<u32> {
        self.load32(address)
    }

    /// Loads a program: writes `bytes` to `address` in any region.
    ///
    /// # Errors
    /// [`OutsideMemory`] at the first address outside the regions; the bytes before it are
    /// written.
    pub fn load(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutsideMemory> {
        let mut offset = 0;
        while let Some(byte) = bytes.get(offset) {
            let at = address.wrapping_add(offset as u32);
            // A program is mostly whole words of the flash.
            if let (FLASH_BASE..RAM_BASE, Some(word)) = (at, bytes[offset..].first_chunk())
                && self.flash.store32(at - FLASH_BASE, u32::from_le_bytes(*word))
            {
                offset += 4;
                continue;
            }
            offset += 1;
            let byte = u32::from(*byte);
            let stored = match at {
                RAM_BASE.. => self.ram.store8(at - RAM_BASE, byte),
                FLASH_BASE.. => self.flash.store8(at - FLASH_BASE, byte),
                _ => self.rom.store8(at - ROM_BASE, byte),
            };
            if !stored {
                return Err(OutsideMemory { address: at });
            }
        }
        self.forget(address, bytes.len() as u32);
        Ok(())
    }

    /// Sets every bit of `length` bytes of flash from `offset` on. Returns false, without a change,
    /// if the range is not flash.
    pub fn erase_flash(&mut self, offset: u32, length: u32) -> bool {
        self.change_flash(offset, length, |_, _| 0xFF)
    }

    /// Programs flash from `offset` on: bits are cleared and never set. Returns false, without a
    /// change, if the range is not flash.
    pub fn program_flash(&mut self, offset: u32, bytes: &[u8]) -> bool {
        self.change_flash(offset, bytes.len() as u32, |at, old| old & bytes[at as usize])
    }

    fn change_flash(&mut self, offset: u32, length: u32, new: impl Fn(u32, u8) -> u8) -> bool {
        if u64::from(offset) + u64::from(length) > self.flash.size() as u64 {
            return false;
        }
        for at in 0..length {
            let old = self.flash.load8(offset + at).unwrap_or_default() as u8;
            self.flash.store8(offset + at, new(at, old).into());
        }
        self.forget(FLASH_BASE + offset, length);
        true
    }

    /// Returns the address within the regions for an address in the other XIP windows, in the part
    /// of a window after the end of the flash, or in the unstriped RAM. The flash ignores the upper
    /// bits of an address, so that its content repeats through each window.
    fn alias(&self, address: u32) -> Option<u32> {
        match address >> 24 {
            0x10..=0x13 => {
                let offset = (address & 0x00FF_FFFF).checked_rem(self.flash.size() as u32)?;
                // The address itself is in the flash; the access was refused for another reason.
                (FLASH_BASE + offset != address).then_some(FLASH_BASE + offset)
            }
            // Four banks of 64 KiB in sequence; in the striped region their words are interleaved.
            0x21 if address & 0x00FF_FFFF < 0x4_0000 => {
                let (bank, offset) = (address >> 16 & 3, address & 0xFFFF);
                Some(RAM_BASE + (offset / 4 * 16 + bank * 4 + offset % 4))
            }
            _ => None,
        }
    }

    /// Discards the decoded instructions of `length` bytes from `address` on.
    fn forget(&mut self, address: u32, length: u32) {
        if self.code.is_empty() {
            return;
        }
        // An instruction of four bytes may begin in the halfword before.
        let first = (address & !1).wrapping_sub(2);
        let mut discards = address < RAM_BASE && self.blocks.have_literals(address, length);
        for halfword in 0..length.div_ceil(2) + 2 {
            let at = first.wrapping_add(halfword * 2);
            if let Some(place) = self.region_of(at) {
                discards |= self.code.forget(place.index);
            }
        }
        if discards {
            self.settle_counts();
            self.blocks.discard();
        }
    }

    /// Returns first slot, number of slots and first address of RAM, ROM and flash, in the order of
    /// their slots.
    fn regions(&self) -> [(usize, usize, u32); 3] {
        let ram = RAM_SIZE / 2;
        let rom = self.rom.size() / 2;
        let flash = self.flash.size() / 2;
        let first = NO_PLACE + 2;
        [
            (first, ram, RAM_BASE),
            (first + ram + 1, rom, ROM_BASE),
            (first + ram + rom + 2, flash, FLASH_BASE),
        ]
    }

    /// Allocates the slots of decoded instructions.
    #[cold]
    fn make_room(&mut self) {
        let ends = self.regions().map(|(start, length, _)| start + length);
        self.code = Code::new(&[&[NO_PLACE + 1], &ends[..]].concat());
    }

    fn region_of(&self, address: u32) -> Option<Place> {
        self.regions().into_iter().find_map(|(start, length, first)| {
            let offset = (address.wrapping_sub(first) / 2) as usize;
            (offset < length).then(|| Place {
                index: start + offset,
                start,
                length,
                base: first.wrapping_sub(start as u32 * 2),
            })
        })
    }

    /// Returns the slot of the instruction at `address`, if it is in one of the regions, and
    /// allocates the slots if necessary.
    pub(crate) fn place(&mut self, address: u32) -> Option<Place> {
        let place = self.region_of(address)?;
        if self.code.is_empty() {
            self.make_room();
        }
        Some(place)
    }

    /// Returns the slot for addresses without executable memory, placed at `address`.
    pub(crate) fn no_place(&mut self, address: u32, instruction: Instruction) -> Place {
        if self.code.is_empty() {
            self.make_room();
        }
        self.code.set(NO_PLACE, instruction);
        let base = address.wrapping_sub(NO_PLACE as u32 * 2);
        Place { index: NO_PLACE, start: NO_PLACE, length: 1, base }
    }

    /// Returns a reference to the decoded instruction in a slot. Copying all of it would cost more
    /// than reading the one or two fields that are needed.
    #[inline(always)]
    pub(crate) fn slot(&self, index: usize) -> &Instruction {
        self.code.get(index)
    }

    /// Returns a copy of the decoded instruction in a slot.
    pub(crate) fn instruction(&self, index: usize) -> Instruction {
        *self.slot(index)
    }

    /// Decodes the instruction at `address`, stores it in its slot, and returns it.
    #[cold]
    pub(crate) fn decode(&mut self, index: usize, address: u32) -> Instruction {
        let first = self.load16(address).unwrap_or_default() as u16;
        let second = self.load16(address.wrapping_add(2));
        let instruction = match second {
            None if is_wide(first) => Instruction::Unfetchable,
            Some(second) if !is_wide(first) => pair(decode(first, 0), decode(second as u16, 0)),
            second => decode(first, second.unwrap_or_default() as u16),
        };
        self.code.set(index, instruction);
        for at in [address, address.wrapping_add(2)] {
            let page = at.wrapping_sub(RAM_BASE) as usize / PAGE_SIZE;
            if let Some(flags) = self.pages.get_mut(page) {
                self.decoded_page_count += usize::from(*flags & DECODED == 0);
                *flags |= DECODED;
            }
        }
        instruction
    }

    /// Returns the number of pages of RAM with decoded instructions. While it is the same, the
    /// pages are the same.
    #[inline(always)]
    pub(crate) fn decoded_page_count(&self) -> usize {
        self.decoded_page_count
    }

    /// Whether an instruction was decoded from a page of RAM with one of `size` bytes from `first`
    /// on.
    pub(crate) fn has_decoded(&self, first: u32, size: u32) -> bool {
        let Some(last) = size.checked_sub(1) else { return false };
        let page = |offset: u32| offset.wrapping_sub(RAM_BASE) as usize / PAGE_SIZE;
        let pages = self.pages.get(page(first)..=page(first + last));
        pages.is_none_or(|pages| pages.iter().any(|flags| flags & DECODED != 0))
    }

    /// Returns the instruction at `address`, for reports.
    pub fn disassemble(&self, address: u32) -> Option<Instruction> {
        let first = self.load16(address)? as u16;
        Some(decode(first, self.load16(address.wrapping_add(2)).unwrap_or_default() as u16))
    }
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Self {
            rom: self.rom.clone(),
            flash: self.flash.clone(),
            ram: self.ram.clone(),
            code: self.code.clone(),
            blocks: Blocks::default(),
            pages: self.pages.clone(),
            decoded_page_count: self.decoded_page_count,
            executed: self.executed.clone(),
            // The copy builds its blocks again.
            noted: Noted::default(),
            counts: self.settled_counts().map(|counts| Box::new(counts.into_owned())),
            transfers: self.transfers.clone(),
            records: self.records,
            watch: self.watch.clone(),
        }
    }
}

impl Memory {
    #[cold]
    fn load_alias(&self, address: u32, load: fn(&Self, u32) -> Option<u32>) -> Option<u32> {
        load(self, self.alias(address)?)
    }

    #[cold]
    fn store_alias(
        &mut self,
        address: u32,
        value: u32,
        store: fn(&mut Self, u32, u32) -> bool,
    ) -> bool {
        self.alias(address).is_some_and(|address| store(self, address, value))
    }
}

/// Loads, which give `None` for an unaligned address and outside the regions.
impl Memory {
    #[inline(always)]
    pub(crate) fn load32(&self, address: u32) -> Option<u32> {
        match self.ram.load32(address.wrapping_sub(RAM_BASE)) {
            None => self
                .flash
                .load32(address.wrapping_sub(FLASH_BASE))
                .or_else(|| self.rom.load32(address.wrapping_sub(ROM_BASE)))
                .or_else(|| self.load_alias(address, Self::load32)),
            value => value,
        }
    }

    #[inline(always)]
    pub(crate) fn load16(&self, address: u32) -> Option<u32> {
        match self.ram.load16(address.wrapping_sub(RAM_BASE)) {
            None => self
                .flash
                .load16(address.wrapping_sub(FLASH_BASE))
                .or_else(|| self.rom.load16(address.wrapping_sub(ROM_BASE)))
                .or_else(|| self.load_alias(address, Self::load16)),
            value => value,
        }
    }

    #[inline(always)]
    pub(crate) fn load8(&self, address: u32) -> Option<u32> {
        match self.ram.load8(address.wrapping_sub(RAM_BASE)) {
            None => self
                .flash
                .load8(address.wrapping_sub(FLASH_BASE))
                .or_else(|| self.rom.load8(address.wrapping_sub(ROM_BASE)))
                .or_else(|| self.load_alias(address, Self::load8)),
            value => value,
        }
    }
}

/// Loads and stores of several words at once, in RAM only.
impl Memory {
    #[inline(always)]
    pub(crate) fn load_words(&self, address: u32, count: u32) -> Option<&[u32]> {
        self.ram.words(address.wrapping_sub(RAM_BASE), count)
    }

    /// Stores `count` values of `next` and returns the address after the last. `None`, without a
    /// call of `next`, if the range is not RAM.
    #[inline(always)]
    pub(crate) fn store_words(
        &mut self,
        address: u32,
        count: u32,
        mut next: impl FnMut() -> u32,
    ) -> Option<u32> {
        let offset = address.wrapping_sub(RAM_BASE);
        let words = self.ram.words_mut(offset, count)?;
        for word in words {
            *word = next();
        }
        let last = offset + 4 * count - 1;
        let pages = offset as usize / PAGE_SIZE..=last as usize / PAGE_SIZE;
        if self.pages.get(pages).is_some_and(|pages| pages.iter().any(|flags| *flags != 0)) {
            self.overwritten(offset, 4 * count);
        }
        Some(address.wrapping_add(4 * count))
    }
}

/// Stores, which write to RAM only and return whether they did. The bus handles all other
/// addresses.
impl Memory {
    #[inline(always)]
    pub(crate) fn store32(&mut self, address: u32, value: u32) -> bool {
        let offset = address.wrapping_sub(RAM_BASE);
        let done = self.ram.store32(offset, value);
        self.stored(offset, done) || self.store_alias(address, value, Self::store32)
    }

    #[inline(always)]
    pub(crate) fn store16(&mut self, address: u32, value: u32) -> bool {
        let offset = address.wrapping_sub(RAM_BASE);
        let done = self.ram.store16(offset, value);
        self.stored(offset, done) || self.store_alias(address, value, Self::store16)
    }

    #[inline(always)]
    pub(crate) fn store8(&mut self, address: u32, value: u32) -> bool {
        let offset = address.wrapping_sub(RAM_BASE);
        let done = self.ram.store8(offset, value);
        self.stored(offset, done) || self.store_alias(address, value, Self::store8)
    }

    #[inline(always)]
    fn stored(&mut self, offset: u32, done: bool) -> bool {
        if done && self.pages.get(offset as usize / PAGE_SIZE).is_some_and(|flags| *flags != 0) {
            self.overwritten(offset & !3, 4);
        }
        done
    }

    #[cold]
    #[inline(never)]
    fn overwritten(&mut self, offset: u32, length: u32) {
        self.note_overwritten(offset, length);
        self.forget(RAM_BASE + offset, length);
    }
}

#[cfg(test)]
mod tests;
