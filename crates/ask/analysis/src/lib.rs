//! Questions about the firmware that a machine answers.
//!
//! [`fuzz`] plays random sessions and judges traces by invariants, [`why`] finds the transfer and
//! the screen element that a pixel came from, [`thoughts`] what the computer considers, [`tidy`] makes a maintainable trace of a recording.
//! [`sight`] measures how the LCD looks to a person, for these and for tests.
//!
//! It knows the firmware and the boards. It knows no command line and no window.

pub mod atlas;
pub mod fuzz;
pub mod sight;
pub mod thoughts;
pub mod tidy;
pub mod why;
