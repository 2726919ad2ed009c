//! Releases keys by time if the terminal does not report releases: [`HOLD`] after each press. A
//! held key repeats, and each repetition extends the hold. RESET and fast-forward, whose length
//! matters, are held until the keyboard could have repeated the key. This module knows no terminal
//! and no wall clock.

use std::time::Duration;

use live::keymap::ControlMove;
use trace::{Button, Control};

/// Length of a press if no repetition follows: longer than the pause between two repetitions (33
/// ms by default on X11 and Windows, 40 ms on the Linux console, 90 ms on macOS), and far shorter
/// than RESET's long press (1 s).
pub const HOLD: Duration = Duration::from_millis(120);
/// Length of a press of RESET if no repetition follows: longer than the time after which a keyboard
/// repeats a held key by default (660 ms on X11, 500 ms on Windows and macOS, 250 ms on the Linux
/// console), so that a held key is one press. Shorter than RESET's long press (1 s).
pub const RESET_HOLD: Duration = Duration::from_millis(750);

/// A key that can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldKey {
    Button(Button),
    /// A movement that lasts while its key is held: of a joystick.
    Move(Control, ControlMove),
    FastForward,
}

impl HeldKey {
    /// Returns the length of a press without a repetition.
    fn shortest(self) -> Duration {
        match self {
            Self::Button(button) if button.name() != Button::Reset.name() => HOLD,
            Self::Move(..) => HOLD,
            Self::Button(_) | Self::FastForward => RESET_HOLD,
        }
    }
}

/// Keys that count as down, and the time until which each does.
#[derive(Clone, Debug, Default)]
pub struct Holds {
    until: Vec<(HeldKey, Duration)>,
}

impl Holds {
    /// Records that `key` was pressed, or has repeated, at `now`.
    pub fn press(&mut self, key: HeldKey, now: Duration) {
        match self.until.iter_mut().find(|(held, _)| *held == key) {
            Some((_, until)) => *until = (*until).max(now.saturating_add(HOLD)),
            None => self.until.push((key, now.saturating_add(key.shortest()))),
        }
    }

    /// Returns the keys that count as released at `now`, each once, with the times of their
    /// releases.
    pub fn released(&mut self, now: Duration) -> Vec<(HeldKey, Duration)> {
        let is_due = |(_, until): &mut (HeldKey, Duration)| *until <= now;
        let mut due: Vec<_> = self.until.extract_if(.., is_due).collect();
        due.sort_by_key(|(_, until)| *until);
        due
    }

    /// Returns the time from `now` to the next release.
    pub fn next(&self, now: Duration) -> Option<Duration> {
        self.until.iter().map(|(_, until)| until.saturating_sub(now)).min()
    }

    /// Removes all holds.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_press_lasts_its_time_and_a_repetition_lengthens_it() {
        let [one, other] = [Button::T1, Button::B2].map(HeldKey::Button);
        let mut holds = Holds::default();
        holds.press(one, ms(1_000));
        assert_eq!(holds.next(ms(1_020)), Some(ms(100)));
        assert_eq!(holds.released(ms(1_119)), []);
        holds.press(one, ms(1_119));
        holds.press(other, ms(1_130));
        assert_eq!(holds.released(ms(1_238)), []);
        assert_eq!(holds.released(ms(1_239)), [(one, ms(1_239))]);
        assert_eq!(holds.released(ms(9_000)), [(other, ms(1_250))]);
        assert_eq!(holds.next(ms(9_000)), None);
    }

    #[test]
    fn a_held_reset_is_one_press_whatever_the_delay_of_the_keyboard() {
        let reset = HeldKey::Button(Button::Reset);
        for delay in [250, 500, 660] {
            let mut holds = Holds::default();
            holds.press(reset, ms(0));
            let mut released = holds.released(ms(delay));
            for repetition in 0..30 {
                holds.press(reset, ms(delay + 33 * repetition));
                released.extend(holds.released(ms(delay + 33 * repetition + 32)));
            }
            assert_eq!(released, [], "{delay} ms");
            let end = ms(delay + 33 * 29) + HOLD;
            assert_eq!(holds.released(ms(9_000)), [(reset, end)]);
        }
        // A tap is shorter than the long press of a second.
        let mut holds = Holds::default();
        holds.press(reset, ms(0));
        assert_eq!(holds.released(ms(9_000)), [(reset, ms(750))]);
    }
}
