//! What survives power-off: settings, scores, saved games and logs.
//!
//! [`load`] reads the settings and [`save`] keeps new ones; [`load_scores`] and
//! [`save_scores`] do so with the scores; [`format()`] starts both over after damage. Saved
//! games and logs are [`files`]. All of it works on any blocking `embedded-storage` NOR flash
//! of 4 KiB sectors and knows no chip, no board, no clock, and not what a file says. A cut of
//! power in the middle of a save leaves what was there before, or the new, whole.
//!
//! | file | holds |
//! |---|---|
//! | `settings`, `scores` | [`Settings`] and [`Scores`] and their bytes: versioned, little-endian, length-checked |
//! | `record` | how such bytes are read |
//! | `records` | where they lie: a sequential-storage map |
//! | `blocking` | sequential-storage is async; this polls it once over a flash that blocks |
//! | `files` | saved games and logs: whole sectors that belong to one file each |
//! | `journal` | makes an erase survive a cut of power |
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
//! typically. What takes time in a file, [`files`] says. Once in 250 erases of any kind the
//! journal is erased too, for 45 ms more.

mod blocking;
mod crc;
pub mod files;
mod journal;
mod record;
mod records;
mod scores;
mod settings;

use core::fmt;
use core::ops::Range;

use embedded_storage::nor_flash::{NorFlash, NorFlashError, NorFlashErrorKind};

use records::Key;
pub use scores::Scores;
pub use settings::Settings;

/// Bytes of flash that the board keeps for storage.
pub const FLASH_BYTES: u32 = 256 * 1024;
/// Bytes of a sector, the unit of erasing.
pub const SECTOR_BYTES: u32 = 4096;

const JOURNAL: u32 = 0;
const RECORDS: Range<u32> = SECTOR_BYTES..16 * SECTOR_BYTES;
const FILES: Range<u32> = 16 * SECTOR_BYTES..FLASH_BYTES;

const _: () = assert!(JOURNAL + SECTOR_BYTES <= RECORDS.start);
const _: () = assert!(RECORDS.end <= FILES.start);

/// Why storage cannot give or keep something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// The flash itself failed (or power did).
    Flash(NorFlashErrorKind),
    /// The flash has fewer than [`FLASH_BYTES`] bytes.
    TooSmall,
    /// Something was kept and is not there as it was. [`format()`] starts settings and scores
    /// over; a damaged file can be removed.
    Damaged,
    /// No room for another.
    Full,
    /// A record was written by firmware of a later format (this number).
    UnknownVersion(u8),
    /// A record ends in the middle of a field.
    CutShort,
    /// A setting has a value that this firmware does not know.
    UnknownValue {
        /// The setting's name, as a trace's header spells it if it may stand there.
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
                write!(out, "a record is of a later version ({version})")
            }
            Self::CutShort => out.write_str("a record is cut short"),
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
    records::load(flash, Key::Settings, &mut [0; _])?
        .map_or(Ok(Settings::default()), Settings::from_bytes)
}

/// Keeps `settings`. If the power goes meanwhile, the next [`load`] finds either these or
/// the ones before, whole. Settings that are in flash already cost no write. It may erase.
///
/// # Errors
/// The flash failed, or is damaged, or what was written does not read back.
pub fn save<F: NorFlash>(flash: &mut F, settings: &Settings) -> Result<(), StorageError> {
    records::keep(flash, Key::Settings, settings.write_to(&mut [0; settings::LONGEST]))
}

/// Reads the scores; all zero if none were ever saved. It writes only as [`load`] does.
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
    records::keep(flash, Key::Scores, scores.write_to(&mut [0; scores::LONGEST]))
}

/// Erases settings and scores, damaged or not: both are factory-new afterwards, and the board
/// 0.7 s older. Files stay.
///
/// # Errors
/// The flash failed.
pub fn format<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    // The journal may know of an interrupted erase among the files.
    open(flash)?;
    for sectors in [JOURNAL..JOURNAL + SECTOR_BYTES, RECORDS] {
        flash.erase(sectors.start, sectors.end).map_err(flash_error)?;
    }
    Ok(())
}

/// What comes before everything else: an interrupted erase is done again.
fn open<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    const {
        assert!(F::ERASE_SIZE == SECTOR_BYTES as usize, "storage is laid out for 4 KiB sectors");
    }
    if flash.capacity() < FLASH_BYTES as usize {
        return Err(StorageError::TooSmall);
    }
    journal::recover(flash).map_err(flash_error)
}

fn flash_error<E: NorFlashError>(error: E) -> StorageError {
    StorageError::Flash(error.kind())
}
