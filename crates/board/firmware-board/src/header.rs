//! Checks the settings of the board in a trace's header, and writes them into the board's flash
//! with the firmware's own code, so that every board starts from the same bytes.

mod console;

use boards::header::{BoardKeys, HeaderError, HeaderErrorKind, flash_beside};
use firmware_core::rules::StartingPlayer;
use firmware_core::storage::{self, SettingKey, Settings, Stored};
use firmware_core::systems::Game;
use hal_mock::{
    BoardConfig,
    flash::{FlashChip, FlashReader},
};
use trace::{BOARD_KEY, HeaderEntry, Place, TAGS_KEY, Trace, XFAIL_KEY, nearest};

pub use console::{ConsoleLinesError, console_lines, import_lines};

use crate::flash_files;

/// Reason why a setting contradicts the game of a header.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// `first top` is used in a system whose rules determine who begins.
    #[error(
        "`first top` contradicts `game {game}`, in which Player 1 at the bottom always begins; \
         leave the line out"
    )]
    FirstIsFixed {
        /// Name of the system.
        game: &'static str,
    },
    /// A key of Wari is used in another system.
    #[error("`{key}` belongs to `game wari`, not to `game {game}`; leave the line out")]
    OnlyInWari {
        key: String,
        /// Name of the system.
        game: &'static str,
    },
}

impl Contradiction {
    fn at(self, place: Place) -> HeaderError {
        HeaderErrorKind::Contradiction(Box::new(self)).at(place)
    }
}

/// Names of the settings.
pub(crate) const SETTINGS: [&str; SettingKey::ALL.len()] = {
    let mut names = [""; SettingKey::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = SettingKey::ALL[at].name();
        at += 1;
    }
    names
};

/// All keys of a header: the settings ([`SettingKey`]), and keys that are not settings of the
/// firmware.
pub const KEYS: [&str; 14] = [
    SettingKey::Game.name(),
    "seed",
    SettingKey::First.name(),
    SettingKey::Stones.name(),
    SettingKey::Bidirectional.name(),
    SettingKey::Players.name(),
    SettingKey::Level.name(),
    SettingKey::Sound.name(),
    "bounce",
    SettingKey::Introduction.name(),
    "flash",
    BOARD_KEY,
    XFAIL_KEY,
    TAGS_KEY,
];

/// Returns the board that the header of `trace` describes. `flash` is the content of its flash
/// unless the header names a file; settings of the header are written over it. Unless the header
/// requests the introduction, the board counts as introduced: a trace begins with the game.
///
/// # Errors
/// If a key or a value is unknown or contradicts another; with its place in the trace.
pub fn board(trace: &Trace, flash: Option<Vec<u8>>) -> Result<BoardConfig, HeaderError> {
    let image = flash_beside(trace)?.or(flash);
    let mut chip =
        image.map(FlashChip::from_image).transpose().map_err(HeaderErrorKind::FlashImage)?;
    // Settings that cannot be read count as factory-new; the firmware shows that on its LCD, and
    // offers nothing. The damage is retained: writing settings would repair it.
    let Stored { settings: held, .. } = match &mut chip {
        Some(chip) => storage::start(chip),
        None => Stored::default(),
    };
    let requested = Requested::of(trace, held)?;
    if requested.settings != held {
        let chip = chip.get_or_insert_with(FlashChip::factory_new);
        storage::save(chip, &requested.settings)
            .map_err(|error| HeaderErrorKind::Settings(Box::new(error)))?;
    }
    Ok(BoardConfig {
        seed: requested.keys.seed.unwrap_or(requested.settings.seed),
        entropy: requested.keys.seed,
        bounce: requested.keys.bounce,
        flash: chip.map(FlashChip::into_image),
        flash_reader: Some(FlashReader(flash_files::describe)),
        ..BoardConfig::default()
    })
}

/// Returns the header that gives a factory-new board these `settings`, in the order of [`KEYS`];
/// `None` if no header can. The settings' seed is left out, because the seed of a header is the
/// board's.
pub fn of(settings: &Settings) -> Option<Vec<HeaderEntry>> {
    // The settings of a header without keys.
    let fresh = Settings { introduced: true, ..Settings::FACTORY_NEW };
    let mut header = Vec::new();
    if settings.thoughts != fresh.thoughts
        || settings.chance != fresh.chance
        || SettingKey::ALL.into_iter().any(|key| {
            key.value(settings) != key.value(&fresh) && key.contradiction(settings).is_some()
        })
    {
        return None;
    }
    for key in SettingKey::ALL {
        let value = key.value(settings);
        if let Some(value) = value.filter(|_| value != key.value(&fresh)) {
            header.push(HeaderEntry::new(key.name(), value));
        }
    }
    Some(header)
}

/// The settings of a header, with defaults from the flash.
struct Requested {
    settings: Settings,
    /// Keys that are not settings.
    keys: BoardKeys,
}

impl Requested {
    fn of(trace: &Trace, held: Settings) -> Result<Self, HeaderError> {
        let settings = Settings { introduced: true, ..held };
        let mut requested = Self { settings, keys: BoardKeys::default() };
        let mut errors = Vec::new();
        for entry in &trace.header {
            errors.extend(requested.take(entry).err());
        }
        // If the game is unknown, the keys that it permits are unknown too.
        let is_game = |error: &HeaderError| {
            trace.get("game").is_some_and(|entry| error.place == Some(entry.value_place))
        };
        if !errors.iter().any(is_game) {
            let game = requested.settings.game;
            let checked = [check_first(trace, game), check_choices(trace, game)];
            for error in checked.into_iter().filter_map(Result::err) {
                // Each line has at most one error.
                let line = |error: &HeaderError| error.place.map(|place| place.line);
                if errors.iter().all(|other| line(other) != line(&error)) {
                    errors.push(error);
                }
            }
        }
        HeaderError::of_all(errors).map(|()| requested)
    }

    fn take(&mut self, entry: &HeaderEntry) -> Result<(), HeaderError> {
        if let Some(taken) = self.keys.take(entry) {
            return taken;
        }
        let key = entry.key.as_str();
        if let Some(key) = SettingKey::named(key) {
            return set(&mut self.settings, key, entry);
        }
        let (key, suggestion) = (key.to_owned(), nearest(key, &KEYS));
        Err(HeaderErrorKind::UnknownKey { key, suggestion }.at(entry.key_place))
    }
}

/// Sets a setting to the value of the entry.
fn set(settings: &mut Settings, key: SettingKey, entry: &HeaderEntry) -> Result<(), HeaderError> {
    if key.set(settings, &entry.value) {
        return Ok(());
    }
    let choices: Vec<&'static str> = key.choices().collect();
    let suggestion = nearest(&entry.value, &choices);
    let (key, value) = (entry.key.clone(), entry.value.clone());
    Err(HeaderErrorKind::UnknownValue { key, value, choices, suggestion }.at(entry.value_place))
}

/// Refuses `first top` where the rules determine who begins.
fn check_first(trace: &Trace, game: Game) -> Result<(), HeaderError> {
    let system = game.system();
    match trace.get("first") {
        Some(entry)
            if entry.value == "top" && system.rules.starting_player == StartingPlayer::Bottom =>
        {
            Err(Contradiction::FirstIsFixed { game: system.name }.at(entry.value_place))
        }
        _ => Ok(()),
    }
}

/// Refuses choices that only other systems have.
fn check_choices(trace: &Trace, game: Game) -> Result<(), HeaderError> {
    if game.system().choices {
        return Ok(());
    }
    match ["stones", "bidirectional", "sow-at-once"].into_iter().find_map(|key| trace.get(key)) {
        Some(entry) => {
            let (key, game) = (entry.key.clone(), game.system().name);
            Err(Contradiction::OnlyInWari { key, game }.at(entry.key_place))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::opponent::{Level, Players};
    use firmware_core::rules::Player;
    use firmware_core::sound::Volume;
    use firmware_core::storage::ChanceSource;
    use firmware_core::systems::SYSTEMS;
    use hal_mock::setup::SetupError;

    use super::*;

    fn trace(header: &[(&str, &str)]) -> Trace {
        let header = header.iter().map(|(key, value)| HeaderEntry::new(*key, *value)).collect();
        Trace { header, ..Trace::default() }
    }

    fn introduced() -> Settings {
        Settings { introduced: true, ..Settings::default() }
    }

    fn held(config: BoardConfig) -> Settings {
        let mut chip = config.flash.map_or_else(FlashChip::factory_new, |image| {
            FlashChip::from_image(image).expect("the board's own flash")
        });
        storage::load(&mut chip).expect("settings")
    }

    #[test]
    fn requesting_the_introduction_leaves_a_new_flash_untouched() {
        let header = trace(&[("game", "board"), ("introduction", "on")]);
        assert_eq!(board(&header, None).unwrap().flash, None);
    }

    #[test]
    fn the_introduction_is_over_unless_the_header_asks_for_it() {
        for (header, introduced) in [
            (&[("game", "board")][..], true),
            (&[("introduction", "off")], true),
            (&[("introduction", "on"), ("seed", "1")], false),
        ] {
            let config = board(&trace(header), None).unwrap();
            assert_eq!(held(config).introduced, introduced, "{header:?}");
            // The flash's own introduction setting does not matter either.
            let flash = board(&trace(&[("introduction", "on"), ("seed", "2")]), None).unwrap();
            let config = board(&trace(header), flash.flash).unwrap();
            assert_eq!(held(config).introduced, introduced, "{header:?}");
        }
    }

    #[test]
    fn a_damaged_flash_stays_as_it_is() {
        let mut chip = FlashChip::factory_new();
        for seed in 0..3 {
            storage::save(&mut chip, &Settings { seed, ..Settings::default() }).unwrap();
        }
        let mut image = chip.image().to_vec();
        let at = image.len() / 64;
        image[at..at + 4096].iter_mut().for_each(|byte| *byte &= 0x5A);
        let config = board(&trace(&[]), Some(image.clone())).unwrap();
        assert!(config.flash == Some(image));
    }

    #[test]
    fn settings_that_the_header_does_not_name_come_from_the_flash() {
        let family = board(&trace(&[("game", "family"), ("sound", "off")]), None).unwrap();
        let both = board(&trace(&[("seed", "9")]), family.flash).unwrap();
        assert_eq!((both.seed, both.entropy), (9, Some(9)));
        let expected = Settings { sound: false, game: Game::Family, ..introduced() };
        assert_eq!(held(both), expected);
    }

    #[test]
    fn only_a_seed_of_the_header_is_a_source_of_chance() {
        let mut chip = FlashChip::factory_new();
        storage::save(&mut chip, &Settings { seed: 9, ..Settings::default() }).unwrap();
        let old = board(&trace(&[]), Some(chip.image().to_vec())).unwrap();
        assert_eq!((old.seed, old.entropy), (9, None));
        assert_eq!(board(&trace(&[]), None).unwrap().entropy, None);
        let seeded = board(&trace(&[("seed", "3")]), None).unwrap();
        assert_eq!((seeded.seed, seeded.entropy), (3, Some(3)));
        assert_eq!(held(seeded).seed, 0, "the flash does not keep it");
    }

    #[test]
    fn first_top_is_for_systems_that_leave_the_beginner_open() {
        for (game, fits) in [("board", false), ("family", true), ("top-bottom", true)] {
            let header = trace(&[("game", game), ("first", "top")]);
            assert_eq!(board(&header, None).is_ok(), fits, "{game}");
        }
    }

    #[test]
    fn every_setting_is_stored_in_the_flash() {
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
            ..introduced()
        };
        assert_eq!(held(board(&header, None).unwrap()), expected);
    }

    #[test]
    fn the_header_of_settings_makes_a_board_with_these_settings() {
        let some = Settings {
            game: Game::Wari,
            seed: 0,
            first: Some(Player::Top),
            stones: 3,
            bidirectional: true,
            players: Players::One,
            before_demo: Players::Two,
            level: Level::Proficient,
            sound: false,
            thoughts: false,
            introduced: true,
            chance: ChanceSource::Noise,
            side: Player::Top,
            sows_at_once: true,
            volume: Volume::Medium,
        };
        for some in [some, Settings { introduced: false, ..some }] {
            let header = Trace { header: of(&some).unwrap(), ..Trace::default() };
            assert_eq!(held(board(&header, None).unwrap()), some);
        }
        assert_eq!(of(&Settings { thoughts: true, ..some }), None);
        assert_eq!(of(&Settings { game: Game::Board, ..some }), None);
    }

    #[test]
    fn the_flash_beside_a_trace_is_what_the_board_starts_from() {
        let folder = tempfile::tempdir().unwrap();
        let mut chip = FlashChip::factory_new();
        let kept = Settings { thoughts: true, ..introduced() };
        storage::save(&mut chip, &kept).unwrap();
        std::fs::write(folder.path().join("some.flash"), chip.image()).unwrap();
        std::fs::write(folder.path().join("short.flash"), [1, 2]).unwrap();
        let with = |name: &str| {
            let header = trace(&[("flash", name), ("seed", "3")]);
            board(&Trace { folder: Some(folder.path().into()), ..header }, None)
        };
        assert_eq!(held(with("some.flash").unwrap()), kept);
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
    fn keys_of_wari_are_refused_in_other_systems() {
        for (key, value) in [("stones", "4"), ("bidirectional", "off"), ("sow-at-once", "off")] {
            for system in SYSTEMS {
                let header = trace(&[("game", system.name), (key, value)]);
                assert_eq!(board(&header, None).is_ok(), system.choices, "{}", system.name);
            }
        }
    }

    #[test]
    fn an_invalid_flash_is_refused() {
        let error = board(&trace(&[]), Some(vec![0; 7])).unwrap_err();
        assert!(matches!(*error.kind, HeaderErrorKind::FlashImage(_)) && error.place.is_none());
    }

    #[test]
    fn each_error_of_a_header_has_its_sentence_and_its_place() {
        let seeds = "a whole number from 0 to 18446744073709551615";
        let games = "board, family, wari, top-bottom";
        for (header, expected) in [
            ("sead 1", "2:1: `sead` is no header key; did you mean `seed`?".into()),
            ("colour red", "2:1: `colour` is no header key".into()),
            ("seed -1", format!("2:6: `seed -1` is out of range; it takes {seeds}")),
            (
                "game warri",
                format!(
                    "2:6: `game warri` is unknown; it is one of {games}; did you mean `wari`?"
                ),
            ),
            ("game go", format!("2:6: `game go` is unknown; it is one of {games}")),
            ("stones 6", "2:8: `stones 6` is unknown; it is one of 3, 4, 5".into()),
            (
                "introduction yes",
                "2:14: `introduction yes` is unknown; it is one of on, off".into(),
            ),
            ("sound onn", "2:7: `sound onn` is unknown; it is one of on, off; did you mean `on`?".into()),
            (
                "bounce 51ms",
                "2:8: `bounce 51ms` is out of range; it takes `off` or a time of at most 50ms".into(),
            ),
            (
                "first top",
                "2:7: `first top` contradicts `game board`, in which Player 1 at the bottom always \
                 begins; leave the line out"
                    .into(),
            ),
            (
                "stones 4",
                "2:1: `stones` belongs to `game wari`, not to `game board`; leave the line out"
                    .into(),
            ),
            (
                "flash a/b.flash",
                "2:7: `flash a/b.flash` is no plain file name; the file lies in the trace's own \
                 folder"
                    .into(),
            ),
            (
                "flash none.flash",
                "2:7: there is no none.flash; it belongs beside the trace".into(),
            ),
        ] {
            let trace = trace::parse("x.trace", &format!("trace 1\n{header}\n\n0ms power on\n"));
            let error = board(&trace.unwrap(), None).unwrap_err();
            assert_eq!(error.to_string(), expected);
            assert_eq!(SetupError::from(error).to_string(), expected);
        }
    }

    #[test]
    fn the_cause_of_a_setup_error_retains_its_type() {
        let error = SetupError::from(board(&trace(&[("sead", "1")]), None).unwrap_err());
        let cause = error.cause::<HeaderErrorKind>();
        assert!(
            matches!(cause, Some(HeaderErrorKind::UnknownKey { suggestion: Some("seed"), .. })),
            "{cause:?}"
        );
    }
}
