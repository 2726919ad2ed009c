//! Buttons that are held down, and their holders. A key, the mouse, a finger and a gamepad can
//! hold the same button at the same time; it is down until all have released it. This module knows
//! no window.

use trace::Button;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldButtons {
    holders: [u8; Button::COUNT],
}

impl HeldButtons {
    /// Adds a holder of `button`; returns `true` if the button was up before.
    pub fn press(&mut self, button: Button, holder: Holder) -> bool {
        let holders = &mut self.holders[button.index()];
        let before = std::mem::replace(holders, *holders | holder.bit());
        before == 0
    }

    /// Removes a holder of `button`; returns `true` if no other holder is left and the button
    /// goes up.
    pub fn release(&mut self, button: Button, holder: Holder) -> bool {
        let holders = &mut self.holders[button.index()];
        let before = std::mem::replace(holders, *holders & !holder.bit());
        before != 0 && *holders == 0
    }

    /// Returns whether `holder` holds `button`.
    pub fn holds(&self, button: Button, holder: Holder) -> bool {
        self.holders[button.index()] & holder.bit() != 0
    }

    /// Releases the buttons that the mouse holds, wherever the pointer is, and returns those that
    /// go up.
    pub fn release_mouse(&mut self) -> impl Iterator<Item = Button> {
        let released =
            Button::ALL.map(|button| self.release(button, Holder::Mouse).then_some(button));
        released.into_iter().flatten()
    }

    /// Releases all buttons, because the window loses the keyboard and receives no more releases,
    /// and returns those that were down.
    pub fn release_all(&mut self) -> impl Iterator<Item = Button> {
        let down = std::mem::take(self).down();
        Button::ALL.into_iter().filter(move |button| down[button.index()])
    }

    /// Returns whether each button is down, by [`Button::index`].
    pub fn down(&self) -> [bool; Button::COUNT] {
        self.holders.map(|holders| holders != 0)
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
        assert!(held.down()[Button::B1.index()]);
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
