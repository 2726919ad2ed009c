//! The firmware of the LCD board without its pins: rules, input, screens, sound,
//! storage and the app that holds them together.
//!
//! It is `no_std`, allocates nothing, and is generic over embedded-hal, embedded-io and
//! embedded-storage: the Pico's binary and the virtual board both hand it their pins.
//! Time is an argument everywhere. It knows no simulator and no trace.
//!
//! | module | subject | does not know |
//! |---|---|---|
//! | [`rules`] | positions, sowing, captures, the end | time, pixels, buttons |
//! | [`systems`] | the register of game systems | |
//! | [`history`] | what happened in the game in progress | pixels, flash |
//! | [`opponent`] | the computer's moves | pixels, time |
//! | [`menu`], [`page`] | menus and pages, as the app means and the screens show them | pixels, buttons |
//! | [`app`] | presses in; a view, notes, lines out | pins, pixels, clocks |
//! | [`screen`] | a view drawn on any `DrawTarget` | rules' reasons, time, pins |
//! | [`present`] | what changed, each pixel once | buses |
//! | [`lcd`] | the ILI9341 behind mipidsi | what is drawn |
//! | [`debounce`] | contacts to presses | pins, clocks |
//! | [`storage`] | settings in NOR flash | chips, boards |
//! | [`firmware`] | all of it on the pins of a board | which board |
#![no_std]
#![forbid(unsafe_code)]

pub mod firmware;
pub mod game;
pub mod interface;
pub mod pins;
pub mod storage;
pub mod time;

pub use game::{history, opponent, outcome, places, random, rules, systems};
pub use interface::{app, log, menu, message, page, screen};
pub use pins::{button, console, debounce, lcd, present, sound};
pub use storage::name;
