//! What sets the screen of one system apart from that of another with the same layout: its
//! words, its labels, and what it counts.

use crate::message::Message;
use crate::rules::Cup;

/// The words and the marks of a system.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Unlike that of every other style.
    pub name: &'static str,
    /// The lines of a message; the second may be empty.
    pub words: fn(Message) -> [&'static str; 2],
    /// The label beside the button of a cup, at most two characters; it may be empty.
    pub label: fn(Cup) -> &'static str,
    /// The names above and below the stores, of the bottom and the top player, at most
    /// three characters.
    pub stores: [&'static str; 2],
    /// When stones are counted in digits.
    pub counts: Counts,
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

/// Two styles are the same if their names are.
impl PartialEq for Style {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Style {}
