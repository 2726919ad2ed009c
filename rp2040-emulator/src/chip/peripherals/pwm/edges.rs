//! The time at which the outputs of the slices next change; used only by a chip whose pins are
//! observed.

use super::slice::Slice;
use super::{Pwm, SLICE_COUNT};

impl Pwm {
    /// Returns the nanosecond of the next level change of a slice of the mask `slices`. The slices
    /// have been advanced to now.
    pub(in crate::chip) fn next_edge(&self, slices: u32) -> u64 {
        (0..SLICE_COUNT)
            .filter(|number| slices >> number & 1 != 0 && self.slices[*number].enabled())
            .filter_map(|number| self.slices[number].next_edge())
            .map(|at| self.time_of(at))
            .min()
            .unwrap_or(u64::MAX)
    }
}

impl Slice {
    /// Returns when a level of this enabled slice may next change: at a threshold or a wrap; `None`
    /// if input B must change first.
    fn next_edge(&self) -> Option<u64> {
        let (position, turn) = self.position();
        let thresholds = [0, 1].map(|channel| u64::from(self.threshold(channel)));
        let falling = thresholds.map(Some);
        // In phase-correct mode a level returns on the way down.
        let rising = thresholds.map(|threshold| turn.and_then(|turn| turn.checked_sub(threshold)));
        let left = falling
            .into_iter()
            .chain(rising)
            .flatten()
            .filter_map(|at| at.checked_sub(position).filter(|left| *left != 0))
            .fold(self.to_wrap(), u64::min);
        self.time_of_tick(left)
    }
}
