//! A file as its header describes it ([`FileEntry`]), and reading its content.

use embedded_storage::nor_flash::NorFlash;

use super::sectors::{ROOM, Ring, SECTOR_CONTENT, address};
use crate::storage::crc::Crc;
use crate::storage::error::{StorageError, flash_error};
use crate::storage::name::Name;

/// Kind of a file's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Game,
    Log,
}

impl FileKind {
    /// Returns the name on the console.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Log => "log",
        }
    }
}

/// A file in flash, as its header describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileEntry {
    pub kind: FileKind,
    pub name: Name,
    /// Sequence number, higher than that of every file that existed before.
    pub sequence: u32,
    /// Length of its content in bytes.
    pub length: u32,
    pub(super) crc: u32,
    pub(super) sectors: Ring,
}

impl FileEntry {
    /// Returns the CRC-32 of its content.
    pub const fn sum(&self) -> u32 {
        self.crc
    }

    /// Returns the addresses of its sectors in flash, in the order of its content.
    pub fn addresses(&self) -> impl Iterator<Item = u32> + use<> {
        self.sectors.sectors().map(address)
    }
}

/// Fills `bytes` with the content from `offset` on, and returns the number of bytes read; it is
/// less than the length of `bytes` only at the end. Does not check the content; [`verify`] does.
///
/// # Errors
/// The flash failed.
#[inline(never)]
pub fn read<F: NorFlash>(
    flash: &mut F,
    entry: &FileEntry,
    offset: u32,
    bytes: &mut [u8],
) -> Result<usize, StorageError> {
    const { assert!(F::READ_SIZE == 1, "content begins and ends at any byte") };
    let left = entry.length.saturating_sub(offset) as usize;
    let length = bytes.len().min(left);
    let mut at = offset;
    let mut rest = bytes.get_mut(..length).unwrap_or_default();
    while !rest.is_empty() {
        let sector = entry.sectors.nth(at / SECTOR_CONTENT).ok_or(StorageError::Damaged)?;
        let within = at % SECTOR_CONTENT;
        let here = rest.len().min((SECTOR_CONTENT - within) as usize);
        let (now, later) = rest.split_at_mut(here);
        flash.read(address(sector) + ROOM + within, now).map_err(flash_error)?;
        at += here as u32;
        rest = later;
    }
    Ok(length)
}

/// Reads the whole file once to check that it is undamaged.
///
/// # Errors
/// [`StorageError::Damaged`] if the file is damaged; otherwise the flash failed.
#[inline(never)]
pub fn verify<F: NorFlash>(flash: &mut F, entry: &FileEntry) -> Result<(), StorageError> {
    let mut crc = Crc::NONE;
    let mut chunk = [0; 256];
    let mut offset = 0;
    while offset < entry.length {
        let length = read(flash, entry, offset, &mut chunk)?;
        crc.add(&chunk[..length]);
        offset += length as u32;
    }
    if crc.sum() == entry.crc { Ok(()) } else { Err(StorageError::Damaged) }
}
