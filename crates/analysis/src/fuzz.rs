//! Random sessions, and what must hold in every one of them.
//!
//! [`session::session`] writes the trace of session K of seed N: always the same. [`Judge`] replays a
//! trace and says what was wrong first: an invariant, or a line of the trace. [`run()`] does both on
//! all cores. What it finds is a trace like any other; [`runner::shrink`] makes it small.
//!
//! The invariants:
//!
//! | | |
//! |---|---|
//! | stones | the stones of each `position` line of the console add up to 36, 48 or 60, and to the same as in the line before, unless a game was opened or loaded |
//! | panel | on a settled screen whose message is that of the last `position` line, the digits are its stones |
//! | RESET | within 200 ms of RESET's release something visible changes or a console line comes; if it was held for a second, since its press |
//! | linter | no rule of the LCD's datasheet is broken |
//! | panic | the firmware neither panics nor gives up nor keeps the clock for itself |
//!
//! It knows no wall clock: how long to go on is asked of the caller.

mod dice;
mod finding;
mod invariants;
mod judge;
mod observer;
mod panel;
mod position;
mod run;
pub mod session;
pub mod targets;

pub use finding::{Finding, FindingCause, FindingKind, LinePattern};
pub use judge::Judge;
pub use run::{FINDINGS_MAX, FuzzOptions, FuzzSummary, run};
