//! The LCD board's firmware on the virtual board, and what it stores.
//!
//! [`Firmware`] passes it to the machines of `boards`: [`native`] is `firmware-core` compiled for the
//! host. [`mod@header`] checks the settings in a trace's header and writes them into the board's flash with
//! the firmware's own code. [`flash_files`] and [`game_text`] open a flash image and convert its saved
//! games and logs to text and back.
//!
//! This crate knows no tool and no command line.

use boards::BoardFactory;

mod firmware;
pub mod flash_files;
pub mod game_text;
pub mod header;
pub mod native;

pub use firmware::Firmware;

/// Returns the factory of the board `native`, without a heap meter.
pub fn factory() -> BoardFactory {
    BoardFactory::Native(&Firmware, None)
}
