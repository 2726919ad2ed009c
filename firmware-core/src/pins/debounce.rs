//! Contacts bounce; a press is what remains. Levels in, presses and releases out.
//!
//! A level counts once it has been constant for [`DEBOUNCE`], dated at the first edge
//! of its burst. A button that is down at power-on is *stuck*: it is ignored until it
//! has been released once. This module knows no pin and reads no clock.

use crate::pins::button::{BUTTONS, Button};
use crate::time::{Instant, Micros};

/// How long a level must hold before it counts.
pub const DEBOUNCE: Micros = Micros::from_millis(5);

/// Which buttons are down, bit `n` for [`Button::at`]`(n)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels(u16);

impl Levels {
    /// No button is down.
    pub const NONE: Self = Self(0);

    /// Marks `button` as down.
    pub fn set_down(&mut self, button: Button) {
        self.0 |= 1 << button.index();
    }

    /// Whether `button` is down.
    pub const fn is_down(self, button: Button) -> bool {
        self.0 & (1 << button.index()) != 0
    }

    /// Whether no button is down.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The buttons that are down in both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The buttons that are down, in order.
    pub fn iter(self) -> impl Iterator<Item = Button> {
        Button::all().filter(move |button| self.is_down(*button))
    }
}

/// A debounced edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The first edge of the burst.
    pub at: Instant,
    /// Which button.
    pub button: Button,
    /// Whether it went down.
    pub down: bool,
}

/// The edges that one look at the contacts brings: at most one a button.
pub type Edges = heapless::Vec<Edge, BUTTONS>;

/// The state of the thirteen contacts.
#[derive(Clone, Debug)]
pub struct Debouncer {
    /// The level that counts.
    settled: Levels,
    /// The level that was seen last.
    seen: Levels,
    /// Since when the level seen last has been constant.
    constant_since: [Instant; BUTTONS],
    /// Those in a burst: from the moment that one leaves the settled level until a level has held long enough again.
    in_burst: Levels,
    /// The first edge of the burst, of those that are in one.
    burst_since: [Instant; BUTTONS],
    stuck: Levels,
}

impl Debouncer {
    /// Starts at `now` with every button up but the `stuck` ones, which stay ignored
    /// until they are released.
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

    /// The buttons that have been down since power-on.
    pub fn stuck(&self) -> Levels {
        self.stuck
    }

    /// Since when the level of `button` has been in doubt: the first edge of a burst that has not
    /// ended. If it ends in another level, that will be its date.
    pub fn burst(&self, button: Button) -> Option<Instant> {
        self.in_burst.is_down(button).then(|| self.burst_since[button.index()])
    }

    /// The levels that were taken last.
    pub fn levels(&self) -> Levels {
        self.seen
    }

    /// Takes the levels from `now` on: until then those that were taken last have held. The edges that
    /// count by now, oldest first, and among simultaneous ones in the order of the buttons.
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

    /// When the earliest level under way will count, if it holds.
    pub fn wake_at(&self) -> Option<Instant> {
        if self.in_burst.is_empty() {
            return None;
        }
        let counts_at =
            |button: Button| self.constant_since[button.index()].saturating_add(DEBOUNCE);
        self.in_burst.iter().map(counts_at).min()
    }
}

/// Puts `edge` behind all that are as old or older. The library's sort would take seven
/// kilobytes of flash for thirteen edges.
fn insert(edges: &mut Edges, edge: Edge) {
    let place = edges.iter().position(|other| other.at > edge.at).unwrap_or(edges.len());
    // Room for one edge a button, and a look adds at most one a button.
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
    fn a_level_counts_after_five_milliseconds_and_is_dated_at_its_first_edge() {
        let mut contacts = debouncer();
        assert!(contacts.sample(Instant(1_000), levels(&[0])).is_empty());
        assert_eq!(contacts.wake_at(), Some(Instant(6_000)));
        assert!(contacts.sample(Instant(5_999), levels(&[0])).is_empty());
        let edges = contacts.sample(Instant(6_000), levels(&[0]));
        assert_eq!(edges.as_slice(), [Edge { at: Instant(1_000), button: B1, down: true }]);
        assert_eq!(contacts.wake_at(), None);
    }

    #[test]
    fn a_bouncing_contact_presses_once_dated_at_the_first_touch() {
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
    fn a_level_that_held_long_enough_counts_though_nobody_looked_before_it_changed() {
        let mut contacts = debouncer();
        contacts.sample(Instant(1_000), levels(&[0]));
        let edges = contacts.sample(Instant(9_000), levels(&[]));
        assert_eq!(edges.as_slice(), [Edge { at: Instant(1_000), button: B1, down: true }]);
        let edges = contacts.sample(Instant(14_000), levels(&[]));
        assert_eq!(edges.as_slice(), [Edge { at: Instant(9_000), button: B1, down: false }]);
    }

    #[test]
    fn simultaneous_edges_go_in_the_order_of_the_buttons_and_earlier_ones_first() {
        let mut contacts = debouncer();
        contacts.sample(Instant(0), levels(&[12]));
        contacts.sample(Instant(100), levels(&[12, 3, 1, 6]));
        let edges = contacts.sample(Instant(6_000), levels(&[12, 3, 1, 6]));
        let order: heapless::Vec<usize, BUTTONS> =
            edges.iter().map(|edge| edge.button.index()).collect();
        assert_eq!(order.as_slice(), [12, 1, 3, 6]);
    }

    #[test]
    fn a_button_stuck_at_power_on_is_ignored_until_it_is_let_go() {
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
