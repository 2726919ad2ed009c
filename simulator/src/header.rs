//! What a trace's header says about the board: checked here, and written into the board's
//! flash with the firmware's own code, so that every board starts from the same bytes.

use firmware_core::storage::{self, First, Settings};
use firmware_core::systems::SYSTEMS;
use hal_mock::flash::FlashChip;
use hal_mock::trace::{HeaderEntry, Trace, did_you_mean, parse_time};
use hal_mock::{BoardConfig, Nanos};

use crate::setup::SetupError;

/// Every key that a header may have.
pub const KEYS: [&str; 9] =
    ["game", "seed", "first", "stones", "bidirectional", "players", "level", "sound", "bounce"];

/// The longest bounce that a header may ask for: ten times what a bad switch does.
const LONGEST_BOUNCE: Nanos = Nanos::from_millis(50);

/// The systems that GAMES.md names; those that are not in the register are not built yet.
const NAMED_SYSTEMS: [&str; 4] = ["board", "family", "wari", "top-bottom"];

/// The board that `trace` asks for. `flash` is what its flash holds otherwise: settings
/// that the header names are written over it.
///
/// # Errors
/// If a key or a value is unknown, contradicts another or belongs to a system that is not
/// built yet; with its place in the trace.
pub fn board(trace: &Trace, flash: Option<Vec<u8>>) -> Result<BoardConfig, SetupError> {
    let asked = Asked::of(trace)?;
    let mut config =
        BoardConfig { seed: asked.settings.seed, bounce: asked.bounce, ..BoardConfig::default() };
    config.flash = if asked.settings == Settings::default() && flash.is_none() {
        None
    } else {
        Some(with_settings(flash, &asked)?)
    };
    Ok(config)
}

/// What a header asks for.
struct Asked {
    settings: Settings,
    /// Whether the header says anything that the flash holds.
    stored: bool,
    bounce: Nanos,
}

impl Asked {
    fn of(trace: &Trace) -> Result<Self, SetupError> {
        let mut asked = Self { settings: Settings::default(), stored: false, bounce: Nanos::ZERO };
        for entry in &trace.header {
            asked.take(entry)?;
        }
        Ok(asked)
    }

    fn take(&mut self, entry: &HeaderEntry) -> Result<(), SetupError> {
        let value = entry.value.as_str();
        match entry.key.as_str() {
            "game" => return check_game(entry),
            "bounce" => {
                self.bounce = bounce(entry)?;
                return Ok(());
            }
            "seed" => {
                self.settings.seed = value
                    .parse()
                    .map_err(|_| wrong(entry, "a whole number from 0 to 18446744073709551615"))?;
            }
            "first" => match value {
                "bottom" => self.settings.first = Some(First::Bottom),
                "top" => {
                    let message = "`first top` contradicts `game board`, in which Player 1 at the \
                                   bottom always begins; leave the line out";
                    return Err(SetupError::at(entry.value_place, message));
                }
                _ => return Err(one_of(entry, &["bottom", "top"])),
            },
            "sound" => self.settings.sound = on_or_off(entry)?,
            "stones" | "bidirectional" => {
                let message = format!(
                    "`{}` belongs to `game wari`, not to `game board`; leave the line out",
                    entry.key
                );
                return Err(SetupError::at(entry.key_place, message));
            }
            "players" => return players(entry),
            "level" => {
                let message = "`level` needs the computer opponent, which is not built yet; \
                               leave the line out";
                return Err(SetupError::at(entry.key_place, message));
            }
            key => {
                let message = format!("`{key}` is no header key{}", did_you_mean(key, &KEYS));
                return Err(SetupError::at(entry.key_place, message));
            }
        }
        self.stored = true;
        Ok(())
    }
}

fn check_game(entry: &HeaderEntry) -> Result<(), SetupError> {
    let value = entry.value.as_str();
    if SYSTEMS.iter().any(|system| system.name == value) {
        return Ok(());
    }
    if NAMED_SYSTEMS.contains(&value) {
        let message = format!("`game {value}` is not built yet; this build plays `board`");
        return Err(SetupError::at(entry.value_place, message));
    }
    Err(one_of(entry, &NAMED_SYSTEMS))
}

fn players(entry: &HeaderEntry) -> Result<(), SetupError> {
    match entry.value.as_str() {
        "two" => Ok(()),
        "one" | "demo" => {
            let message = format!(
                "`players {}` needs the computer opponent, which is not built yet; use `players two`",
                entry.value
            );
            Err(SetupError::at(entry.value_place, message))
        }
        _ => Err(one_of(entry, &["one", "two", "demo"])),
    }
}

fn bounce(entry: &HeaderEntry) -> Result<Nanos, SetupError> {
    if entry.value == "off" {
        return Ok(Nanos::ZERO);
    }
    match parse_time(&entry.value) {
        Ok(time) if time <= LONGEST_BOUNCE => Ok(time),
        Ok(_) => Err(wrong(entry, &format!("`off` or a time of at most {LONGEST_BOUNCE}"))),
        Err(message) => {
            let message = format!("`bounce` takes `off` or a time: {message}");
            Err(SetupError::at(entry.value_place, message))
        }
    }
}

fn on_or_off(entry: &HeaderEntry) -> Result<bool, SetupError> {
    match entry.value.as_str() {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(one_of(entry, &["on", "off"])),
    }
}

fn one_of(entry: &HeaderEntry, values: &[&str]) -> SetupError {
    let message = format!(
        "`{} {}` is unknown; it is one of {}{}",
        entry.key,
        entry.value,
        values.join(", "),
        did_you_mean(&entry.value, values)
    );
    SetupError::at(entry.value_place, message)
}

fn wrong(entry: &HeaderEntry, wanted: &str) -> SetupError {
    SetupError::at(
        entry.value_place,
        format!("`{} {}` is out of range; it takes {wanted}", entry.key, entry.value),
    )
}

fn with_settings(flash: Option<Vec<u8>>, asked: &Asked) -> Result<Vec<u8>, SetupError> {
    let mut chip = match flash {
        Some(image) => {
            FlashChip::from_image(image).map_err(|error| SetupError::new(error.to_string()))?
        }
        None => FlashChip::factory_new(),
    };
    if asked.stored {
        storage::save(&mut chip, &asked.settings).map_err(|error| {
            SetupError::new(format!("the header's settings do not go into the flash: {error}"))
        })?;
    }
    Ok(chip.image().to_vec())
}
