//! Findings of the search about positions: a table of fixed size in which a new finding may replace
//! an old one.
//!
//! The table knows no rules. It treats two positions with the same key as one position: see [`Key`]
//! for why that is safe.

use crate::game::places::{Cup, Direction, Player};
use crate::game::rules::Position;

/// Number of findings in the table.
pub const FINDINGS: usize = 2048;
/// Number of slots among which a position can be stored.
const PLACES_A_KEY: usize = 2;

const _: () = assert!(FINDINGS.is_power_of_two() && FINDINGS.is_multiple_of(PLACES_A_KEY));
const _: () = assert!(size_of::<Finding>() == 8);

/// Identity of a position in the table: 32 bits that distinguish positions, and the slot.
///
/// Among all positions with ten stones or fewer in the cups, with either player to move, no two
/// share both (a test checks all of them), so no exact result depends on chance. With more stones,
/// two positions can be confused with a probability of about 1 in 2^42.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    check: u32,
    slot: u16,
}

/// Relation of a finding's value to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at least this value.
    Least,
    /// The true value is at most this value.
    Most,
    /// The true value is this value.
    Exact,
}

/// Search result for a position.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    check: u32,
    /// Value for the player to move, without the stones already in the stores.
    pub value: i16,
    /// Depth of the search below it.
    pub depth: u8,
    /// Number of the best cup on its side, and the bound.
    packed: u8,
}

impl Finding {
    const NONE: Self = Self { check: 0, value: 0, depth: 0, packed: 0 };

    /// Returns how the value bounds the true one.
    pub fn bound(self) -> Bound {
        match self.packed >> 4 {
            0 => Bound::Least,
            1 => Bound::Most,
            _ => Bound::Exact,
        }
    }

    /// Returns the best cup, as [`Cup::nth_of_owner`].
    pub fn nth(self) -> u8 {
        self.packed & 0xF
    }
}

/// Table of findings.
#[derive(Clone)]
pub struct Table([Finding; FINDINGS]);

impl Table {
    /// The empty table.
    pub const EMPTY: Self = Self([Finding::NONE; FINDINGS]);

    /// Discards all findings.
    pub fn clear(&mut self) {
        self.0.fill(Finding::NONE);
    }

    /// Returns the finding for the position of `key`.
    #[inline]
    pub fn find(&self, key: Key) -> Option<Finding> {
        self.0[key.first()..][..PLACES_A_KEY]
            .iter()
            .copied()
            .find(|finding| finding.check == key.check && finding.depth > 0)
    }

    /// Stores a finding. Of the two in its slots, the deeper one stays; it moves to the second slot
    /// if the new one is deeper still.
    #[inline]
    pub fn keep(&mut self, key: Key, value: i16, depth: u8, bound: Bound, nth: u8) {
        let packed = nth | (bound as u8) << 4;
        let finding = Finding { check: key.check, value, depth, packed };
        let [deep, latest] = &mut self.0[key.first()..][..PLACES_A_KEY] else { return };
        if deep.check == key.check || depth >= deep.depth {
            if deep.check != key.check {
                *latest = *deep;
            }
            *deep = finding;
        } else {
            *latest = finding;
        }
    }
}

impl Key {
    /// The key of no position.
    pub const NONE: Self = Self { check: 0, slot: 0 };

    /// Returns the key of `position`; the stores count only if `stores` is set.
    #[inline]
    pub fn of(position: &Position, stores: bool) -> Self {
        let stones = &position.stones;
        let four = |first: usize| {
            u32::from_le_bytes([
                stones[first],
                stones[first + 1],
                stones[first + 2],
                stones[first + 3],
            ])
        };
        let mut words = [four(0), four(4), four(8), 0];
        let turn = (position.turn == Player::Top) as u8;
        let way = (position.direction == Direction::Clockwise) as u8;
        words[3] = u32::from_le_bytes([stones[12], stones[13], turn, way]);
        if !stores {
            words[1] &= 0xFF00_FFFF;
            words[3] &= 0xFFFF_00FF;
        }
        let mut check: u32 = 0x9E37_79B9;
        let mut slot: u32 = 0;
        for word in words {
            check =
                (check ^ word.wrapping_mul(0xCC9E_2D51)).rotate_left(13).wrapping_mul(0x1B87_3593);
            slot = slot.rotate_left(7) ^ word.wrapping_mul(0x85EB_CA6B);
        }
        check ^= check >> 15;
        slot ^= slot >> 16;
        slot = slot.wrapping_mul(0xC2B2_AE35);
        Self { check, slot: (slot >> 16) as u16 }
    }

    fn first(self) -> usize {
        usize::from(self.slot) % (FINDINGS / PLACES_A_KEY) * PLACES_A_KEY
    }
}

const _: () = assert!(Cup::COUNT / 2 < 0x10, "a cup's number fits its four bits");

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;
    use crate::game::opponent::EXACT_STONES;
    use crate::game::rules::PLACES;

    /// Collects the keys of all boards with up to `left` more stones in the cups from `place` on.
    fn keys(stones: &mut [u8; PLACES], place: usize, left: u8, keys: &mut Vec<(u32, usize)>) {
        if place == PLACES {
            for turn in Player::BOTH {
                let key = Key::of(&Position::of(*stones, turn), false);
                keys.push((key.check, key.first()));
            }
        } else if Cup::at(place).is_none() {
            self::keys(stones, place + 1, left, keys);
        } else {
            for held in 0..=left {
                stones[place] = held;
                self::keys(stones, place + 1, left - held, keys);
            }
            stones[place] = 0;
        }
    }

    #[test]
    fn no_two_boards_of_an_exact_ending_share_a_key() {
        let mut all = Vec::new();
        keys(&mut [0; PLACES], 0, EXACT_STONES, &mut all);
        assert_eq!(all.len(), 2 * 646_646);
        all.sort_unstable();
        let shared = all.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert_eq!(shared, 0);
    }

    #[test]
    fn a_deep_finding_outlasts_a_shallow_one_of_the_same_place() {
        let mut table = Table::EMPTY;
        let [deep, shallow, next] = [1, 2, 3].map(|check| Key { check, slot: 7 });
        table.keep(deep, 10, 5, Bound::Exact, 2);
        table.keep(shallow, 20, 1, Bound::Least, 3);
        table.keep(next, 30, 2, Bound::Most, 4);
        let found = |key| table.find(key).map(|found| (found.value, found.bound(), found.nth()));
        assert_eq!(found(deep), Some((10, Bound::Exact, 2)));
        assert_eq!(found(shallow), None);
        assert_eq!(found(next), Some((30, Bound::Most, 4)));
    }

    #[test]
    fn an_empty_table_has_no_finding_for_any_key() {
        assert!(Table::EMPTY.find(Key { check: 0, slot: 7 }).is_none());
    }
}
