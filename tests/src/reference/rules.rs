//! The differences of the four systems, each in the words of its source document.
//!
//! The functions are pure: they receive stones and return an answer.

use super::{Cup, RING, Store, System, next, place};

impl System {
    /// Returns whether a stone that `player` sows from the cup at `source` falls into the hole at
    /// `here`.
    pub(super) fn drops(self, player: usize, source: usize, here: usize) -> bool {
        match self {
            // "A player never places a stone into the other player's mancala."
            Self::Board | Self::Family | Self::TopBottom => {
                RING[here] != Store { owner: 1 - player }
            }
            // "Sowing stones among the twelve central playing cups." "The source cup must be
            // passed over, and no stones should be placed in it."
            Self::Wari => matches!(RING[here], Cup { .. }) && here != source,
        }
    }

    /// Returns the holes that a sowing of `player` captures: `before` are the stones before it,
    /// `sown` those after the last stone has fallen into the hole `last`.
    pub(super) fn catches(
        self,
        player: usize,
        before: &[u32; 14],
        sown: &[u32; 14],
        last: usize,
        clockwise: bool,
    ) -> Vec<usize> {
        let Cup { owner, number } = RING[last] else { return Vec::new() };
        // The opponent's #6 is directly across from #1, and so on.
        let across = place(Cup { owner: 1 - owner, number: 7 - number });
        // A stone that falls into an empty cup is the only one there.
        let was_empty = sown[last] == 1;
        let caught = match self {
            // "... one of the player's own cups that is empty and the opponent's cup directly
            // across from that empty cup is not empty".
            Self::Board => owner == player && was_empty && sown[across] > 0,
            // "... lands in an empty bin on his side of the game board".
            Self::Family => owner == player && was_empty,
            // "A pit is considered to be empty if it has no seeds in it prior to a move."
            Self::TopBottom => owner == player && before[last] == 0,
            Self::Wari => return twos_and_threes(player, sown, last, clockwise),
        };
        if caught { vec![last, across] } else { Vec::new() }
    }

    /// Returns whether a game is over with these numbers of stones on the two sides and `turn` to
    /// move.
    pub(super) fn is_over(self, sides: [u32; 2], turn: usize) -> bool {
        match self {
            // "... when all of the cups of one of the two players have no stones in them";
            // "play ends when one player's six bins are empty"; "when one of the players has
            // no more seeds in any of the pits".
            Self::Board | Self::Family | Self::TopBottom => sides.contains(&0),
            // "When one player is unable to make a move, the game is over."
            Self::Wari => sides[turn] == 0,
        }
    }

    /// Returns whether the remaining stones go to their owner's store.
    pub(super) fn sweeps(self) -> bool {
        matches!(self, Self::Board | Self::Family)
    }
}

/// "A given sowing must end in one of your opponent's cups [...] bringing the total of the cup
/// to two or three. [...] This rule applies to all preceding cups on the opponent's side,
/// provided that the sequence is unbroken."
fn twos_and_threes(player: usize, sown: &[u32; 14], last: usize, clockwise: bool) -> Vec<usize> {
    let mut caught = Vec::new();
    let mut here = last;
    while matches!(RING[here], Cup { owner, .. } if owner != player)
        && (2..=3).contains(&sown[here])
    {
        caught.push(here);
        here = next(here, !clockwise);
    }
    caught
}
