//! Conversion between cycles and nanoseconds at a fixed frequency.
//!
//! Both counts begin at the same time, which the caller chooses; a [`Rate`] stores no time.

use super::time::shift;

const NS: u64 = 1_000_000_000;

/// A clock's frequency; zero for a stopped clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::chip) struct Rate {
    hz: u64,
    /// Binary logarithm of a cycle's duration in nanoseconds, if that is a power of two: a shift
    /// replaces the division.
    shift: Option<u32>,
}

impl Rate {
    pub(in crate::chip) fn new(hz: Option<u64>) -> Self {
        Self { hz: hz.unwrap_or(0), shift: hz.filter(|hz| *hz != 0).and_then(shift) }
    }

    pub(in crate::chip) fn hz(self) -> u64 {
        self.hz
    }

    pub(in crate::chip) fn runs(self) -> bool {
        self.hz != 0
    }

    /// Returns the duration of `cycles` in nanoseconds, rounded down; `u64::MAX` for a stopped
    /// clock.
    pub(in crate::chip) fn ns(self, cycles: u64) -> u64 {
        if let Some(shift) = self.shift
            && cycles < 1 << 32
        {
            return cycles << shift;
        }
        match cycles.checked_mul(NS) {
            _ if self.hz == 0 => u64::MAX,
            // The usual case: 64-bit divisions are several times faster than 128-bit ones.
            Some(product) => product / self.hz,
            None => {
                let ns = u128::from(cycles) * u128::from(NS) / u128::from(self.hz);
                u64::try_from(ns).unwrap_or(u64::MAX)
            }
        }
    }

    /// Returns the number of complete cycles at `ns`: the largest for which [`ns`](Self::ns) is at
    /// most `ns`.
    pub(in crate::chip) fn cycles(self, ns: u64) -> u64 {
        if self.hz == 0 {
            return 0;
        }
        // Cycles that end within this nanosecond are complete at its end, not before.
        let end = ns.saturating_add(1);
        match end.checked_mul(self.hz) {
            Some(product) => product.div_ceil(NS) - 1,
            None => {
                let over = (u128::from(end) * u128::from(self.hz)).div_ceil(u128::from(NS)) - 1;
                u64::try_from(over).unwrap_or(u64::MAX)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_and_nanoseconds_convert_both_ways() {
        for hz in [1, 6_500_000, 125_000_000, 133_000_000, 999_999_937] {
            let rate = Rate::new(Some(hz));
            for cycles in [0, 1, 2, 7, 1_000_003, 1 << 34, (1 << 34) + 1] {
                assert_eq!(rate.cycles(rate.ns(cycles)), cycles, "{cycles} cycles at {hz} Hz");
            }
        }
    }

    #[test]
    fn a_cycle_counts_when_it_is_complete() {
        let rate = Rate::new(Some(125_000_000));
        assert_eq!([0, 7, 8, 15, 16].map(|ns| rate.cycles(ns)), [0, 0, 1, 1, 2]);
    }

    #[test]
    fn a_stopped_clock_completes_no_cycle() {
        let rate = Rate::new(None);
        assert_eq!(rate.cycles(u64::MAX), 0);
        assert_eq!(rate.ns(1), u64::MAX);
    }
}
