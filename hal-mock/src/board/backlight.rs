//! The level of the backlight's wire, now and shortly before: a trace line may check a time that
//! the firmware's last step has passed.
//!
//! The module knows no panel: the visible picture is the LCD's.

use std::collections::VecDeque;

use virtual_time::Instant;

/// Maximum number of stored changes. A step of the firmware, including its boot, makes far fewer.
const CHANGES_KEPT: usize = 256;

/// Changes of the wire, which starts low.
#[derive(Clone, Default)]
pub(super) struct BacklightWire {
    /// Level before the first of `changes`.
    before: bool,
    /// Times and new levels, oldest first.
    changes: VecDeque<(Instant, bool)>,
}

impl BacklightWire {
    /// Sets the level of the wire from `at` on.
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

    /// Returns whether the wire was high at `at`.
    pub(super) fn at(&self, at: Instant) -> bool {
        let by_then = self.changes.iter().rev().find(|(change, _)| *change <= at);
        by_then.map_or(self.before, |(_, high)| *high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_at_a_time_is_that_of_the_last_change_before_it() {
        let mut wire = BacklightWire::default();
        for (millis, high) in [(10, true), (20, true), (30, false)] {
            wire.set(Instant::from_millis(millis), high);
        }
        let levels = [0, 9, 10, 29, 30, 99].map(|millis| wire.at(Instant::from_millis(millis)));
        assert_eq!(levels, [false, false, true, true, false, false]);
    }

    #[test]
    fn the_last_levels_are_right_when_old_changes_are_dropped() {
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
