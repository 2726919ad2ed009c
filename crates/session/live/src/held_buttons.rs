//! Buttons that are held down, and their holders. A key, the mouse, a finger and a gamepad can
//! hold the same button at the same time; it is down until all have released it. This module knows
//! no window.

use std::collections::BTreeMap;

use trace::{Button, ButtonSet};

/// Holder of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The button's key.
    Key,
    Mouse,
    /// A finger on the screen.
    Touch,
    Gamepad,
    /// A click with Ctrl, until the next one.
    Sticky,
}

impl Holder {
    const fn bit(self) -> u8 {
        match self {
            Self::Key => 1,
            Self::Mouse => 2,
            Self::Touch => 4,
            Self::Gamepad => 8,
            Self::Sticky => 16,
        }
    }
}

/// The buttons that are held down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldButtons {
    /// The buttons that have a holder, with a bit for each holder.
    holders: BTreeMap<Button, u8>,
}

impl HeldButtons {
    /// Adds a holder of `button`; returns `true` if the button was up before.
    pub fn press(&mut self, button: Button, holder: Holder) -> bool {
        let holders = self.holders.entry(button).or_default();
        let before = std::mem::replace(holders, *holders | holder.bit());
        before == 0
    }

    /// Removes a holder of `button`; returns `true` if no other holder is left and the button
    /// goes up.
    pub fn release(&mut self, button: Button, holder: Holder) -> bool {
        let Some(holders) = self.holders.get_mut(&button) else { return false };
        *holders &= !holder.bit();
        let goes_up = *holders == 0;
        if goes_up {
            self.holders.remove(&button);
        }
        goes_up
    }

    /// Returns whether `holder` holds `button`.
    pub fn holds(&self, button: Button, holder: Holder) -> bool {
        self.holders.get(&button).is_some_and(|holders| holders & holder.bit() != 0)
    }

    /// Releases the buttons that the mouse holds, wherever the pointer is, and returns those that
    /// go up.
    pub fn release_mouse(&mut self) -> impl Iterator<Item = Button> + use<> {
        let held: Vec<Button> = self.holders.keys().copied().collect();
        let goes_up = |button: &Button| self.release(*button, Holder::Mouse);
        held.into_iter().filter(goes_up).collect::<Vec<_>>().into_iter()
    }

    /// Releases all buttons, because the window loses the keyboard and receives no more releases,
    /// and returns those that were down.
    pub fn release_all(&mut self) -> impl Iterator<Item = Button> + use<> {
        std::mem::take(&mut self.holders).into_keys()
    }

    /// Returns the buttons that are down.
    pub fn down(&self) -> ButtonSet {
        self.holders.keys().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_is_down_until_key_and_mouse_have_released_it() {
        let mut held = HeldButtons::default();
        assert!(held.press(Button::B1, Holder::Key));
        assert!(!held.press(Button::B1, Holder::Key), "a key that repeats");
        assert!(!held.press(Button::B1, Holder::Mouse));
        assert!(!held.release(Button::B1, Holder::Key));
        assert!(held.down().contains(Button::B1));
        assert_eq!(held.release_mouse().collect::<Vec<_>>(), [Button::B1]);
        assert!(!held.release(Button::B1, Holder::Key), "a release of what is up");
    }

    #[test]
    fn losing_the_keyboard_releases_all() {
        let mut held = HeldButtons::default();
        held.press(Button::Reset, Holder::Mouse);
        held.press(Button::T2, Holder::Key);
        assert_eq!(held.release_all().collect::<Vec<_>>(), [Button::T2, Button::Reset]);
        assert_eq!(held, HeldButtons::default());
    }
}
