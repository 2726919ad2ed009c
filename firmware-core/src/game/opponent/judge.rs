//! Static values: of the end of a game, as an upper bound, and as an estimate where the search
//! stops.
//!
//! A value counts the stones *still to come* for the player to move, in sixteenths of a stone, and
//! not the stones already in the stores. This module does not know the depth of the search.

use crate::game::places::{CUPS_A_SIDE, Cup, Player};
use crate::game::rules::{Path, Position, Ruleset};

/// Value of a stone in a store.
pub const STONE: i16 = 16;
/// Upper bound of all values.
pub const INFINITE: i16 = 16_000;
/// Value of a won game of [`Path::CupsOnly`], in addition to its stones. There, the player in the
/// lead may end the game by starving the opponent, so a lead is worth more than the chance of
/// another stone.
const WIN: i16 = 8_192;
/// Value of an immediate extra move: a cup's last stone would fall into the player's own store.
const FREE_TURN: i16 = STONE;
/// Value of a stone on the player's own side if the game sweeps at its end.
const OWN_SIDE: i16 = 2;
/// Cost of an empty cup where twos and threes are captured: it offers no move.
const EMPTY: i16 = -6;
/// Cost of a cup of one or two stones there: one more stone, and it can be captured.
const IN_DANGER: i16 = -8;

/// Maximum number of stones of a [`Position`].
const MOST_STONES: i16 = u8::MAX as i16;
const _: () = assert!(WIN + MOST_STONES * STONE < INFINITE);
const _: () = assert!(INFINITE + 2 * MOST_STONES * STONE < i16::MAX, "windows move by gains");

/// Returns whether the value of the cups depends on the stores.
#[inline]
pub fn stores_matter(rules: &Ruleset) -> bool {
    match rules.path {
        Path::OwnStore => false,
        Path::CupsOnly => true,
    }
}

/// Returns how many more stones `player` has in his store than his opponent.
#[inline]
pub fn lead(position: &Position, player: Player) -> i16 {
    i16::from(position.in_store(player)) - i16::from(position.in_store(player.opponent()))
}

/// Returns the number of stones in the cups of a board with `total` stones.
#[inline]
pub fn in_cups(position: &Position, total: u8) -> u8 {
    let stored = position.in_store(Player::Bottom).wrapping_add(position.in_store(Player::Top));
    total.wrapping_sub(stored)
}

/// Returns the most that either player can still gain from `in_cups` stones.
#[inline]
pub fn most(rules: &Ruleset, in_cups: u8) -> i16 {
    let stones = i16::from(in_cups) * STONE;
    match rules.path {
        Path::OwnStore => stones,
        Path::CupsOnly => stones + WIN,
    }
}

/// Returns the value of the end of a game, in addition to its stones, for a player with this
/// [`lead`].
#[inline]
pub fn ended(rules: &Ruleset, lead: i16) -> i16 {
    match rules.path {
        Path::OwnStore => 0,
        Path::CupsOnly => WIN * lead.signum(),
    }
}

/// Estimates the value of a board of `total` stones in the middle of a game.
#[inline]
pub fn glance(rules: &Ruleset, position: &Position, total: u8) -> i16 {
    match rules.path {
        Path::OwnStore => estimate_with_stores(rules, position),
        Path::CupsOnly => estimate_cups_only(position, total),
    }
}

/// Counts free turns and the stones that a sweep would bring.
fn estimate_with_stores(rules: &Ruleset, position: &Position) -> i16 {
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

/// Counts cups that cannot be sown or are in danger, and adds the win if the game is won already.
fn estimate_cups_only(position: &Position, total: u8) -> i16 {
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
    fn in_wari_a_lead_is_worth_more_than_any_stones() {
        for lead in 1..=i16::from(u8::MAX) {
            assert_eq!(ended(&wari::RULES, lead), WIN);
            assert_eq!(ended(&wari::RULES, -lead), -WIN);
            assert_eq!(ended(&board::RULES, lead), 0, "there every stone counts, and no more");
        }
        assert_eq!(ended(&wari::RULES, 0), 0, "a draw");
        assert!(ended(&wari::RULES, 1) > most(&board::RULES, u8::MAX));
    }
}
