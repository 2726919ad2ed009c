//! A position: stones, turn, direction; and its stones as one number ([`Lanes`]).

use crate::game::places::{CUPS_A_SIDE, Cup, Direction, PLACES, Places, Player};

/// Stones in the cups and stores, player to move, and direction.
///
/// A position never has more than 255 stones in total; the systems' boards have up to 60.
// Aligned so that a Cortex-M0+, which has no unaligned loads, reads all stones in four loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(8))]
pub struct Position {
    /// Number of stones at each place.
    pub stones: [u8; PLACES],
    /// Player to move; meaningless once the game is over.
    pub turn: Player,
    /// Direction of the next sowing.
    pub direction: Direction,
}

const _: () = assert!(size_of::<Position>() == 16);

impl Position {
    /// Creates a board with `stones_a_cup` in every cup, both stores empty, and `turn` to begin.
    pub const fn start(stones_a_cup: u8, turn: Player) -> Self {
        let mut stones = [stones_a_cup; PLACES];
        stones[Player::Bottom.store()] = 0;
        stones[Player::Top.store()] = 0;
        Self::of(stones, turn)
    }

    /// Creates a position with these stones, sown counter-clockwise.
    pub const fn of(stones: [u8; PLACES], turn: Player) -> Self {
        Self { stones, turn, direction: Direction::CounterClockwise }
    }

    /// Returns the number of stones in `cup`.
    pub const fn in_cup(&self, cup: Cup) -> u8 {
        self.stones[cup.place()]
    }

    /// Returns the number of stones in the store of `player`.
    pub const fn in_store(&self, player: Player) -> u8 {
        self.stones[player.store()]
    }

    /// Returns the number of stones in the six cups of `player`.
    pub fn on_side(&self, player: Player) -> u8 {
        Cup::of(player).fold(0, |sum, cup| sum.wrapping_add(self.in_cup(cup)))
    }

    /// Returns the number of stones on the whole board, stores included.
    pub fn total(&self) -> u16 {
        self.stones.iter().copied().map(u16::from).sum()
    }

    /// Returns the stones as one number.
    #[inline(always)]
    pub(super) fn lanes(&self) -> Lanes {
        let mut bytes = [0; size_of::<u128>()];
        bytes[..PLACES].copy_from_slice(&self.stones);
        Lanes(u128::from_le_bytes(bytes))
    }
}

/// Stones of all places in one number, eight bits a place, place 0 lowest: all stones of a sowing
/// are added in one addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes(u128);

const _: () = assert!(PLACES <= size_of::<u128>());

/// Masks of the cups of each player.
const SIDES: [Lanes; 2] = [side(Player::Bottom), side(Player::Top)];

/// Mask of each place.
const AT: [Lanes; PLACES] = {
    let mut lanes = [Lanes::NONE; PLACES];
    let mut place = 0;
    while place < PLACES {
        lanes[place] = Lanes::NONE.with(place, u8::MAX);
        place += 1;
    }
    lanes
};

const fn side(player: Player) -> Lanes {
    let mut lanes = Lanes::NONE;
    let mut nth = 0;
    while nth < CUPS_A_SIDE {
        lanes = lanes.with(player.first_cup() + nth, u8::MAX);
        nth += 1;
    }
    lanes
}

impl Lanes {
    /// No stone anywhere.
    pub(super) const NONE: Self = Self(0);

    /// Returns one stone at each of `places`.
    #[inline(always)]
    pub(super) const fn one_at_each(places: Places) -> Self {
        // Four places per multiplication, which a Cortex-M0+ does in one cycle: the places are
        // copied four times, seven bits apart, so that the lowest bit of each byte is one of the
        // four places.
        const COPIES: u32 = 1 | 1 << 7 | 1 << 14 | 1 << 21;
        const LOWEST: u32 = 0x0101_0101;
        let places = places.bits() as u32;
        let a = ((places & 0xF) * COPIES) & LOWEST;
        let b = (((places >> 4) & 0xF) * COPIES) & LOWEST;
        let c = (((places >> 8) & 0xF) * COPIES) & LOWEST;
        let d = ((places >> 12) * COPIES) & LOWEST;
        Self(a as u128 | (b as u128) << 32 | (c as u128) << 64 | (d as u128) << 96)
    }

    /// Returns the number of stones in `cup`.
    #[inline(always)]
    pub fn in_cup(self, cup: Cup) -> u8 {
        self.at(cup.place())
    }

    /// Returns the stones with `more` added at `place`.
    #[inline(always)]
    pub(super) const fn with(self, place: usize, more: u8) -> Self {
        self.and(Self((more as u128) << (8 * place)))
    }

    /// Returns the stones with those of `fallen` added. A place overflows into the next only with
    /// more than 255 stones on the board.
    #[inline(always)]
    pub(super) const fn and(self, fallen: Self) -> Self {
        Self(self.0.wrapping_add(fallen.0))
    }

    /// Returns the stones with `place` emptied.
    #[inline(always)]
    pub(super) const fn without(self, place: usize) -> Self {
        Self(self.0 & !AT[place].0)
    }

    /// Returns whether `player` has no stone in his six cups.
    #[inline(always)]
    pub(super) const fn is_bare(self, player: Player) -> bool {
        self.0 & SIDES[player.index()].0 == 0
    }

    /// Moves all stones of `cups` to the store of `player`. Also returns how many they are.
    #[inline]
    pub(super) fn collected(mut self, cups: Places, player: Player) -> (Self, u8) {
        let mut stones: u8 = 0;
        for place in cups.iter() {
            stones = stones.wrapping_add(self.at(place));
            self = self.without(place);
        }
        (self.with(player.store(), stones), stones)
    }

    /// Moves the stones left in the cups to the stores of their owners. Also returns how many each
    /// player got.
    #[cold]
    pub(super) fn swept(mut self) -> (Self, [u8; 2]) {
        let swept = Player::BOTH.map(|player| {
            let cups = Cup::of(player).fold(Places::NONE, |cups, cup| cups.with(cup.place()));
            let stones;
            (self, stones) = self.collected(cups, player);
            stones
        });
        (self, swept)
    }

    /// Returns the number of stones at each place.
    #[inline(always)]
    pub(super) fn stones(self) -> [u8; PLACES] {
        let mut stones = [0; PLACES];
        stones.copy_from_slice(&self.0.to_le_bytes()[..PLACES]);
        stones
    }

    #[inline(always)]
    fn at(self, place: usize) -> u8 {
        self.0.to_le_bytes()[place]
    }
}
