//! When the computer agrees to abandon play: in a game in which nothing new happens any more.
//!
//! This module knows how long nothing new has happened ([`Quiet`]), and no rule.

use super::history::Quiet;

/// After this many moves without a capture, 25 for each side, the computer agrees.
pub const QUIET_MOVES: u32 = 50;
/// The computer also agrees after a position has occurred this many times.
pub const REPETITIONS: u32 = 3;

/// Returns whether the computer agrees to abandon play.
pub const fn computer_agrees(quiet: Quiet) -> bool {
    quiet.moves_since_capture >= QUIET_MOVES || quiet.repetitions >= REPETITIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_computer_agrees_after_50_quiet_moves_or_3_repetitions() {
        for (moves_since_capture, repetitions, agrees) in
            [(49, 2, false), (50, 1, true), (0, 3, true), (0, 0, false), (51, 4, true)]
        {
            assert_eq!(computer_agrees(Quiet { moves_since_capture, repetitions }), agrees);
        }
    }
}
