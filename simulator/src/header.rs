//! What a trace's header says about the board: checked here, and written into the board's
//! flash with the firmware's own code, so that every board starts from the same bytes.

use firmware_core::rules::{Beginner, Player};
use firmware_core::storage::{self, Settings};
use firmware_core::systems::{Game, SYSTEMS};
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
    let mut chip = match flash {
        Some(image) => {
            Some(FlashChip::from_image(image).map_err(|error| SetupError::new(error.to_string()))?)
        }
        None => None,
    };
    // What cannot be read counts as factory-new; the firmware says so on its LCD.
    let held = chip.as_mut().and_then(|chip| storage::load(chip).ok()).unwrap_or_default();
    let asked = Asked::of(trace, held)?;
    if asked.settings != held {
        let chip = chip.get_or_insert_with(FlashChip::factory_new);
        storage::save(chip, &asked.settings).map_err(|error| {
            SetupError::new(format!("the header's settings do not go into the flash: {error}"))
        })?;
    }
    Ok(BoardConfig {
        seed: asked.settings.seed,
        bounce: asked.bounce,
        flash: chip.map(|chip| chip.image().to_vec()),
        ..BoardConfig::default()
    })
}

/// What a header asks for.
struct Asked {
    settings: Settings,
    bounce: Nanos,
}

impl Asked {
    fn of(trace: &Trace, held: Settings) -> Result<Self, SetupError> {
        let mut asked = Self { settings: held, bounce: Nanos::ZERO };
        for entry in &trace.header {
            asked.take(trace, entry)?;
        }
        check_first(trace, asked.settings.game)?;
        Ok(asked)
    }

    fn take(&mut self, trace: &Trace, entry: &HeaderEntry) -> Result<(), SetupError> {
        let value = entry.value.as_str();
        match entry.key.as_str() {
            "game" => self.settings.game = game(entry)?,
            "bounce" => {
                self.bounce = bounce(entry)?;
                return Ok(());
            }
            "seed" => {
                self.settings.seed = value
                    .parse()
                    .map_err(|_| wrong(entry, "a whole number from 0 to 18446744073709551615"))?;
            }
            "first" => {
                self.settings.first = Some(match value {
                    "bottom" => Player::Bottom,
                    "top" => Player::Top,
                    _ => return Err(one_of(entry, &["bottom", "top"])),
                });
            }
            "sound" => self.settings.sound = on_or_off(entry)?,
            "stones" | "bidirectional" => {
                let message = format!(
                    "`{}` belongs to `game wari`, not to `game {}`; leave the line out",
                    entry.key,
                    trace.get("game").map_or("board", |game| game.value.as_str())
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
        Ok(())
    }
}

fn game(entry: &HeaderEntry) -> Result<Game, SetupError> {
    let value = entry.value.as_str();
    if let Some(system) = SYSTEMS.iter().find(|system| system.name == value) {
        return Ok(system.game);
    }
    if NAMED_SYSTEMS.contains(&value) {
        let built: Vec<String> =
            SYSTEMS.iter().map(|system| format!("`{}`", system.name)).collect();
        let message =
            format!("`game {value}` is not built yet; this build plays {}", built.join(", "));
        return Err(SetupError::at(entry.value_place, message));
    }
    Err(one_of(entry, &NAMED_SYSTEMS))
}

/// `first top` makes no sense where the rules say who begins.
fn check_first(trace: &Trace, game: Game) -> Result<(), SetupError> {
    let system = game.system();
    match trace.get("first") {
        Some(entry) if entry.value == "top" && system.rules.beginner == Beginner::Bottom => {
            let message = format!(
                "`first top` contradicts `game {}`, in which Player 1 at the bottom always \
                 begins; leave the line out",
                system.name
            );
            Err(SetupError::at(entry.value_place, message))
        }
        _ => Ok(()),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(header: &[(&str, &str)]) -> Trace {
        let header = header.iter().map(|(key, value)| HeaderEntry::new(*key, *value)).collect();
        Trace { header, ..Trace::default() }
    }

    fn held(config: BoardConfig) -> Settings {
        let mut chip = config.flash.map_or_else(FlashChip::factory_new, |image| {
            FlashChip::from_image(image).expect("the board's own flash")
        });
        storage::load(&mut chip).expect("settings")
    }

    #[test]
    fn a_header_without_settings_leaves_a_factory_new_flash_untouched() {
        assert_eq!(board(&trace(&[("game", "board")]), None).unwrap().flash, None);
    }

    #[test]
    fn what_the_header_does_not_name_comes_from_the_flash() {
        let family = board(&trace(&[("game", "family"), ("sound", "off")]), None).unwrap();
        let both = board(&trace(&[("seed", "9")]), family.flash).unwrap();
        assert_eq!(both.seed, 9);
        let expected =
            Settings { seed: 9, sound: false, game: Game::Family, ..Settings::default() };
        assert_eq!(held(both), expected);
    }

    #[test]
    fn first_top_is_for_systems_that_leave_the_beginner_open() {
        for (game, fits) in [("board", false), ("family", true), ("top-bottom", true)] {
            let header = trace(&[("game", game), ("first", "top")]);
            assert_eq!(board(&header, None).is_ok(), fits, "{game}");
        }
    }

    #[test]
    fn a_flash_that_is_no_flash_is_refused() {
        assert!(board(&trace(&[]), Some(vec![0; 7])).is_err());
    }
}
