//! Rare events of a game, by name. A random player prefers moves that cause them, and a test of
//! many games checks that each of them occurred.
//!
//! This module knows moves as the reference returns them, and nothing of the firmware.

use crate::reference::{End, Move, System};

/// A rare event that a move may cause.
pub struct Case {
    /// Name of the event.
    pub name: &'static str,
    /// Systems in which the event must occur.
    pub systems: &'static [System],
    /// Whether the event occurs in a move.
    pub shows: fn(&Move) -> bool,
}

use System::{Board, Family, TopBottom, Wari};

const WITH_STORES: &[System] = &[Board, Family, TopBottom];
const WITH_SWEEP: &[System] = &[Board, Family];
const ALL: &[System] = &System::ALL;

/// All rare events.
pub const CASES: &[Case] = &[
    case("a plain move", ALL, |said| !said.is_free_turn() && said.caught.is_empty()),
    case("a capture by the bottom player", ALL, |said| captures(said) && said.player == 0),
    case("a capture by the top player", ALL, |said| captures(said) && said.player == 1),
    case("a capture that ends the game", ALL, |said| captures(said) && said.end.is_some()),
    case("the bottom player wins", ALL, |said| said.end == Some(End::Winner(0))),
    case("the top player wins", ALL, |said| said.end == Some(End::Winner(1))),
    case("a draw", ALL, |said| said.end == Some(End::Draw)),
    case("an end by a plain move", ALL, |said| {
        said.end.is_some() && !captures(said) && !said.is_free_turn()
    }),
    case("a free turn", WITH_STORES, Move::is_free_turn),
    case("a free turn that ends the game", WITH_STORES, |said| {
        said.is_free_turn() && said.end.is_some()
    }),
    case("a lap of 13", WITH_STORES, |said| said.stones() == 13),
    case("a lap of 14 or more", WITH_STORES, |said| said.stones() > 13),
    case("a lap of 13 into the own source that captures", WITH_SWEEP, |said| {
        said.stones() == 13 && said.caught.contains(&said.cup)
    }),
    case("a lap of 13 that captures nothing", &[TopBottom], |said| {
        said.stones() == 13 && !captures(said)
    }),
    case("a lap of 14 that captures", &[TopBottom], |said| said.stones() == 14 && captures(said)),
    case("a lap of 14 into a cup that was empty captures nothing", WITH_SWEEP, |said| {
        said.stones() == 14 && said.before[said.last()] == 0 && !captures(said)
    }),
    case("the last stone in an own empty cup, nothing opposite", WITH_STORES, |said| {
        in_own_empty_cup(said) && said.sown[12 - said.last()] == 0
    }),
    case("the last stone in an own empty cup behind a lap round the board", WITH_STORES, |said| {
        in_own_empty_cup(said) && (8..13).contains(&said.stones())
    }),
    case("the last stone in an empty cup of the opponent", WITH_STORES, |said| {
        said.last() % 7 != 6 && said.last() / 7 != said.player && said.before[said.last()] == 0
    }),
    case("a sweep of the bottom side", WITH_SWEEP, |said| said.swept[0] > 0),
    case("a sweep of the top side", WITH_SWEEP, |said| said.swept[1] > 0),
    // The event is also possible in `family`, but occurs only once in thousands of games.
    case("an end with both sides bare", &[Board], |said| {
        said.end.is_some() && said.swept == [0, 0]
    }),
    case("stones left over that count for neither player", &[Wari, TopBottom], |said| {
        said.end.is_some() && said.after[6] + said.after[13] < said.after.iter().sum()
    }),
    case("eleven stones, to the cup before the source", &[Wari], |said| said.stones() == 11),
    case("twelve stones: the source is passed over", &[Wari], |said| said.stones() == 12),
    case("more than twelve stones", &[Wari], |said| said.stones() > 12),
    case("a lap of twelve or more that captures", &[Wari], |said| {
        said.stones() >= 12 && captures(said)
    }),
    case("a capture of one cup", &[Wari], |said| said.caught.len() == 1),
    case("a chain of two cups", &[Wari], |said| said.caught.len() == 2),
    case("a chain of three or more", &[Wari], |said| said.caught.len() >= 3),
    case("a chain broken by a four", &[Wari], |said| broken_by(said, |left| left == 4)),
    case("a chain broken by a one", &[Wari], |said| broken_by(said, |left| left == 1)),
    case("a chain that stops at the end of the side, twos and threes beyond", &[Wari], |said| {
        said.caught.last().is_some_and(|&last| {
            let beyond = beyond(said, last);
            beyond / 7 == said.player && (2..=3).contains(&said.sown[beyond])
        })
    }),
    case("two or three in an own cup, not captured", &[Wari], |said| {
        said.last() / 7 == said.player && (2..=3).contains(&said.sown[said.last()])
    }),
    case("a four in a cup of the opponent, not captured", &[Wari], |said| {
        said.last() / 7 != said.player && said.sown[said.last()] == 4
    }),
    case("the direction turns to clockwise", &[Wari], |said| {
        said.line.ends_with("direction=cw") && !said.clockwise
    }),
    case("the direction turns back", &[Wari], |said| {
        said.line.ends_with("direction=ccw") && said.clockwise
    }),
    case("a clockwise chain", &[Wari], |said| said.clockwise && said.caught.len() >= 2),
    case("a clockwise lap", &[Wari], |said| said.clockwise && said.stones() >= 12),
    case("three stones a cup", &[Wari], |said| said.variant.stones == 3 && captures(said)),
    case("five stones a cup", &[Wari], |said| said.variant.stones == 5 && captures(said)),
];

/// Returns the number of rare events in `said`: the score by which a player prefers moves.
pub fn count(said: &Move) -> usize {
    CASES.iter().filter(|case| (case.shows)(said)).count()
}

const fn case(name: &'static str, systems: &'static [System], shows: fn(&Move) -> bool) -> Case {
    Case { name, systems, shows }
}

fn captures(said: &Move) -> bool {
    !said.caught.is_empty()
}

fn in_own_empty_cup(said: &Move) -> bool {
    let last = said.last();
    last % 7 != 6 && last / 7 == said.player && said.sown[last] == 1
}

/// Returns whether a chain of captures ends before a cup of the opponent whose number of stones
/// satisfies `what`.
fn broken_by(said: &Move, what: fn(u32) -> bool) -> bool {
    let Some(&last) = said.caught.last() else { return false };
    let beyond = beyond(said, last);
    beyond / 7 == last / 7 && what(said.sown[beyond])
}

/// Returns the next cup after `place` against the direction of sowing, without the stores.
fn beyond(said: &Move, place: usize) -> usize {
    let step = if said.clockwise { 1 } else { 13 };
    let next = (place + step) % 14;
    if next % 7 == 6 { (next + step) % 14 } else { next }
}
