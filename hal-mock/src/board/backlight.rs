//! The level of the backlight's wire, now and a little while ago: a line of a trace looks at a moment
//! that the firmware's last step may have passed.
//!
//! It knows no panel: what the glass shows is the LCD's.

use std::collections::VecDeque;

use virtual_time::Instant;

/// Changes of the wire that are kept. A step of the firmware, its boot included, makes far fewer.
const CHANGES_KEPT: usize = 256;

/// The changes of the wire, which is low to begin with.
#[derive(Clone, Default)]
pub(super) struct BacklightWire {
    /// The level before the first of `changes`.
    before: bool,
    /// When it became high or low, oldest first.
    changes: VecDeque<(Instant, bool)>,
}

impl BacklightWire {
    /// The wire is high or low from `at` on.
    pub(super) fn set(&mut self, at: Instant, high: bool) {
        let level = self.changes.back().map_or(self.before, |(_, high)| *high);
        if level == high {
            return;
        }
        if self.changes.len() == CHANGES_KEPT
            && let Some((_, high)) = self.changes.pop_front()
        {
            self.before = high;
        }
        self.changes.push_back((at, high));
    }

    /// Whether it was high at `at`.
    pub(super) fn at(&self, at: Instant) -> bool {
        let by_then = self.changes.iter().rev().find(|(change, _)| *change <= at);
        by_then.map_or(self.before, |(_, high)| *high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_of_a_moment_is_that_of_the_last_change_before_it() {
        let mut wire = BacklightWire::default();
        for (millis, high) in [(10, true), (20, true), (30, false)] {
            wire.set(Instant::from_millis(millis), high);
        }
        let levels = [0, 9, 10, 29, 30, 99].map(|millis| wire.at(Instant::from_millis(millis)));
        assert_eq!(levels, [false, false, true, true, false, false]);
    }

    #[test]
    fn more_changes_than_are_kept_leave_the_last_levels_right() {
        let mut wire = BacklightWire::default();
        for millis in 0..1_001 {
            wire.set(Instant::from_millis(millis), millis % 2 == 0);
        }
        for millis in 800..1_001 {
            assert_eq!(wire.at(Instant::from_millis(millis)), millis % 2 == 0, "{millis}");
        }
        assert_eq!(wire.changes.len(), CHANGES_KEPT);
    }
}
