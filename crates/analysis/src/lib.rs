//! Analyses of the firmware.
//!
//! [`fuzz`] plays random sessions and judges traces by invariants. [`why`] finds the transfer and
//! the screen element that a pixel came from. [`thoughts`] reports what the computer player
//! considers. [`tidy`] makes a maintainable trace of a recording. [`atlas`] explores all screens.
//! [`sight`] measures the legibility of the LCD, for these analyses and for tests.
//!
//! This crate knows the firmware and the boards, but no command line and no window.

pub mod atlas;
pub mod fuzz;
pub mod sight;
pub mod thoughts;
pub mod tidy;
pub mod why;
