//! What a trace's header says about the board: checked here, and written into the board's
//! flash with the firmware's own code, so that every board starts from the same bytes.

use firmware_core::opponent::{Level, Players};
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

/// The board that `trace` asks for. `flash` is what its flash holds otherwise: settings
/// that the header names are written over it.
///
/// # Errors
/// If a key or a value is unknown, or does not go with the game system; with its place in the
/// trace.
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
            asked.take(entry)?;
        }
        check_first(trace, asked.settings.game)?;
        check_choices(trace, asked.settings.game)?;
        Ok(asked)
    }

    fn take(&mut self, entry: &HeaderEntry) -> Result<(), SetupError> {
        let settings = &mut self.settings;
        match entry.key.as_str() {
            "game" => settings.game = game(entry)?,
            "bounce" => self.bounce = bounce(entry)?,
            "seed" => {
                settings.seed = entry
                    .value
                    .parse()
                    .map_err(|_| wrong(entry, "a whole number from 0 to 18446744073709551615"))?;
            }
            "first" => settings.first = Some(choice(entry, &FIRST)?),
            "stones" => settings.stones = choice(entry, &STONES)?,
            "bidirectional" => settings.bidirectional = choice(entry, &ON_OR_OFF)?,
            "players" => settings.players = choice(entry, &PLAYERS)?,
            "level" => settings.level = choice(entry, &LEVELS)?,
            "sound" => settings.sound = choice(entry, &ON_OR_OFF)?,
            key => {
                let message = format!("`{key}` is no header key{}", did_you_mean(key, &KEYS));
                return Err(SetupError::at(entry.key_place, message));
            }
        }
        Ok(())
    }
}

// The words that a key takes, and what they mean.
const FIRST: [(&str, Player); 2] = [("bottom", Player::Bottom), ("top", Player::Top)];
const STONES: [(&str, u8); 3] = [("3", 3), ("4", 4), ("5", 5)];
const ON_OR_OFF: [(&str, bool); 2] = [("on", true), ("off", false)];
const PLAYERS: [(&str, Players); 3] =
    [("one", Players::One), ("two", Players::Two), ("demo", Players::Demo)];
const LEVELS: [(&str, Level); 3] = [
    ("novice", Level::Novice),
    ("intermediate", Level::Intermediate),
    ("advanced", Level::Advanced),
];

fn game(entry: &HeaderEntry) -> Result<Game, SetupError> {
    choice(entry, &SYSTEMS.map(|system| (system.name, system.game)))
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

/// Stones a cup and the flipping direction make no sense where the rules say them.
fn check_choices(trace: &Trace, game: Game) -> Result<(), SetupError> {
    let system = game.system();
    if system.choices {
        return Ok(());
    }
    match trace.header.iter().find(|entry| ["stones", "bidirectional"].contains(&&*entry.key)) {
        Some(entry) => {
            let having: Vec<String> = SYSTEMS
                .iter()
                .filter(|system| system.choices)
                .map(|system| format!("`game {}`", system.name))
                .collect();
            let message = format!(
                "`{}` belongs to {}, not to `game {}`; leave the line out",
                entry.key,
                having.join(", "),
                system.name
            );
            Err(SetupError::at(entry.key_place, message))
        }
        None => Ok(()),
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

/// What the value means, if it is one of `choices`.
fn choice<T: Copy>(entry: &HeaderEntry, choices: &[(&str, T)]) -> Result<T, SetupError> {
    if let Some((_, meaning)) = choices.iter().find(|(word, _)| *word == entry.value) {
        return Ok(*meaning);
    }
    let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    let message = format!(
        "`{} {}` is unknown; it is one of {}{}",
        entry.key,
        entry.value,
        words.join(", "),
        did_you_mean(&entry.value, &words)
    );
    Err(SetupError::at(entry.value_place, message))
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
    fn every_word_of_a_header_reaches_the_flash() {
        let header = trace(&[
            ("game", "wari"),
            ("seed", "7"),
            ("first", "top"),
            ("stones", "5"),
            ("bidirectional", "on"),
            ("players", "one"),
            ("level", "advanced"),
            ("sound", "off"),
        ]);
        let expected = Settings {
            seed: 7,
            sound: false,
            first: Some(Player::Top),
            game: Game::Wari,
            stones: 5,
            bidirectional: true,
            players: Players::One,
            level: Level::Advanced,
            ..Settings::default()
        };
        assert_eq!(held(board(&header, None).unwrap()), expected);
        let header = trace(&[("players", "demo"), ("level", "intermediate")]);
        let expected =
            Settings { players: Players::Demo, level: Level::Intermediate, ..Settings::default() };
        assert_eq!(held(board(&header, None).unwrap()), expected);
    }

    #[test]
    fn what_only_wari_has_goes_with_wari_wherever_the_game_is_said() {
        for key in [("stones", "3"), ("bidirectional", "on")] {
            for (game, fits) in
                [("board", false), ("family", false), ("wari", true), ("top-bottom", false)]
            {
                assert_eq!(board(&trace(&[key, ("game", game)]), None).is_ok(), fits, "{game}");
            }
            assert!(board(&trace(&[key]), None).is_err(), "a factory-new board plays `board`");
            let wari = board(&trace(&[("game", "wari")]), None).unwrap().flash;
            assert!(board(&trace(&[key]), wari).is_ok(), "the flash says that it is wari");
        }
    }

    #[test]
    fn a_flash_that_is_no_flash_is_refused() {
        assert!(board(&trace(&[]), Some(vec![0; 7])).is_err());
    }
}
