//! The game in progress: a log of blocks and entries in its own sectors.
//!
//! A *block* is a complete game with all its steps; an *entry* after it is one later event.
//! [`Progress::begin`] writes a block, [`Progress::append`] an entry, [`Progress::end`] a block for
//! the state without a game in progress, and [`Progress::start`] finds the newest block at
//! power-on. This module does not know the meaning of a game or an entry.
//!
//! A block or an entry that a power cut truncated is skipped: the data before it remains valid.
//! Nothing is ever changed in place. A block that does not fit begins the next sector of the ring.
//! That sector is normally erased in advance ([`Progress::must_erase_next`], [`Progress::erase_next`]), and
//! otherwise when it is needed. Until then the previous sector has the game.
//!
//! An entry is eight bytes: `5E`, a code, a number (two bytes), and the CRC-32 of the block's
//! sequence number, of the number of entries before it (four bytes each), and of the first four
//! bytes. So an entry counts only after its block and in its order. Numbers are little-endian.

use embedded_storage::nor_flash::NorFlash;

pub use super::blocks::BlockInfo;
use super::blocks::{Block, CHUNK, ENTRY, HEAD, OVER, PLAY, SECTORS, address, end_of, head_of};
use super::crc::Crc;
use super::error::{StorageError, flash_error};
use super::layout::SECTOR_BYTES;
use super::{blocks, journal, records};

const TAG: u8 = 0x5E;
/// Code of the entry that the totals are stored. This module does not interpret other codes.
const STORED: u8 = 0xFF;

/// Number of entries that fit after the longest game.
const SPARE: u32 = 100;
/// Length of the longest game in bytes: a block begins a sector, and entries follow.
pub const MOST_BYTES: usize = (SECTOR_BYTES - HEAD - SPARE * ENTRY) as usize;

/// Content of the newest block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Data stored with the game.
    pub about: BlockInfo,
    /// Length of the game in bytes; `None` if no game is in progress.
    pub length: Option<usize>,
}

/// Position at which the log continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Newest block; the default if there is none.
    block: Block,
    /// Offset after everything that is programmed in its sector.
    free: u32,
    /// Number of entries after it.
    entries: u32,
    /// Whether the next sector is not blank.
    next_is_dirty: bool,
}

/// Position of a reader of the entries.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    at: u32,
    entries: u32,
}

impl Progress {
    /// Finds the newest block. Writes nothing.
    ///
    /// # Errors
    /// The flash failed.
    pub fn start<F: NorFlash>(&mut self, flash: &mut F) -> Result<Option<Found>, StorageError> {
        *self = Self::default();
        let Some(block) = blocks::newest(flash)? else { return Ok(None) };
        self.block = block;
        let next = (self.block.sector + 1) % SECTORS;
        self.free = end_of(flash, self.block.sector)?;
        self.next_is_dirty = end_of(flash, next)? > 0;
        let (mut reading, mut stored) = (self.entries(), false);
        while let Some((code, _)) = self.next_entry(flash, &mut reading)? {
            stored |= code == STORED;
        }
        self.entries = reading.entries;
        let length = self.block.is_play.then_some(self.block.length as usize);
        let mut about = blocks::about(flash, &block)?;
        about.totals = about.totals.filter(|_| !stored);
        Ok(Some(Found { about, length }))
    }

    /// Returns the sequence number of the newest block, if a game is in progress. Each block has a
    /// different one.
    pub const fn sequence(&self) -> Option<u32> {
        if self.block.is_play { Some(self.block.sequence) } else { None }
    }

    /// Reads the game in the newest block into `bytes`, beginning at offset `from`. Returns the
    /// number of bytes read.
    ///
    /// # Errors
    /// The flash failed.
    pub fn read<F: NorFlash>(
        &self,
        flash: &mut F,
        from: usize,
        bytes: &mut [u8],
    ) -> Result<usize, StorageError> {
        let left = (self.block.length as usize).saturating_sub(from);
        let length = bytes.len().min(left);
        let at = address(self.block.sector) + self.block.at + HEAD + from as u32;
        flash.read(at, &mut bytes[..length]).map_err(flash_error)?;
        Ok(length)
    }

    /// Returns the position before the first entry after the newest block.
    pub const fn entries(&self) -> Reading {
        Reading { at: self.block.end(), entries: 0 }
    }

    /// Returns the code and number of the next entry. Skips truncated or damaged entries, and the
    /// entries that followed them before the damage.
    ///
    /// # Errors
    /// The flash failed.
    pub fn next_entry<F: NorFlash>(
        &self,
        flash: &mut F,
        reading: &mut Reading,
    ) -> Result<Option<(u8, u16)>, StorageError> {
        let mut entry = [0; ENTRY as usize];
        while reading.at + ENTRY <= self.free {
            flash.read(address(self.block.sector) + reading.at, &mut entry).map_err(flash_error)?;
            reading.at += ENTRY;
            let [tag, code, low, high, ..] = entry;
            let number = u16::from_le_bytes([low, high]);
            if tag == TAG && entry == self.entry(reading.entries, code, number) {
                reading.entries += 1;
                return Ok(Some((code, number)));
            }
        }
        Ok(None)
    }

    /// Writes a block with the current game: `game` fills a buffer with its bytes from the given
    /// offset on, of `length` bytes in total, at most [`MOST_BYTES`]. If the power is cut
    /// meanwhile, the previous state of the log counts.
    ///
    /// # Errors
    /// [`StorageError::Full`] if it is too long; otherwise the flash failed, or the written data
    /// does not read back.
    pub fn begin<F: NorFlash>(
        &mut self,
        flash: &mut F,
        about: &BlockInfo,
        length: usize,
        game: impl Fn(usize, &mut [u8]) -> usize,
    ) -> Result<(), StorageError> {
        if length > MOST_BYTES {
            return Err(StorageError::Full);
        }
        self.write(flash, PLAY, about, length as u32, &game)
    }

    /// Writes a block for the state without a game in progress.
    ///
    /// # Errors
    /// The errors of [`Self::begin`].
    pub fn end<F: NorFlash>(
        &mut self,
        flash: &mut F,
        about: &BlockInfo,
    ) -> Result<(), StorageError> {
        self.write(flash, OVER, about, 0, &|_, _| 0)
    }

    /// Appends an event of the game: a code, less than 255, and a number. Returns whether there was
    /// room; if not, the caller must [begin](Self::begin) again with the current game.
    ///
    /// # Errors
    /// The flash failed, or the written data does not read back.
    pub fn append<F: NorFlash>(
        &mut self,
        flash: &mut F,
        code: u8,
        number: u16,
    ) -> Result<bool, StorageError> {
        if self.block.sequence == 0 || self.free + ENTRY > SECTOR_BYTES {
            return Ok(false);
        }
        let entry = self.entry(self.entries, code, number);
        let at = address(self.block.sector) + self.free;
        program(flash, at, &entry)?;
        self.free += ENTRY;
        self.entries += 1;
        Ok(true)
    }

    /// Notes that the totals of the newest block have been stored in the scores.
    ///
    /// # Errors
    /// The errors of [`Self::append`].
    pub fn stored<F: NorFlash>(&mut self, flash: &mut F) -> Result<(), StorageError> {
        self.append(flash, STORED, 0).map(|_| ())
    }

    /// Returns whether the next sector should be erased when there is time.
    pub const fn must_erase_next(&self) -> bool {
        self.next_is_dirty
    }

    /// Erases the next sector. Blocks for 45 ms. If that fails, the sector is erased again when it is
    /// needed.
    ///
    /// # Errors
    /// The flash failed, or has ignored the erase.
    pub fn erase_next<F: NorFlash>(&mut self, flash: &mut F) -> Result<(), StorageError> {
        self.next_is_dirty = false;
        erase(flash, (self.block.sector + 1) % SECTORS)
    }

    fn write<F: NorFlash>(
        &mut self,
        flash: &mut F,
        magic: [u8; 4],
        about: &BlockInfo,
        length: u32,
        game: &dyn Fn(usize, &mut [u8]) -> usize,
    ) -> Result<(), StorageError> {
        let mut block = Block {
            sector: self.block.sector,
            at: self.free,
            sequence: self.block.sequence.saturating_add(1),
            length,
            is_play: magic == PLAY,
        };
        // A sector of unknown content is erased before it is written.
        let is_first = self.block.sequence == 0;
        // There must be room for the entry that the totals are stored.
        if is_first || block.end() + ENTRY > SECTOR_BYTES {
            block.sector = if is_first { 0 } else { (block.sector + 1) % SECTORS };
            block.at = 0;
            if end_of(flash, block.sector)? > 0 {
                erase(flash, block.sector)?;
            }
        }
        let head = head_of(magic, block.sequence, about, length, game);
        // Set before programming: even after a failure, programmed bytes are not written again.
        let moved = block.sector != self.block.sector || is_first;
        self.free = if moved { self.free } else { block.end() };
        let start = address(block.sector) + block.at;
        let total = (block.end() - block.at) as usize;
        let mut chunk = [0; CHUNK];
        let mut done = 0;
        while done < total {
            let at = start + done as u32;
            // No program operation crosses the end of a page.
            let now = (CHUNK - at as usize % CHUNK).min(total - done);
            let bytes = &mut chunk[..now];
            bytes.fill(0xFF);
            let of_head = head.get(done..).unwrap_or_default();
            let (first, rest) = bytes.split_at_mut(of_head.len().min(now));
            first.copy_from_slice(&of_head[..first.len()]);
            if !rest.is_empty() {
                game(done + first.len() - head.len(), rest);
            }
            program(flash, at, bytes)?;
            done += now;
        }
        *self = Self { block, free: block.end(), entries: 0, next_is_dirty: self.next_is_dirty };
        if moved {
            let next = (block.sector + 1) % SECTORS;
            self.next_is_dirty = end_of(flash, next)? > 0;
        }
        Ok(())
    }

    /// Returns the bytes of an entry after the newest block.
    fn entry(&self, before: u32, code: u8, number: u16) -> [u8; ENTRY as usize] {
        let [low, high] = number.to_le_bytes();
        let what = [TAG, code, low, high];
        let mut crc = Crc::NONE;
        crc.add(&self.block.sequence.to_le_bytes());
        crc.add(&before.to_le_bytes());
        crc.add(&what);
        let mut entry = [0; ENTRY as usize];
        entry[..4].copy_from_slice(&what);
        entry[4..].copy_from_slice(&crc.sum().to_le_bytes());
        entry
    }
}

/// Erases a sector of the log. Records that an earlier version has left there are moved first.
fn erase<F: NorFlash>(flash: &mut F, sector: u32) -> Result<(), StorageError> {
    records::move_out_of_game_sectors(flash)?;
    journal::erase_checked(flash, address(sector), address(sector) + SECTOR_BYTES)
}

/// Programs blank bytes within a page, and reads them back.
fn program<F: NorFlash>(flash: &mut F, at: u32, bytes: &[u8]) -> Result<(), StorageError> {
    const { assert!((ENTRY as usize).is_multiple_of(F::WRITE_SIZE), "an entry is whole words") };
    flash.write(at, bytes).map_err(flash_error)?;
    let mut back = [0; CHUNK];
    let back = &mut back[..bytes.len()];
    flash.read(at, back).map_err(flash_error)?;
    if back == bytes { Ok(()) } else { Err(StorageError::Damaged) }
}

#[cfg(test)]
mod tests;
