//! What survives power-off: settings now; scores, saved games and logs have their places.
//!
//! [`load`] reads the settings, [`save`] keeps new ones, [`format()`] starts over after
//! damage. They work on any blocking `embedded-storage` NOR flash of 4 KiB sectors and
//! know no chip, no board and no clock. A cut of power in the middle of a save leaves the
//! old settings whole, or the new ones.
//!
//! | file | holds |
//! |---|---|
//! | `settings` | [`Settings`] and their bytes: versioned, little-endian, length-checked |
//! | `blocking` | sequential-storage is async; this polls it once over a flash that blocks |
//! | `journal` | makes an erase survive a cut of power |
//!
//! | sectors | bytes from | hold |
//! |---|---|---|
//! | 0 | `0x00000` | the journal of erases |
//! | 1 to 15 | `0x01000` | records by key, in a sequential-storage map |
//! | 16 to 63 | `0x10000` | nothing yet: logs |
//!
//! # What takes time
//! A save programs a few words: under 2 ms on the Pico. Each time that a sector of records
//! is full (after about 200 saves) a save also erases one, for 45 ms typically, and then
//! the CPU stands still: flash is where its code is.

mod blocking;
mod journal;
mod settings;

use core::fmt;
use core::ops::Range;

use embedded_storage::nor_flash::{NorFlash, NorFlashError, NorFlashErrorKind};
use sequential_storage::cache::Cache;
use sequential_storage::cache::key_pointers::ArrayKeyPointers;
use sequential_storage::cache::page_pointers::ArrayPagePointers;
use sequential_storage::cache::page_states::ArrayPageStates;
use sequential_storage::map::{MapConfig, MapStorage};

use blocking::{Blocking, poll_once};
pub use settings::Settings;

/// Bytes of flash that the board keeps for storage.
pub const FLASH_BYTES: u32 = 256 * 1024;
/// Bytes of a sector, the unit of erasing.
pub const SECTOR_BYTES: u32 = 4096;

const JOURNAL: u32 = 0;
const RECORDS: Range<u32> = SECTOR_BYTES..16 * SECTOR_BYTES;

const _: () = assert!(JOURNAL + SECTOR_BYTES <= RECORDS.start);
const _: () = assert!(RECORDS.end <= FLASH_BYTES);

/// The longest record with its key, in bytes: a buffer of this size is all the memory needed.
const RECORD_BYTES: usize = 256;
const _: () = assert!(settings::LONGEST < RECORD_BYTES);

/// The key under which a record lies; a number once given is never given another meaning.
const SETTINGS_KEY: u8 = 0;

/// Why storage cannot give or keep something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// The flash itself failed (or power did).
    Flash(NorFlashErrorKind),
    /// The flash has fewer than [`FLASH_BYTES`] bytes.
    TooSmall,
    /// The flash holds something, but no record that can be read. [`format()`] starts over.
    Damaged,
    /// No room for another record.
    Full,
    /// The settings were written by firmware of a later format (this number).
    UnknownVersion(u8),
    /// The record of the settings ends in the middle of a field.
    CutShort,
    /// A setting has a value that this firmware does not know.
    UnknownValue {
        /// The setting's name, as a trace's header spells it.
        setting: &'static str,
        /// Its value in flash.
        value: u8,
    },
}

impl fmt::Display for StorageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flash(kind) => write!(out, "flash failed: {kind}"),
            Self::TooSmall => write!(out, "flash has less than {FLASH_BYTES} bytes"),
            Self::Damaged => out.write_str("flash is damaged"),
            Self::Full => out.write_str("flash is full"),
            Self::UnknownVersion(version) => {
                write!(out, "settings are of a later version ({version})")
            }
            Self::CutShort => out.write_str("settings are cut short"),
            Self::UnknownValue { setting, value } => {
                write!(out, "setting {setting} has the unknown value {value}")
            }
        }
    }
}

impl core::error::Error for StorageError {}

/// Reads the settings; those of a factory-new board if none were ever saved.
///
/// It writes only if the power went in the middle of an earlier save, to finish that.
///
/// # Errors
/// The flash failed, or holds something else than this firmware's records.
pub fn load<F: NorFlash>(flash: &mut F) -> Result<Settings, StorageError> {
    let mut buffer = [0; RECORD_BYTES];
    match fetch(&mut records(flash)?, &mut buffer)? {
        Some(record) => Settings::from_bytes(record),
        None if was_never_kept(flash)? => Ok(Settings::default()),
        None => Err(StorageError::Damaged),
    }
}

/// Keeps `settings`. If the power goes meanwhile, the next [`load`] finds either these or
/// the ones before, whole. Settings that are in flash already cost no write.
///
/// # Errors
/// The flash failed, or is damaged, or what was written does not read back.
pub fn save<F: NorFlash>(flash: &mut F, settings: &Settings) -> Result<(), StorageError> {
    let mut record = [0; settings::LONGEST];
    let record = settings.write_to(&mut record);
    let mut buffer = [0; RECORD_BYTES];
    let mut map = records(flash)?;
    if fetch(&mut map, &mut buffer)? != Some(record) {
        poll_once(map.store_item(&mut buffer, &SETTINGS_KEY, &record)).map_err(storage_error)?;
        if fetch(&mut map, &mut buffer)? != Some(record) {
            return Err(StorageError::Damaged);
        }
    }
    journal::note_kept(flash).map_err(flash_error)
}

/// Erases all records, damaged or not: the board is factory-new afterwards, and 0.7 s older.
///
/// # Errors
/// The flash failed.
pub fn format<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    check_size(flash)?;
    for sectors in [JOURNAL..JOURNAL + SECTOR_BYTES, RECORDS] {
        flash.erase(sectors.start, sectors.end).map_err(flash_error)?;
    }
    Ok(())
}

/// sequential-storage's memory of what it has seen, as long as one call lasts: the sectors'
/// states, where free space begins, and where the newest record of each key lies. Without
/// the last, moving a sector's records looks each of them up by reading everything.
type Seen = Cache<
    ArrayPageStates<RECORD_SECTORS>,
    ArrayPagePointers<RECORD_SECTORS>,
    ArrayKeyPointers<u8, KEYS_SEEN>,
    u8,
>;
type Records<'f, F> = MapStorage<u8, Blocking<'f, F>, Seen>;

const RECORD_SECTORS: usize = ((RECORDS.end - RECORDS.start) / SECTOR_BYTES) as usize;
/// Keys whose place is remembered; more are slower, not wrong.
const KEYS_SEEN: usize = 8;

/// The map of records, with any interrupted erase done again first.
fn records<F: NorFlash>(flash: &mut F) -> Result<Records<'_, F>, StorageError> {
    const {
        assert!(F::ERASE_SIZE == SECTOR_BYTES as usize, "storage is laid out for 4 KiB sectors");
    }
    check_size(flash)?;
    journal::recover(flash).map_err(flash_error)?;
    let seen =
        Cache::new(ArrayPageStates::new(), ArrayPagePointers::new(), ArrayKeyPointers::new());
    Ok(MapStorage::new(Blocking(flash), const { MapConfig::new(RECORDS) }, seen))
}

/// The bytes of the newest record of settings.
fn fetch<'b, F: NorFlash>(
    map: &mut Records<'_, F>,
    buffer: &'b mut [u8; RECORD_BYTES],
) -> Result<Option<&'b [u8]>, StorageError> {
    poll_once(map.fetch_item::<&[u8]>(buffer, &SETTINGS_KEY)).map_err(storage_error)
}

/// Whether no save was ever finished. What a first save that lost its power leaves behind
/// lies in the first sector of records; the journal knows that one was finished, unless
/// power went just when it was erased, and by then other sectors have been in use.
fn was_never_kept<F: NorFlash>(flash: &mut F) -> Result<bool, StorageError> {
    if journal::has_kept(flash).map_err(flash_error)? {
        return Ok(false);
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

fn check_size<F: NorFlash>(flash: &F) -> Result<(), StorageError> {
    if flash.capacity() < FLASH_BYTES as usize { Err(StorageError::TooSmall) } else { Ok(()) }
}

fn flash_error<E: NorFlashError>(error: E) -> StorageError {
    StorageError::Flash(error.kind())
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
