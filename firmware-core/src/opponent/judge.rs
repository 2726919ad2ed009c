//! What a position is worth where the search looks no further.

use crate::rules::{CUPS_A_SIDE, Cup, Path, Position, Ruleset};

/// Value of a stone in a store.
pub const STONE: i16 = 16;
/// Value of a game that is won, beside its stones. Only where stones are not sown into the
/// stores, see [`won`].
const WIN: i16 = 8192;
/// More than any value.
pub const INFINITE: i16 = 16_000;

const _: () = assert!(WIN + 255 * STONE < INFINITE);
const _: () = assert!(INFINITE as i32 + 2 * 255 * STONE as i32 <= i16::MAX as i32);

/// Difference of the stores, for the player to move in `position`.
#[inline]
pub fn stored(position: &Position) -> i16 {
    let own = i16::from(position.in_store(position.turn));
    own - i16::from(position.in_store(position.turn.opponent()))
}

/// Stones in the cups of a board that holds `total` of them.
#[inline]
pub fn in_cups(position: &Position, total: u8) -> u8 {
    let [bottom, top] = [position.stones[6], position.stones[13]];
    total.wrapping_sub(bottom).wrapping_sub(top)
}

/// What is still to come in `position`, for the player to move, by looking at it.
#[inline]
pub fn judge(rules: &Ruleset, position: &Position, total: u8) -> i16 {
    match rules.path {
        Path::OwnStore => judge_sides(rules, position),
        Path::CupsOnly => judge_cups(position, total),
    }
}

fn judge_sides(rules: &Ruleset, position: &Position) -> i16 {
    let side = position.turn.first_cup();
    let across = position.turn.opponent().first_cup();
    let mut value = 0;
    let mut free = false;
    for nth in 0..CUPS_A_SIDE {
        let own = position.stones[side + nth];
        let theirs = position.stones[across + nth];
        if rules.sweeps {
            value += (i16::from(own) - i16::from(theirs)) * 2;
        }
        free |= usize::from(own) + nth == CUPS_A_SIDE;
    }
    value + if free { STONE } else { 0 }
}

fn judge_cups(position: &Position, total: u8) -> i16 {
    let mut value = won(stored(position), position, total);
    for cup in Cup::of(position.turn) {
        value += safety(position.in_cup(cup));
    }
    for cup in Cup::of(position.turn.opponent()) {
        value -= safety(position.in_cup(cup));
    }
    value
}

fn safety(stones: u8) -> i16 {
    match stones {
        0 => -6,
        1 | 2 => -8,
        _ => 0,
    }
}

fn won(_stored: i16, position: &Position, total: u8) -> i16 {
    let half = total / 2;
    if position.in_store(position.turn) > half {
        WIN
    } else if position.in_store(position.turn.opponent()) > half {
        -WIN
    } else {
        0
    }
}

/// What the end of a game is worth beside its stones, for a player whose store holds so many
/// more than his opponent's.
#[inline]
pub fn ended(rules: &Ruleset, stored: i16) -> i16 {
    match rules.path {
        Path::OwnStore => 0,
        Path::CupsOnly => WIN * stored.signum(),
    }
}

/// The most that the player to move can still make of `in_cups` stones.
#[inline]
pub fn most(rules: &Ruleset, in_cups: u8) -> i16 {
    let stones = i16::from(in_cups) * STONE;
    match rules.path {
        Path::OwnStore => stones,
        Path::CupsOnly => stones + WIN,
    }
}

/// Whether equal cups are worth the same whatever the stores hold.
#[inline]
pub fn stores_matter(rules: &Ruleset) -> bool {
    matches!(rules.path, Path::CupsOnly)
}
