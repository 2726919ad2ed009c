//! The sectors of the files area: their number, their capacity, and sets of them ([`Ring`]).

use crate::storage::layout::{FILES, SECTOR_BYTES};

/// Number of bytes at the start of each sector that are not content.
pub(super) const ROOM: u32 = 64;

/// Maximum number of files of both kinds.
pub const MAX_FILES: usize = 24;

/// Number of content bytes in a sector.
pub const SECTOR_CONTENT: u32 = SECTOR_BYTES - ROOM;

/// Number of sectors in the area; a set of them is a `u64` with a bit for each.
pub(super) const SECTORS: u8 = ((FILES.end - FILES.start) / SECTOR_BYTES) as u8;
/// Set of all sectors of the area.
pub(super) const ALL: u64 = (1 << SECTORS) - 1;

/// Number of sectors that a file with a new name may not use. They guarantee that every file of up
/// to [`SECTOR_CONTENT`] bytes, and so every saved game, can be written next to the one that it
/// replaces.
pub(super) const RESERVED: u32 = 1;

const _: () = assert!(MAX_FILES + RESERVED as usize <= SECTORS as usize);

/// Maximum length of a file in bytes, in a flash without any other.
pub const MOST_BYTES: u32 = (SECTORS as u32 - RESERVED) * SECTOR_CONTENT;

/// Returns the address of a sector of the area in flash.
pub(super) const fn address(sector: u8) -> u32 {
    FILES.start + sector as u32 * SECTOR_BYTES
}

/// Ordered set of sectors of the area: around the ring from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ring {
    /// Sector at which the order begins, less than [`SECTORS`]; one of the set unless that is
    /// empty.
    pub(super) first: u8,
    /// Set with a bit for each sector.
    pub(super) set: u64,
}

impl Ring {
    /// Returns its sectors in order.
    pub(super) fn sectors(self) -> impl Iterator<Item = u8> {
        (0..SECTORS)
            .map(move |steps| (self.first + steps) % SECTORS)
            .filter(move |sector| self.set & 1 << sector != 0)
    }

    pub(super) fn nth(self, n: u32) -> Option<u8> {
        self.sectors().nth(n as usize)
    }

    /// Returns its first `count` sectors.
    pub(super) fn start(self, count: u32) -> Self {
        let mut start = Self { first: self.nth(0).unwrap_or(self.first), set: 0 };
        for sector in self.sectors().take(count as usize) {
            start.set |= 1 << sector;
        }
        start
    }

    pub(super) fn count(self) -> u32 {
        self.set.count_ones()
    }
}

/// Returns the number of sectors for content of `bytes` bytes; even empty content takes one, for
/// the header.
pub(super) const fn sectors_for(bytes: u32) -> u32 {
    if bytes == 0 { 1 } else { bytes.div_ceil(SECTOR_CONTENT) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_wraps_around_from_its_first_sector() {
        let ring = Ring { first: 46, set: 1 << 46 | 1 << 47 | 1 << 3 | 1 << 40 };
        assert!(ring.sectors().eq([46, 47, 3, 40]));
        assert_eq!((ring.nth(2), ring.nth(4), ring.count()), (Some(3), None, 4));
        assert!(ring.start(3).sectors().eq([46, 47, 3]));
        let later = Ring { first: 47, ..ring };
        assert!(later.start(2).sectors().eq([47, 3]));
    }

    #[test]
    fn content_takes_as_many_sectors_as_it_fills() {
        let full = SECTOR_CONTENT;
        let cases = [(0, 1), (1, 1), (full, 1), (full + 1, 2), (40 * 1024, 11)];
        for (bytes, sectors) in cases {
            assert_eq!(sectors_for(bytes), sectors, "{bytes} bytes");
        }
    }
}
