//! First step of every access: finishes an erase that a power cut interrupted.

use embedded_storage::nor_flash::NorFlash;

use super::directory::Directory;
use crate::storage::error::StorageError;
use crate::storage::journal::Saves;
use crate::storage::layout::{FILES, GAME, RECORDS, SECTOR_BYTES};
use crate::storage::{blocks, journal, survey};

/// Finishes an interrupted erase in the sectors of the files, the records or the game, unless
/// damage only makes it look interrupted: no sector is erased whose file, record or game would be
/// lost. Returns the saves of records that the journal notes.
///
/// # Errors
/// The flash failed or is too small.
pub(in crate::storage) fn open<F: NorFlash>(flash: &mut F) -> Result<Saves, StorageError> {
    journal::open(flash, |flash, at| {
        if FILES.contains(&at) {
            let sector = (at - FILES.start) / SECTOR_BYTES;
            return Ok(Directory::summary(flash)?.uses(sector as u8));
        }
        if GAME.contains(&at) {
            let newest = blocks::newest(flash)?;
            if newest.is_some_and(|block| blocks::address(block.sector) == at) {
                return Ok(true);
            }
        }
        survey::is_needed(flash, (at - RECORDS.start) / SECTOR_BYTES)
    })
}
