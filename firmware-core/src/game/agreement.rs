//! When the computer agrees to abandon play: in a game whose result is certain, or in which nothing
//! new happens any more.
//!
//! This module knows how long nothing new has happened ([`Quiet`]), and no rule.

use super::history::Quiet;
use super::outcome::GameResult;

/// After this many moves without a capture, 25 for each side, the computer agrees.
pub const QUIET_MOVES: u32 = 50;
/// The computer also agrees after a position has occurred this many times.
pub const REPETITIONS: u32 = 3;

/// Returns whether the computer agrees to abandon play. `decided` is the result if no move can change
/// it any more ([`Ruleset::decided`](super::rules::Ruleset::decided)).
pub const fn computer_agrees(quiet: Quiet, decided: Option<GameResult>) -> bool {
    decided.is_some()
        || quiet.moves_since_capture >= QUIET_MOVES
        || quiet.repetitions >= REPETITIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_computer_agrees_after_50_quiet_moves_or_3_repetitions_or_at_a_certain_result() {
        for (moves_since_capture, repetitions, agrees) in
            [(49, 2, false), (50, 1, true), (0, 3, true), (0, 0, false), (51, 4, true)]
        {
            let quiet = Quiet { moves_since_capture, repetitions };
            assert_eq!(computer_agrees(quiet, None), agrees);
            assert!(computer_agrees(quiet, Some(GameResult::Draw)));
        }
    }
}
