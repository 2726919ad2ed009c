//! Differences between the screens of the systems: words, labels, table, and counting. Data only;
//! the drawing code reads it.

use super::layout::Table;
use super::words::Words;
use crate::game::places::{CUPS_A_SIDE, Cup};

/// Words and marks of a system.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Name of the style, unique.
    pub name: &'static str,
    /// The Game menu's explanation, at most 44 characters.
    pub about: &'static str,
    /// Words of the status message.
    pub words: Words,
    /// Labels next to the buttons of the cups, by [`crate::game::rules::Player::index`] and
    /// counter-clockwise, at most two characters; they may be empty.
    pub labels: [[&'static str; CUPS_A_SIDE]; 2],
    /// Names next to the stores, of the bottom and the top player, at most three characters.
    pub stores: [&'static str; 2],
    /// When stones are counted in digits.
    pub counts: Counts,
    /// Position of its stores.
    pub table: Table,
}

impl Style {
    /// Returns the label next to the button of `cup`.
    pub const fn label(&self, cup: Cup) -> &'static str {
        self.labels[cup.owner().index()][cup.nth_of_owner()]
    }
}

/// When stones are counted in digits. They are always drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// At any time.
    Always,
    /// Once the game is over. Before that, moves can be neither previewed nor undone.
    AtTheEnd,
    /// The stores always; a cup after the first press of its button. The second press sows it.
    OnPress,
}

/// Labels of the cups: 1 to 6 are the bottom player's, left to right; 7 to 12 continue
/// counter-clockwise.
pub const NUMBERED: [[&str; CUPS_A_SIDE]; 2] =
    [["1", "2", "3", "4", "5", "6"], ["7", "8", "9", "10", "11", "12"]];

/// Two styles are equal if their names are.
impl PartialEq for Style {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Style {}
