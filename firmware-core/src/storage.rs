//! What survives power-off: settings, scores, saved games and logs.
//!
//! [`load`] reads the settings and [`save`] keeps new ones; [`load_scores`] and
//! [`save_scores`] do so with the scores; [`format()`] starts both over after damage. Saved
//! games and logs are [`files`]. All of it works on any blocking `embedded-storage` NOR flash
//! of 4 KiB sectors and knows no chip, no board, no clock, and not what a file contains. A cut of
//! power in the middle of a save leaves what was there before, or the new, whole.
//!
//! | file | holds |
//! |---|---|
//! | `settings`, `scores` | [`Settings`] and [`Scores`] and their bytes: versioned, little-endian, length-checked |
//! | `record` | how such bytes are read |
//! | `records` | where they lie: a sequential-storage map |
//! | `blocking` | sequential-storage is async; this polls it once over a flash that blocks |
//! | `name` | [`Name`](name::Name) of a file |
//! | `files` | saved games and logs: whole sectors that belong to one file each |
//! | `journal` | makes an erase survive a cut of power |
//! | `layout`, `key` | which sectors hold what; the keys of the records |
//! | `error` | [`StorageError`] |
//! | `crc` | tells a file's content from a damaged one |
//!
//! | sectors | bytes from | hold |
//! |---|---|---|
//! | 0 | `0x00000` | the journal of erases |
//! | 1 to 15 | `0x01000` | settings and scores, records by key |
//! | 16 to 63 | `0x10000` | files |
//!
//! Damage of one of these does not reach the others.
//!
//! # What takes time
//! While flash is programmed or erased the CPU stands still: flash is where its code is. To
//! save settings or scores programs a few words: under 2 ms on the Pico. Each time that a
//! sector of records is full (after about 150 saves) a save also erases one, for 45 ms
//! typically. For files see [`files`]. Once in 250 erases of any kind the
//! journal is erased too, for 45 ms more.

mod blocking;
mod crc;
mod error;
pub mod files;
mod journal;
mod key;
mod layout;
pub mod name;
mod record;
mod records;
mod scores;
mod settings;

use embedded_storage::nor_flash::NorFlash;

pub use error::StorageError;
use error::flash_error;
use key::Key;
pub use layout::{FLASH_BYTES, SECTOR_BYTES};
use layout::{JOURNAL, RECORDS};
pub use scores::Scores;
pub use settings::Settings;

/// Reads the settings; those of a factory-new board if none have been saved.
///
/// It writes only if the power went in the middle of an earlier save, to finish that.
///
/// # Errors
/// The flash failed, or holds something else than this firmware's records.
pub fn load<F: NorFlash>(flash: &mut F) -> Result<Settings, StorageError> {
    records::load(flash, Key::Settings, &mut [0; _])?
        .map_or(Ok(Settings::default()), Settings::from_bytes)
}

/// Keeps `settings`. If the power goes meanwhile, the next [`load`] finds either these or
/// the ones before, whole. Settings that are in flash already cost no write. It may erase.
///
/// # Errors
/// The flash failed, or is damaged, or what was written does not read back.
pub fn save<F: NorFlash>(flash: &mut F, settings: &Settings) -> Result<(), StorageError> {
    records::save(flash, Key::Settings, settings.write_to(&mut [0; settings::LONGEST]))
}

/// Reads the scores; all zero if none have been saved. It writes only as [`load`] does.
///
/// # Errors
/// The flash failed, or holds something else than this firmware's records.
pub fn load_scores<F: NorFlash>(flash: &mut F) -> Result<Scores, StorageError> {
    records::load(flash, Key::Scores, &mut [0; _])?
        .map_or(Ok(Scores::default()), Scores::from_bytes)
}

/// Keeps `scores`, as [`save`] keeps settings.
///
/// # Errors
/// The flash failed, or is damaged, or what was written does not read back.
pub fn save_scores<F: NorFlash>(flash: &mut F, scores: &Scores) -> Result<(), StorageError> {
    records::save(flash, Key::Scores, scores.write_to(&mut [0; scores::LONGEST]))
}

/// Erases settings and scores, damaged or not: both are factory-new afterwards, and the board
/// 0.7 s older. Files stay.
///
/// # Errors
/// The flash failed.
pub fn format<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    // The journal may know of an interrupted erase among the files.
    journal::open(flash)?;
    for sectors in [JOURNAL..JOURNAL + SECTOR_BYTES, RECORDS] {
        flash.erase(sectors.start, sectors.end).map_err(flash_error)?;
    }
    Ok(())
}
