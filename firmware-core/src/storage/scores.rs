//! The total scores and the player who begins the next game, and their bytes in flash.
//!
//! A record is one byte of version, 2, a byte for who begins (0 none yet, 1 the bottom player, 2
//! the top player), and then, for each system by its number, the bottom player's total and the top
//! player's, four bytes each. A later format only adds systems at the end; systems that an older
//! record lacks have no score yet. A record of version 1 has no byte for who begins, which means
//! none yet. A finished game changes this one record and nothing else.

use super::error::StorageError;
use super::record::Fields;
use crate::game::places::Player;
use crate::game::systems::{Game, SYSTEMS};

const VERSION: u8 = 2;

/// Version whose records do not have who begins.
const TOTALS_ONLY: u8 = 1;

/// Length of the longest record in bytes: version, who begins, totals.
pub(super) const LONGEST: usize = 2 + SYSTEMS.len() * 2 * 4;

/// Results of the finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    /// Stones captured over all finished games, for each system and player.
    totals: [[u32; 2]; SYSTEMS.len()],
    /// Player who begins the next game where the previous game decides that (`wari`); `None` before
    /// the first one has ended.
    pub begins: Option<Player>,
}

impl Scores {
    /// Returns the totals of `game`, by [`crate::game::rules::Player::index`].
    pub fn of(&self, game: Game) -> [u32; 2] {
        self.totals.get(game as usize).copied().unwrap_or_default()
    }

    /// Sets the totals of `game`.
    pub fn set(&mut self, game: Game, totals: [u32; 2]) {
        if let Some(of_game) = self.totals.get_mut(game as usize) {
            *of_game = totals;
        }
    }

    /// Adds the stones captured in one `game`. A total saturates at its maximum.
    pub fn add(&mut self, game: Game, captured: [u32; 2]) {
        let [bottom, top] = self.of(game);
        self.set(game, [bottom.saturating_add(captured[0]), top.saturating_add(captured[1])]);
    }

    /// Writes the record to `buffer`. Returns the bytes that it takes.
    pub(super) fn write_to<'b>(&self, buffer: &'b mut [u8; LONGEST]) -> &'b [u8] {
        let (head, fields) = buffer.split_at_mut(2);
        let begins = match self.begins {
            None => 0,
            Some(Player::Bottom) => 1,
            Some(Player::Top) => 2,
        };
        head.copy_from_slice(&[VERSION, begins]);
        for (field, total) in fields.chunks_exact_mut(4).zip(self.totals.as_flattened()) {
            field.copy_from_slice(&total.to_le_bytes());
        }
        buffer
    }

    /// Parses the scores of a record.
    ///
    /// # Errors
    /// Another version, an end inside a field, a value without a meaning.
    pub(super) fn from_bytes(record: &[u8]) -> Result<Self, StorageError> {
        let mut scores = Self::default();
        let mut fields = match record {
            [TOTALS_ONLY, ..] => Fields::of(record, TOTALS_ONLY)?,
            _ => {
                let mut fields = Fields::of(record, VERSION)?;
                fields.take("begins", &mut scores.begins, begins)?;
                fields
            }
        };
        for total in scores.totals.as_flattened_mut() {
            if let Some(field) = fields.next()? {
                *total = u32::from_le_bytes(field);
            }
        }
        Ok(scores)
    }
}

fn begins(number: u8) -> Option<Option<Player>> {
    match number {
        0 => Some(None),
        1 => Some(Some(Player::Bottom)),
        2 => Some(Some(Player::Top)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Scores {
        let mut scores = Scores { begins: Some(Player::Top), ..Scores::default() };
        scores.add(Game::Board, [1, 2]);
        scores.add(Game::Wari, [0x0403_0201, 48]);
        scores
    }

    #[track_caller]
    fn check(record: &[u8], expected: Result<Scores, StorageError>) {
        assert_eq!(Scores::from_bytes(record), expected, "from {record:?}");
    }

    #[test]
    fn a_record_has_version_first_player_and_totals_by_system() {
        let mut buffer = [0; LONGEST];
        let mut bytes = [0; LONGEST];
        bytes[..2].copy_from_slice(&[2, 2]);
        bytes[2] = 1;
        bytes[6] = 2;
        bytes[18..23].copy_from_slice(&[1, 2, 3, 4, 48]);
        assert_eq!(some().write_to(&mut buffer), bytes);
        check(&bytes, Ok(some()));
        check(&[&bytes[..], &[7; 8]].concat(), Ok(some()));
        // Version 1 has everything except who begins.
        let older = [&[1], &bytes[2..]].concat();
        check(&older, Ok(Scores { begins: None, ..some() }));
    }

    #[test]
    fn each_first_player_is_read_as_it_was_written() {
        for begins in [None, Some(Player::Bottom), Some(Player::Top)] {
            let scores = Scores { begins, ..some() };
            check(scores.write_to(&mut [0; LONGEST]), Ok(scores));
        }
    }

    #[test]
    fn systems_that_an_older_record_lacks_have_no_score() {
        let mut scores = Scores::default();
        check(&[1], Ok(scores));
        check(&[2], Ok(scores));
        check(&[2, 0], Ok(scores));
        scores.set(Game::Board, [1, 2]);
        check(&[1, 1, 0, 0, 0, 2, 0, 0, 0], Ok(scores));
        check(&[2, 0, 1, 0, 0, 0, 2, 0, 0, 0], Ok(scores));
    }

    #[test]
    fn a_record_that_cannot_be_read_is_an_error() {
        check(&[], Err(StorageError::CutShort));
        check(&[1, 1, 0], Err(StorageError::CutShort));
        check(&[2, 1, 1, 0], Err(StorageError::CutShort));
        check(&[9, 1, 0, 0, 0], Err(StorageError::UnknownVersion(9)));
        check(&[2, 3], Err(StorageError::UnknownValue { setting: "begins", value: 3 }));
    }

    #[test]
    fn totals_add_up_and_saturate() {
        let mut scores = some();
        scores.add(Game::Wari, [u32::MAX, 1]);
        assert_eq!(scores.of(Game::Wari), [u32::MAX, 49]);
        assert_eq!(scores.of(Game::Family), [0, 0]);
        assert_eq!(scores.of(Game::Board), [1, 2]);
    }
}
