//! What a position is worth: at the end of a game, at most, and at a glance where the search
//! looks no further.
//!
//! A value is what is *still to come* for the player to move, in sixteenths of a stone; what
//! lies in the stores already is not part of it. It does not know how deep the search is.

use crate::game::places::{CUPS_A_SIDE, Cup, Player};
use crate::game::rules::{Path, Position, Ruleset};

/// Value of a stone in a store.
pub const STONE: i16 = 16;
/// More than any value.
pub const INFINITE: i16 = 16_000;
/// Value of a won game of [`Path::CupsOnly`], beside its stones. There the end is a choice: he
/// who leads may starve his opponent, so a lead is worth more than the chance of another stone.
const WIN: i16 = 8_192;
/// Value of moving once more at once: a cup's last stone would fall into the own store.
const FREE_TURN: i16 = STONE;
/// Value of a stone that lies on one's own side when the game sweeps at its end.
const OWN_SIDE: i16 = 2;
/// What an empty cup costs where twos and threes are captured: it is no move.
const EMPTY: i16 = -6;
/// What a cup of one or two stones costs there: one more stone, and it is captured.
const IN_DANGER: i16 = -8;

/// The most stones that a [`Position`] holds.
const MOST_STONES: i16 = u8::MAX as i16;
const _: () = assert!(WIN + MOST_STONES * STONE < INFINITE);
const _: () = assert!(INFINITE + 2 * MOST_STONES * STONE < i16::MAX, "windows move by gains");

/// Whether the same cups are worth the same whatever lies in the stores.
#[inline]
pub fn stores_matter(rules: &Ruleset) -> bool {
    match rules.path {
        Path::OwnStore => false,
        Path::CupsOnly => true,
    }
}

/// How many more stones `player` has in his store than his opponent.
#[inline]
pub fn lead(position: &Position, player: Player) -> i16 {
    i16::from(position.in_store(player)) - i16::from(position.in_store(player.opponent()))
}

/// Stones in the cups of a board that holds `total`.
#[inline]
pub fn in_cups(position: &Position, total: u8) -> u8 {
    let stored = position.in_store(Player::Bottom).wrapping_add(position.in_store(Player::Top));
    total.wrapping_sub(stored)
}

/// The most that either player can still make of `in_cups` stones.
#[inline]
pub fn most(rules: &Ruleset, in_cups: u8) -> i16 {
    let stones = i16::from(in_cups) * STONE;
    match rules.path {
        Path::OwnStore => stones,
        Path::CupsOnly => stones + WIN,
    }
}

/// What the end of a game is worth, beside its stones, to a player with that [`lead`].
#[inline]
pub fn ended(rules: &Ruleset, lead: i16) -> i16 {
    match rules.path {
        Path::OwnStore => 0,
        Path::CupsOnly => WIN * lead.signum(),
    }
}

/// A glance at a board of `total` stones in the middle of a game.
#[inline]
pub fn glance(rules: &Ruleset, position: &Position, total: u8) -> i16 {
    match rules.path {
        Path::OwnStore => glance_at_stores(rules, position),
        Path::CupsOnly => glance_at_cups(position, total),
    }
}

/// Free turns, and the stones that a sweep would bring.
fn glance_at_stores(rules: &Ruleset, position: &Position) -> i16 {
    let (own, theirs) = (position.turn.first_cup(), position.turn.opponent().first_cup());
    let mut more = 0;
    let mut free_turn = false;
    for nth in 0..CUPS_A_SIDE {
        let stones = position.stones[own + nth];
        more += i16::from(stones) - i16::from(position.stones[theirs + nth]);
        free_turn |= usize::from(stones) + nth == CUPS_A_SIDE;
    }
    let sweep = if rules.sweeps { more * OWN_SIDE } else { 0 };
    sweep + if free_turn { FREE_TURN } else { 0 }
}

/// Cups that cannot be sown or are in danger; and whether the game is won already.
fn glance_at_cups(position: &Position, total: u8) -> i16 {
    let weakness = |player| -> i16 {
        Cup::of(player)
            .map(|cup| match position.in_cup(cup) {
                0 => EMPTY,
                1 | 2 => IN_DANGER,
                _ => 0,
            })
            .sum()
    };
    let has_won = |player| position.in_store(player) > total / 2;
    let (own, theirs) = (position.turn, position.turn.opponent());
    let won = WIN * (i16::from(has_won(own)) - i16::from(has_won(theirs)));
    won + weakness(own) - weakness(theirs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::{board, wari};

    #[test]
    fn where_the_end_is_a_choice_a_lead_is_worth_more_than_any_stones() {
        for lead in 1..=i16::from(u8::MAX) {
            assert_eq!(ended(&wari::RULES, lead), WIN);
            assert_eq!(ended(&wari::RULES, -lead), -WIN);
            assert_eq!(ended(&board::RULES, lead), 0, "there every stone counts, and no more");
        }
        assert_eq!(ended(&wari::RULES, 0), 0, "a draw");
        assert!(ended(&wari::RULES, 1) > most(&board::RULES, u8::MAX));
    }
}
