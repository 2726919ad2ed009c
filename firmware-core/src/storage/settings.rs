//! The settings, and the bytes that they are kept as.
//!
//! A record is one byte of version and then the fields in the order of [`Settings`], numbers
//! little-endian. A later format only adds fields at the end: a record that ends early gives
//! the missing ones their defaults, and what follows the fields known here is not looked at.
//! Only a change of meaning of what is there already makes a new version.

use super::StorageError;
use crate::opponent::{Level, Players};
use crate::rules::Player;
use crate::systems::Game;

const VERSION: u8 = 1;

/// Bytes of the longest record: version, seed, sound, first, game.
pub(super) const LONGEST: usize = 1 + 8 + 1 + 1 + 1;

/// What the board remembers over power-off. The default is a factory-new board's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Seed of every random source.
    pub seed: u64,
    /// Whether the buzzer sounds.
    pub sound: bool,
    /// Who begins the first game after power-on; `None` leaves it to the rules or the coin.
    pub first: Option<Player>,
    /// Which system is played.
    pub game: Game,
    /// Stones a cup where that can be chosen: 3, 4 or 5.
    pub stones: u8,
    /// Whether the direction of sowing flips at captures, where that can be chosen.
    pub bidirectional: bool,
    /// Who plays.
    pub players: Players,
    /// How well the computer plays.
    pub level: Level,
    /// Whether the computer shows its thoughts.
    pub thoughts: bool,
}

impl Settings {
    /// Those of a factory-new board.
    pub const FACTORY_NEW: Self = Self {
        seed: 0,
        sound: true,
        first: None,
        game: Game::Board,
        stones: 4,
        bidirectional: false,
        players: Players::Two,
        level: Level::Novice,
        thoughts: false,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::FACTORY_NEW
    }
}

impl Settings {
    /// The record, in as much of `buffer` as it takes.
    pub(super) fn write_to<'b>(&self, buffer: &'b mut [u8; LONGEST]) -> &'b [u8] {
        let first = match self.first {
            None => 0,
            Some(Player::Bottom) => 1,
            Some(Player::Top) => 2,
        };
        buffer[0] = VERSION;
        buffer[1..9].copy_from_slice(&self.seed.to_le_bytes());
        buffer[9] = u8::from(self.sound);
        buffer[10] = first;
        buffer[11] = self.game as u8;
        buffer
    }

    /// The settings of a record.
    ///
    /// # Errors
    /// Another version, an end inside a field, a value that has no meaning here.
    pub(super) fn from_bytes(record: &[u8]) -> Result<Self, StorageError> {
        let mut fields = Fields(record);
        let mut settings = Self::default();
        match fields.next()? {
            Some([VERSION]) => {}
            Some([version]) => return Err(StorageError::UnknownVersion(version)),
            None => return Err(StorageError::CutShort),
        }
        if let Some(seed) = fields.next()? {
            settings.seed = u64::from_le_bytes(seed);
        }
        if let Some([sound]) = fields.next()? {
            settings.sound = match sound {
                0 => false,
                1 => true,
                value => {
                    return Err(StorageError::UnknownValue { setting: "sound", value });
                }
            };
        }
        if let Some([first]) = fields.next()? {
            settings.first = match first {
                0 => None,
                1 => Some(Player::Bottom),
                2 => Some(Player::Top),
                value => {
                    return Err(StorageError::UnknownValue { setting: "first", value });
                }
            };
        }
        if let Some([game]) = fields.next()? {
            settings.game = Game::from_number(game)
                .ok_or(StorageError::UnknownValue { setting: "game", value: game })?;
        }
        Ok(settings)
    }
}

/// What of a record has not been read yet.
struct Fields<'r>(&'r [u8]);

impl Fields<'_> {
    /// The next `N` bytes; `None` at the end of the record.
    fn next<const N: usize>(&mut self) -> Result<Option<[u8; N]>, StorageError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let (field, rest) = self.0.split_first_chunk().ok_or(StorageError::CutShort)?;
        self.0 = rest;
        Ok(Some(*field))
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
        stones: 4,
        bidirectional: false,
        players: Players::Two,
        level: Level::Novice,
        thoughts: false,
    };
    const BYTES: [u8; LONGEST] = [1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 1];

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
    fn fields_that_an_older_record_lacks_have_their_defaults() {
        check(&BYTES[..1], Ok(Settings::default()));
        check(&BYTES[..9], Ok(Settings { seed: SOME.seed, ..Settings::default() }));
        check(&BYTES[..10], Ok(Settings { first: None, game: Game::Board, ..SOME }));
        check(&BYTES[..11], Ok(Settings { game: Game::Board, ..SOME }));
    }

    #[test]
    fn fields_that_a_newer_record_adds_are_not_looked_at() {
        check(&[1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 1, 99, 98], Ok(SOME));
    }

    #[test]
    fn a_record_that_ends_inside_a_field_is_an_error() {
        check(&[], Err(StorageError::CutShort));
        for length in 2..9 {
            check(&BYTES[..length], Err(StorageError::CutShort));
        }
    }

    #[test]
    fn a_version_or_value_that_has_no_meaning_is_an_error() {
        check(&[2], Err(StorageError::UnknownVersion(2)));
        check(&[1, 1, 2, 3, 4, 5, 6, 7, 8, 2, 0], unknown("sound", 2));
        check(&[1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 3], unknown("first", 3));
    }

    fn unknown(setting: &'static str, value: u8) -> Result<Settings, StorageError> {
        Err(StorageError::UnknownValue { setting, value })
    }
}
