//! Which buttons are held down, and by what. A key and the mouse can hold the same button;
//! it is down from the first touch to the last. Knows no window.

use hal_mock::Button;

/// What a button is held with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Its key.
    Key,
    /// The mouse.
    Mouse,
}

impl Touch {
    const fn bit(self) -> u8 {
        match self {
            Self::Key => 1,
            Self::Mouse => 2,
        }
    }
}

/// Every touch there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingers {
    touches: [u8; Button::COUNT],
}

impl Fingers {
    /// `touch` comes onto `button`; `true` if that presses it.
    pub fn put(&mut self, button: Button, touch: Touch) -> bool {
        let touches = &mut self.touches[button.index()];
        let before = std::mem::replace(touches, *touches | touch.bit());
        before == 0
    }

    /// `touch` goes off `button`; `true` if that releases it.
    pub fn lift(&mut self, button: Button, touch: Touch) -> bool {
        let touches = &mut self.touches[button.index()];
        let before = std::mem::replace(touches, *touches & !touch.bit());
        before != 0 && *touches == 0
    }

    /// The mouse's button goes up, wherever it is: what it pressed is released.
    pub fn lift_mouse(&mut self) -> impl Iterator<Item = Button> {
        let released = Button::ALL.map(|button| self.lift(button, Touch::Mouse).then_some(button));
        released.into_iter().flatten()
    }

    /// Nobody sees any more what the fingers do: all that is down is released.
    pub fn lift_all(&mut self) -> impl Iterator<Item = Button> {
        let down = std::mem::take(self).down();
        Button::ALL.into_iter().filter(move |button| down[button.index()])
    }

    /// Which buttons are down, by [`Button::index`].
    pub fn down(&self) -> [bool; Button::COUNT] {
        self.touches.map(|touches| touches != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_is_down_from_the_first_touch_to_the_last() {
        let mut fingers = Fingers::default();
        assert!(fingers.put(Button::B1, Touch::Key));
        assert!(!fingers.put(Button::B1, Touch::Key), "a key that repeats");
        assert!(!fingers.put(Button::B1, Touch::Mouse));
        assert!(!fingers.lift(Button::B1, Touch::Key));
        assert!(fingers.down()[Button::B1.index()]);
        assert_eq!(fingers.lift_mouse().collect::<Vec<_>>(), [Button::B1]);
        assert!(!fingers.lift(Button::B1, Touch::Key), "a release of what is up");
    }

    #[test]
    fn losing_sight_of_the_fingers_releases_all() {
        let mut fingers = Fingers::default();
        fingers.put(Button::Reset, Touch::Mouse);
        fingers.put(Button::T2, Touch::Key);
        assert_eq!(fingers.lift_all().collect::<Vec<_>>(), [Button::T2, Button::Reset]);
        assert_eq!(fingers, Fingers::default());
    }
}
