//! A board in a terminal.
//!
//! [`run`] shows a session of the crate `live` until the user quits. `ask` detects the terminal's
//! capabilities and chooses a `drawing`; `screen` sets the terminal up and restores it; `layout`
//! computes the places of all parts; `draw` draws them into cells. `picture` converts the LCD to
//! cells, `pixels` to escape sequences; `writer` sends both on a thread of its own; `keys` and
//! `holds` convert the terminal's events to presses, `board_controls` moves knobs, switches and
//! joysticks; `event_loop` connects them. This crate knows no firmware and no SDL: the machine is
//! an argument.

mod ask;
mod board_controls;
mod colours;
mod console;
mod control_state;
mod controls;
mod displays;
mod draw;
mod drawing;
mod error;
mod event_loop;
mod help;
mod holds;
mod input;
mod keys;
mod layout;
mod line;
mod options;
mod picture;
mod pixels;
mod screen;
mod writer;

pub use error::{NoTerminal, TerminalError};
pub use event_loop::run;
pub use holds::{HOLD, RESET_HOLD};
pub use layout::Caps;
pub use options::{Graphics, TerminalBoard, TerminalOptions};
