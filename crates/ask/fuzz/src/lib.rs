//! Random sessions, and the invariants that hold in each of them.
//!
//! [`session::session`] writes the trace of session K of seed N, which is always the same.
//! [`Judge`] replays a trace and returns its first failure: of an invariant, or of a line of the
//! trace. [`run()`] does both on all cores. A finding is an ordinary trace; [`runner::shrink`]
//! reduces it, and [`Original`] decides whether a smaller trace still fails in the same way.
//!
//! The invariants:
//!
//! | | |
//! |---|---|
//! | stones | the stones of each `position` line of the console add up to 36, 48 or 60, and to the same as in the line before, unless a game was opened or loaded |
//! | panel | on a settled screen whose message is that of the last `position` line, the digits are its stones |
//! | RESET | something visible changes, or a console line is sent, within 200 ms of the release of RESET; after a press of 0.9 s or more, between the press and that time |
//! | linter | the firmware breaks no rule of the LCD's datasheet |
//! | panic | the firmware does not panic, does not fail, and lets time pass |
//!
//! The first three are judged only on the LCD board, on other boards this one instead:
//!
//! | | |
//! |---|---|
//! | answers | a board that has answered three presses does not leave one of every button unanswered |
//!
//! This module does not know the wall clock: the caller decides when a run ends.

mod answers;
mod dice;
mod evidence;
mod finding;
mod goldens;
mod invariants;
mod judge;
mod observer;
mod panel;
mod position;
mod run;
mod same;
pub mod session;
pub mod targets;

pub use evidence::Evidence;
pub use finding::{Finding, FindingCause, FindingKind, Judgement, LinePattern};
pub use judge::Judge;
pub use run::{FINDINGS_MAX, FuzzOptions, FuzzSummary, run};
pub use same::Original;
