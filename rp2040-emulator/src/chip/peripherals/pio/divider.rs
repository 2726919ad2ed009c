//! A state machine's clock divider: the cycles of the system clock in which it ticks (datasheet
//! section 3.5.5).
//!
//! It runs whether its machine is enabled or not. Its cycles are not counted one by one: a later
//! tick is computed on demand.

/// Parts of a cycle in which the divisor is counted.
const PARTS: u64 = 256;

#[derive(Clone, Debug)]
pub(super) struct Divider {
    /// CLKDIV, in 256ths of a cycle.
    divisor: u64,
    /// The cycle of the next tick.
    next: u64,
    /// The accumulated 256ths of a cycle by which the tick is early.
    fraction: u64,
}

impl Default for Divider {
    fn default() -> Self {
        Self { divisor: PARTS, next: 0, fraction: 0 }
    }
}

impl Divider {
    /// Returns the register CLKDIV. The largest divisor reads as zero.
    pub(super) fn register(&self) -> u32 {
        (self.divisor << 8) as u32
    }

    /// Writes CLKDIV. The pending tick retains its cycle.
    pub(super) fn set(&mut self, register: u32) {
        self.divisor = match u64::from(register >> 8) {
            // An integer part of zero means 65,536, without a fraction.
            0..PARTS => PARTS << 16,
            divisor => divisor,
        };
    }

    /// Returns whether it ticks in every cycle.
    pub(super) fn is_whole(&self) -> bool {
        self.divisor == PARTS
    }

    /// Returns the pace of the ticks from the next one on.
    pub(super) fn pace(&self) -> Pace {
        Pace { divisor: self.divisor, fraction: self.fraction }
    }

    /// Restarts with a tick in `cycle`.
    pub(super) fn restart(&mut self, cycle: u64) {
        self.next = cycle;
        self.fraction = 0;
    }

    /// Returns the first tick in `cycle` or later.
    #[inline]
    pub(super) fn next(&mut self, cycle: u64) -> u64 {
        if self.next < cycle {
            if self.divisor == PARTS {
                self.next = cycle;
            } else {
                self.skip(self.ticks_before(cycle));
            }
        }
        self.next
    }

    /// Returns the number of ticks from the next one on that come before `cycle`.
    pub(super) fn ticks_before(&self, cycle: u64) -> u64 {
        match cycle.saturating_sub(self.next) {
            0 => 0,
            // The first tick is early by `fraction`.
            cycles => (cycles * PARTS - self.fraction).div_ceil(self.divisor),
        }
    }

    /// Returns the cycle of the tick that comes `ticks` after the next one.
    #[inline]
    pub(super) fn after(&self, ticks: u64) -> u64 {
        self.next + self.pace().cycles(ticks)
    }

    /// Completes the next `ticks` ticks.
    #[inline]
    pub(super) fn skip(&mut self, ticks: u64) {
        let parts = self.fraction + ticks * self.divisor;
        self.next += parts / PARTS;
        self.fraction = parts % PARTS;
    }
}

/// The pace of a divider's ticks, counted from one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct Pace {
    divisor: u64,
    fraction: u64,
}

impl Pace {
    /// Returns the number of cycles after which the tick comes that is `ticks` later.
    #[inline]
    pub(in crate::chip) fn cycles(self, ticks: u64) -> u64 {
        (self.fraction + ticks * self.divisor) / PARTS
    }

    /// Returns the largest number of ticks that come within `cycles` cycles, of which there are at
    /// most 2^32.
    #[inline]
    pub(super) fn ticks_within(self, cycles: u32) -> u64 {
        (u64::from(cycles) * PARTS + PARTS - 1 - self.fraction) / self.divisor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Divider {
        fn with(register: u32) -> Self {
            let mut divider = Self::default();
            divider.set(register);
            divider
        }
    }

    fn ticks(register: u32, count: usize) -> Vec<u64> {
        let mut divider = Divider::with(register);
        let tick = |_| {
            let next = divider.next(0);
            divider.skip(1);
            next
        };
        (0..count).map(tick).collect()
    }

    #[test]
    fn a_fraction_spreads_its_longer_periods_evenly() {
        assert_eq!(ticks(0x0001_0000, 4), [0, 1, 2, 3]);
        assert_eq!(ticks(0x0003_0000, 4), [0, 3, 6, 9]);
        assert_eq!(ticks(0x0002_8000, 5), [0, 2, 5, 7, 10]);
        assert_eq!(ticks(0x0001_0100, 300)[255..258], [255, 257, 258]);
        assert_eq!(ticks(0, 3), [0, 65_536, 131_072]);
    }

    #[test]
    fn a_computed_tick_equals_the_counted_one() {
        for register in [0x0001_0000, 0x0001_0100, 0x0002_8000, 0x0007_FF00, 0x0123_4500, 0] {
            let all = ticks(register, 500);
            for cycle in (0..all[499].min(4000)).chain([all[498], all[498] + 1, all[499]]) {
                let mut divider = Divider::with(register);
                let expected = all.iter().find(|tick| **tick >= cycle);
                assert_eq!(Some(&divider.next(cycle)), expected, "{register:#x}, cycle {cycle}");
                // It continues from there as if it had counted.
                let counted = all.iter().filter(|tick| **tick < cycle).count();
                assert_eq!(Divider::with(register).ticks_before(cycle), counted as u64);
                assert_eq!(Divider::with(register).after(counted as u64), all[counted]);
                let within = Divider::with(register).pace().ticks_within(cycle as u32);
                assert_eq!(all.iter().rposition(|tick| *tick <= cycle), Some(within as usize));
                divider.skip(1);
                let after = all.iter().find(|tick| **tick > *expected.unwrap());
                if let Some(after) = after {
                    assert_eq!(divider.next(0), *after, "{register:#x}, after cycle {cycle}");
                }
            }
        }
    }
}
