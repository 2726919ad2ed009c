//! Releases keys by time if the terminal does not report releases: [`HOLD`] after each press. A
//! held key repeats, and each repetition extends the hold. This module knows no terminal and no
//! wall clock.

use std::time::Duration;

use trace::Button;

/// Length of a press if no repetition follows: longer than the pause between two repetitions (33
/// ms by default on X11 and Windows, 40 ms on the Linux console, 90 ms on macOS), and far shorter
/// than RESET's long press (1 s).
pub const HOLD: Duration = Duration::from_millis(120);

/// Keys that count as down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Holds {
    until: [Option<Duration>; Button::COUNT],
}

impl Holds {
    /// Records that the key of `button` was pressed, or has repeated, at `now`.
    pub fn press(&mut self, button: Button, now: Duration) {
        self.until[button.index()] = Some(now.saturating_add(HOLD));
    }

    /// Returns the buttons whose keys count as released at `now`, each once.
    pub fn released(&mut self, now: Duration) -> impl Iterator<Item = Button> + use<> {
        let due = Button::ALL.map(|button| {
            let until = &mut self.until[button.index()];
            until.take_if(|until| *until <= now).map(|_| button)
        });
        due.into_iter().flatten()
    }

    /// Returns the time from `now` to the next release.
    pub fn next(&self, now: Duration) -> Option<Duration> {
        self.until.iter().flatten().min().map(|until| until.saturating_sub(now))
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
        let mut holds = Holds::default();
        holds.press(Button::T1, ms(1_000));
        assert_eq!(holds.next(ms(1_020)), Some(ms(100)));
        assert_eq!(holds.released(ms(1_119)).count(), 0);
        holds.press(Button::T1, ms(1_119));
        holds.press(Button::B2, ms(1_130));
        assert_eq!(holds.released(ms(1_238)).count(), 0);
        assert_eq!(holds.released(ms(1_239)).collect::<Vec<_>>(), [Button::T1]);
        assert_eq!(holds.released(ms(9_000)).collect::<Vec<_>>(), [Button::B2]);
        assert_eq!(holds.next(ms(9_000)), None);
    }
}
