//! The path of the stones: the places that a sowing visits, stone by stone ([`Sowing`]), and the
//! same for all stones at once ([`Path::sow`]), from tables that the compiler computes by walking
//! the path.

use super::position::{Lanes, Position};
use crate::game::places::{Cup, Direction, PLACES, Places};

/// Length of the longest lap: the twelve cups and the player's own store.
const LONGEST_LAP: usize = PLACES - 1;

/// The places that stones are sown into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Every cup and the mover's own store, including the source cup on a lap.
    OwnStore,
    /// The twelve cups except the source.
    CupsOnly,
}

/// Precomputed first lap of a path from every cup, in both directions.
#[derive(Debug)]
struct Laps {
    /// Number of stones of a lap.
    length: u8,
    /// Tables by [`Direction`].
    handfuls: [Handfuls; 2],
}

static OWN_STORE: Laps = Laps::walked(Path::OwnStore);
static CUPS_ONLY: Laps = Laps::walked(Path::CupsOnly);

const _: () = assert!(size_of::<Laps>() < 2 * 1024, "it takes its place in flash");

/// By cup and number of stones, up to a lap: the places where they fall, at most one at each place,
/// and the place of the last one.
#[derive(Debug)]
struct Handfuls {
    stones: [[Places; LONGEST_LAP + 1]; PLACES],
    last: [[u8; LONGEST_LAP + 1]; PLACES],
}

impl Path {
    /// Returns the places that a sowing from `cup` visits, stone by stone.
    pub(super) const fn sowing(self, position: &Position, cup: Cup) -> Sowing {
        Sowing {
            path: self,
            cup,
            direction: position.direction,
            place: cup.place(),
            left: position.in_cup(cup),
        }
    }

    /// Returns the place of the last of `stones`, at least one, sown from `cup`.
    #[inline(always)]
    pub(crate) fn last(self, cup: Cup, direction: Direction, stones: u8) -> usize {
        self.sow(cup, direction, stones).1
    }

    /// Returns where all stones of `cup`, at least one, fall, and the place of the last one.
    #[inline(always)]
    pub(super) fn sow(self, cup: Cup, direction: Direction, stones: u8) -> (Lanes, usize) {
        let laps = match self {
            Self::OwnStore => &OWN_STORE,
            Self::CupsOnly => &CUPS_ONLY,
        };
        let Handfuls { stones: handfuls, last } = &laps.handfuls[direction as usize];
        let handfuls = &handfuls[cup.place()];
        let mut fallen = Lanes::NONE;
        let mut left = stones;
        // At most 23 laps: 255 stones around eleven cups. A real game rarely needs one.
        while left > laps.length {
            fallen = fallen.and(Lanes::one_at_each(handfuls[laps.length as usize]));
            left -= laps.length;
        }
        let rest = Lanes::one_at_each(handfuls[left as usize]);
        (fallen.and(rest), last[cup.place()][left as usize].into())
    }

    /// Returns the place that is visited after `place` in a sowing from `cup`.
    const fn following(self, cup: Cup, direction: Direction, mut place: usize) -> usize {
        // At most three steps: of the two stores and the source, at most two are adjacent.
        loop {
            place = direction.following(place);
            let skipped = place == cup.owner().opponent().store()
                || match self {
                    Self::OwnStore => false,
                    Self::CupsOnly => place == cup.owner().store() || place == cup.place(),
                };
            if !skipped {
                return place;
            }
        }
    }
}

impl Laps {
    const fn walked(path: Path) -> Self {
        let length = match path {
            Path::OwnStore => LONGEST_LAP,
            Path::CupsOnly => Cup::COUNT - 1,
        };
        let stones = [[Places::NONE; LONGEST_LAP + 1]; PLACES];
        let last = [[0; LONGEST_LAP + 1]; PLACES];
        let mut handfuls = [Handfuls { stones, last }, Handfuls { stones, last }];
        let mut place = 0;
        while place < PLACES {
            if let Some(cup) = Cup::at(place) {
                handfuls[0].walk(path, cup, Direction::CounterClockwise, length);
                handfuls[1].walk(path, cup, Direction::Clockwise, length);
            }
            place += 1;
        }
        Self { length: length as u8, handfuls }
    }
}

impl Handfuls {
    /// Fills the rows of `cup`.
    const fn walk(&mut self, path: Path, cup: Cup, direction: Direction, length: usize) {
        let mut fallen = Places::NONE;
        let mut place = cup.place();
        let mut count = 1;
        while count <= length {
            place = path.following(cup, direction, place);
            fallen = fallen.with(place);
            self.stones[cup.place()][count] = fallen;
            self.last[cup.place()][count] = place as u8;
            count += 1;
        }
    }
}

/// Iterator over the places of a sowing, one per stone. See
/// [`Ruleset::sowing`](super::Ruleset::sowing).
#[derive(Clone, Copy, Debug)]
pub struct Sowing {
    path: Path,
    cup: Cup,
    direction: Direction,
    place: usize,
    left: u8,
}

impl Iterator for Sowing {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        self.place = self.path.following(self.cup, self.direction, self.place);
        Some(self.place)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.into(), Some(self.left.into()))
    }
}

impl ExactSizeIterator for Sowing {}
