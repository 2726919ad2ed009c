//! The order in which the search tries a player's cups: the promising ones first, so that the
//! others need little search. This module knows no values.

use crate::game::places::{CUPS_A_SIDE, Cup};
use crate::game::rules::{Path, Position, Ruleset};

/// Cups of the player to move, by their number on his side, in the order to try them.
///
/// Four bits a cup, its number plus one, the next cup lowest; 0 is the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order(u32);

const _: () = assert!(4 * (CUPS_A_SIDE + 1) <= u32::BITS as usize);

impl Order {
    /// No cup.
    pub const NONE: Self = Self(0);

    /// Returns the cups of the player to move that have stones, `first` before all others.
    #[inline]
    pub fn of(rules: &Ruleset, position: &Position, first: Option<u8>) -> Self {
        let side = position.turn.first_cup();
        let first = first.filter(|nth| position.stones[side + usize::from(*nth)] > 0);
        match rules.path {
            Path::OwnStore => Self::towards_the_store(position, first),
            Path::CupsOnly => Self::captures_first(rules, position, first),
        }
    }

    /// Orders free turns before captures before the rest; within each group, the cup nearest the
    /// store first.
    fn towards_the_store(position: &Position, first: Option<u8>) -> Self {
        let side = position.turn.first_cup();
        let across = position.turn.opponent().first_cup();
        let (mut free, mut captures, mut rest) = (Self::NONE, Self::NONE, Self::NONE);
        for nth in 0..CUPS_A_SIDE {
            let stones = usize::from(position.stones[side + nth]);
            if stones == 0 || first == Some(nth as u8) {
                continue;
            }
            let last = nth + stones;
            if last == CUPS_A_SIDE {
                free = free.before(nth);
            } else if last < CUPS_A_SIDE
                && position.stones[side + last] == 0
                && position.stones[across + CUPS_A_SIDE - 1 - last] > 0
            {
                captures = captures.before(nth);
            } else {
                rest = rest.before(nth);
            }
        }
        let order = rest.after(captures).after(free);
        first.map_or(order, |nth| order.before(nth.into()))
    }

    /// Orders sowings that end on two or three stones of the opponent first.
    fn captures_first(rules: &Ruleset, position: &Position, first: Option<u8>) -> Self {
        let (mut captures, mut rest) = (Self::NONE, Self::NONE);
        for cup in Cup::of(position.turn) {
            let nth = cup.nth_of_owner();
            let stones = position.in_cup(cup);
            if stones == 0 || first == Some(nth as u8) {
                continue;
            }
            let last = rules.path.last(cup, position.direction, stones);
            let theirs = last.wrapping_sub(position.turn.opponent().first_cup()) < CUPS_A_SIDE;
            if theirs && matches!(position.stones[last], 1 | 2) {
                captures = captures.before(nth);
            } else {
                rest = rest.before(nth);
            }
        }
        let order = rest.after(captures);
        first.map_or(order, |nth| order.before(nth.into()))
    }

    /// Removes and returns the next cup's number.
    #[inline]
    pub fn next(&mut self) -> Option<u8> {
        let nth = (self.0 as u8 & 0xF).checked_sub(1)?;
        self.0 >>= 4;
        Some(nth)
    }

    /// Returns whether no cup is left.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    fn before(self, nth: usize) -> Self {
        Self(self.0 << 4 | (nth as u32 + 1))
    }

    #[inline]
    fn after(self, first: Self) -> Self {
        let bits = (u32::BITS - first.0.leading_zeros()).next_multiple_of(4);
        Self(self.0 << bits | first.0)
    }
}
