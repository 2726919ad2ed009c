//! Records by key, in a sequential-storage map: small things that change often.
//!
//! [`load`] and [`save`] move the bytes of one record; what they mean, `settings` and
//! `scores` know. A map writes a changed record behind the others and looks for the newest
//! from the end; when all sectors but one are full, it moves what is newest in the oldest
//! one and erases that.

use embedded_storage::nor_flash::{NorFlash, NorFlashError};
use sequential_storage::cache::Cache;
use sequential_storage::cache::key_pointers::ArrayKeyPointers;
use sequential_storage::cache::page_pointers::ArrayPagePointers;
use sequential_storage::cache::page_states::ArrayPageStates;
use sequential_storage::map::{MapConfig, MapStorage};

use super::blocking::{Blocking, poll_once};
use super::error::{StorageError, flash_error};
use super::key::Key;
use super::layout::{RECORDS, SECTOR_BYTES};
use super::{journal, scores, settings};

/// The longest record with its key, in bytes: a buffer of this size is all the memory needed.
const RECORD_BYTES: usize = 64;
const _: () = assert!(settings::LONGEST < RECORD_BYTES && scores::LONGEST < RECORD_BYTES);

/// Room for one record.
pub(super) type Buffer = [u8; RECORD_BYTES];

/// The newest record of `key`; `None` if none has been saved.
///
/// # Errors
/// The flash failed; [`StorageError::Damaged`] if one has been saved and cannot be found.
pub(super) fn load<'b, F: NorFlash>(
    flash: &mut F,
    key: Key,
    buffer: &'b mut Buffer,
) -> Result<Option<&'b [u8]>, StorageError> {
    let found = fetch(&mut map(flash)?, key, buffer)?;
    if found.is_some() {
        // The power may have gone before this was noted, or while the journal was erased.
        journal::note_saved(flash, key).map_err(flash_error)?;
    } else if !was_never_saved(flash, key)? {
        return Err(StorageError::Damaged);
    }
    Ok(found)
}

/// Saves `record` under `key`; one that is there already costs no write.
///
/// # Errors
/// The flash failed, or is damaged, or what was written does not read back.
pub(super) fn save<F: NorFlash>(
    flash: &mut F,
    key: Key,
    record: &[u8],
) -> Result<(), StorageError> {
    let mut buffer = [0; RECORD_BYTES];
    let mut map = map(flash)?;
    if fetch(&mut map, key, &mut buffer)? != Some(record) {
        poll_once(map.store_item(&mut buffer, &(key as u8), &record)).map_err(storage_error)?;
        if fetch(&mut map, key, &mut buffer)? != Some(record) {
            return Err(StorageError::Damaged);
        }
    }
    journal::note_saved(flash, key).map_err(flash_error)
}

/// sequential-storage's memory of what it has seen, as long as one call lasts: the sectors'
/// states, where free space begins, and where the newest record of each key lies. Without
/// the last, moving a sector's records looks each of them up by reading everything.
type Seen = Cache<
    ArrayPageStates<SECTORS>,
    ArrayPagePointers<SECTORS>,
    ArrayKeyPointers<u8, { Key::COUNT as usize }>,
    u8,
>;
type Map<'f, F> = MapStorage<u8, Blocking<'f, F>, Seen>;

const SECTORS: usize = ((RECORDS.end - RECORDS.start) / SECTOR_BYTES) as usize;

fn map<F: NorFlash>(flash: &mut F) -> Result<Map<'_, F>, StorageError> {
    journal::open(flash)?;
    let seen =
        Cache::new(ArrayPageStates::new(), ArrayPagePointers::new(), ArrayKeyPointers::new());
    Ok(MapStorage::new(Blocking(flash), const { MapConfig::new(RECORDS) }, seen))
}

/// The bytes of the newest record of `key` that can be read.
fn fetch<'b, F: NorFlash>(
    map: &mut Map<'_, F>,
    key: Key,
    buffer: &'b mut Buffer,
) -> Result<Option<&'b [u8]>, StorageError> {
    poll_once(map.fetch_item::<&[u8]>(buffer, &(key as u8))).map_err(storage_error)
}

/// Whether no save of this record was finished. The journal has a note of it; if it has none of any
/// record at all, then what first saves that lost their power leave behind lies in the first
/// sector of records, and something in the others means that the journal itself is damaged.
fn was_never_saved<F: NorFlash>(flash: &mut F, key: Key) -> Result<bool, StorageError> {
    let saved = journal::saved(flash).map_err(flash_error)?;
    if saved != 0 {
        return Ok(saved & key.bit() == 0);
    }
    let mut chunk = [0; 256];
    for from in (RECORDS.start + SECTOR_BYTES..RECORDS.end).step_by(chunk.len()) {
        flash.read(from, &mut chunk).map_err(flash_error)?;
        if chunk.iter().any(|&byte| byte != 0xFF) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn storage_error<E: NorFlashError>(error: sequential_storage::Error<E>) -> StorageError {
    match error {
        sequential_storage::Error::Storage { value, .. } => flash_error(value),
        sequential_storage::Error::FullStorage => StorageError::Full,
        // The rest is what a map of this layout never holds: items longer than the buffer,
        // without a key, or sectors in an order that no save leaves behind.
        _ => StorageError::Damaged,
    }
}
