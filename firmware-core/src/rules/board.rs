//! `board`: the rules of the LCD board's own source document, its power-up default.
//!
//! Player 1 sits at the bottom and begins. Stones left over go to their owner's store.

use super::{Capture, Cup, Player, Position, Ruleset};

/// Four stones a cup, BONUS captures, a sweep at the end.
pub const RULES: Ruleset =
    Ruleset { stones_a_cup: 4, first: Player::Bottom, capture: bonus, sweeps: true };

/// "If the last stone gets placed into one of the player's own cups that is empty and
/// the opponent's cup directly across is not empty, the player captures all of the
/// stones in the opponent's cup plus the one." Empty means: when the stone dropped.
fn bonus(position: &mut Position, mover: Player, place: usize) -> Option<Capture> {
    let last = Cup::at(place).filter(|cup| cup.owner() == mover)?;
    let from = last.opposite();
    if position.in_cup(last) != 1 || position.in_cup(from) == 0 {
        return None;
    }
    let stones = position.in_cup(last) + position.in_cup(from);
    position.stones[last.place()] = 0;
    position.stones[from.place()] = 0;
    position.stones[mover.store()] += stones;
    Some(Capture { last, from, stones })
}
