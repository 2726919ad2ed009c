//! The register of game systems: for each, its rules and its words.
//!
//! A new system is one rules file, one screen file and one line here.

use crate::message::Message;
use crate::rules::{self, Ruleset};
use crate::screen;

/// A game system.
#[derive(Debug)]
pub struct System {
    /// Its name on the console and in a trace's header.
    pub name: &'static str,
    /// How it is played.
    pub rules: &'static Ruleset,
    /// What it says.
    pub words: fn(Message) -> [&'static str; 2],
}

/// The system of the LCD board's own source document; the power-up default.
pub const BOARD: System =
    System { name: "board", rules: &rules::board::RULES, words: screen::board::words };

/// All of them, in the order of the menu.
pub const SYSTEMS: [&System; 1] = [&BOARD];
