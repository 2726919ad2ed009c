//! The LCD board in an SDL2 window.
//!
//! [`run`] opens the window and shows a session of the crate `live`; [`face`] draws the board,
//! [`keymap`] and [`held_buttons`] turn keys and mouse into presses, [`speaker`] turns the buzzer's
//! tones into samples.
//!
//! **Invariant:** this is the only crate that depends on SDL2. It knows no firmware: the machine that
//! it runs is an argument.

pub mod face;
pub mod held_buttons;
pub mod keymap;
pub mod speaker;
mod window;

pub use live::Chord;
pub use window::{
    Chords, FlashChoice, Host, HostError, KeepError, KeptFlash, MachineFactory, NoDisplay,
    RunError, RunOptions, SdlError, Start, run,
};
