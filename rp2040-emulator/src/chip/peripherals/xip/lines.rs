//! The lines of the flash that the XIP cache contains, and its counters (datasheet section
//! 2.6.3.1): 16 KiB, two ways, lines of eight bytes.
//!
//! The model has no data, because the flash itself answers, and no time: the caller decides what a
//! miss costs. The least recently used of two lines is replaced; the datasheet does not specify
//! which.

/// Size of a line in bytes.
pub(in crate::chip) const LINE: u32 = 8;
/// Number of sets: 16 KiB in two ways.
const SETS: u32 = 1024;
/// Bits of an address within the flash; the others select a window.
const FLASH_BITS: u32 = 0x00FF_FFFF;

/// Position of the window's number in an address. The windows of the flash: RP2040 datasheet
/// 2.6.3.1.
const WINDOW_LSB: u32 = 24;
const WINDOW_CACHED: u32 = 0x10;
const WINDOW_NOALLOC: u32 = 0x11;
const WINDOW_NOCACHE: u32 = 0x12;

/// Tags of two lines, the most recently used one first.
type Set = [Option<u16>; 2];

#[derive(Clone, Debug)]
pub(super) struct Lines {
    sets: Vec<Set>,
    /// CTR_HIT and, below, CTR_ACC, which saturate.
    pub(super) hits: u32,
    pub(super) accesses: u32,
}

impl Lines {
    /// Creates an empty cache.
    pub(super) fn new() -> Self {
        Self { sets: vec![[None; 2]; SETS as usize], hits: 0, accesses: 0 }
    }

    /// Empties the cache; the counters continue.
    pub(super) fn flush(&mut self) {
        self.sets.fill([None; 2]);
    }

    /// Counts a read of the flash at `address`, in any window. While the cache is not `enabled`,
    /// the flash answers.
    pub(super) fn read(&mut self, address: u32, enabled: bool) {
        self.accesses = self.accesses.saturating_add(1);
        if !enabled {
            return;
        }
        let window = address >> WINDOW_LSB;
        let looks = matches!(window, WINDOW_CACHED | WINDOW_NOALLOC);
        let keeps = matches!(window, WINDOW_CACHED | WINDOW_NOCACHE);
        let (set, tag) = self.place(address);
        match set.iter().position(|held| *held == Some(tag)) {
            Some(way) if looks || keeps => {
                set.swap(0, way);
                if looks {
                    self.hits = self.hits.saturating_add(1);
                }
            }
            None if keeps => *set = [Some(tag), set[0]],
            _ => {}
        }
    }

    /// Returns whether a read of the flash at `address`, in any window, would hit.
    pub(super) fn hits(&self, address: u32) -> bool {
        let looks = matches!(address >> WINDOW_LSB, WINDOW_CACHED | WINDOW_NOALLOC);
        let line = (address & FLASH_BITS) / LINE;
        let tag = Some((line / SETS) as u16);
        looks && self.sets[(line % SETS) as usize].contains(&tag)
    }

    /// Discards a line, after a write to the flash's first window.
    pub(super) fn discard(&mut self, address: u32) {
        let (set, tag) = self.place(address);
        for held in set {
            if *held == Some(tag) {
                *held = None;
            }
        }
    }

    fn place(&mut self, address: u32) -> (&mut Set, u16) {
        let line = (address & FLASH_BITS) / LINE;
        (&mut self.sets[(line % SETS) as usize], (line / SETS) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLASH: u32 = 0x1000_0000;
    /// Distance of addresses in the same set.
    const WAY: u32 = LINE * SETS;

    /// Reads these addresses; returns the number of hits.
    #[track_caller]
    fn hits(lines: &mut Lines, addresses: &[u32]) -> u32 {
        let before = lines.hits;
        let accesses = lines.accesses;
        addresses.iter().for_each(|address| lines.read(*address, true));
        assert_eq!(lines.accesses - accesses, addresses.len() as u32);
        lines.hits - before
    }

    #[test]
    fn a_line_of_eight_bytes_hits_once_it_has_been_read() {
        let mut lines = Lines::new();
        assert_eq!(hits(&mut lines, &[FLASH + 4, FLASH, FLASH + 7, FLASH + 8]), 2);
        lines.flush();
        assert_eq!(hits(&mut lines, &[FLASH]), 0);
    }

    #[test]
    fn the_least_recently_used_line_is_replaced() {
        let mut lines = Lines::new();
        let [a, b, c] = [0, 1, 2].map(|way| FLASH + 0x40 + way * WAY);
        assert_eq!(hits(&mut lines, &[a, b, a, c]), 1);
        assert_eq!(hits(&mut lines, &[a, c]), 2);
        assert_eq!(hits(&mut lines, &[b]), 0);
    }

    #[test]
    fn windows_use_the_cache_as_the_datasheet_says() {
        let mut lines = Lines::new();
        let [cached, noalloc, nocache, neither] = [0, 1, 2, 3].map(|n| FLASH + (n << 24));
        assert_eq!(hits(&mut lines, &[noalloc, neither, noalloc]), 0, "nothing is kept");
        assert_eq!(hits(&mut lines, &[nocache, nocache]), 0, "not looked for");
        assert_eq!(hits(&mut lines, &[noalloc, cached]), 2, "but kept");
        assert_eq!(hits(&mut lines, &[neither]), 0);
    }

    #[test]
    fn a_discarded_line_misses_and_a_disabled_cache_too() {
        let mut lines = Lines::new();
        assert_eq!(hits(&mut lines, &[FLASH, FLASH + 8]), 0);
        lines.discard(FLASH + 4);
        assert_eq!(hits(&mut lines, &[FLASH + 8, FLASH]), 1);
        lines.read(FLASH, false);
        assert_eq!((lines.hits, lines.accesses), (1, 5));
    }

    #[test]
    fn the_counters_stop_at_their_ends() {
        let mut lines = Lines::new();
        (lines.hits, lines.accesses) = (u32::MAX, u32::MAX);
        lines.read(FLASH, true);
        lines.read(FLASH, true);
        assert_eq!((lines.hits, lines.accesses), (u32::MAX, u32::MAX));
    }
}
