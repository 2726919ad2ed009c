//! Records by key, in a sequential-storage map: small data that changes often.
//!
//! [`load`] reads the bytes of all records, [`save`] writes those of one, and [`rewrite`] starts
//! the map from scratch; `settings` and `scores` interpret the bytes. A map writes a changed record
//! after the others and searches for the newest from the end; when all sectors but one are full, it
//! moves the newest records of the oldest sector and erases it. `survey` finds out whether that is
//! safe; as long as records are only appended to a sector, [`Places`] knows that without another
//! survey.

use core::ops::Range;

use embedded_storage::nor_flash::{NorFlash, NorFlashError};
use sequential_storage::cache::Cache;
use sequential_storage::cache::key_pointers::ArrayKeyPointers;
use sequential_storage::cache::page_pointers::ArrayPagePointers;
use sequential_storage::cache::page_states::ArrayPageStates;
use sequential_storage::map::{MapConfig, MapStorage};

use super::blocking::{Blocking, poll_once};
use super::error::{StorageError, flash_error};
use super::files::open;
use super::key::Key;
use super::layout::{RECORDS, SECTOR_BYTES};
use super::survey::{
    CONTENT_BYTES, Content, Found, LEGACY_SECTORS, NUMBER_BYTES, Places, SECTORS, Survey, address,
    is_old, numbered, survey,
};
use super::{journal, scores, settings};

// A key is one byte.
const _: () = assert!(settings::LONGEST + NUMBER_BYTES < CONTENT_BYTES);
const _: () = assert!(scores::LONGEST + NUMBER_BYTES < CONTENT_BYTES);

/// State of a record in flash.
pub(super) enum StoredRecord {
    /// The record was never saved.
    Nothing,
    /// The copy that was saved last.
    Newest(Found),
    /// An earlier copy; the last one is damaged.
    Older(Found),
}

/// Returns the newest undamaged record of each key, or the reason why there is none:
/// [`StorageError::Damaged`] if one has been saved and none is undamaged. Sets `places` for the
/// next [`save`].
///
/// # Errors
/// The flash failed.
pub(super) fn load<F: NorFlash>(
    flash: &mut F,
    places: &mut Option<Places>,
) -> Result<[Result<StoredRecord, StorageError>; Key::COUNT as usize], StorageError> {
    *places = None;
    let saves = open(flash)?;
    let survey = survey(flash, None)?;
    *places = survey.places();
    Ok(Key::ALL.map(|key| load_one(flash, &survey, &saves, key)))
}

fn load_one<F: NorFlash>(
    flash: &mut F,
    survey: &Survey,
    saves: &journal::Saves,
    key: Key,
) -> Result<StoredRecord, StorageError> {
    let Some(copy) = survey.of(key) else {
        return match was_never_saved(survey, saves, key) {
            true => Ok(StoredRecord::Nothing),
            false => Err(StorageError::Damaged),
        };
    };
    if saves[key as usize].is_some_and(|saved| is_older(copy.sequence, saved)) {
        return Ok(StoredRecord::Older(*copy));
    }
    // The power may have been cut before the save was noted, or while the journal was erased.
    if saves[key as usize] != Some(copy.sequence as u16) {
        journal::note_saved(flash, key, copy.sequence as u16).map_err(flash_error)?;
    }
    Ok(StoredRecord::Newest(*copy))
}

/// Saves `record` under `key`; an identical one is not written again. After damage, starts the map
/// from scratch. Surveys the whole map unless the last call has left `places` and the current
/// sector has room.
///
/// # Errors
/// The flash failed, or the written data does not read back.
pub(super) fn save<F: NorFlash>(
    flash: &mut F,
    places: &mut Option<Places>,
    key: Key,
    record: &[u8],
) -> Result<(), StorageError> {
    let saves = open(flash)?;
    let saved = saves[key as usize];
    // The places become valid again only if everything succeeds.
    if let Some(known) = places.take().filter(|known| known.have_room(record.len()))
        && let Ok(newest) = known.newest(flash, key)
    {
        *places = append(flash, Some(known), newest.as_ref(), saved, key, record)?;
        return Ok(());
    }
    let survey = survey(flash, None)?;
    if !survey.sound && !is_stored(survey.of(key), saved, record) {
        let mut records = Key::ALL.map(|key| survey.of(key).map(Found::record));
        records[key as usize] = Some(record);
        return start_from_scratch(flash, &survey, &saves, records);
    }
    *places = append(flash, survey.places(), survey.of(key), saved, key, record)?;
    Ok(())
}

/// Writes `record` after all others unless it is already the `newest`. Returns the new `places`.
fn append<F: NorFlash>(
    flash: &mut F,
    places: Option<Places>,
    newest: Option<&Found>,
    saved: Option<u16>,
    key: Key,
    record: &[u8],
) -> Result<Option<Places>, StorageError> {
    if let Some(copy) = newest.filter(|_| is_stored(newest, saved, record)) {
        journal::note_saved(flash, key, copy.sequence as u16).map_err(flash_error)?;
        return Ok(places);
    }
    let sequence = next_sequence(newest, saved);
    store(flash, RECORDS, key, sequence, record)?;
    journal::note_saved(flash, key, sequence as u16).map_err(flash_error)?;
    Ok(places.and_then(|places| places.append(key, sequence, record.len())))
}

/// Returns whether `newest` is this record, and the one that was saved last.
fn is_stored(newest: Option<&Found>, saved: Option<u16>, record: &[u8]) -> bool {
    newest.is_some_and(|copy| {
        copy.record() == record && !saved.is_some_and(|saved| is_older(copy.sequence, saved))
    })
}

/// Starts the map from scratch with these records, by key. At any time one complete copy of each is
/// in flash: the previous newest one, or this one.
///
/// # Errors
/// The flash failed, or the written data does not read back.
pub(super) fn rewrite<F: NorFlash>(
    flash: &mut F,
    records: [&[u8]; Key::COUNT as usize],
) -> Result<(), StorageError> {
    let saves = open(flash)?;
    let survey = survey(flash, None)?;
    start_from_scratch(flash, &survey, &saves, records.map(Some))
}

/// Moves records out of the sectors of the game, where earlier versions stored records too.
///
/// # Errors
/// The flash failed, or the written data does not read back.
pub(super) fn move_out_of_game_sectors<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    let saves = open(flash)?;
    let survey = survey(flash, None)?;
    if !survey.is_old {
        return Ok(());
    }
    start_from_scratch(
        flash,
        &survey,
        &saves,
        Key::ALL.map(|key| survey.of(key).map(Found::record)),
    )
}

/// Writes `records` into two sectors that contain none of the newest copies, then erases all
/// others. Until both are written, the copies remain; from then on these records are newer.
fn start_from_scratch<F: NorFlash>(
    flash: &mut F,
    survey: &Survey,
    saves: &journal::Saves,
    records: [Option<&[u8]>; Key::COUNT as usize],
) -> Result<(), StorageError> {
    let is_free = |sector: u32| survey.newest.iter().flatten().all(|copy| copy.sector != sector);
    let first = (0..SECTORS - 1)
        .find(|sector| is_free(*sector) && is_free(sector + 1))
        .ok_or(StorageError::Full)?;
    let pair = first..first + 2;
    for sector in pair.clone() {
        wipe(flash, sector)?;
    }
    for (key, record) in Key::ALL.into_iter().zip(records) {
        if let Some(record) = record {
            let sequence = next_sequence(survey.of(key), saves[key as usize]);
            store(flash, address(pair.start)..address(pair.end), key, sequence, record)?;
            journal::note_saved(flash, key, sequence as u16).map_err(flash_error)?;
        }
    }
    for sector in (0..SECTORS).filter(|sector| !pair.contains(sector)) {
        wipe(flash, sector)?;
    }
    for sector in SECTORS..LEGACY_SECTORS {
        if is_old(flash, sector)? {
            wipe(flash, sector)?;
        }
    }
    Ok(())
}

/// Erases a sector unless it is blank.
fn wipe<F: NorFlash>(flash: &mut F, sector: u32) -> Result<(), StorageError> {
    let (start, end) = (address(sector), address(sector) + SECTOR_BYTES);
    if journal::is_blank(flash, start, end)? {
        return Ok(());
    }
    journal::erase_checked(flash, start, end)
}

/// Returns whether a record with this number was saved before the one that the journal notes.
fn is_older(sequence: u32, saved: u16) -> bool {
    (saved.wrapping_sub(sequence as u16) as i16).is_positive()
}

/// Returns the number of the next record: higher than that of the newest copy and of the last save.
fn next_sequence(newest: Option<&Found>, saved: Option<u16>) -> u32 {
    let found = newest.map_or(0, |copy| copy.sequence);
    let lost = saved.filter(|saved| newest.is_none() || is_older(found, *saved));
    let lost = lost.map_or(0, |saved| u32::from(saved.wrapping_sub(found as u16)));
    found.saturating_add(lost).saturating_add(1)
}

/// Cache of sequential-storage, for the duration of one call: the sectors' states, the beginning of
/// the free space, and the position of the newest record of each key. Without the last, moving a
/// sector's records would search everything for each of them.
type MapCache = Cache<
    ArrayPageStates<{ SECTORS as usize }>,
    ArrayPagePointers<{ SECTORS as usize }>,
    ArrayKeyPointers<u8, { Key::COUNT as usize }>,
    u8,
>;

/// Writes a record into the map of these `sectors`, and reads it back.
fn store<F: NorFlash>(
    flash: &mut F,
    sectors: Range<u32>,
    key: Key,
    sequence: u32,
    record: &[u8],
) -> Result<(), StorageError> {
    let seen: MapCache =
        Cache::new(ArrayPageStates::new(), ArrayPagePointers::new(), ArrayKeyPointers::new());
    let config = MapConfig::try_new(sectors).map_err(|_| StorageError::Full)?;
    let mut map = MapStorage::<u8, _, _>::new(Blocking(flash), config, seen);
    let (mut value, mut buffer): (Content, Content) = ([0; _], [0; _]);
    let value = numbered(sequence, record, &mut value);
    poll_once(map.store_item(&mut buffer, &(key as u8), &value)).map_err(storage_error)?;
    let found = poll_once(map.fetch_item::<&[u8]>(&mut buffer, &(key as u8)));
    if found.map_err(storage_error)? == Some(value) { Ok(()) } else { Err(StorageError::Damaged) }
}

/// Returns whether no save of this record was finished. Normally the journal has a note of it. If
/// the journal has no note of any record, a first save that was cut off has left data only in the
/// first sector of records; data in other sectors means that the journal itself is damaged.
fn was_never_saved(survey: &Survey, saved: &journal::Saves, key: Key) -> bool {
    match saved.iter().any(Option::is_some) {
        true => saved[key as usize].is_none(),
        false => survey.is_new,
    }
}

fn storage_error<E: NorFlashError>(error: sequential_storage::Error<E>) -> StorageError {
    match error {
        sequential_storage::Error::Storage { value, .. } => flash_error(value),
        sequential_storage::Error::FullStorage => StorageError::Full,
        // The other errors cannot occur with a map of this layout: items longer than the buffer or
        // without a key, or an order of sectors that no save produces.
        _ => StorageError::Damaged,
    }
}

#[cfg(test)]
mod tests;
