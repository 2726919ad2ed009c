//! The flash as the core reads it: words in pages that copies of the memory share until one of
//! them writes to a page.
//!
//! Loads are those of [`Words`](super::words::Words). The module does not know erasing and
//! programming: the owner stores their result.

use std::sync::Arc;

/// Words in a page: 4 KiB, a sector of the chip.
const PAGE: usize = 1024;

/// The page of all sectors that nothing was written to.
#[derive(Clone, Debug)]
pub(super) struct Flash(Vec<Arc<[u32; PAGE]>>);

impl Flash {
    /// Creates `size` bytes of erased flash, rounded up to whole sectors.
    pub(super) fn new(size: usize) -> Self {
        let erased = Arc::new([0xFFFF_FFFF; PAGE]);
        Self(vec![erased; size.div_ceil(4 * PAGE)])
    }

    /// Size in bytes.
    pub(super) fn size(&self) -> usize {
        self.0.len() * PAGE * 4
    }

    #[inline(always)]
    fn word(&self, index: usize) -> Option<u32> {
        self.0.get(index / PAGE).map(|page| page[index % PAGE])
    }

    #[inline(always)]
    pub(super) fn load32(&self, offset: u32) -> Option<u32> {
        self.word(offset.rotate_right(2) as usize)
    }

    #[inline(always)]
    pub(super) fn load16(&self, offset: u32) -> Option<u32> {
        let half = offset.rotate_right(1);
        Some(self.word((half / 2) as usize)? >> (half % 2 * 16) & 0xFFFF)
    }

    #[inline(always)]
    pub(super) fn load8(&self, offset: u32) -> Option<u32> {
        Some(self.word((offset / 4) as usize)? >> (offset % 4 * 8) & 0xFF)
    }

    /// Writes a byte. If the byte changes, the page is no longer shared. Returns false if there is
    /// no such byte.
    pub(super) fn store8(&mut self, offset: u32, value: u32) -> bool {
        let (index, shift) = ((offset / 4) as usize, offset % 4 * 8);
        let Some(page) = self.0.get_mut(index / PAGE) else { return false };
        let old = page[index % PAGE];
        let new = old & !(0xFF << shift) | (value & 0xFF) << shift;
        if new != old {
            Arc::make_mut(page)[index % PAGE] = new;
        }
        true
    }

    /// Writes an aligned word, as [`store8`](Self::store8) does a byte.
    pub(super) fn store32(&mut self, offset: u32, value: u32) -> bool {
        let index = offset.rotate_right(2) as usize;
        let Some(page) = self.0.get_mut(index / PAGE) else { return false };
        if page[index % PAGE] != value {
            Arc::make_mut(page)[index % PAGE] = value;
        }
        true
    }

    /// Number of pages that `other` does not share.
    #[cfg(test)]
    pub(super) fn own_pages(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).filter(|(own, other)| !Arc::ptr_eq(own, other)).count()
    }
}
