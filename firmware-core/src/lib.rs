//! The firmware of the LCD board without its pins: rules, input, screens, sound, storage and the
//! app that connects them.
//!
//! This crate is `no_std`, allocates nothing, and is generic over embedded-hal, embedded-io and
//! embedded-storage: the Pico's binary and the virtual board both pass their pins to it. Time is
//! always an argument. This crate knows no simulator and no trace.
//!
//! | module | subject | does not know |
//! |---|---|---|
//! | [`game`] | rules, systems, history, the computer's moves | time, pixels, buttons, flash |
//! | [`storage`] | settings, total scores, saved games and logs in NOR flash | chips, boards, what a file contains |
//! | [`pins`] | buttons, sound, console, LCD, from a view to its pixels | screens, the app |
//! | [`interface`] | the app and its menus, pages, messages and screens | pins, clocks; the screens no rule |
//! | [`firmware`] | the whole firmware on the pins of a board | which board |
//! | [`time`] | instants and durations | clocks |
//!
//! **Invariant:** no module uses one that uses it. `storage` and `pins` build on `game`,
//! `interface` on all three, and `firmware` on everything.
//!
//! The modules inside the folders are also at the root, under the paths by which the other
//! crates use them.
#![no_std]
#![forbid(unsafe_code)]

/// The hash of the sources that the firmware was built from, 16 digits; `build.rs` computes it.
pub const SOURCE_HASH: &str = env!("NUDGE_FIRMWARE_SOURCES");

/// Text form of [`SOURCE_HASH`] in the Pico's binary, so that the file alone identifies its
/// sources.
pub const SOURCE_MARK: &str =
    concat!("nudge-firmware-source=", env!("NUDGE_FIRMWARE_SOURCES"), "\n");

pub mod firmware;
pub mod game;
pub mod interface;
pub mod pins;
pub mod storage;
pub mod time;

pub use game::{agreement, history, opponent, outcome, places, random, reason, rules, systems};
pub use interface::{app, log, menu, message, page, screen};
pub use pins::{button, command_line, console, contacts, debounce, entropy, lcd, present, sound};
pub use storage::name;
