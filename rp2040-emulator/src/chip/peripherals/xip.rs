//! The XIP cache: its control, its memory as RAM, and the stream from the flash (datasheet section
//! 2.6.3).
//!
//! The flash itself answers every access, in the time of a cache hit. CTRL decides whether the
//! cache's memory can be used as 16 KiB of RAM, for data. The contents of the cache are tracked
//! only from the first access to a counter on ([`XipCache::is_counting`]), because the cores are
//! slower while they report each access. The stream fetches as soon as its FIFO has room: the chip
//! calls [`XipCache::fetch`] with the words of the flash.

use std::collections::VecDeque;

use crate::cpu::bus::Width;

mod lines;

pub(in crate::chip) use lines::LINE;
use lines::Lines;

// Registers: RP2040 datasheet 2.6.3.6.
const CTRL: u32 = 0x00; // cache control, 2.6.3.6
const FLUSH: u32 = 0x04; // cache flush, 2.6.3.6
const STAT: u32 = 0x08; // cache status, 2.6.3.6
const CTR_HIT: u32 = 0x0C; // accesses that the cache has answered; a write clears, 2.6.3.6
const CTR_ACC: u32 = 0x10; // accesses to the flash; a write clears, 2.6.3.6
const STREAM_ADDR: u32 = 0x14; // address of the next word, 2.6.3.6
const STREAM_CTR: u32 = 0x18; // words that are left; a write starts, 2.6.3.6
const STREAM_FIFO: u32 = 0x1C; // words of the stream, 2.6.3.6

const CTRL_EN: u32 = 1;
const CTRL_ERR_BADWRITE: u32 = 1 << 1;
const CTRL_POWER_DOWN: u32 = 1 << 3;
const FLUSH_FLUSH: u32 = 1;
const CTRL_BITS: u32 = CTRL_EN | CTRL_ERR_BADWRITE | CTRL_POWER_DOWN;
const STAT_FLUSH_READY: u32 = 1;
const STAT_FIFO_EMPTY: u32 = 1 << 1;
const STAT_FIFO_FULL: u32 = 1 << 2;
const STREAM_ADDR_BITS: u32 = 0xFFFF_FFFC;
const STREAM_CTR_BITS: u32 = 0x003F_FFFF;
const FIFO_DEPTH: usize = 2;
/// Position of the upper bits of an address, which select a window of the flash; `CACHED_WINDOW` is
/// the one that is cached.
const WINDOW_LSB: u32 = 24;
const FIRST_WINDOW: u32 = 0x10;
/// Number of words of the cache's memory: 16 KiB.
const WORDS: usize = 4096;

#[derive(Clone, Debug)]
pub(in crate::chip) struct XipCache {
    control: u32,
    address: u32,
    left: u32,
    fifo: VecDeque<u32>,
    /// Memory of the cache, once it has been written to.
    memory: Option<Box<[u32; WORDS]>>,
    /// Lines that the cache contains, once a counter is used.
    lines: Option<Lines>,
}

impl Default for XipCache {
    fn default() -> Self {
        Self {
            control: CTRL_EN | CTRL_ERR_BADWRITE,
            address: 0,
            left: 0,
            fifo: VecDeque::new(),
            memory: None,
            lines: None,
        }
    }
}

impl XipCache {
    /// Returns the cache after a reset. Its memory retains its contents, and counting continues
    /// from zero.
    pub(in crate::chip) fn after_reset(&mut self) -> Self {
        let lines = self.lines.take().map(|_| Lines::new());
        Self { memory: self.memory.take(), lines, ..Self::default() }
    }

    /// Starts counting, with an empty cache.
    pub(in crate::chip) fn start_counting(&mut self) {
        self.lines();
    }

    /// Returns whether reads of the flash must be reported to [`accessed`](Self::accessed).
    pub(in crate::chip) fn is_counting(&self) -> bool {
        self.lines.is_some()
    }

    /// Returns whether a read of the flash at `address`, in any window, is answered by the cache. A
    /// cache that is not tracked answers every read.
    pub(in crate::chip) fn hits(&self, address: u32) -> bool {
        let enabled = self.control & CTRL_EN != 0;
        self.lines.as_ref().is_none_or(|lines| enabled && lines.hits(address))
    }

    /// Counts a read of the flash at `address`, in any window, by a core or the DMA.
    pub(in crate::chip) fn accessed(&mut self, address: u32) {
        let enabled = self.control & CTRL_EN != 0;
        if let Some(lines) = &mut self.lines {
            lines.read(address, enabled);
        }
    }

    /// Stores to the flash at `address`, in any window. In the first window this discards the
    /// cached line; in the others it is a bus error (`None`) or ignored.
    pub(in crate::chip) fn store_to_flash(&mut self, address: u32) -> Option<()> {
        if address >> WINDOW_LSB != FIRST_WINDOW {
            return (self.control & CTRL_ERR_BADWRITE == 0).then_some(());
        }
        if let Some(lines) = &mut self.lines {
            lines.discard(address);
        }
        Some(())
    }

    /// Empties the cache.
    pub(in crate::chip) fn flush(&mut self) {
        if let Some(lines) = &mut self.lines {
            lines.flush();
        }
    }

    fn lines(&mut self) -> &mut Lines {
        self.lines.get_or_insert_with(Lines::new)
    }

    pub(in crate::chip) fn read(&mut self, offset: u32) -> Option<u32> {
        Some(match offset {
            CTRL => self.control,
            FLUSH => 0,
            STAT => {
                STAT_FLUSH_READY
                    | if self.fifo.is_empty() { STAT_FIFO_EMPTY } else { 0 }
                    | if self.fifo.len() == FIFO_DEPTH { STAT_FIFO_FULL } else { 0 }
            }
            CTR_HIT => self.lines().hits,
            CTR_ACC => self.lines().accesses,
            STREAM_ADDR => self.address,
            STREAM_CTR => self.left,
            STREAM_FIFO => self.next_word(),
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            CTRL => {
                self.control = value & CTRL_BITS;
                if value & CTRL_POWER_DOWN != 0 {
                    self.control &= !CTRL_EN;
                }
            }
            FLUSH if value & FLUSH_FLUSH != 0 => self.flush(),
            FLUSH | STAT => {}
            CTR_HIT => self.lines().hits = 0,
            CTR_ACC => self.lines().accesses = 0,
            STREAM_ADDR => self.address = value & STREAM_ADDR_BITS,
            STREAM_CTR => self.left = value & STREAM_CTR_BITS,
            STREAM_FIFO => {}
            _ => return None,
        }
        Some(())
    }

    /// Returns the next word of the stream; 0 if there is none yet.
    pub(in crate::chip) fn next_word(&mut self) -> u32 {
        self.fifo.pop_front().unwrap_or_default()
    }

    /// Returns whether the stream can fetch a word now.
    pub(in crate::chip) fn wants_word(&self) -> bool {
        self.left != 0 && self.fifo.len() < FIFO_DEPTH
    }

    /// Fetches words until the FIFO is full or the stream ends. `word` returns the word of the
    /// flash at an address.
    pub(in crate::chip) fn fetch(&mut self, word: impl Fn(u32) -> Option<u32>) {
        while self.wants_word() {
            self.fifo.push_back(word(self.address).unwrap_or_default());
            self.address = self.address.wrapping_add(4);
            self.left -= 1;
        }
    }

    /// Returns the stream's DMA request.
    pub(in crate::chip) fn request(&self) -> bool {
        !self.fifo.is_empty()
    }

    /// Returns whether the cache's memory is RAM: the cache is off and has power.
    fn is_ram(&self) -> bool {
        self.control & (CTRL_EN | CTRL_POWER_DOWN) == 0
    }

    /// Loads from the cache's memory, `offset` in bytes; `None` is a bus error.
    pub(in crate::chip) fn load(&self, offset: u32) -> Option<u32> {
        if !self.is_ram() {
            return None;
        }
        let word = self.memory.as_ref().and_then(|memory| memory.get(offset as usize / 4));
        Some(word.copied().unwrap_or_default())
    }

    /// Stores `value`, which is repeated over the word, to the cache's memory.
    pub(in crate::chip) fn store(&mut self, offset: u32, width: Width, value: u32) -> Option<()> {
        if !self.is_ram() {
            return None;
        }
        let memory = self.memory.get_or_insert_with(|| Box::new([0; WORDS]));
        let word = memory.get_mut(offset as usize / 4)?;
        let mask = width.mask() << (offset % 4 * 8);
        *word = *word & !mask | value & mask;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_memory_is_ram_while_the_cache_is_off() {
        let mut cache = XipCache::default();
        assert_eq!((cache.load(0), cache.store(0, Width::Word, 1)), (None, None));
        cache.write(CTRL, CTRL_ERR_BADWRITE);
        assert_eq!(cache.load(8), Some(0));
        assert_eq!(cache.store(8, Width::Word, 0x1234_5678), Some(()));
        assert_eq!(cache.store(10, Width::Byte, 0xABAB_ABAB), Some(()));
        assert_eq!(cache.load(8), Some(0x12AB_5678));
        assert_eq!(cache.after_reset().load(8), None, "a reset turns the cache on");
        cache.write(CTRL, CTRL_EN | CTRL_POWER_DOWN);
        assert_eq!((cache.read(CTRL), cache.load(8)), (Some(CTRL_POWER_DOWN), None));
    }

    #[test]
    fn a_counter_starts_when_it_is_used_and_a_write_clears_it() {
        let mut cache = XipCache::default();
        cache.accessed(0x1000_0000);
        assert!(!cache.is_counting());
        assert_eq!([CTR_HIT, CTR_ACC].map(|counter| cache.read(counter)), [Some(0), Some(0)]);
        assert!(cache.is_counting());
        for _ in 0..3 {
            cache.accessed(0x1000_0000);
        }
        assert_eq!([CTR_HIT, CTR_ACC].map(|counter| cache.read(counter)), [Some(2), Some(3)]);
        cache.write(CTR_HIT, 1);
        assert_eq!([CTR_HIT, CTR_ACC].map(|counter| cache.read(counter)), [Some(0), Some(3)]);
        cache.write(FLUSH, 1);
        cache.accessed(0x1000_0000);
        assert_eq!([CTR_HIT, CTR_ACC].map(|counter| cache.read(counter)), [Some(0), Some(4)]);
        assert_eq!(cache.after_reset().read(CTR_ACC), Some(0));
    }

    #[test]
    fn a_flash_store_discards_its_line_or_is_a_bus_error() {
        let mut cache = XipCache::default();
        cache.start_counting();
        cache.accessed(0x1000_0000);
        assert_eq!(cache.store_to_flash(0x1000_0004), Some(()));
        cache.accessed(0x1000_0000);
        assert_eq!(cache.read(CTR_HIT), Some(0));
        assert_eq!(cache.store_to_flash(0x1100_0000), None);
        cache.write(CTRL, CTRL_EN);
        assert_eq!(cache.store_to_flash(0x1300_0000), Some(()));
    }

    #[test]
    fn a_stream_fills_its_fifo_and_ends_after_its_words() {
        let mut cache = XipCache::default();
        cache.write(STREAM_ADDR, 0x1000_0103);
        cache.write(STREAM_CTR, 3);
        let word = |address: u32| Some(address);
        assert!(cache.wants_word());
        cache.fetch(word);
        assert_eq!(cache.read(STAT), Some(STAT_FLUSH_READY | STAT_FIFO_FULL));
        assert_eq!(cache.read(STREAM_CTR), Some(1));
        assert_eq!(cache.read(STREAM_FIFO), Some(0x1000_0100));
        cache.fetch(word);
        assert_eq!([(); 3].map(|()| cache.next_word()), [0x1000_0104, 0x1000_0108, 0]);
        assert!(!cache.wants_word());
        assert_eq!(cache.read(STREAM_ADDR), Some(0x1000_010C));
        assert_eq!(cache.read(STAT), Some(STAT_FLUSH_READY | STAT_FIFO_EMPTY));
    }
}
