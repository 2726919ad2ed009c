//! A reader that fails when a single item of a file has more than [`ITEM_BYTES_MAX`] bytes. The
//! parsers store a token in memory until it ends; without the limit they would store a whole file
//! without blanks.

use std::io::{self, BufRead, Read};

/// Maximum length in bytes of an item: a line of CSV, a value or comment of a waveform.
pub const ITEM_BYTES_MAX: u64 = 1 << 20;

/// An error for an item longer than [`ITEM_BYTES_MAX`]. [`Bounded`] returns it inside an
/// [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[error("more than {} MiB without an end; this is no such file", ITEM_BYTES_MAX >> 20)]
pub struct ItemTooLong;

/// A reader that returns at most [`ITEM_BYTES_MAX`] bytes between two calls of
/// [`Bounded::begin_item`].
pub struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R> Bounded<R> {
    /// Wraps `inner` at the beginning of an item.
    pub fn new(inner: R) -> Self {
        Self { inner, left: ITEM_BYTES_MAX }
    }

    /// Begins the next item: the limit counts from here.
    pub fn begin_item(&mut self) {
        self.left = ITEM_BYTES_MAX;
    }

    fn spend(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes as u64);
    }

    fn check(&self) -> io::Result<()> {
        if self.left > 0 {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, ItemTooLong))
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        let read = self.inner.read(bytes)?;
        self.spend(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.spend(bytes);
        self.inner.consume(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_item_is_an_error_and_does_not_fill_the_memory() {
        let mut reader = Bounded::new(io::BufReader::new(io::repeat(b'a')));
        let mut kept = Vec::new();
        assert!(reader.read_until(b'\n', &mut kept).is_err());
        assert!(kept.len() as u64 <= 2 * ITEM_BYTES_MAX);
        reader.begin_item();
        assert_eq!(reader.read(&mut [0; 7]).unwrap(), 7);
    }
}
