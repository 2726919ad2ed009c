//! The header of a trace: the keys of any board, and the errors of all keys.
//!
//! [`described`] is the whole header of a trace for a board that a board file describes. The settings of
//! the LCD board's firmware are keys too; [`LcdFirmware`](crate::LcdFirmware) reads them, with
//! [`BoardKeys`] and [`flash_beside`] for the other ones.

mod error;

use std::path::Path;

use hal_mock::BoardConfig;
use trace::{BOARD_KEY, HeaderEntry, TAGS_KEY, Trace, XFAIL_KEY, nearest, parse_time};
use virtual_time::Nanos;

pub use error::{HeaderError, HeaderErrorKind};

use crate::flash_file;

/// Keys of the header of a trace for a board that a file describes: its firmware has no settings.
const DESCRIBED_KEYS: [&str; 6] = ["seed", "bounce", "flash", BOARD_KEY, XFAIL_KEY, TAGS_KEY];

/// Longest bounce that a header may set: ten times that of a bad switch.
const LONGEST_BOUNCE: Nanos = Nanos::from_millis(50);

/// Returns the settings in the header of `trace` for a board that a file describes. `flash` is the
/// content of its flash unless the header names a file. `lcd_settings` are the settings of the LCD
/// board's firmware, for the message about a key that belongs to another board.
///
/// # Errors
/// If a key or a value is unknown; with its place in the trace.
pub fn described(
    trace: &Trace,
    flash: Option<Vec<u8>>,
    lcd_settings: &[&str],
) -> Result<BoardConfig, HeaderError> {
    let image = flash_beside(trace)?.or(flash);
    let mut keys = BoardKeys::default();
    let mut errors = Vec::new();
    for entry in &trace.header {
        match keys.take(entry) {
            Some(taken) => errors.extend(taken.err()),
            None => {
                let key = entry.key.clone();
                let kind = if lcd_settings.contains(&entry.key.as_str()) {
                    HeaderErrorKind::OnlyOnLcdBoard { key }
                } else {
                    let suggestion = nearest(&key, &DESCRIBED_KEYS);
                    HeaderErrorKind::UnknownKey { key, suggestion }
                };
                return Err(kind.at(entry.key_place));
            }
        }
    }
    HeaderError::of_all(errors)?;
    Ok(BoardConfig {
        seed: keys.seed.unwrap_or_default(),
        entropy: keys.seed,
        bounce: keys.bounce,
        flash: image,
        ..BoardConfig::default()
    })
}

/// Reads the flash file that the header names, in the trace's own folder; `None` if it names none.
///
/// # Errors
/// If the file is no flash, or cannot be read; with the place of its name.
pub fn flash_beside(trace: &Trace) -> Result<Option<Vec<u8>>, HeaderError> {
    let Some(entry) = trace.get("flash") else { return Ok(None) };
    let name = Path::new(&entry.value);
    let path = trace.folder.as_deref().unwrap_or(Path::new("")).join(name);
    let kind = if name.file_name() != Some(name.as_os_str()) {
        HeaderErrorKind::FlashIsPath { name: entry.value.clone() }
    } else {
        match flash_file::read(&path) {
            Ok(Some(image)) => return Ok(Some(image)),
            Ok(None) => HeaderErrorKind::FlashMissing(path),
            Err(error) => error.into(),
        }
    };
    Err(kind.at(entry.value_place))
}

/// The values of the keys that a header has for any board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardKeys {
    /// Seed of the board's own entropy.
    pub seed: Option<u64>,
    pub bounce: Nanos,
}

impl BoardKeys {
    /// Reads an entry; `None` if its key is not one of any board.
    pub fn take(&mut self, entry: &HeaderEntry) -> Option<Result<(), HeaderError>> {
        let value = entry.value.as_str();
        Some(match entry.key.as_str() {
            "bounce" => bounce(entry).map(|bounce| self.bounce = bounce),
            "seed" => match value.parse() {
                Ok(seed) => {
                    self.seed = Some(seed);
                    Ok(())
                }
                Err(_) => {
                    let value = value.to_owned();
                    Err(HeaderErrorKind::SeedOutOfRange { value }.at(entry.value_place))
                }
            },
            // `flash_beside` reads the file; the caller has chosen the board.
            // Those about the trace are read by the program that replays it.
            "flash" | BOARD_KEY | XFAIL_KEY | TAGS_KEY => Ok(()),
            _ => return None,
        })
    }
}

fn bounce(entry: &HeaderEntry) -> Result<Nanos, HeaderError> {
    if entry.value == "off" {
        return Ok(Nanos::ZERO);
    }
    let kind = match parse_time(&entry.value) {
        Ok(time) if time <= LONGEST_BOUNCE => return Ok(time),
        Ok(_) => {
            HeaderErrorKind::BounceOutOfRange { value: entry.value.clone(), max: LONGEST_BOUNCE }
        }
        Err(error) => HeaderErrorKind::BounceNoTime(error),
    };
    Err(kind.at(entry.value_place))
}
