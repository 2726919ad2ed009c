//! Data that survives power-off: settings, scores, the game in progress, saved games and logs.
//!
//! [`Records`] reads settings and scores at power-on, reports damage, and saves new ones. For tools
//! that access a flash only once, [`start`] and [`load`] read, [`save`] saves settings, and
//! [`load_scores`] and [`save_scores`] do the same with the scores; [`format()`] writes both again
//! after damage. Saved games and logs are in [`files`], the game in progress is in [`progress`].
//! Everything works on any blocking `embedded-storage` NOR flash with sectors of 4 KiB, and knows
//! no chip, no board, no clock, and not the content of a file. A power cut during a save leaves
//! either the previous data or the new data, complete.
//!
//! | file | contents |
//! |---|---|
//! | `settings`, `scores` | [`Settings`] and [`Scores`] and their bytes: versioned, little-endian, length-checked |
//! | `setting_key` | [`SettingKey`]: the settings by the words of the console and of traces |
//! | `record` | reads the bytes of a record |
//! | `records` | stores the records: a sequential-storage map |
//! | `survey` | finds undamaged records, and checks the map |
//! | `blocking` | sequential-storage is async; this polls it once over a flash that blocks |
//! | `name` | [`Name`](name::Name) of a file |
//! | `progress` | the game in progress: a log of its moves |
//! | `blocks` | the blocks of the log, and the search for the current one |
//! | `files` | saved games and logs: whole sectors that belong to one file each |
//! | `journal` | makes an erase survive a power cut |
//! | `layout`, `key` | the sectors and their use; the keys of the records |
//! | `error` | [`StorageError`] |
//! | `crc` | [`Crc`]: detects damage of a file's content |
//! | `chip` | a flash in memory, for unit tests |
//!
//! | sectors | first byte | contents |
//! |---|---|---|
//! | 0 | `0x00000` | the journal of erases |
//! | 1 to 12 | `0x01000` | settings and scores, records by key |
//! | 13 to 15 | `0x0D000` | the game in progress; in earlier versions, records |
//! | 16 to 63 | `0x10000` | files |
//!
//! Damage in one of these areas does not affect the others. Undamaged settings and scores survive
//! damage next to them, wherever they are in their sectors: `survey` finds them, and they are
//! written again before anything is erased. If the record that was saved last is damaged, the
//! previous one is used, and [`start`] reports it: the journal counts the saves.
//!
//! # Timing
//! While flash is programmed or erased the CPU stops, because flash contains its code. Saving
//! settings or scores takes 2 ms: it programs a few words after those whose position [`Records`]
//! remembers (`tests/traces/expect/tones.trace` has a note that begins that much later). Reading
//! all sectors, which is mostly checksums, takes 9 ms more: at power-on, and when a sector is full.
//! Each time that a sector of records is full (after about 100 saves) a save also erases one,
//! typically for 45 ms. Writing both again after damage erases up to 12 sectors: 0.5 s; so does the
//! first move on a board that an earlier version has used for more than a thousand saves. For files
//! see [`files`]. Once in 500 saves, or 250 erases of any kind, the journal is erased too, for 45
//! ms more. A move of the game in progress takes 0.5 ms, the first one 1 ms.

mod blocking;
mod blocks;
#[cfg(test)]
pub(crate) mod chip;
mod crc;
mod error;
pub mod files;
mod journal;
mod key;
mod layout;
pub mod name;
pub mod progress;
mod record;
mod records;
mod scores;
mod setting_key;
mod settings;
mod survey;

use embedded_storage::nor_flash::NorFlash;

pub use crc::Crc;
pub use error::StorageError;
use key::Key;
pub use layout::{FILES, FLASH_BYTES, GAME, JOURNAL, RECORDS, SECTOR_BYTES};
use records::StoredRecord;
pub use scores::Scores;
pub use setting_key::{Contradiction, SettingKey};
pub use settings::{ChanceSource, Settings};
use survey::Places;

/// Data that the board has at power-on; by default that of a factory-new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    pub settings: Settings,
    pub scores: Scores,
    /// Damage of settings and scores.
    pub damage: RecordsDamage,
}

/// Damage of the records; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordsDamage {
    /// Damage of the settings.
    pub settings: Option<Damage>,
    /// Damage of the scores.
    pub scores: Option<Damage>,
}

impl RecordsDamage {
    /// Returns whether any record is damaged.
    pub const fn is_any(self) -> bool {
        self.settings.is_some() || self.scores.is_some()
    }
}

/// Effect of damaged flash on a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The record that was saved last is damaged: an earlier one is used.
    Older,
    /// No record is undamaged and known to this firmware: the default is used.
    Lost(StorageError),
}

/// Settings and scores of one flash, and their positions: after [`Records::start`] has read all
/// sectors, a [`Records::save`] need not read them again. Nothing else may write records to that
/// flash meanwhile. The default is for a flash that has not been surveyed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Records {
    places: Option<Places>,
}

impl Records {
    /// Reads settings and scores. Writes only if the power was cut during an earlier save, to
    /// finish it.
    pub fn start<F: NorFlash>(&mut self, flash: &mut F) -> Stored {
        let [settings, scores] =
            records::load(flash, &mut self.places).unwrap_or_else(|error| [Err(error), Err(error)]);
        let (mut settings, settings_damage) = or_default(settings, Settings::from_bytes);
        let (scores, scores_damage) = or_default(scores, Scores::from_bytes);
        let damage = RecordsDamage { settings: settings_damage, scores: scores_damage };
        // A board that has lost data is not a new one.
        settings.introduced |= damage.is_any();
        Stored { settings, scores, damage }
    }

    /// Saves `settings`. If the power is cut meanwhile, the next [`load`] finds either these or the
    /// previous ones, complete. Settings that are already in flash are not written again. May
    /// erase, and after damage does what [`format()`] does.
    ///
    /// # Errors
    /// The flash failed, or the written data does not read back.
    pub fn save<F: NorFlash>(
        &mut self,
        flash: &mut F,
        settings: &Settings,
    ) -> Result<(), StorageError> {
        let record = &mut [0; settings::LONGEST];
        records::save(flash, &mut self.places, Key::Settings, settings.write_to(record))
    }

    /// Saves `scores`, as [`Self::save`] saves settings.
    ///
    /// # Errors
    /// The flash failed, or the written data does not read back.
    pub fn save_scores<F: NorFlash>(
        &mut self,
        flash: &mut F,
        scores: &Scores,
    ) -> Result<(), StorageError> {
        let record = &mut [0; scores::LONGEST];
        records::save(flash, &mut self.places, Key::Scores, scores.write_to(record))
    }

    /// Writes settings and scores again, as [`format()`] does.
    ///
    /// # Errors
    /// The flash failed, or the written data does not read back.
    pub fn format<F: NorFlash>(&mut self, flash: &mut F) -> Result<(), StorageError> {
        self.places = None;
        format(flash)
    }
}

/// Reads settings and scores, as [`Records::start`] does.
pub fn start<F: NorFlash>(flash: &mut F) -> Stored {
    Records::default().start(flash)
}

/// Returns a record and its damage.
fn or_default<T: Default>(
    kept: Result<StoredRecord, StorageError>,
    from_bytes: impl Fn(&[u8]) -> Result<T, StorageError>,
) -> (T, Option<Damage>) {
    let read = kept.and_then(|kept| match kept {
        StoredRecord::Nothing => Ok((T::default(), None)),
        StoredRecord::Newest(copy) => Ok((from_bytes(copy.record())?, None)),
        StoredRecord::Older(copy) => Ok((from_bytes(copy.record())?, Some(Damage::Older))),
    });
    read.unwrap_or_else(|error| (T::default(), Some(Damage::Lost(error))))
}

/// Returns the record if it is not lost.
fn found<T>(record: T, damage: Option<Damage>) -> Result<T, StorageError> {
    match damage {
        None | Some(Damage::Older) => Ok(record),
        Some(Damage::Lost(error)) => Err(error),
    }
}

/// Reads the settings; returns those of a factory-new board if none have been saved, or the
/// previous ones if the last are damaged. Writes in the same case as [`start`].
///
/// # Errors
/// The flash failed, or contains something other than this firmware's records.
pub fn load<F: NorFlash>(flash: &mut F) -> Result<Settings, StorageError> {
    let stored = start(flash);
    found(stored.settings, stored.damage.settings)
}

/// Saves `settings` in a flash that has not been surveyed, as [`Records::save`] does.
///
/// # Errors
/// The flash failed, or the written data does not read back.
pub fn save<F: NorFlash>(flash: &mut F, settings: &Settings) -> Result<(), StorageError> {
    Records::default().save(flash, settings)
}

/// Reads the scores; all are zero if none have been saved. Otherwise as [`load`].
///
/// # Errors
/// The flash failed, or contains something other than this firmware's records.
pub fn load_scores<F: NorFlash>(flash: &mut F) -> Result<Scores, StorageError> {
    let stored = start(flash);
    found(stored.scores, stored.damage.scores)
}

/// Saves `scores`, as [`save`] saves settings.
///
/// # Errors
/// The flash failed, or the written data does not read back.
pub fn save_scores<F: NorFlash>(flash: &mut F, scores: &Scores) -> Result<(), StorageError> {
    Records::default().save_scores(flash, scores)
}

/// Writes settings and scores again and erases everything else in their sectors, damaged or not.
/// The data that [`load`] and [`load_scores`] read does not change, even if the power is cut at any
/// time; unreadable data becomes factory-new, and no damage remains. Takes 0.5 s on the board.
/// Files do not change.
///
/// # Errors
/// The flash failed, or the written data does not read back.
pub fn format<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    let Stored { settings, scores, damage } = start(flash);
    for damage in [damage.settings, damage.scores] {
        // A flash that does not respond now may still contain everything.
        if let Some(Damage::Lost(error @ (StorageError::Flash(_) | StorageError::TooSmall))) =
            damage
        {
            return Err(error);
        }
    }
    let (mut of_settings, mut of_scores) = ([0; settings::LONGEST], [0; scores::LONGEST]);
    let records = [settings.write_to(&mut of_settings), scores.write_to(&mut of_scores)];
    records::rewrite(flash, records)
}
