//! What a trace's header says about the board: checked here, and written into the board's
//! flash with the firmware's own code, so that every board starts from the same bytes.

use std::path::Path;

use firmware_core::opponent::{Level, Players};
use firmware_core::rules::{Player, StartingPlayer};
use firmware_core::storage::{self, Settings};
use firmware_core::systems::{Game, SYSTEMS};
use hal_mock::flash::FlashChip;
use hal_mock::trace::{HeaderEntry, Trace, did_you_mean, parse_time};
use hal_mock::{BoardConfig, Nanos};

use crate::flash_file;
use hal_mock::setup::SetupError;

/// Every key that a header may have.
pub const KEYS: [&str; 10] = [
    "game",
    "seed",
    "first",
    "stones",
    "bidirectional",
    "players",
    "level",
    "sound",
    "bounce",
    "flash",
];

const FIRST: [(&str, Player); 2] = [("bottom", Player::Bottom), ("top", Player::Top)];

const SWITCH: [(&str, bool); 2] = [("on", true), ("off", false)];

/// Stones a cup that can be chosen.
const STONES: [(&str, u8); 3] = [("3", 3), ("4", 4), ("5", 5)];

/// The longest bounce that a header may ask for: ten times what a bad switch does.
const LONGEST_BOUNCE: Nanos = Nanos::from_millis(50);

/// The board that `trace` asks for. `flash` is what its flash holds otherwise: settings
/// that the header names are written over it.
///
/// # Errors
/// If a key or a value is unknown or contradicts another; with its place in the trace.
pub fn board(trace: &Trace, flash: Option<Vec<u8>>) -> Result<BoardConfig, SetupError> {
    let image = match trace.get("flash") {
        Some(entry) => Some(flash_beside(trace, entry)?),
        None => flash,
    };
    let mut chip = match image {
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

/// The header that makes a factory-new board hold `settings`, in the order of [`KEYS`];
/// `None` if a header cannot say it.
pub fn of(settings: &Settings) -> Option<Vec<HeaderEntry>> {
    let fresh = Settings::FACTORY_NEW;
    let mut header = Vec::new();
    let mut say = |key: &str, differs: bool, value: &str| {
        if differs {
            header.push(HeaderEntry::new(key, value));
        }
    };
    let choices = settings.game.system().choices;
    if settings.thoughts != fresh.thoughts
        || !choices
            && (settings.stones, settings.bidirectional) != (fresh.stones, fresh.bidirectional)
    {
        return None;
    }
    say("game", settings.game != fresh.game, settings.game.system().name);
    say("seed", settings.seed != fresh.seed, &settings.seed.to_string());
    if let Some(first) = settings.first {
        say("first", true, name_of(&FIRST, first));
    }
    say("stones", settings.stones != fresh.stones, name_of(&STONES, settings.stones));
    say(
        "bidirectional",
        settings.bidirectional != fresh.bidirectional,
        name_of(&SWITCH, settings.bidirectional),
    );
    say("players", settings.players != fresh.players, settings.players.name());
    say("level", settings.level != fresh.level, settings.level.name());
    say("sound", settings.sound != fresh.sound, name_of(&SWITCH, settings.sound));
    Some(header)
}

/// The word for a value.
fn name_of<T: Copy + PartialEq, const N: usize>(
    values: &[(&'static str, T); N],
    value: T,
) -> &'static str {
    values.iter().find(|(_, other)| *other == value).map_or("", |(name, _)| name)
}

/// The flash that the header names: a file in the trace's own folder.
fn flash_beside(trace: &Trace, entry: &HeaderEntry) -> Result<Vec<u8>, SetupError> {
    let wrong = |message: String| SetupError::at(entry.value_place, message);
    let name = Path::new(&entry.value);
    if name.file_name() != Some(name.as_os_str()) {
        let message = format!(
            "`flash {}` is no plain file name; the file lies in the trace's own folder",
            entry.value
        );
        return Err(wrong(message));
    }
    let path = trace.folder.as_deref().unwrap_or(Path::new("")).join(name);
    match flash_file::read(&path) {
        Ok(Some(image)) => Ok(image),
        Ok(None) => {
            Err(wrong(format!("there is no {}; it belongs beside the trace", path.display())))
        }
        Err(error) => Err(wrong(error.message)),
    }
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
                self.settings.first = Some(choice(entry, &FIRST)?);
            }
            "sound" => self.settings.sound = on_or_off(entry)?,
            "stones" => self.settings.stones = choice(entry, &STONES)?,
            "bidirectional" => self.settings.bidirectional = on_or_off(entry)?,
            "players" => {
                let players = Players::ALL.map(|players| (players.name(), players));
                self.settings.players = choice(entry, &players)?;
            }
            "level" => {
                let levels = Level::ALL.map(|level| (level.name(), level));
                self.settings.level = choice(entry, &levels)?;
            }
            // It was read before everything else.
            "flash" => {}
            key => {
                let message = format!("`{key}` is no header key{}", did_you_mean(key, &KEYS));
                return Err(SetupError::at(entry.key_place, message));
            }
        }
        Ok(())
    }
}

fn game(entry: &HeaderEntry) -> Result<Game, SetupError> {
    choice(entry, &SYSTEMS.map(|system| (system.name, system.game)))
}

/// The value of the entry among those that it can have.
fn choice<T: Copy, const N: usize>(
    entry: &HeaderEntry,
    values: &[(&str, T); N],
) -> Result<T, SetupError> {
    let found = values.iter().find(|(name, _)| *name == entry.value);
    found.map(|(_, value)| *value).ok_or_else(|| one_of(entry, &values.map(|(name, _)| name)))
}

/// `first top` makes no sense where the rules say who begins.
fn check_first(trace: &Trace, game: Game) -> Result<(), SetupError> {
    let system = game.system();
    match trace.get("first") {
        Some(entry)
            if entry.value == "top" && system.rules.starting_player == StartingPlayer::Bottom =>
        {
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

/// What can only be chosen in some systems makes no sense in the others.
fn check_choices(trace: &Trace, game: Game) -> Result<(), SetupError> {
    if game.system().choices {
        return Ok(());
    }
    match ["stones", "bidirectional"].into_iter().find_map(|key| trace.get(key)) {
        Some(entry) => {
            let message = format!(
                "`{}` belongs to `game wari`, not to `game {}`; leave the line out",
                entry.key,
                game.system().name
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

fn on_or_off(entry: &HeaderEntry) -> Result<bool, SetupError> {
    choice(entry, &SWITCH)
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
    fn every_setting_goes_into_the_flash() {
        let header = trace(&[
            ("game", "wari"),
            ("stones", "5"),
            ("bidirectional", "on"),
            ("players", "demo"),
            ("level", "advanced"),
        ]);
        let expected = Settings {
            game: Game::Wari,
            stones: 5,
            bidirectional: true,
            players: Players::Demo,
            level: Level::Advanced,
            ..Settings::default()
        };
        assert_eq!(held(board(&header, None).unwrap()), expected);
    }

    #[test]
    fn the_header_of_settings_makes_a_board_that_holds_them() {
        let some = Settings {
            game: Game::Wari,
            seed: 7,
            first: Some(Player::Top),
            stones: 3,
            bidirectional: true,
            players: Players::One,
            level: Level::Intermediate,
            sound: false,
            thoughts: false,
        };
        let header = Trace { header: of(&some).unwrap(), ..Trace::default() };
        assert_eq!(held(board(&header, None).unwrap()), some);
        assert_eq!(of(&Settings { thoughts: true, ..some }), None);
        assert_eq!(of(&Settings { game: Game::Board, ..some }), None);
    }

    #[test]
    fn the_flash_beside_a_trace_is_what_the_board_starts_from() {
        let folder = tempfile::tempdir().unwrap();
        let mut chip = FlashChip::factory_new();
        let kept = Settings { thoughts: true, ..Settings::default() };
        storage::save(&mut chip, &kept).unwrap();
        std::fs::write(folder.path().join("some.flash"), chip.image()).unwrap();
        std::fs::write(folder.path().join("short.flash"), [1, 2]).unwrap();
        let with = |name: &str| {
            let header = trace(&[("flash", name), ("seed", "3")]);
            board(&Trace { folder: Some(folder.path().into()), ..header }, None)
        };
        assert_eq!(held(with("some.flash").unwrap()), Settings { seed: 3, ..kept });
        for (name, said) in [
            ("none.flash", "belongs beside the trace"),
            ("short.flash", "is no flash of this board"),
            ("../some.flash", "is no plain file name"),
        ] {
            let error = with(name).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn what_belongs_to_wari_is_refused_elsewhere() {
        for (key, value) in [("stones", "4"), ("bidirectional", "off")] {
            for system in SYSTEMS {
                let header = trace(&[("game", system.name), (key, value)]);
                assert_eq!(board(&header, None).is_ok(), system.choices, "{}", system.name);
            }
        }
    }

    #[test]
    fn a_flash_that_is_no_flash_is_refused() {
        assert!(board(&trace(&[]), Some(vec![0; 7])).is_err());
    }
}
