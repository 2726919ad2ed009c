//! RESET while it is down: distinguishes a short from a long press, and fills the bar until the
//! menu opens.
//!
//! The times of the debounced press and of its release decide between short and long. At
//! [`LONG_PRESS`] the contact may be bouncing: if that burst began earlier, it may become a release
//! that counts as short, so the decision waits until the burst has ended. This module knows no app
//! and no screen.

use crate::interface::message::BAR_STEPS;
use crate::time::{Instant, Micros};

/// RESET held for this long opens the menu, before it is released.
pub const LONG_PRESS: Micros = Micros::from_millis(1_000);

/// RESET held for this long shows a bar.
pub const BAR_AFTER: Micros = Micros::from_millis(300);

/// Time of one step of the bar: it is full when the menu opens.
const BAR_STEP: Micros = Micros((LONG_PRESS.0 - BAR_AFTER.0) / BAR_STEPS as u64);

const _: () = assert!(BAR_STEP.0 * BAR_STEPS as u64 + BAR_AFTER.0 == LONG_PRESS.0);
const _: () = assert!(BAR_STEP.0 >= 20_000, "the last step is drawn before the menu opens");

/// State of RESET, with times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reset {
    /// Time at which it went down; `None` once the press has been handled.
    down: Option<Instant>,
    /// Whether it is down, even if the press has been handled.
    contact: bool,
    /// Time since which the contact has been in doubt.
    in_doubt: Option<Instant>,
}

impl Reset {
    /// Records that RESET goes down at `at`. A press that does not `count` has no effect.
    pub(super) fn press(&mut self, at: Instant, counts: bool) {
        self.down = counts.then_some(at);
        self.contact = true;
    }

    /// Records that RESET goes up at `at`. Returns `None` if its press has been handled already;
    /// otherwise whether it was long.
    pub(super) fn release(&mut self, at: Instant) -> Option<bool> {
        self.contact = false;
        let down = self.down.take()?;
        Some(at >= down.saturating_add(LONG_PRESS))
    }

    /// Marks the press as handled: its release does nothing.
    pub(super) fn answered(&mut self) {
        self.down = None;
    }

    /// Returns whether RESET is down, even if the press has been handled.
    pub(super) fn is_down(&self) -> bool {
        self.contact
    }

    /// Returns whether RESET is down and its press has not been handled.
    pub(super) fn is_pending(&self) -> bool {
        self.down.is_some()
    }

    /// Sets the time since which the contact has been in doubt, or `None`.
    pub(super) fn sample_contacts(&mut self, in_doubt: Option<Instant>) {
        self.in_doubt = in_doubt;
    }

    /// Returns whether the press is certainly long by `now`. True only once for each press.
    pub(super) fn is_long(&mut self, now: Instant) -> bool {
        let Some(due) = self.due() else { return false };
        let certain = now >= due && self.in_doubt.is_none_or(|since| since >= due);
        if certain {
            self.down = None;
        }
        certain
    }

    /// Returns the number of full steps of the bar; `None` while it is not shown.
    pub(super) fn bar(&self, now: Instant) -> Option<u8> {
        let begins = self.down?.saturating_add(BAR_AFTER);
        let steps = now.saturating_since(begins).whole(BAR_STEP);
        (now >= begins).then_some(steps.min(BAR_STEPS.into()) as u8)
    }

    /// Returns when the bar advances, or the press becomes long. While the contact is in doubt, its
    /// next edge decides.
    pub(super) fn wake_at(&self, now: Instant) -> Option<Instant> {
        let begins = self.down?.saturating_add(BAR_AFTER);
        let next = match self.bar(now) {
            Some(steps) => begins.saturating_add(BAR_STEP.saturating_mul(u64::from(steps) + 1)),
            None => begins,
        };
        Some(next).filter(|next| Some(*next) <= self.due())
    }

    fn due(&self) -> Option<Instant> {
        Some(self.down?.saturating_add(LONG_PRESS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u32) -> Instant {
        Instant(millis as u64 * 1_000)
    }

    fn pressed() -> Reset {
        let mut reset = Reset::default();
        reset.press(ms(50), true);
        reset
    }

    #[test]
    fn a_press_becomes_long_once_one_second_after_it_began() {
        let mut reset = pressed();
        assert!(!reset.is_long(Instant(1_049_999)));
        assert!(reset.is_long(ms(1_050)));
        assert!(!reset.is_long(ms(1_051)));
        assert_eq!(reset.release(ms(1_060)), None);
    }

    #[test]
    fn a_press_that_does_not_count_is_neither_short_nor_long() {
        let mut reset = Reset::default();
        reset.press(ms(50), false);
        assert!(reset.is_down() && !reset.is_long(ms(2_000)));
        assert_eq!((reset.bar(ms(400)), reset.wake_at(ms(400))), (None, None));
        assert_eq!(reset.release(ms(2_000)), None);
        assert!(!reset.is_down());
    }

    #[test]
    fn a_bouncing_contact_decides_by_the_time_of_its_first_edge() {
        for (since, long) in [(1_049_999, false), (1_050_000, true)] {
            let mut reset = pressed();
            reset.sample_contacts(Some(Instant(since)));
            assert_eq!(reset.is_long(ms(1_054)), long, "in doubt since {since}");
        }
        let mut reset = pressed();
        reset.sample_contacts(Some(ms(1_049)));
        assert!(!reset.is_long(ms(1_100)), "it may still be a release");
        assert_eq!(reset.wake_at(ms(1_100)), None, "the contact wakes it");
        let mut released = reset;
        assert_eq!(released.release(ms(1_049)), Some(false));
        // The burst was not a release.
        reset.sample_contacts(None);
        assert!(reset.is_long(ms(1_100)));
        assert_eq!(pressed().release(ms(1_050)), Some(true));
    }

    #[test]
    fn the_bar_begins_after_300_ms_and_is_full_when_the_menu_opens() {
        let reset = pressed();
        assert_eq!((reset.bar(Instant(349_999)), reset.wake_at(ms(50))), (None, Some(ms(350))));
        let mut now = ms(350);
        for steps in 0..BAR_STEPS {
            assert_eq!(reset.bar(now), Some(steps));
            now = reset.wake_at(now).expect("there is more to come");
        }
        assert_eq!((now, reset.bar(now)), (ms(1_050), Some(BAR_STEPS)));
        assert_eq!(reset.bar(ms(2_000)), Some(BAR_STEPS));
        assert_eq!(reset.wake_at(now), None);
    }
}
