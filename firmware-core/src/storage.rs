//! What survives power-off: settings, scores, the game in progress, saved games and logs.
//!
//! [`Records`] reads settings and scores at power-on, says what is damaged, and keeps new ones. For
//! tools that look at a flash once, [`start`] and [`load`] read, [`save`] keeps settings, and
//! [`load_scores`] and [`save_scores`] do so with the scores; [`format()`] writes both anew after damage. Saved games and logs are [`files`], the game in progress is [`progress`]. All of it works on any blocking `embedded-storage` NOR flash
//! of 4 KiB sectors and knows no chip, no board, no clock, and not what a file contains. A cut of
//! power in the middle of a save leaves what was there before, or the new, whole.
//!
//! | file | holds |
//! |---|---|
//! | `settings`, `scores` | [`Settings`] and [`Scores`] and their bytes: versioned, little-endian, length-checked |
//! | `setting_key` | [`SettingKey`]: the settings by the words that a console and a trace have for them |
//! | `record` | how such bytes are read |
//! | `records` | where they lie: a sequential-storage map |
//! | `survey` | which of them are whole, and whether the map is |
//! | `blocking` | sequential-storage is async; this polls it once over a flash that blocks |
//! | `name` | [`Name`](name::Name) of a file |
//! | `progress` | the game in progress: a log of its moves |
//! | `blocks` | what the log is made of, and which part of it counts |
//! | `files` | saved games and logs: whole sectors that belong to one file each |
//! | `journal` | makes an erase survive a cut of power |
//! | `layout`, `key` | which sectors hold what; the keys of the records |
//! | `error` | [`StorageError`] |
//! | `crc` | [`Crc`]: tells a file's content from a damaged one |
//! | `chip` | a flash in memory, for unit tests |
//!
//! | sectors | bytes from | hold |
//! |---|---|---|
//! | 0 | `0x00000` | the journal of erases |
//! | 1 to 12 | `0x01000` | settings and scores, records by key |
//! | 13 to 15 | `0x0D000` | the game in progress; in earlier versions, records |
//! | 16 to 63 | `0x10000` | files |
//!
//! Damage of one of these does not reach the others. What of settings and scores is whole survives
//! damage beside it, wherever it lies among their sectors: `survey` finds it, and before
//! anything is erased it is written anew. If the record that was saved last is damaged, the
//! one before is used, and [`start`] says so: the journal counts the saves.
//!
//! # What takes time
//! While flash is programmed or erased the CPU stands still: flash is where its code is. To
//! save settings or scores takes 2 ms: it programs a few words behind those that [`Records`]
//! remembers (`tests/traces/expect/tones.trace` has a note that begins so much later). A look at all
//! sectors, most of it checksums, takes 9 ms more: at power-on, and when a sector is full. Each time that a sector of records is full (after about 100 saves) a save also erases one, for 45 ms
//! typically. To write both anew after damage erases up to 12 sectors: 0.5 s; so does the first move on a board that an
//! earlier version has used for more than a thousand saves. For files see
//! [`files`]. Once in 500 saves, or 250 erases of any kind, the journal is erased too, for 45 ms
//! more. A move of the game in progress takes 0.5 ms, the first one 1 ms.

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
use records::Kept;
pub use scores::Scores;
pub use setting_key::{Contradiction, SettingKey};
pub use settings::{ChanceSource, Settings};
use survey::Places;

/// What the board has at power-on; by default what a factory-new one has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// The settings.
    pub settings: Settings,
    /// The scores.
    pub scores: Scores,
    /// What of both is damaged.
    pub damage: RecordsDamage,
}

/// What of the records is damaged; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordsDamage {
    /// Of the settings.
    pub settings: Option<Damage>,
    /// Of the scores.
    pub scores: Option<Damage>,
}

impl RecordsDamage {
    /// Whether there is any.
    pub const fn is_any(self) -> bool {
        self.settings.is_some() || self.scores.is_some()
    }
}

/// What damage of the flash did to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The record that was saved last is damaged: one that was saved before is used.
    Older,
    /// None is whole that this firmware knows: the default is used.
    Lost(StorageError),
}

/// Settings and scores of one flash, and where in it they lie: what [`Records::start`] has found out
/// by a look at all sectors, a [`Records::save`] need not look for again. Nothing else may write
/// records to that flash meanwhile. The default is of a flash that has not been surveyed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Records {
    places: Option<Places>,
}

impl Records {
    /// Reads settings and scores. It writes only if the power went in the middle of an earlier
    /// save, to finish that.
    pub fn start<F: NorFlash>(&mut self, flash: &mut F) -> Stored {
        let [settings, scores] =
            records::load(flash, &mut self.places).unwrap_or_else(|error| [Err(error), Err(error)]);
        let (mut settings, settings_damage) = or_default(settings, Settings::from_bytes);
        let (scores, scores_damage) = or_default(scores, Scores::from_bytes);
        let damage = RecordsDamage { settings: settings_damage, scores: scores_damage };
        // A board that has lost something is no new one.
        settings.introduced |= damage.is_any();
        Stored { settings, scores, damage }
    }

    /// Keeps `settings`. If the power goes meanwhile, the next [`load`] finds either these or
    /// the ones before, whole. Settings that are in flash already cost no write. It may erase, and
    /// after damage does what [`format()`] does.
    ///
    /// # Errors
    /// The flash failed, or what was written does not read back.
    pub fn save<F: NorFlash>(
        &mut self,
        flash: &mut F,
        settings: &Settings,
    ) -> Result<(), StorageError> {
        let record = &mut [0; settings::LONGEST];
        records::save(flash, &mut self.places, Key::Settings, settings.write_to(record))
    }

    /// Keeps `scores`, as [`Self::save`] keeps settings.
    ///
    /// # Errors
    /// The flash failed, or what was written does not read back.
    pub fn save_scores<F: NorFlash>(
        &mut self,
        flash: &mut F,
        scores: &Scores,
    ) -> Result<(), StorageError> {
        let record = &mut [0; scores::LONGEST];
        records::save(flash, &mut self.places, Key::Scores, scores.write_to(record))
    }

    /// Writes settings and scores anew, as [`format()`] does.
    ///
    /// # Errors
    /// The flash failed, or what was written does not read back.
    pub fn format<F: NorFlash>(&mut self, flash: &mut F) -> Result<(), StorageError> {
        self.places = None;
        format(flash)
    }
}

/// Reads settings and scores, as [`Records::start`] does.
pub fn start<F: NorFlash>(flash: &mut F) -> Stored {
    Records::default().start(flash)
}

/// A record, and what of it is damaged.
fn or_default<T: Default>(
    kept: Result<Kept, StorageError>,
    from_bytes: impl Fn(&[u8]) -> Result<T, StorageError>,
) -> (T, Option<Damage>) {
    let read = kept.and_then(|kept| match kept {
        Kept::Nothing => Ok((T::default(), None)),
        Kept::Newest(copy) => Ok((from_bytes(copy.record())?, None)),
        Kept::Older(copy) => Ok((from_bytes(copy.record())?, Some(Damage::Older))),
    });
    read.unwrap_or_else(|error| (T::default(), Some(Damage::Lost(error))))
}

/// The record if it is not lost.
fn found<T>(record: T, damage: Option<Damage>) -> Result<T, StorageError> {
    match damage {
        None | Some(Damage::Older) => Ok(record),
        Some(Damage::Lost(error)) => Err(error),
    }
}

/// Reads the settings; those of a factory-new board if none have been saved, those saved before
/// if the last are damaged. It writes as [`start`] does.
///
/// # Errors
/// The flash failed, or holds something else than this firmware's records.
pub fn load<F: NorFlash>(flash: &mut F) -> Result<Settings, StorageError> {
    let stored = start(flash);
    found(stored.settings, stored.damage.settings)
}

/// Keeps `settings` in a flash that has not been surveyed, as [`Records::save`] does.
///
/// # Errors
/// The flash failed, or what was written does not read back.
pub fn save<F: NorFlash>(flash: &mut F, settings: &Settings) -> Result<(), StorageError> {
    Records::default().save(flash, settings)
}

/// Reads the scores; all zero if none have been saved. Otherwise as [`load`].
///
/// # Errors
/// The flash failed, or holds something else than this firmware's records.
pub fn load_scores<F: NorFlash>(flash: &mut F) -> Result<Scores, StorageError> {
    let stored = start(flash);
    found(stored.scores, stored.damage.scores)
}

/// Keeps `scores`, as [`save`] keeps settings.
///
/// # Errors
/// The flash failed, or what was written does not read back.
pub fn save_scores<F: NorFlash>(flash: &mut F, scores: &Scores) -> Result<(), StorageError> {
    Records::default().save_scores(flash, scores)
}

/// Writes settings and scores anew and erases everything else among their sectors, damaged or not.
/// What [`load`] and [`load_scores`] read stays as it is, whenever the power goes; what they
/// cannot read is factory-new afterwards, and no damage is left. The board is 0.5 s older. Files
/// stay.
///
/// # Errors
/// The flash failed, or what was written does not read back.
pub fn format<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    let Stored { settings, scores, damage } = start(flash);
    for damage in [damage.settings, damage.scores] {
        // A flash that does not answer now may still hold all.
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
