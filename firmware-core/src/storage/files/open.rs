//! What comes before everything else: an erase that a cut of power interrupted is finished.

use embedded_storage::nor_flash::NorFlash;

use super::directory::Directory;
use crate::storage::error::StorageError;
use crate::storage::journal::Saves;
use crate::storage::layout::{FILES, RECORDS, SECTOR_BYTES};
use crate::storage::{journal, survey};

/// Finishes an interrupted erase, whether among the files or the records, unless damage only makes
/// it look so: no sector is erased whose file or record would be lost by it. Returns the saves of
/// records that are noted.
///
/// # Errors
/// The flash failed or is too small.
pub(in crate::storage) fn open<F: NorFlash>(flash: &mut F) -> Result<Saves, StorageError> {
    journal::open(flash, |flash, at| {
        if FILES.contains(&at) {
            let sector = (at - FILES.start) / SECTOR_BYTES;
            return Ok(Directory::read(flash, |_| ())?.uses(sector as u8));
        }
        survey::is_needed(flash, (at - RECORDS.start) / SECTOR_BYTES)
    })
}
