//! Words of the chip's memory and registers, through core 0's access port. No core is halted.

use super::batch::Batch;
use super::error::SwdError;
use super::port::{DRW, DebugPort, RDBUFF, TAR};

/// Largest number of words of a batch.
const CHUNK: usize = 96;
/// The access port's address stays in a block of this size (ADIv5.2 C2.2.2).
const BLOCK: u32 = 1024;
/// Largest number of addresses of [`DebugPort::write_each`] in a batch.
const PAIRS: usize = 32;

const _: () = assert!(CHUNK < probe_protocol::swd::WORDS);
const _: () = assert!(4 * CHUNK + 10 <= probe_protocol::swd::BATCH);
const _: () = assert!(12 * PAIRS + 2 <= probe_protocol::swd::BATCH);

/// Returns the number of words from `address` on that one batch can transfer.
fn chunk(address: u32, left: usize) -> usize {
    let to_border = (BLOCK - address % BLOCK) / 4;
    left.min(CHUNK).min(to_border.max(1) as usize)
}

impl DebugPort<'_> {
    /// Reads `count` words from `address`, which must be a multiple of four.
    ///
    /// # Errors
    /// Returns an error if the port or the chip's bus fails.
    pub fn read_words(&mut self, address: u32, count: usize) -> Result<Vec<u32>, SwdError> {
        let (mut words, mut at) = (Vec::with_capacity(count), address);
        while words.len() < count {
            let now = chunk(at, count - words.len());
            let mut batch = Batch::new();
            batch.write(TAR, &[at]);
            batch.read(DRW, now);
            batch.read(RDBUFF, 1);
            let read = self.run_at(&batch, at)?;
            // Each read returns the result of the one before it (ADIv5.2 B4.2.2).
            words.extend(read.into_iter().skip(1));
            at = at.wrapping_add(4 * now as u32);
        }
        Ok(words)
    }

    /// Reads a word.
    ///
    /// # Errors
    /// As for [`read_words`](Self::read_words).
    pub fn read_word(&mut self, address: u32) -> Result<u32, SwdError> {
        self.read_words(address, 1)?.first().copied().ok_or(SwdError::Garbled)
    }

    /// Writes words from `address` on, which must be a multiple of four.
    ///
    /// # Errors
    /// As for [`read_words`](Self::read_words).
    pub fn write_words(&mut self, address: u32, words: &[u32]) -> Result<(), SwdError> {
        let (mut rest, mut at) = (words, address);
        while !rest.is_empty() {
            let (now, after) = rest.split_at(chunk(at, rest.len()));
            let mut batch = Batch::new();
            batch.write(TAR, &[at]);
            batch.write(DRW, now);
            // Its acknowledgement is that of the last write.
            batch.read(RDBUFF, 1);
            self.run_at(&batch, at)?;
            (rest, at) = (after, at.wrapping_add(4 * now.len() as u32));
        }
        Ok(())
    }

    /// Writes a word.
    ///
    /// # Errors
    /// As for [`read_words`](Self::read_words).
    pub fn write_word(&mut self, address: u32, word: u32) -> Result<(), SwdError> {
        self.write_words(address, &[word])
    }

    /// Writes words to several addresses, in order.
    ///
    /// # Errors
    /// As for [`read_words`](Self::read_words).
    pub(super) fn write_each(&mut self, pairs: &[(u32, u32)]) -> Result<(), SwdError> {
        for pairs in pairs.chunks(PAIRS) {
            let mut batch = Batch::new();
            for (address, word) in pairs {
                batch.write(TAR, &[*address]);
                batch.write(DRW, &[*word]);
            }
            batch.read(RDBUFF, 1);
            self.run_at(&batch, pairs[0].0)?;
        }
        Ok(())
    }

    /// Writes a word whose effect may end the connection. The result is not read.
    pub(super) fn write_last(&mut self, address: u32, word: u32) -> Result<(), SwdError> {
        let mut batch = Batch::new();
        batch.write(TAR, &[address]);
        batch.write(DRW, &[word]);
        match self.run_at(&batch, address) {
            Ok(_) | Err(SwdError::NoAnswer | SwdError::Garbled | SwdError::Busy) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_ends_at_the_border_of_a_block() {
        assert_eq!(chunk(0x2000_0000, 1000), CHUNK);
        assert_eq!(chunk(0x2000_03F8, 1000), 2);
        assert_eq!(chunk(0x2000_0400, 5), 5);
        assert_eq!(chunk(0x2000_03FC, 7), 1);
    }
}
