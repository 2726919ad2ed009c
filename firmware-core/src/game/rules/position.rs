//! A position: stones, turn, direction; and its stones as one number ([`Lanes`]).

use crate::game::places::{CUPS_A_SIDE, Cup, Direction, PLACES, Places, Player};

/// Stones in the cups and stores, who is to move, and which way.
///
/// It never holds more than 255 stones in all; the systems' boards hold up to 60.
// Aligned so that a Cortex-M0+, which cannot read a word across words, takes all
// stones in four loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(8))]
pub struct Position {
    /// Stones at each place.
    pub stones: [u8; PLACES],
    /// Who moves next; meaningless once the game is over.
    pub turn: Player,
    /// Which way the next sowing goes.
    pub direction: Direction,
}

const _: () = assert!(size_of::<Position>() == 16);

impl Position {
    /// The board set up with `stones_a_cup` in every cup and both stores empty,
    /// `turn` to begin.
    pub const fn start(stones_a_cup: u8, turn: Player) -> Self {
        let mut stones = [stones_a_cup; PLACES];
        stones[Player::Bottom.store()] = 0;
        stones[Player::Top.store()] = 0;
        Self::of(stones, turn)
    }

    /// A board as it lies, to be sown counter-clockwise.
    pub const fn of(stones: [u8; PLACES], turn: Player) -> Self {
        Self { stones, turn, direction: Direction::CounterClockwise }
    }

    /// Stones in `cup`.
    pub const fn in_cup(&self, cup: Cup) -> u8 {
        self.stones[cup.place()]
    }

    /// Stones in the store of `player`.
    pub const fn in_store(&self, player: Player) -> u8 {
        self.stones[player.store()]
    }

    /// Stones in the six cups of `player`.
    pub fn on_side(&self, player: Player) -> u8 {
        Cup::of(player).fold(0, |sum, cup| sum.wrapping_add(self.in_cup(cup)))
    }

    /// Stones on the whole board, stores included.
    pub fn total(&self) -> u16 {
        self.stones.iter().copied().map(u16::from).sum()
    }

    /// The stones as one number.
    #[inline(always)]
    pub(super) fn lanes(&self) -> Lanes {
        let mut bytes = [0; size_of::<u128>()];
        bytes[..PLACES].copy_from_slice(&self.stones);
        Lanes(u128::from_le_bytes(bytes))
    }
}

/// The stones of all places in one number, eight bits a place, place 0 lowest: a whole
/// handful falls by one addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes(u128);

const _: () = assert!(PLACES <= size_of::<u128>());

/// The cups of each player.
const SIDES: [Lanes; 2] = [side(Player::Bottom), side(Player::Top)];

/// Each place by itself.
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

    /// One stone at each of `places`.
    #[inline(always)]
    pub(super) const fn one_at_each(places: Places) -> Self {
        // Four places a multiplication, which a Cortex-M0+ does in a cycle: of four copies,
        // seven bits apart, the lowest bit of each byte is one of the four places.
        const COPIES: u32 = 1 | 1 << 7 | 1 << 14 | 1 << 21;
        const LOWEST: u32 = 0x0101_0101;
        let places = places.bits() as u32;
        let a = ((places & 0xF) * COPIES) & LOWEST;
        let b = (((places >> 4) & 0xF) * COPIES) & LOWEST;
        let c = (((places >> 8) & 0xF) * COPIES) & LOWEST;
        let d = ((places >> 12) * COPIES) & LOWEST;
        Self(a as u128 | (b as u128) << 32 | (c as u128) << 64 | (d as u128) << 96)
    }

    /// Stones in `cup`.
    #[inline(always)]
    pub fn in_cup(self, cup: Cup) -> u8 {
        self.at(cup.place())
    }

    /// With `more` stones at `place`.
    #[inline(always)]
    pub(super) const fn with(self, place: usize, more: u8) -> Self {
        self.and(Self((more as u128) << (8 * place)))
    }

    /// With the stones of `fallen` as well. Only with more than 255 stones on the board
    /// could one place run over into the next.
    #[inline(always)]
    pub(super) const fn and(self, fallen: Self) -> Self {
        Self(self.0.wrapping_add(fallen.0))
    }

    /// With nothing at `place`.
    #[inline(always)]
    pub(super) const fn without(self, place: usize) -> Self {
        Self(self.0 & !AT[place].0)
    }

    /// Whether `player` has no stone in his six cups.
    #[inline(always)]
    pub(super) const fn is_bare(self, player: Player) -> bool {
        self.0 & SIDES[player.index()].0 == 0
    }

    /// With all stones of `cups` moved to the store of `player`; how many they are.
    #[inline]
    pub(super) fn collected(mut self, cups: Places, player: Player) -> (Self, u8) {
        let mut stones: u8 = 0;
        for place in cups.iter() {
            stones = stones.wrapping_add(self.at(place));
            self = self.without(place);
        }
        (self.with(player.store(), stones), stones)
    }

    /// With what is left in the cups moved to the stores of their owners; stones a player.
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

    /// Stones at each place.
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
