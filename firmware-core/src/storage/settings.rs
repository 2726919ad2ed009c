//! The settings, and their bytes in flash.
//!
//! A record is one byte of version and then the fields in the order of [`Settings`], numbers
//! little-endian. The fields from the source of randomness on are 0 by default, and the last of
//! them that are 0 are left out. `record` defines how records that end early or late are read.

use core::ops::RangeInclusive;

use super::error::StorageError;
use super::record::Fields;
use crate::game::opponent::{Level, Players};
use crate::game::places::Player;
use crate::game::systems::Game;
use crate::pins::sound::Volume;

const VERSION: u8 = 1;

/// Length of the longest record in bytes: version, seed, and a byte for each other field.
pub(super) const LONGEST: usize = 1 + 8 + 13;

/// Length of the shortest record that is written: all fields before those that may be left out.
const SHORTEST: usize = 1 + 8 + 9;

/// Numbers of stones a cup that can be chosen.
const STONES: RangeInclusive<u8> = 3..=5;

/// Data that the board stores across a power-off. The default is that of a factory-new board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Seed of the random numbers on a board whose noise source is constant.
    pub seed: u64,
    /// Whether the buzzer is on.
    pub sound: bool,
    /// Player who begins the first game after power-on; `None` leaves it to the rules or the coin.
    pub first: Option<Player>,
    /// Selected game system.
    pub game: Game,
    /// Stones a cup where the user can choose them: 3, 4 or 5.
    pub stones: u8,
    /// Whether the direction of sowing flips at captures, where the user can choose it.
    pub bidirectional: bool,
    pub players: Players,
    /// Players to restore when the demo is left; stored only in the demo.
    pub before_demo: Players,
    pub level: Level,
    /// Whether the computer shows its thoughts.
    pub thoughts: bool,
    /// Whether the board has asked, at its first power-on, to show how to play.
    pub introduced: bool,
    /// Source of random numbers.
    pub chance: ChanceSource,
    /// Player whom the user plays against the computer.
    pub side: Player,
    /// Whether the first press of a cup sows it, where it otherwise counts it.
    pub sows_at_once: bool,
    pub volume: Volume,
}

/// Source of random numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChanceSource {
    /// The board's noise; [`Settings::seed`] if that is constant.
    #[default]
    Noise,
    /// [`Settings::seed`] alone: every power-on is the same.
    Still,
    /// A pseudo-random sequence with one number for each power-on; [`Settings::seed`] is its state.
    Seeded,
}

impl Settings {
    /// Settings of a factory-new board.
    pub const FACTORY_NEW: Self = Self {
        seed: 0,
        sound: true,
        first: None,
        game: Game::Board,
        stones: 4,
        bidirectional: false,
        players: Players::Two,
        before_demo: Players::Two,
        level: Level::Novice,
        thoughts: false,
        introduced: false,
        chance: ChanceSource::Noise,
        side: Player::Bottom,
        sows_at_once: false,
        volume: Volume::Loud,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::FACTORY_NEW
    }
}

impl Settings {
    /// Writes the record to `buffer`. Returns the bytes that it takes.
    pub(super) fn write_to<'b>(&self, buffer: &'b mut [u8; LONGEST]) -> &'b [u8] {
        buffer[0] = VERSION;
        buffer[1..9].copy_from_slice(&self.seed.to_le_bytes());
        buffer[9] = u8::from(self.sound);
        buffer[10] = match self.first {
            None => 0,
            Some(Player::Bottom) => 1,
            Some(Player::Top) => 2,
        };
        buffer[11] = self.game as u8;
        buffer[12] = self.stones;
        buffer[13] = u8::from(self.bidirectional);
        // Number of human players, or 3 for the demo that one player has started.
        buffer[14] = match (self.players, self.before_demo) {
            (Players::Demo, Players::One) => 3,
            (Players::Demo, _) => 0,
            (Players::One, _) => 1,
            (Players::Two, _) => 2,
        };
        buffer[15] = match self.level {
            Level::Novice => 0,
            Level::Intermediate => 1,
            Level::Advanced => 2,
            Level::Proficient => 3,
        };
        buffer[16] = u8::from(self.thoughts);
        buffer[17] = u8::from(self.introduced);
        buffer[18] = match self.chance {
            ChanceSource::Noise => 0,
            ChanceSource::Still => 1,
            ChanceSource::Seeded => 2,
        };
        buffer[19] = self.side.index() as u8;
        buffer[20] = u8::from(self.sows_at_once);
        buffer[21] = self.volume as u8;
        let left_out = buffer[SHORTEST..].iter().rev().take_while(|field| **field == 0).count();
        &buffer[..LONGEST - left_out]
    }

    /// Returns the seed that replaces drawn numbers when there are none.
    pub fn still_seed(&self) -> u64 {
        if self.chance == ChanceSource::Seeded { 0 } else { self.seed }
    }

    /// Parses the settings of a record.
    ///
    /// # Errors
    /// Another version, an end inside a field, a value without a meaning.
    pub(super) fn from_bytes(record: &[u8]) -> Result<Self, StorageError> {
        let mut fields = Fields::of(record, VERSION)?;
        // A board that was used before this question existed is not asked.
        let mut settings = Self { introduced: true, ..Self::default() };
        if let Some(seed) = fields.next()? {
            settings.seed = u64::from_le_bytes(seed);
        }
        fields.take("sound", &mut settings.sound, flag)?;
        fields.take("first", &mut settings.first, first)?;
        fields.take("game", &mut settings.game, Game::from_number)?;
        fields.take("stones", &mut settings.stones, |n| STONES.contains(&n).then_some(n))?;
        fields.take("bidirectional", &mut settings.bidirectional, flag)?;
        let mut both = (settings.players, settings.before_demo);
        fields.take("players", &mut both, players)?;
        (settings.players, settings.before_demo) = both;
        fields.take("level", &mut settings.level, level)?;
        fields.take("thoughts", &mut settings.thoughts, flag)?;
        fields.take("introduced", &mut settings.introduced, flag)?;
        fields.take("chance", &mut settings.chance, chance)?;
        fields.take("side", &mut settings.side, |n| Player::BOTH.get(usize::from(n)).copied())?;
        fields.take("sow-at-once", &mut settings.sows_at_once, flag)?;
        fields
            .take("volume", &mut settings.volume, |n| Volume::ALL.get(usize::from(n)).copied())?;
        Ok(settings)
    }
}

fn flag(number: u8) -> Option<bool> {
    match number {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn first(number: u8) -> Option<Option<Player>> {
    match number {
        0 => Some(None),
        1 => Some(Some(Player::Bottom)),
        2 => Some(Some(Player::Top)),
        _ => None,
    }
}

/// Returns who plays, and who plays after the demo.
fn players(number: u8) -> Option<(Players, Players)> {
    match number {
        0 => Some((Players::Demo, Players::Two)),
        1 => Some((Players::One, Players::Two)),
        2 => Some((Players::Two, Players::Two)),
        3 => Some((Players::Demo, Players::One)),
        _ => None,
    }
}

fn chance(number: u8) -> Option<ChanceSource> {
    match number {
        0 => Some(ChanceSource::Noise),
        1 => Some(ChanceSource::Still),
        2 => Some(ChanceSource::Seeded),
        _ => None,
    }
}

fn level(number: u8) -> Option<Level> {
    match number {
        0 => Some(Level::Novice),
        1 => Some(Level::Intermediate),
        2 => Some(Level::Advanced),
        3 => Some(Level::Proficient),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: Settings = Settings {
        seed: 0x0807_0605_0403_0201,
        sound: false,
        first: Some(Player::Top),
        game: Game::Family,
        stones: 5,
        bidirectional: true,
        players: Players::One,
        before_demo: Players::Two,
        level: Level::Advanced,
        thoughts: true,
        introduced: true,
        chance: ChanceSource::Still,
        side: Player::Top,
        sows_at_once: true,
        volume: Volume::Soft,
    };
    const BYTES: [u8; LONGEST] = [1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 1, 5, 1, 1, 2, 1, 1, 1, 1, 1, 2];

    #[track_caller]
    fn check(record: &[u8], expected: Result<Settings, StorageError>) {
        assert_eq!(Settings::from_bytes(record), expected, "from {record:?}");
    }

    #[test]
    fn a_record_has_a_version_and_little_endian_fields() {
        let mut buffer = [0; LONGEST];
        assert_eq!(SOME.write_to(&mut buffer), BYTES);
        check(&BYTES, Ok(SOME));
    }

    #[test]
    fn a_board_with_its_own_noise_keeps_the_old_record_format() {
        let mut buffer = [0; LONGEST];
        let old = Settings {
            chance: ChanceSource::Noise,
            side: Player::Bottom,
            sows_at_once: false,
            volume: Volume::Loud,
            ..SOME
        };
        assert_eq!(old.write_to(&mut buffer), &BYTES[..SHORTEST]);
        for chance in [ChanceSource::Still, ChanceSource::Seeded] {
            let settings = Settings { chance, ..old };
            let bytes = settings.write_to(&mut buffer);
            assert_eq!(bytes.len(), SHORTEST + 1);
            check(bytes, Ok(settings));
        }
        for volume in Volume::ALL {
            for (side, sows_at_once) in [(Player::Bottom, true), (Player::Top, false)] {
                let settings = Settings { volume, side, sows_at_once, ..old };
                check(settings.write_to(&mut buffer), Ok(settings));
            }
        }
    }

    #[test]
    fn every_value_is_read_as_it_was_written() {
        for players in [Players::One, Players::Two, Players::Demo] {
            for level in Level::ALL {
                for first in [None, Some(Player::Bottom), Some(Player::Top)] {
                    let settings = Settings { players, level, first, ..SOME };
                    let mut buffer = [0; LONGEST];
                    check(settings.write_to(&mut buffer), Ok(settings));
                }
            }
        }
    }

    /// The position of each field, and the settings of a record that ends before it.
    #[test]
    fn fields_that_an_older_record_lacks_have_their_defaults() {
        let new = Settings { introduced: true, ..Settings::FACTORY_NEW };
        let volume = Settings { volume: new.volume, ..SOME };
        let at_once = Settings { sows_at_once: new.sows_at_once, ..volume };
        let side = Settings { side: new.side, ..at_once };
        let noise = Settings { chance: new.chance, ..side };
        let thoughts = Settings { thoughts: new.thoughts, ..noise };
        let level = Settings { level: new.level, ..thoughts };
        let players = Settings { players: new.players, ..level };
        let bidirectional = Settings { bidirectional: new.bidirectional, ..players };
        let stones = Settings { stones: new.stones, ..bidirectional };
        let game = Settings { game: new.game, ..stones };
        let first = Settings { first: new.first, ..game };
        let sound = Settings { sound: new.sound, ..first };
        let ends = [
            sound,
            first,
            game,
            stones,
            bidirectional,
            players,
            level,
            thoughts,
            noise,
            noise,
            side,
            at_once,
            volume,
            SOME,
        ];
        for (end, settings) in (9..).zip(ends) {
            check(&BYTES[..end], Ok(settings));
        }
        check(&BYTES[..1], Ok(new));
    }

    #[test]
    fn fields_that_a_newer_record_adds_are_ignored() {
        check(&[&BYTES[..], &[99, 98]].concat(), Ok(SOME));
    }

    #[test]
    fn a_record_that_ends_inside_a_field_is_an_error() {
        check(&[], Err(StorageError::CutShort));
        for length in 2..9 {
            check(&BYTES[..length], Err(StorageError::CutShort));
        }
    }

    #[test]
    fn an_unknown_version_or_value_is_an_error() {
        check(&[2], Err(StorageError::UnknownVersion(2)));
        let unknown = [
            (9, "sound", 2),
            (10, "first", 3),
            (11, "game", 99),
            (12, "stones", 2),
            (12, "stones", 6),
            (13, "bidirectional", 2),
            (14, "players", 4),
            (15, "level", 4),
            (16, "thoughts", 255),
            (17, "introduced", 2),
            (18, "chance", 3),
            (19, "side", 2),
            (20, "sow-at-once", 2),
            (21, "volume", 3),
        ];
        for (place, setting, value) in unknown {
            let mut record = BYTES;
            record[place] = value;
            check(&record, Err(StorageError::UnknownValue { setting, value }));
        }
    }

    #[test]
    fn the_demo_is_stored_with_the_players_before_it() {
        for before_demo in [Players::One, Players::Two] {
            let settings = Settings { players: Players::Demo, before_demo, ..SOME };
            let mut buffer = [0; LONGEST];
            check(settings.write_to(&mut buffer), Ok(settings));
        }
    }

    #[test]
    fn a_record_may_state_the_noise_source() {
        let mut record = BYTES;
        record[SHORTEST] = 0;
        check(&record, Ok(Settings { chance: ChanceSource::Noise, ..SOME }));
    }
}
