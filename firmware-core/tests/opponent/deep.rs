//! A plain search to a fixed number of turns, on the firmware's rules but with a large table and
//! without a time limit: an opponent of known depth, and the source of the table of openings. It
//! counts stones only; it does not know that a lead may be worth more than they are.

use firmware_core::rules::{Cup, Direction, Path, Player, Position, Ruleset};

/// Value of a stone.
pub const STONE: i32 = 16;
/// More than any value.
const INFINITE: i32 = 1_000_000;
/// Longest line in sowings: the stones of `wari` can circle.
const LONGEST: u32 = 200;

#[derive(Clone, Copy)]
enum Bound {
    Exact,
    Least,
    Most,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    value: i32,
    depth: u8,
    bound: Bound,
    best: u8,
}

/// The search and what it has found.
pub struct Deep<'r> {
    rules: &'r Ruleset,
    table: Vec<Entry>,
    /// Number of sowings so far.
    pub nodes: u64,
}

impl<'r> Deep<'r> {
    /// Creates a search with a table of 2^`bits` entries.
    pub fn new(rules: &'r Ruleset, bits: u32) -> Self {
        let none = Entry { key: 0, value: 0, depth: 0, bound: Bound::Most, best: 0 };
        Self { rules, table: vec![none; 1 << bits], nodes: 0 }
    }

    /// Returns the best cup of a position that is not over, looking `turns` turns ahead, and by how
    /// much the player to move gains with it from here on, in sixteenths of a stone.
    pub fn best(&mut self, position: &Position, turns: u8) -> (Cup, i32) {
        for depth in 1..turns {
            self.value(position, depth, -INFINITE, INFINITE, 0);
        }
        let value = self.value(position, turns, -INFINITE, INFINITE, 0);
        let key = key(position);
        let best = self.table[self.slot(key)].best;
        (Cup::nth(position.turn, best.into()).expect("a cup"), value)
    }

    /// Returns the gain of each legal cup, looking `turns` turns ahead.
    pub fn values(&mut self, position: &Position, turns: u8) -> Vec<(Cup, i32)> {
        let cups = Cup::of(position.turn).filter(|cup| position.in_cup(*cup) > 0);
        let value = |cup| (cup, self.value_of(position, cup, turns, -INFINITE, INFINITE, 0));
        cups.map(value).collect()
    }

    fn value_of(
        &mut self,
        position: &Position,
        cup: Cup,
        depth: u8,
        alpha: i32,
        beta: i32,
        plies: u32,
    ) -> i32 {
        self.nodes += 1;
        let mover = position.turn;
        let (next, outcome) = self.rules.sow(position, cup);
        let gain = (lead(&next, mover) - lead(position, mover)) * STONE;
        if outcome.result.is_some() {
            gain
        } else if next.turn == mover {
            gain + self.value(&next, depth, alpha - gain, beta - gain, plies + 1)
        } else {
            gain - self.value(&next, depth - 1, gain - beta, gain - alpha, plies + 1)
        }
    }

    fn value(
        &mut self,
        position: &Position,
        depth: u8,
        mut alpha: i32,
        beta: i32,
        plies: u32,
    ) -> i32 {
        if depth == 0 || plies > LONGEST {
            return self.estimate(position);
        }
        let key = key(position);
        let slot = self.slot(key);
        let entry = self.table[slot];
        let known = (entry.key == key).then_some(entry);
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            match entry.bound {
                Bound::Exact => return entry.value,
                Bound::Least if entry.value >= beta => return entry.value,
                Bound::Most if entry.value <= alpha => return entry.value,
                Bound::Least | Bound::Most => {}
            }
        }
        let first = known.map(|entry| entry.best);
        let lowest = alpha;
        let (mut best, mut found) = (-INFINITE, 0);
        for nth in order(position, self.rules, first) {
            let Some(cup) = Cup::nth(position.turn, nth.into()) else { continue };
            let value = self.value_of(position, cup, depth, alpha, beta, plies);
            if value > best {
                (best, found) = (value, nth);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        let bound = if best >= beta {
            Bound::Least
        } else if best > lowest {
            Bound::Exact
        } else {
            Bound::Most
        };
        self.table[slot] = Entry { key, value: best, depth, bound, best: found };
        best
    }

    /// Estimates the gain still to come: a free turn, and the stones that a sweep would bring.
    fn estimate(&self, position: &Position) -> i32 {
        if self.rules.path != Path::OwnStore {
            return 0;
        }
        let side = |player| i32::from(position.on_side(player));
        let free = Cup::of(position.turn).any(|cup| reaches_store(position, cup));
        let sweep = if self.rules.sweeps {
            2 * (side(position.turn) - side(position.turn.opponent()))
        } else {
            0
        };
        sweep + if free { STONE } else { 0 }
    }

    fn slot(&self, key: u64) -> usize {
        (key >> 20) as usize & (self.table.len() - 1)
    }
}

fn lead(position: &Position, player: Player) -> i32 {
    i32::from(position.in_store(player)) - i32::from(position.in_store(player.opponent()))
}

fn reaches_store(position: &Position, cup: Cup) -> bool {
    usize::from(position.in_cup(cup)) + cup.nth_of_owner() == 6
}

/// Returns the numbers of the cups with stones: `first`, then free turns, then the others from the
/// store on.
fn order(position: &Position, rules: &Ruleset, first: Option<u8>) -> Vec<u8> {
    let free = |cup: &Cup| rules.path == Path::OwnStore && reaches_store(position, *cup);
    let mut cups: Vec<Cup> =
        Cup::of(position.turn).filter(|cup| position.in_cup(*cup) > 0).collect();
    cups.reverse();
    cups.sort_by_key(|cup| (first != Some(cup.nth_of_owner() as u8), !free(cup)));
    cups.into_iter().map(|cup| cup.nth_of_owner() as u8).collect()
}

/// Returns a number for the cups, the turn and the direction; the stores do not matter.
fn key(position: &Position) -> u64 {
    let mut bytes = [0; 16];
    bytes[..14].copy_from_slice(&position.stones);
    (bytes[6], bytes[13]) = (0, 0);
    bytes[14] = position.turn.index() as u8 + 1;
    bytes[15] = u8::from(position.direction == Direction::Clockwise);
    let number = u128::from_le_bytes(bytes);
    let mut mixed = (number as u64) ^ ((number >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
