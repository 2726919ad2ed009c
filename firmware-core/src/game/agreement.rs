//! When the computer agrees to abandon play: in a game in which nothing new comes up any more.
//!
//! It knows how long nothing new has come up ([`Quiet`]), and no rule.

use super::history::Quiet;

/// After this many moves without a capture, 25 for each side, the computer agrees.
pub const QUIET_MOVES: u32 = 50;
/// And so it does when a position has come up this often.
pub const REPETITIONS: u32 = 3;

/// Whether the computer agrees.
pub const fn computer_agrees(quiet: Quiet) -> bool {
    quiet.moves_since_capture >= QUIET_MOVES || quiet.repetitions >= REPETITIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_computer_agrees_from_fifty_quiet_moves_or_three_times_the_same_position_on() {
        for (moves_since_capture, repetitions, agrees) in
            [(49, 2, false), (50, 1, true), (0, 3, true), (0, 0, false), (51, 4, true)]
        {
            assert_eq!(computer_agrees(Quiet { moves_since_capture, repetitions }), agrees);
        }
    }
}
