//! What sets the screen of one system apart from that of another: its words, its labels,
//! its table, and what it counts. Data only; the code that draws reads it.

use super::layout::Table;
use super::words::Words;
use crate::game::places::{CUPS_A_SIDE, Cup};

/// The words and the marks of a system.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Unlike that of every other style.
    pub name: &'static str,
    /// The Game menu's explanation, at most 44 characters.
    pub about: &'static str,
    /// The words of the status message.
    pub words: Words,
    /// The labels beside the buttons of the cups, by [`crate::game::rules::Player::index`] and
    /// counter-clockwise, at most two characters; they may be empty.
    pub labels: [[&'static str; CUPS_A_SIDE]; 2],
    /// The names beside the stores, of the bottom and the top player, at most three
    /// characters.
    pub stores: [&'static str; 2],
    /// When stones are counted in digits.
    pub counts: Counts,
    /// Where its stores are.
    pub table: Table,
}

impl Style {
    /// The label beside the button of `cup`.
    pub const fn label(&self, cup: Cup) -> &'static str {
        self.labels[cup.owner().index()][cup.nth_of_owner()]
    }
}

/// When stones are counted in digits. They are always drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// At any time.
    Always,
    /// Once the game is over; nor is a move previewed or taken back.
    AtTheEnd,
    /// The stores always; a cup when its button is pressed, which sows at the second press.
    OnPress,
}

/// Cups 1 to 6 are the bottom player's, left to right; 7 to 12 go on counter-clockwise.
pub const NUMBERED: [[&str; CUPS_A_SIDE]; 2] =
    [["1", "2", "3", "4", "5", "6"], ["7", "8", "9", "10", "11", "12"]];

/// Two styles are the same if their names are.
impl PartialEq for Style {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Style {}
