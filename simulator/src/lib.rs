//! The boards that run the firmware and what people do with them: the window here, the
//! command `nudge` in `bin/`. It knows both sides, the firmware and the virtual board.

pub mod boards;
pub mod emulate;
pub mod face;
pub mod film;
pub mod fingers;
pub mod flash_file;
pub mod flash_files;
pub mod formats;
pub mod frames;
pub mod fuzz;
pub mod header;
pub mod interrupt;
pub mod keymap;
pub mod live;
pub mod native;
pub mod pace;
pub mod pico;
pub mod runner;
pub mod saved_text;
pub mod session;
pub mod setup;
pub mod shrink;
pub mod speaker;
pub mod tidy;
pub mod timing;
pub mod traffic;
pub mod why;
#[cfg(feature = "window")]
pub mod window;
