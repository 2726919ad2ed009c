//! A set of places of the board.

use crate::game::rules::{PLACES, Player};

/// Cups and stores by their place, 0 to 13.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Places(u16);

impl Places {
    /// None.
    pub const NONE: Self = Self(0);

    /// All cups and stores.
    pub const ALL: Self = Self((1 << PLACES) - 1);

    /// The two stores.
    pub const STORES: Self = Self::NONE.with(Player::Bottom.store()).with(Player::Top.store());

    /// With `place` as well; a place past the board is left out.
    #[must_use]
    pub const fn with(self, place: usize) -> Self {
        if place < PLACES { Self(self.0 | 1 << place) } else { self }
    }

    /// Whether `place` is one of them.
    pub const fn contains(self, place: usize) -> bool {
        place < PLACES && self.0 & (1 << place) != 0
    }

    /// The places, in rising order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let place = left.trailing_zeros() as usize;
            left &= left.checked_sub(1)?;
            Some(place)
        })
    }

    /// Bit `n` for place `n`.
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}
