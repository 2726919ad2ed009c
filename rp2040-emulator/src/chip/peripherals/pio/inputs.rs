//! The levels of the pins as state machines read them, after two flip-flops (datasheet section
//! 3.5.6.3).

/// Delay of the synchronisers in cycles.
const DELAY: u64 = 2;

/// The latest levels, each with its first cycle, newest first. Three are enough: at most two are
/// newer than the level that is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    levels: [(u64, u32); 3],
}

impl Inputs {
    /// Sets the levels of the pins from `cycle` on. Returns the pins that have changed.
    pub(super) fn set(&mut self, cycle: u64, levels: u32) -> u32 {
        let (since, before) = self.levels[0];
        if before != levels {
            if since != cycle {
                self.levels.copy_within(0..2, 1);
            }
            self.levels[0] = (cycle, levels);
        }
        before ^ levels
    }

    /// Returns the newest levels.
    pub(super) fn latest(&self) -> u32 {
        self.levels[0].1
    }

    /// Returns the levels that are read in `cycle`. Pins in `bypass` are read without the
    /// flip-flops.
    // Not inlined: few instructions read the pins, and the others should not pay for the computation.
    #[inline(never)]
    pub(super) fn read(&self, cycle: u64, bypass: u32) -> u32 {
        let [newest, second, third] = self.levels;
        let stood = |(since, _): &(u64, u32)| since + DELAY <= cycle;
        let synchronised = match () {
            () if stood(&newest) => return newest.1,
            () if stood(&second) => second.1,
            () => third.1,
        };
        newest.1 & bypass | synchronised & !bypass
    }

    /// Returns whether reads of `pins` from `cycle` on give the same levels until one of them
    /// changes.
    pub(super) fn stand(&self, pins: u32, cycle: u64) -> bool {
        let [(newest_since, newest), (second_since, second), (_, third)] = self.levels;
        let differ = |one: u32, other: u32| (one ^ other) & pins != 0;
        newest_since + DELAY <= cycle
            || !differ(newest, second) && (second_since + DELAY <= cycle || !differ(second, third))
    }

    /// Returns whether reads from `cycle` on give the same levels until a pin changes.
    pub(super) fn are_settled(&self, cycle: u64) -> bool {
        self.levels[0].0 + DELAY <= cycle
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_read_two_cycles_later_or_at_once() {
        let mut inputs = Inputs::default();
        for (cycle, levels) in [(10, 1), (11, 2), (12, 3)] {
            inputs.set(cycle, levels);
            assert!(!inputs.are_settled(cycle + 1));
            assert_eq!(inputs.read(cycle, !0), levels);
        }
        assert_eq!([12, 13, 14].map(|cycle| inputs.read(cycle, 0)), [1, 2, 3]);
        assert_eq!(inputs.read(12, 2), 3, "bit 1 is new, bit 0 is old");
        assert!(inputs.are_settled(14));
    }

    #[test]
    fn the_last_level_of_a_cycle_counts() {
        let mut inputs = Inputs::default();
        inputs.set(5, 1);
        assert_eq!(inputs.set(5, 2), 3);
        assert_eq!([6, 7].map(|cycle| inputs.read(cycle, 0)), [0, 2]);
    }
}
