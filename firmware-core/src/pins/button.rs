//! The thirteen buttons of the board and their order.

use crate::game::places::{CUPS_A_SIDE, Cup, Player};

/// Number of buttons: twelve NUDGE buttons and RESET.
pub const BUTTONS: usize = 2 * CUPS_A_SIDE + 1;

/// A push button, by its index in the order B1…B6, T1…T6, RESET.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Button(u8);

impl Button {
    /// RESET, the button below the panel.
    pub const RESET: Self = Self((BUTTONS - 1) as u8);

    /// Returns the button at an index of the order, 0 to 12.
    pub const fn at(index: usize) -> Option<Self> {
        if index < BUTTONS { Some(Self(index as u8)) } else { None }
    }

    /// Returns all buttons, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..BUTTONS).filter_map(Self::at)
    }

    /// Returns the index in the order, 0 to 12.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the NUDGE button next to `cup`. The bottom row has the order of the cups, the top
    /// row the opposite one, because places count counter-clockwise and buttons left to right.
    pub const fn beside(cup: Cup) -> Self {
        let column = match cup.owner() {
            Player::Bottom => cup.nth_of_owner(),
            Player::Top => CUPS_A_SIDE + (CUPS_A_SIDE - 1 - cup.nth_of_owner()),
        };
        Self(column as u8)
    }

    /// Returns the cup next to this button; `None` for RESET.
    pub const fn cup(self) -> Option<Cup> {
        let index = self.index();
        if index < CUPS_A_SIDE {
            Cup::nth(Player::Bottom, index)
        } else if index < 2 * CUPS_A_SIDE {
            Cup::nth(Player::Top, 2 * CUPS_A_SIDE - 1 - index)
        } else {
            None
        }
    }

    /// Returns the name: `B1`…`B6`, `T1`…`T6`, `RESET`.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; BUTTONS] =
            ["B1", "B2", "B3", "B4", "B5", "B6", "T1", "T2", "T3", "T4", "T5", "T6", "RESET"];
        NAMES[self.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_and_cups_are_next_to_each_other() {
        for cup in Cup::all() {
            assert_eq!(Button::beside(cup).cup(), Some(cup));
        }
        assert_eq!(Button::at(0).and_then(Button::cup).map(Cup::place), Some(0));
        assert_eq!(Button::at(6).and_then(Button::cup).map(Cup::place), Some(12));
        assert_eq!(Button::at(11).and_then(Button::cup).map(Cup::place), Some(7));
        assert_eq!(Button::RESET.cup(), None);
        assert_eq!(Button::at(BUTTONS - 1), Some(Button::RESET));
        assert_eq!(Button::at(BUTTONS), None);
    }
}
