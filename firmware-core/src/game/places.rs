//! The places of the board: two players, twelve cups, two stores, two directions, and sets
//! of places ([`Places`]). It knows no stone and no rule.

/// Cups on each side of the board.
pub const CUPS_A_SIDE: usize = 6;

/// Places on the board: twelve cups and two stores, counter-clockwise from the
/// bottom player's leftmost cup. Index 6 is the bottom player's store, 13 the top's.
pub const PLACES: usize = 2 * (CUPS_A_SIDE + 1);

/// One of the two players, by the side of the board that is his.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Player 0 on the console; cups 0 to 5, store 6.
    Bottom,
    /// Player 1 on the console; cups 7 to 12, store 13.
    Top,
}

impl Player {
    /// Both, bottom first.
    pub const BOTH: [Self; 2] = [Self::Bottom, Self::Top];

    /// 0 for the bottom player, 1 for the top player.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The one across the board.
    pub const fn opponent(self) -> Self {
        match self {
            Self::Bottom => Self::Top,
            Self::Top => Self::Bottom,
        }
    }

    /// The place of this player's store: 6 or 13.
    pub const fn store(self) -> usize {
        self.first_cup() + CUPS_A_SIDE
    }

    /// The place of this player's first cup: 0 or 7.
    pub const fn first_cup(self) -> usize {
        self.index() * (CUPS_A_SIDE + 1)
    }
}

/// One of the twelve cups that a player sows from: place 0 to 5, or 7 to 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cup(u8);

impl Cup {
    /// How many there are.
    pub const COUNT: usize = 2 * CUPS_A_SIDE;

    /// The `nth` cup (0 to 5) of `owner`, counter-clockwise; `None` past the sixth.
    pub const fn nth(owner: Player, nth: usize) -> Option<Self> {
        if nth < CUPS_A_SIDE { Some(Self((owner.first_cup() + nth) as u8)) } else { None }
    }

    /// The cup at a place of the board; `None` for a store or past the board.
    pub const fn at(place: usize) -> Option<Self> {
        if place < PLACES && place != Player::Bottom.store() && place != Player::Top.store() {
            Some(Self(place as u8))
        } else {
            None
        }
    }

    /// All twelve, counter-clockwise from the bottom player's leftmost.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..PLACES).filter_map(Self::at)
    }

    /// The six of `owner`, counter-clockwise.
    pub fn of(owner: Player) -> impl Iterator<Item = Self> {
        (0..CUPS_A_SIDE).filter_map(move |nth| Self::nth(owner, nth))
    }

    /// The place on the board.
    pub const fn place(self) -> usize {
        self.0 as usize
    }

    /// Whose cup it is.
    pub const fn owner(self) -> Player {
        if self.place() < CUPS_A_SIDE { Player::Bottom } else { Player::Top }
    }

    /// How far along its owner's side it lies, 0 to 5, counter-clockwise.
    pub const fn nth_of_owner(self) -> usize {
        self.place() - self.owner().first_cup()
    }

    /// The cup across the board.
    pub const fn opposite(self) -> Self {
        Self((2 * CUPS_A_SIDE - self.place()) as u8)
    }
}

/// Which way round the board stones are sown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// By rising places; the way of every game that does not say otherwise.
    #[default]
    CounterClockwise,
    /// By falling places.
    Clockwise,
}

impl Direction {
    /// The other one.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::CounterClockwise => Self::Clockwise,
            Self::Clockwise => Self::CounterClockwise,
        }
    }

    /// The place beside `place` in this direction, stores included.
    pub const fn following(self, place: usize) -> usize {
        match self {
            Self::CounterClockwise if place + 1 >= PLACES => 0,
            Self::CounterClockwise => place + 1,
            Self::Clockwise if place == 0 => PLACES - 1,
            Self::Clockwise => place - 1,
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_places_have_a_cup_and_no_other_has() {
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
    fn a_place_is_one_of_them_however_often_it_is_added() {
        let places = Places::NONE.with(3).with(PLACES - 1).with(3).with(PLACES);
        assert!(places.iter().eq([3, PLACES - 1]));
    }
}
