//! Fingers on buttons. A finger holds the button that it first touched, wherever it leaves the
//! screen.

use trace::Button;

/// Maximum number of fingers: more than two hands have.
const FINGERS_MAX: usize = 32;

/// Identity of a finger: the screen that is touched, and the finger's number there.
pub(super) type Finger = (i64, i64);

/// The fingers that hold a button.
#[derive(Debug, Default)]
pub(super) struct Fingers {
    on: Vec<(Finger, Button)>,
}

impl Fingers {
    /// Puts `finger` on `button`.
    pub(super) fn down(&mut self, finger: Finger, button: Button) {
        // The last release of this finger was not reported.
        self.on.retain(|(other, _)| *other != finger);
        if self.on.len() < FINGERS_MAX {
            self.on.push((finger, button));
        }
    }

    /// Removes `finger`. Returns the button that it held, unless another finger holds it too.
    pub(super) fn up(&mut self, finger: Finger) -> Option<Button> {
        let at = self.on.iter().position(|(other, _)| *other == finger)?;
        let (_, button) = self.on.swap_remove(at);
        (!self.on.iter().any(|(_, other)| *other == button)).then_some(button)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_is_let_go_by_the_last_finger_on_it() {
        let mut fingers = Fingers::default();
        fingers.down((1, 1), Button::B1);
        fingers.down((1, 2), Button::B1);
        fingers.down((1, 3), Button::T6);
        assert_eq!(fingers.up((1, 1)), None, "another finger is on it");
        assert_eq!(fingers.up((1, 3)), Some(Button::T6));
        assert_eq!(fingers.up((1, 2)), Some(Button::B1));
        assert_eq!(fingers.up((1, 2)), None, "it is gone");
    }

    #[test]
    fn the_number_of_fingers_is_bounded() {
        let mut fingers = Fingers::default();
        for finger in 0..100 {
            fingers.down((1, finger), Button::B1);
        }
        assert_eq!(fingers.on.len(), FINGERS_MAX);
    }
}
