//! Random sessions, and the invariants that hold in each of them.
//!
//! [`session::session_on`] writes the trace of session K of seed N, which is always the same.
//! [`Judge`] replays a trace and returns its first failure: of an invariant, or of a line of the
//! trace. [`run()`] does both on all cores. A finding is an ordinary trace; [`runner::shrink`]
//! reduces it, and [`Original`] decides whether a smaller trace still fails in the same way.
//!
//! The invariants:
//!
//! | | |
//! |---|---|
//! | linter | the firmware breaks no rule of the LCD's datasheet |
//! | panic | the firmware does not panic, does not fail, and lets time pass |
//!
//! An application may tell those of its firmware ([`insight::SessionRules`]). Other boards have this
//! one instead:
//!
//! | | |
//! |---|---|
//! | answers | a board that has answered three presses does not leave one of every button unanswered |
//!
//! This crate knows no firmware and not the wall clock: the caller decides when a run ends.

mod answers;
mod dice;
mod evidence;
mod finding;
mod goldens;
mod judge;
mod observer;
mod run;
mod same;
pub mod session;
pub mod targets;

pub use evidence::Evidence;
pub use finding::{Defect, Finding, FindingCause, FindingKind, Judgement, LinePattern};
pub use judge::Judge;
pub use run::{DEFECTS_MAX, DefectFound, FuzzOptions, FuzzSummary, SAMPLES_MAX, run};
pub use same::{Original, Sameness};
