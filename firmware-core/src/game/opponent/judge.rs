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
/// Cost of a sowing once the outcome is decided, for the player for whom the computer thinks, whether
/// he has won or lost: a sooner end is worth more than two stones.
const TEMPO: i16 = 2 * STONE;
/// Turns that a decided game is estimated to last beyond the search, at least and in addition.
const LASTS: i16 = 4;
const LASTS_MORE: u8 = 16;
/// Maximum length in plies of a line of sowings; beyond it, the position is estimated.
pub const MAX_PLIES: usize = 64;
/// Maximum sum of these costs in one line of play, its estimate included.
const MOST_TEMPO: i16 = TEMPO * (MAX_PLIES as i16 + 1 + LASTS + LASTS_MORE as i16);
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
const _: () = assert!(WIN + MOST_STONES * STONE + MOST_TEMPO < INFINITE);
const _: () =
    assert!(INFINITE + 2 * MOST_STONES * STONE + MOST_TEMPO < i16::MAX, "windows move by gains");

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

/// Returns the player who has more than half of all stones.
#[inline]
fn winner(position: &Position, total: u8) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| position.in_store(*player) > total / 2)
}

/// Returns the cost of a sowing in `position` for the player to move, who is the one that the
/// computer thinks for if `own` is set.
#[inline]
pub fn tempo(rules: &Ruleset, position: &Position, total: u8, own: bool) -> i16 {
    if !stores_matter(rules) || winner(position, total).is_none() {
        0
    } else if own {
        TEMPO
    } else {
        -TEMPO
    }
}

/// Returns the most that a player can still gain from `in_cups` stones: the one for whom the computer
/// thinks if `own` is set, whom a longer game only costs, or else his opponent.
#[inline]
pub fn most(rules: &Ruleset, in_cups: u8, own: bool) -> i16 {
    let stones = i16::from(in_cups) * STONE;
    match rules.path {
        Path::OwnStore => stones,
        Path::CupsOnly if own => stones + WIN,
        Path::CupsOnly => stones + WIN + MOST_TEMPO,
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

/// Estimates the value of a board of `total` stones in the middle of a game. `own` is set if the
/// computer thinks for the player to move.
#[inline]
pub fn glance(rules: &Ruleset, position: &Position, total: u8, own: bool) -> i16 {
    match rules.path {
        Path::OwnStore => estimate_with_stores(rules, position),
        Path::CupsOnly => estimate_cups_only(position, total, own),
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

/// Counts cups that cannot be sown or are in danger. If the game is won already, adds the win, and
/// counts the turns until its end instead: the fewer stones the emptier side has, the sooner it is
/// bare.
fn estimate_cups_only(position: &Position, total: u8, own: bool) -> i16 {
    let (mover, other) = (position.turn, position.turn.opponent());
    if let Some(winner) = winner(position, total) {
        let fewest = position.on_side(mover).min(position.on_side(other));
        let lasts = TEMPO * (LASTS + i16::from(fewest.min(LASTS_MORE)));
        let won = if winner == mover { WIN } else { -WIN };
        return if own { won - lasts } else { won + lasts };
    }
    let weakness = |player| -> i16 {
        Cup::of(player)
            .map(|cup| match position.in_cup(cup) {
                0 => EMPTY,
                1 | 2 => IN_DANGER,
                _ => 0,
            })
            .sum()
    };
    weakness(mover) - weakness(other)
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
        assert!(ended(&wari::RULES, 1) > most(&board::RULES, u8::MAX, true));
    }
}
