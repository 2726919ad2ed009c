//! The places of the board: two players, twelve cups, two stores, two directions, and sets of
//! places ([`Places`]). This module knows no stones and no rules.

/// Number of cups on each side of the board.
pub const CUPS_A_SIDE: usize = 6;

/// Number of places on the board: twelve cups and two stores, counter-clockwise from the bottom
/// player's leftmost cup. Index 6 is the bottom player's store, 13 the top's.
pub const PLACES: usize = 2 * (CUPS_A_SIDE + 1);

/// One of the two players, named after the player's side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Player 0 on the console; cups 0 to 5, store 6.
    Bottom,
    /// Player 1 on the console; cups 7 to 12, store 13.
    Top,
}

impl Player {
    /// Both players, bottom first.
    pub const BOTH: [Self; 2] = [Self::Bottom, Self::Top];

    /// Returns 0 for the bottom player, 1 for the top player.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the other player.
    pub const fn opponent(self) -> Self {
        match self {
            Self::Bottom => Self::Top,
            Self::Top => Self::Bottom,
        }
    }

    /// Returns the place of this player's store: 6 or 13.
    pub const fn store(self) -> usize {
        self.first_cup() + CUPS_A_SIDE
    }

    /// Returns the place of this player's first cup: 0 or 7.
    pub const fn first_cup(self) -> usize {
        self.index() * (CUPS_A_SIDE + 1)
    }
}

/// One of the twelve cups that a player sows from: place 0 to 5, or 7 to 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cup(u8);

impl Cup {
    /// Number of cups on the board.
    pub const COUNT: usize = 2 * CUPS_A_SIDE;

    /// Returns the `nth` cup (0 to 5) of `owner`, counter-clockwise; `None` past the sixth.
    pub const fn nth(owner: Player, nth: usize) -> Option<Self> {
        if nth < CUPS_A_SIDE { Some(Self((owner.first_cup() + nth) as u8)) } else { None }
    }

    /// Returns the cup at a place of the board; `None` for a store or past the board.
    pub const fn at(place: usize) -> Option<Self> {
        if place < PLACES && place != Player::Bottom.store() && place != Player::Top.store() {
            Some(Self(place as u8))
        } else {
            None
        }
    }

    /// Returns all twelve cups, counter-clockwise from the bottom player's leftmost.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..PLACES).filter_map(Self::at)
    }

    /// Returns the six cups of `owner`, counter-clockwise.
    pub fn of(owner: Player) -> impl Iterator<Item = Self> {
        (0..CUPS_A_SIDE).filter_map(move |nth| Self::nth(owner, nth))
    }

    /// Returns the place on the board.
    pub const fn place(self) -> usize {
        self.0 as usize
    }

    /// Returns the player on whose side the cup is.
    pub const fn owner(self) -> Player {
        if self.place() < CUPS_A_SIDE { Player::Bottom } else { Player::Top }
    }

    /// Returns the index on the owner's side, 0 to 5, counter-clockwise.
    pub const fn nth_of_owner(self) -> usize {
        self.place() - self.owner().first_cup()
    }

    /// Returns the cup across the board.
    pub const fn opposite(self) -> Self {
        Self((2 * CUPS_A_SIDE - self.place()) as u8)
    }
}

/// Direction in which stones are sown around the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// By rising places; the default of every game.
    #[default]
    CounterClockwise,
    /// By falling places.
    Clockwise,
}

impl Direction {
    /// Returns the other direction.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::CounterClockwise => Self::Clockwise,
            Self::Clockwise => Self::CounterClockwise,
        }
    }

    /// Returns the place next to `place` in this direction, stores included.
    pub const fn following(self, place: usize) -> usize {
        match self {
            Self::CounterClockwise if place + 1 >= PLACES => 0,
            Self::CounterClockwise => place + 1,
            Self::Clockwise if place == 0 => PLACES - 1,
            Self::Clockwise => place - 1,
        }
    }
}

/// Set of cups and stores by their place, 0 to 13.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Places(u16);

impl Places {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// All cups and stores.
    pub const ALL: Self = Self((1 << PLACES) - 1);

    /// The two stores.
    pub const STORES: Self = Self::NONE.with(Player::Bottom.store()).with(Player::Top.store());

    /// Returns the set with `place` added; a place past the board is ignored.
    #[must_use]
    pub const fn with(self, place: usize) -> Self {
        if place < PLACES { Self(self.0 | 1 << place) } else { self }
    }

    /// Returns whether the set contains `place`.
    pub const fn contains(self, place: usize) -> bool {
        place < PLACES && self.0 & (1 << place) != 0
    }

    /// Returns the places, in rising order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let place = left.trailing_zeros() as usize;
            left &= left.checked_sub(1)?;
            Some(place)
        })
    }

    /// Returns the set as bits: bit `n` for place `n`.
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_twelve_places_have_a_cup() {
        let cups = (0..=usize::from(u8::MAX)).filter(|place| Cup::at(*place).is_some());
        assert!(cups.eq([0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]));
    }

    #[test]
    fn a_player_has_six_cups() {
        for owner in Player::BOTH {
            let cups = (0..=CUPS_A_SIDE).filter_map(|nth| Cup::nth(owner, nth));
            assert!(cups.eq(Cup::of(owner)));
        }
    }

    #[test]
    fn adding_a_place_twice_has_no_effect() {
        let places = Places::NONE.with(3).with(PLACES - 1).with(3).with(PLACES);
        assert!(places.iter().eq([3, PLACES - 1]));
    }
}
