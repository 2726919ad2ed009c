//! Scenes of the four systems, as their sources describe them, and their perft counts.

mod board;
mod family;
mod perft;
mod top_bottom;
mod wari;

use super::*;

/// Creates a position: bottom cups 0–5, bottom store, top cups 7–12, top store; sown
/// counter-clockwise.
const fn position(stones: [u8; PLACES], turn: Player) -> Position {
    Position { stones, turn, direction: Direction::CounterClockwise }
}

/// Plays the cup at `place` and checks that the result is `after` and that no stone is lost.
#[track_caller]
fn check(
    rules: &Ruleset,
    before: Position,
    place: usize,
    after: [u8; PLACES],
) -> (Position, MoveOutcome) {
    let cup = Cup::at(place).expect("a cup");
    let (next, outcome) = rules.play(&before, cup).expect("a legal move");
    assert_eq!(next.stones, after);
    let sum = |position: &Position| position.stones.iter().map(|n| u32::from(*n)).sum::<u32>();
    assert_eq!(sum(&next), sum(&before));
    (next, outcome)
}

fn captured(outcome: &MoveOutcome) -> Option<u8> {
    outcome.capture.map(|capture| capture.stones)
}
