//! The total scores, and the bytes that they are kept as.
//!
//! A record is one byte of version and then, for each system by its number, the bottom
//! player's total and the top player's, four bytes each. A later format only adds systems at
//! the end; those that an older record lacks have no score yet. A finished game changes this
//! one record and nothing else.

use super::error::StorageError;
use super::record::Fields;
use crate::game::systems::{Game, SYSTEMS};

const VERSION: u8 = 1;

/// Bytes of the longest record.
pub(super) const LONGEST: usize = 1 + SYSTEMS.len() * 2 * 4;

/// Stones captured over all finished games, for each system and player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scores([[u32; 2]; SYSTEMS.len()]);

impl Scores {
    /// The totals of `game`, by [`crate::game::rules::Player::index`].
    pub fn of(&self, game: Game) -> [u32; 2] {
        self.0.get(game as usize).copied().unwrap_or_default()
    }

    /// Makes `totals` those of `game`.
    pub fn set(&mut self, game: Game, totals: [u32; 2]) {
        if let Some(of_game) = self.0.get_mut(game as usize) {
            *of_game = totals;
        }
    }

    /// Adds what was captured in one `game`. A total stays at the most that it can be.
    pub fn add(&mut self, game: Game, captured: [u32; 2]) {
        let [bottom, top] = self.of(game);
        self.set(game, [bottom.saturating_add(captured[0]), top.saturating_add(captured[1])]);
    }

    /// The record, in as much of `buffer` as it takes.
    pub(super) fn write_to<'b>(&self, buffer: &'b mut [u8; LONGEST]) -> &'b [u8] {
        let (version, fields) = buffer.split_at_mut(1);
        version.fill(VERSION);
        for (field, total) in fields.chunks_exact_mut(4).zip(self.0.as_flattened()) {
            field.copy_from_slice(&total.to_le_bytes());
        }
        buffer
    }

    /// The scores of a record.
    ///
    /// # Errors
    /// Another version, an end inside a field.
    pub(super) fn from_bytes(record: &[u8]) -> Result<Self, StorageError> {
        let mut fields = Fields::of(record, VERSION)?;
        let mut scores = Self::default();
        for total in scores.0.as_flattened_mut() {
            if let Some(field) = fields.next()? {
                *total = u32::from_le_bytes(field);
            }
        }
        Ok(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Scores {
        let mut scores = Scores::default();
        scores.add(Game::Board, [1, 2]);
        scores.add(Game::Wari, [0x0403_0201, 48]);
        scores
    }

    #[track_caller]
    fn check(record: &[u8], expected: Result<Scores, StorageError>) {
        assert_eq!(Scores::from_bytes(record), expected, "from {record:?}");
    }

    #[test]
    fn a_record_has_a_version_and_the_totals_by_number_of_system() {
        let mut buffer = [0; LONGEST];
        let mut bytes = [0; LONGEST];
        bytes[0] = 1;
        bytes[1] = 1;
        bytes[5] = 2;
        bytes[17..22].copy_from_slice(&[1, 2, 3, 4, 48]);
        assert_eq!(some().write_to(&mut buffer), bytes);
        check(&bytes, Ok(some()));
        check(&[&bytes[..], &[7; 8]].concat(), Ok(some()));
    }

    #[test]
    fn systems_that_an_older_record_lacks_have_no_score() {
        check(&[1], Ok(Scores::default()));
        check(&[1, 1, 0, 0, 0, 2, 0, 0, 0], {
            let mut scores = Scores::default();
            scores.set(Game::Board, [1, 2]);
            Ok(scores)
        });
    }

    #[test]
    fn a_record_that_cannot_be_read_is_an_error() {
        check(&[], Err(StorageError::CutShort));
        check(&[1, 1, 0], Err(StorageError::CutShort));
        check(&[9, 1, 0, 0, 0], Err(StorageError::UnknownVersion(9)));
    }

    #[test]
    fn totals_add_up_and_stop_at_the_most_that_they_can_be() {
        let mut scores = some();
        scores.add(Game::Wari, [u32::MAX, 1]);
        assert_eq!(scores.of(Game::Wari), [u32::MAX, 49]);
        assert_eq!(scores.of(Game::Family), [0, 0]);
        assert_eq!(scores.of(Game::Board), [1, 2]);
    }
}
