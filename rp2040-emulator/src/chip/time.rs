//! Conversion between the cores' cycles and nanoseconds, across changes of the system clock.

/// A cycle and its nanosecond at the last change of frequency, and the frequency since then.
#[derive(Clone, Debug)]
pub(in crate::chip) struct Time {
    cycle: u64,
    ns: u64,
    hz: u64,
    /// Binary logarithm of a cycle's duration in nanoseconds, if that is a power of two: a shift
    /// replaces a slow division.
    shift: Option<u32>,
}

const NS: u128 = 1_000_000_000;

impl Time {
    /// Creates a time with both counts at zero.
    pub(in crate::chip) fn new(hz: u64) -> Self {
        Self { cycle: 0, ns: 0, hz, shift: shift(hz) }
    }

    /// Returns the nanoseconds since power-on, rounded down.
    #[inline]
    pub(in crate::chip) fn ns(&self, cycle: u64) -> u64 {
        let cycles = cycle.saturating_sub(self.cycle);
        self.ns.saturating_add(match self.shift {
            Some(shift) => cycles.saturating_mul(1 << shift),
            None => self.lasts(cycles),
        })
    }

    /// Returns the duration of cycles in nanoseconds, rounded down.
    fn lasts(&self, cycles: u64) -> u64 {
        // The usual case: 64-bit divisions are several times faster than 128-bit ones.
        match cycles.checked_mul(NS as u64) {
            Some(product) => product / self.hz,
            None => clamped(u128::from(cycles) * NS / u128::from(self.hz)),
        }
    }

    /// Returns the first cycle at which [`ns`](Self::ns) is at least `ns`.
    pub(in crate::chip) fn cycle(&self, ns: u64) -> u64 {
        if ns == u64::MAX {
            return u64::MAX;
        }
        let rest = ns.saturating_sub(self.ns);
        self.cycle.saturating_add(match self.shift {
            Some(shift) => (rest >> shift) + u64::from(rest.trailing_zeros() < shift),
            None => match rest.checked_mul(self.hz) {
                Some(product) => product.div_ceil(NS as u64),
                None => clamped((u128::from(rest) * u128::from(self.hz)).div_ceil(NS)),
            },
        })
    }

    /// Converts `ns` nanoseconds to cycles, if that is a whole number.
    pub(in crate::chip) fn whole_cycles(&self, ns: u64) -> Option<u64> {
        let product = ns.checked_mul(self.hz)?;
        product.is_multiple_of(NS as u64).then_some(product / NS as u64)
    }

    /// Passes time to `ns` without a cycle, while the system clock stands still at `cycle`.
    pub(in crate::chip) fn pass(&mut self, cycle: u64, ns: u64) {
        *self = Self { cycle, ns, ..self.clone() };
    }

    /// Changes the frequency of the system clock at `cycle`.
    pub(in crate::chip) fn change(&mut self, cycle: u64, hz: u64) {
        if hz != self.hz {
            *self = Self { ns: self.ns(cycle), cycle, hz, shift: shift(hz) };
        }
    }
}

/// Returns the binary logarithm of a cycle's duration in nanoseconds, if that is a power of two: 3
/// for 125 MHz, whose cycles last 8 ns.
pub(in crate::chip) fn shift(hz: u64) -> Option<u32> {
    let ns = (NS as u64).checked_div(hz)?;
    (ns * hz == NS as u64 && ns.is_power_of_two()).then(|| ns.trailing_zeros())
}

/// Converts a count, saturating at `u64::MAX`.
fn clamped(count: u128) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_and_nanoseconds_convert_both_ways() {
        let mut time = Time::new(6_500_000);
        time.change(1000, 125_000_000);
        for ns in [153_850, 160_000, 1_000_007, 999_999_999] {
            let cycle = time.cycle(ns);
            assert!(time.ns(cycle) >= ns, "{ns} ns");
            assert!(time.ns(cycle - 1) < ns, "{ns} ns");
        }
    }

    #[test]
    fn time_saturates() {
        let slow = Time::new(1);
        assert_eq!(slow.ns(u64::MAX), u64::MAX);
        let fast = Time::new(2_000_000_000);
        assert_eq!(fast.cycle(u64::MAX - 1), u64::MAX);
    }

    #[test]
    fn a_change_of_frequency_leaves_earlier_times_unchanged() {
        let mut time = Time::new(1_000_000);
        time.change(5, 2_000_000);
        assert_eq!(time.ns(5), 5_000);
        assert_eq!(time.ns(7), 6_000);
    }
}
