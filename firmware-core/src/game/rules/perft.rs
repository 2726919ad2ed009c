//! Perft: plays and counts every game from a position to a depth. Two implementations of the same
//! rules give the same numbers.

use super::position::Position;
use super::ruleset::Ruleset;
use crate::game::places::Cup;

/// Counters of [`perft`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Number of move sequences of the full depth, or shorter ones that end the game.
    pub leaves: u64,
    /// Number of moves played on the way.
    pub moves: u64,
}

/// Plays every sequence of `depth` moves from `position`. Each sowing is one ply, also after a free
/// turn; a finished game is one leaf.
pub fn perft(rules: &Ruleset, position: &Position, depth: u32) -> Perft {
    let mut count = Perft::default();
    if depth == 0 || rules.is_over(position) {
        count.leaves = 1;
    } else {
        descend(rules, position, depth, &mut count);
    }
    count
}

impl Ruleset {
    /// Returns the number of leaves in the tree of all games from `position`, `depth` sowings deep;
    /// a finished game is one leaf.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        perft(self, position, depth).leaves
    }
}

/// Counts below a position in which the game is not over; at most `depth` calls deep.
fn descend(rules: &Ruleset, position: &Position, depth: u32, count: &mut Perft) {
    for cup in Cup::of(position.turn) {
        if position.in_cup(cup) == 0 {
            continue;
        }
        let (next, outcome) = rules.sow(position, cup);
        count.moves += 1;
        if depth == 1 || outcome.result.is_some() {
            count.leaves += 1;
        } else {
            descend(rules, &next, depth - 1, count);
        }
    }
}
