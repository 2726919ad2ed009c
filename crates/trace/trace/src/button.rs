//! The thirteen buttons of the LCD board, by the names that traces, key maps and errors use.

use core::fmt;

/// A push button to ground: twelve NUDGE and one RESET. The order is the board's pin order;
/// simultaneous edges are processed in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Button {
    B1,
    B2,
    B3,
    B4,
    B5,
    B6,
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    Reset,
}

impl Button {
    /// Number of buttons.
    pub const COUNT: usize = 13;

    /// All buttons, in pin order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::B1,
        Self::B2,
        Self::B3,
        Self::B4,
        Self::B5,
        Self::B6,
        Self::T1,
        Self::T2,
        Self::T3,
        Self::T4,
        Self::T5,
        Self::T6,
        Self::Reset,
    ];

    /// Returns the index in [`Button::ALL`], 0 to 12.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the name: `B1`…`B6`, `T1`…`T6`, `RESET`.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; Button::COUNT] =
            ["B1", "B2", "B3", "B4", "B5", "B6", "T1", "T2", "T3", "T4", "T5", "T6", "RESET"];
        NAMES[self.index()]
    }

    /// Returns the button of exactly that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|button| button.name() == name)
    }
}

impl fmt::Display for Button {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}
