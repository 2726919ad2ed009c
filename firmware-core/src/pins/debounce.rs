//! Debouncing of the contacts: levels in, presses and releases out.
//!
//! A level counts once it has been constant for [`DEBOUNCE`], dated at the first edge of its burst.
//! A button that is down at power-on is *stuck*: it is ignored until it has been released once.
//! This module knows no pin and reads no clock.

use crate::pins::button::{BUTTONS, Button};
use crate::time::{Instant, Micros};

/// Time for which a level must hold before it counts.
pub const DEBOUNCE: Micros = Micros::from_millis(5);

/// Set of buttons that are down, bit `n` for [`Button::at`]`(n)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels(u16);

impl Levels {
    /// No button is down.
    pub const NONE: Self = Self(0);

    /// Marks `button` as down.
    pub fn set_down(&mut self, button: Button) {
        self.0 |= 1 << button.index();
    }

    /// Returns whether `button` is down.
    pub const fn is_down(self, button: Button) -> bool {
        self.0 & (1 << button.index()) != 0
    }

    /// Returns whether no button is down.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the buttons that are down in both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the buttons that are down, in order.
    pub fn iter(self) -> impl Iterator<Item = Button> {
        Button::all().filter(move |button| self.is_down(*button))
    }
}

/// A debounced edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Time of the first edge of the burst.
    pub at: Instant,
    pub button: Button,
    /// Whether it went down.
    pub down: bool,
}

/// Edges from one sample of the contacts: at most one per button.
pub type Edges = heapless::Vec<Edge, BUTTONS>;

/// Debouncing state of the thirteen contacts.
#[derive(Clone, Debug)]
pub struct Debouncer {
    /// Debounced levels.
    settled: Levels,
    /// Latest sampled levels.
    seen: Levels,
    /// Time since which the latest level of each button has been constant.
    constant_since: [Instant; BUTTONS],
    /// Buttons in a burst: from the first change until a level has held for [`DEBOUNCE`].
    in_burst: Levels,
    /// Time of the first edge of the burst, for buttons that are in one.
    burst_since: [Instant; BUTTONS],
    stuck: Levels,
}

impl Debouncer {
    /// Starts at `now` with every button up except the `stuck` ones, which are ignored until they
    /// are released.
    pub fn new(now: Instant, stuck: Levels) -> Self {
        Self {
            settled: stuck,
            seen: stuck,
            constant_since: [now; BUTTONS],
            in_burst: Levels::NONE,
            burst_since: [now; BUTTONS],
            stuck,
        }
    }

    /// Returns the buttons that have been down since power-on.
    pub fn stuck(&self) -> Levels {
        self.stuck
    }

    /// Returns the time since which the level of `button` has been in doubt: the first edge of a
    /// burst that has not ended. If the burst ends in another level, this is the time of its edge.
    pub fn burst(&self, button: Button) -> Option<Instant> {
        self.in_burst.is_down(button).then(|| self.burst_since[button.index()])
    }

    /// Returns the latest sampled levels.
    pub fn levels(&self) -> Levels {
        self.seen
    }

    /// Samples the levels at `now`; the previous ones have held until then. Returns the edges that
    /// count by now, oldest first, and simultaneous ones in the order of the buttons.
    pub fn sample(&mut self, now: Instant, levels: Levels) -> Edges {
        let mut edges = Edges::new();
        if levels == self.settled && levels == self.seen && self.in_burst.is_empty() {
            return edges;
        }
        for button in Button::all() {
            let index = button.index();
            let down = self.seen.is_down(button);
            if self.in_burst.is_down(button)
                && now.saturating_since(self.constant_since[index]) >= DEBOUNCE
            {
                self.in_burst.0 &= !(1 << index);
                if down != self.settled.is_down(button) {
                    if self.stuck.is_down(button) {
                        self.stuck.0 &= !(1 << index);
                    } else {
                        insert(&mut edges, Edge { at: self.burst_since[index], button, down });
                    }
                    self.settled.0 ^= 1 << index;
                }
            }
            if levels.is_down(button) != down {
                self.constant_since[index] = now;
                if !self.in_burst.is_down(button) {
                    self.in_burst.set_down(button);
                    self.burst_since[index] = now;
                }
            }
        }
        self.seen = levels;
        edges
    }

    /// Returns when the earliest undecided level will count, if it holds.
    pub fn wake_at(&self) -> Option<Instant> {
        if self.in_burst.is_empty() {
            return None;
        }
        let counts_at =
            |button: Button| self.constant_since[button.index()].saturating_add(DEBOUNCE);
        self.in_burst.iter().map(counts_at).min()
    }
}

/// Inserts `edge` after all that are as old or older. The library's sort would take seven kilobytes
/// of flash for thirteen edges.
fn insert(edges: &mut Edges, edge: Edge) {
    let place = edges.iter().position(|other| other.at > edge.at).unwrap_or(edges.len());
    // There is room for one edge per button, and a sample adds at most one per button.
    let _ = edges.insert(place, edge);
}

#[cfg(test)]
mod tests {
    use super::*;

    const B1: Button = match Button::at(0) {
        Some(button) => button,
        None => panic!(),
    };

    fn levels(down: &[usize]) -> Levels {
        let mut levels = Levels::default();
        for index in down {
            levels.set_down(Button::at(*index).unwrap());
        }
        levels
    }

    fn debouncer() -> Debouncer {
        Debouncer::new(Instant::POWER_ON, Levels::default())
    }

    #[test]
    fn a_level_counts_after_5_ms_with_the_time_of_its_first_edge() {
        let mut contacts = debouncer();
        assert!(contacts.sample(Instant(1_000), levels(&[0])).is_empty());
        assert_eq!(contacts.wake_at(), Some(Instant(6_000)));
        assert!(contacts.sample(Instant(5_999), levels(&[0])).is_empty());
        let edges = contacts.sample(Instant(6_000), levels(&[0]));
        assert_eq!(edges.as_slice(), [Edge { at: Instant(1_000), button: B1, down: true }]);
        assert_eq!(contacts.wake_at(), None);
    }

    #[test]
    fn a_bouncing_contact_presses_once_at_its_first_edge() {
        let mut contacts = debouncer();
        for (at, down) in [(0, true), (700, false), (1_500, true), (2_200, false), (3_000, true)] {
            let seen = if down { levels(&[0]) } else { levels(&[]) };
            assert!(contacts.sample(Instant(at), seen).is_empty());
        }
        assert_eq!(contacts.wake_at(), Some(Instant(8_000)));
        assert_eq!(contacts.burst(B1), Some(Instant(0)), "in doubt since the first edge");
        let edges = contacts.sample(Instant(8_000), levels(&[0]));
        assert_eq!(edges.as_slice(), [Edge { at: Instant(0), button: B1, down: true }]);
        assert_eq!(contacts.burst(B1), None);
    }

    #[test]
    fn a_glitch_shorter_than_the_debounce_time_is_no_press() {
        let mut contacts = debouncer();
        contacts.sample(Instant(0), levels(&[0]));
        assert!(contacts.sample(Instant(4_000), levels(&[])).is_empty());
        assert!(contacts.sample(Instant(9_000), levels(&[])).is_empty());
        assert_eq!(contacts.wake_at(), None);
    }

    #[test]
    fn a_level_that_held_long_enough_counts_without_a_sample() {
        let mut contacts = debouncer();
        contacts.sample(Instant(1_000), levels(&[0]));
        let edges = contacts.sample(Instant(9_000), levels(&[]));
        assert_eq!(edges.as_slice(), [Edge { at: Instant(1_000), button: B1, down: true }]);
        let edges = contacts.sample(Instant(14_000), levels(&[]));
        assert_eq!(edges.as_slice(), [Edge { at: Instant(9_000), button: B1, down: false }]);
    }

    #[test]
    fn edges_are_sorted_by_time_and_then_by_button() {
        let mut contacts = debouncer();
        contacts.sample(Instant(0), levels(&[12]));
        contacts.sample(Instant(100), levels(&[12, 3, 1, 6]));
        let edges = contacts.sample(Instant(6_000), levels(&[12, 3, 1, 6]));
        let order: heapless::Vec<usize, BUTTONS> =
            edges.iter().map(|edge| edge.button.index()).collect();
        assert_eq!(order.as_slice(), [12, 1, 3, 6]);
    }

    #[test]
    fn a_button_stuck_at_power_on_is_ignored_until_released() {
        let mut contacts = Debouncer::new(Instant::POWER_ON, levels(&[0]));
        assert!(contacts.sample(Instant(10_000), levels(&[0])).is_empty());
        assert!(contacts.stuck().is_down(B1) && !contacts.stuck().is_empty());
        contacts.sample(Instant(20_000), levels(&[]));
        assert!(contacts.sample(Instant(25_000), levels(&[])).is_empty());
        assert!(contacts.stuck().is_empty());
        contacts.sample(Instant(30_000), levels(&[0]));
        assert_eq!(contacts.sample(Instant(35_000), levels(&[0])).len(), 1);
    }
}
