//! The LCD board in a terminal.
//!
//! [`run`] shows a session of the crate `live` until it is quit. `ask` finds out what the terminal can and chooses a `drawing`,
//! `screen` takes it and gives it back, `layout` says where everything is, `draw` draws it into
//! cells, `picture` makes cells of the LCD, `pixels` escape sequences, `keys` and `holds` turn what the
//! terminal sends into presses, `event_loop` joins them. It knows no firmware and no SDL: the machine that it
//! runs is an argument.

mod ask;
mod colours;
mod controls;
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

pub use error::{NoTerminal, TerminalError};
pub use event_loop::run;
pub use holds::HOLD;
pub use options::{Graphics, TerminalOptions};
