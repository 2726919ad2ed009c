//! A board in an SDL2 window.
//!
//! [`run`] opens the window and shows a session of the crate `live`; [`face`] draws the board,
//! [`speaker`] turns the buzzer's tones into samples.
//!
//! **Invariant:** this is the only crate that depends on SDL2. It knows no firmware: the machine
//! that it runs is an argument.

pub mod face;
pub mod speaker;
mod window;

pub use window::{
    KeepKeymap, NoDisplay, Remembered, RunError, RunOptions, SdlError, display_is_missing, run,
};
