//! A range of memory stored as words: loads and stores of three widths at an offset in bytes.
//!
//! Range and alignment are one comparison: rotating the offset right by the width's logarithm
//! moves the bits that must be zero to the top, where they make it too large.

#[derive(Clone, Debug)]
pub(super) struct Words(Vec<u32>);

impl Words {
    /// Creates `size` bytes, rounded up to whole words, each with the value `fill`.
    pub(super) fn new(size: usize, fill: u32) -> Self {
        Self(vec![fill; size.div_ceil(4)])
    }

    pub(super) fn all_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }

    /// Size in bytes.
    pub(super) fn size(&self) -> usize {
        self.0.len() * 4
    }

    #[inline(always)]
    pub(super) fn load32(&self, offset: u32) -> Option<u32> {
        self.0.get(offset.rotate_right(2) as usize).copied()
    }

    /// Returns `count` words, if all exist.
    #[inline(always)]
    pub(super) fn words(&self, offset: u32, count: u32) -> Option<&[u32]> {
        self.0.get(offset.rotate_right(2) as usize..)?.get(..count as usize)
    }

    /// Returns `count` words for writing to them, if all exist.
    #[inline(always)]
    pub(super) fn words_mut(&mut self, offset: u32, count: u32) -> Option<&mut [u32]> {
        self.0.get_mut(offset.rotate_right(2) as usize..)?.get_mut(..count as usize)
    }

    #[inline(always)]
    pub(super) fn load16(&self, offset: u32) -> Option<u32> {
        let half = offset.rotate_right(1);
        let word = *self.0.get((half / 2) as usize)?;
        Some(word >> (half % 2 * 16) & 0xFFFF)
    }

    #[inline(always)]
    pub(super) fn load8(&self, offset: u32) -> Option<u32> {
        let word = *self.0.get((offset / 4) as usize)?;
        Some(word >> (offset % 4 * 8) & 0xFF)
    }

    #[inline(always)]
    pub(super) fn store32(&mut self, offset: u32, value: u32) -> bool {
        match self.0.get_mut(offset.rotate_right(2) as usize) {
            Some(word) => {
                *word = value;
                true
            }
            None => false,
        }
    }

    #[inline(always)]
    pub(super) fn store16(&mut self, offset: u32, value: u32) -> bool {
        let half = offset.rotate_right(1);
        let shift = half % 2 * 16;
        match self.0.get_mut((half / 2) as usize) {
            Some(word) => {
                *word = *word & !(0xFFFF << shift) | (value & 0xFFFF) << shift;
                true
            }
            None => false,
        }
    }

    #[inline(always)]
    pub(super) fn store8(&mut self, offset: u32, value: u32) -> bool {
        let shift = offset % 4 * 8;
        match self.0.get_mut((offset / 4) as usize) {
            Some(word) => {
                *word = *word & !(0xFF << shift) | (value & 0xFF) << shift;
                true
            }
            None => false,
        }
    }
}
