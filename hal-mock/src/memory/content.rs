//! The content of an SPI flash or an SD card: an image, and the blocks that differ from it.
//!
//! Copies share the image and the written blocks until one of them writes, so a copy of a machine
//! costs no memory for its content. Files are never written.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Size in bytes of the unit that is copied when it is written: a sector of a card, and two pages
/// of a flash.
pub const BLOCK: usize = 512;
/// Maximum number of blocks that differ from the image: 64 MiB.
const WRITTEN_MAX: usize = 64 << 20 >> BLOCK.trailing_zeros();

type Block = [u8; BLOCK];

/// No further block can differ from the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

/// A content of fixed size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Size in bytes.
    size: u64,
    /// Value of the bytes after the image.
    erased: u8,
    image: Arc<[u8]>,
    written: Arc<BTreeMap<u64, Arc<Block>>>,
}

impl Content {
    /// Creates a content of `size` bytes that begins with `image`. The bytes after it are `erased`.
    pub fn new(image: Arc<[u8]>, size: u64, erased: u8) -> Self {
        Self { size, erased, image, written: Arc::default() }
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the byte at an address; addresses beyond the end are erased.
    pub(super) fn byte(&self, address: u64) -> u8 {
        let (number, at) = (address / BLOCK as u64, (address % BLOCK as u64) as usize);
        match self.written.get(&number) {
            Some(block) => block[at],
            None => self.original(address),
        }
    }

    /// Returns a block by its number.
    pub(super) fn block(&self, number: u64) -> Block {
        match self.written.get(&number) {
            Some(block) => **block,
            None => self.original_block(number),
        }
    }

    /// Replaces a block.
    ///
    /// # Errors
    /// If too many blocks differ from the image; nothing changes then.
    pub(super) fn write(&mut self, number: u64, block: &Block) -> Result<(), Full> {
        if number >= self.size.div_ceil(BLOCK as u64) {
            return Ok(());
        }
        if *block == self.original_block(number) {
            if self.written.contains_key(&number) {
                Arc::make_mut(&mut self.written).remove(&number);
            }
            return Ok(());
        }
        if self.written.len() >= WRITTEN_MAX && !self.written.contains_key(&number) {
            return Err(Full);
        }
        Arc::make_mut(&mut self.written).insert(number, Arc::new(*block));
        Ok(())
    }

    /// Erases the blocks from `first` to `last`. It takes the time of the blocks that the image and
    /// the written ones have.
    ///
    /// # Errors
    /// If too many blocks differ from the image.
    pub(super) fn erase_blocks(&mut self, first: u64, last: u64) -> Result<(), Full> {
        let block = [self.erased; BLOCK];
        let of_image = self.image.len().div_ceil(BLOCK) as u64;
        let written: Vec<u64> =
            self.written.range(first..=last).map(|(number, _)| *number).collect();
        let of_image = first..of_image.min(last.saturating_add(1));
        for number in of_image.chain(written) {
            self.write(number, &block)?;
        }
        Ok(())
    }

    /// Changes the bytes from `address` on by `change`, which gets the index of a byte and its
    /// value. Addresses beyond the end are ignored. The size is at most that of a flash chip, which
    /// is less than the number of bytes that can differ.
    pub(super) fn change(&mut self, address: u64, count: usize, change: impl Fn(usize, u8) -> u8) {
        let end = address.saturating_add(count as u64).min(self.size);
        let mut at = address;
        while at < end {
            let number = at / BLOCK as u64;
            let first = number * BLOCK as u64;
            let next = (first + BLOCK as u64).min(end);
            let mut block = self.block(number);
            for place in at..next {
                let byte = &mut block[(place - first) as usize];
                *byte = change((place - address) as usize, *byte);
            }
            // Full only if the content is larger than a flash chip.
            let _ = self.write(number, &block);
            at = next;
        }
    }

    fn original(&self, address: u64) -> u8 {
        let at = usize::try_from(address).ok();
        at.and_then(|at| self.image.get(at)).copied().unwrap_or(self.erased)
    }

    fn original_block(&self, number: u64) -> Block {
        let mut block = [self.erased; BLOCK];
        let first = usize::try_from(number).ok().and_then(|number| number.checked_mul(BLOCK));
        if let Some(rest) = first.and_then(|first| self.image.get(first..)) {
            let count = rest.len().min(BLOCK);
            block[..count].copy_from_slice(&rest[..count]);
        }
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content() -> Content {
        Content::new(Arc::from([1, 2, 3]), 2_048, 0xFF)
    }

    #[test]
    fn copies_are_independent_and_share_what_none_has_written() {
        let mut first = content();
        first.write(1, &[7; BLOCK]).unwrap();
        let mut second = first.clone();
        assert!(Arc::ptr_eq(&first.written, &second.written));
        second.write(2, &[8; BLOCK]).unwrap();
        assert_eq!((first.byte(1_024), second.byte(1_024)), (0xFF, 8));
        assert!(Arc::ptr_eq(&first.written[&1], &second.written[&1]));
        assert!(Arc::ptr_eq(&first.image, &second.image));
    }

    #[test]
    fn a_block_like_its_image_takes_no_memory() {
        let mut content = content();
        content.change(0, 4, |at, byte| byte ^ at as u8);
        assert_eq!((content.byte(1), content.written.len()), (3, 1));
        content.change(0, 4, |at, byte| byte ^ at as u8);
        assert_eq!(content, self::content());
        content.change(2_040, 100, |_, _| 0);
        assert_eq!((content.byte(2_047), content.byte(2_048)), (0, 0xFF));
        content.write(4, &[0; BLOCK]).unwrap();
        assert_eq!(content.byte(2_048), 0xFF, "beyond the end");
    }

    #[test]
    fn the_number_of_written_blocks_is_bounded() {
        let mut content = Content::new(Arc::from([]), 1 << 40, 0);
        let block = Arc::new([1; BLOCK]);
        content.written = Arc::new((0..WRITTEN_MAX as u64).map(|n| (n, block.clone())).collect());
        assert_eq!(content.write(WRITTEN_MAX as u64, &[2; BLOCK]), Err(Full));
        assert_eq!(content.write(3, &[2; BLOCK]), Ok(()));
        assert_eq!(content.write(4, &[0; BLOCK]), Ok(()));
        assert_eq!(content.write(WRITTEN_MAX as u64, &[2; BLOCK]), Ok(()));
    }
}
