//! A timer that paces channels: X pulses in Y cycles of the system clock.

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PaceTimer {
    /// X in the upper half, Y in the lower.
    fraction: u32,
    since: u64,
    /// Number of pulses since `start`.
    pulses: u64,
}

impl PaceTimer {
    pub(super) fn fraction(self) -> u32 {
        self.fraction
    }

    /// Restarts at `cycle`.
    pub(super) fn set(&mut self, fraction: u32, cycle: u64) {
        *self = Self { fraction, since: cycle, pulses: 0 };
    }

    /// Returns X and Y. X is limited to Y, because there is at most one pulse per cycle.
    fn rate(self) -> Option<(u64, u64)> {
        let (x, y) = (u64::from(self.fraction >> 16), u64::from(self.fraction & 0xFFFF));
        (x != 0 && y != 0).then_some((x.min(y), y))
    }

    /// Returns the number of pulses from the last call until `cycle`, at most `u32::MAX`.
    pub(super) fn advance(&mut self, cycle: u64) -> u32 {
        let Some((x, y)) = self.rate() else { return 0 };
        let elapsed = cycle.saturating_sub(self.since);
        let pulses = elapsed / y * x + elapsed % y * x / y;
        let fresh = pulses.saturating_sub(self.pulses);
        self.pulses = self.pulses.max(pulses);
        u32::try_from(fresh).unwrap_or(u32::MAX)
    }

    /// Returns the cycle of the next pulse.
    pub(super) fn next(self) -> u64 {
        self.rate().map_or(u64::MAX, |(x, y)| {
            let next = self.pulses + 1;
            self.since + next / x * y + (next % x * y).div_ceil(x)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulses_come_at_the_predicted_cycles_and_rate() {
        for (x, y) in [(1, 1), (1, 1000), (2, 3), (5, 7), (65_535, 65_535), (9, 2)] {
            let mut timer = PaceTimer::default();
            timer.set(x << 16 | y, 10);
            for _ in 0..20 {
                let next = timer.next();
                assert_eq!(timer.advance(next - 1), 0, "{x}/{y} before {next}");
                assert_eq!(timer.advance(next), 1, "{x}/{y} at {next}");
            }
        }
        let mut timer = PaceTimer::default();
        timer.set(2 << 16 | 3, 0);
        assert_eq!(timer.advance(3_000_000), 2_000_000);
    }

    #[test]
    fn a_fraction_with_a_zero_never_pulses() {
        for fraction in [0, 5, 5 << 16] {
            let mut timer = PaceTimer::default();
            timer.set(fraction, 0);
            assert_eq!((timer.advance(1_000_000), timer.next()), (0, u64::MAX));
        }
    }
}
