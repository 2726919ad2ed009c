//! The duty cycle of a pin, measured from its edges.
//!
//! A period begins with a rising edge. A level that lasts longer than [`LONGEST_PERIOD`] is no part
//! of a wave.

use trace::Share;

/// Longest period of a wave in nanoseconds: slower changes are visible as blinking.
pub(super) const LONGEST_PERIOD: u64 = 20_000_000;

/// A change of what a pin's LED shows: its time in nanoseconds, and the share of the time in which
/// it is on.
pub(super) type Change = (u64, Share);

/// Measures the duty cycle of a pin.
#[derive(Clone, Copy, Debug)]
pub(super) struct DutyMeter {
    /// Whether a wave is averaged. Otherwise each level is a state of its own.
    averages: bool,
    on: bool,
    /// Time of the last edge, if a wave may be in progress.
    edge: Option<u64>,
    /// Time of the last edge to on, if the wave has had one.
    rise: Option<u64>,
    /// Time on in the current period.
    high: u64,
}

impl DutyMeter {
    pub(super) const fn new(averages: bool) -> Self {
        Self { averages, on: false, edge: None, rise: None, high: 0 }
    }

    /// Handles an edge. Returns the new state, if it is known.
    pub(super) fn edge(&mut self, ns: u64, on: bool) -> Option<Change> {
        if on == self.on {
            return None;
        }
        self.on = on;
        if !self.averages {
            return Some((ns, level(on)));
        }
        let last = self.edge.replace(ns);
        let is_wave = last.is_some_and(|last| ns - last <= LONGEST_PERIOD);
        if !is_wave {
            // The first edge after a steady level.
            (self.rise, self.high) = (on.then_some(ns), 0);
            return Some((ns, level(on)));
        }
        if !on {
            self.high = ns - last.unwrap_or(ns);
            return None;
        }
        let period = self.rise.replace(ns).map(|rise| ns - rise)?;
        Some((ns, Share::nearest(self.high as f64 / period as f64)))
    }

    /// Returns the state of a level that has lasted longer than a wave can, up to `now`.
    pub(super) fn settle(&mut self, now: u64) -> Option<Change> {
        let end = self.edge.filter(|_| self.averages)?.saturating_add(LONGEST_PERIOD);
        if end >= now {
            return None;
        }
        (self.edge, self.rise) = (None, None);
        Some((end, level(self.on)))
    }

    /// Continues with a steady level, whose state it returns.
    pub(super) fn restart(&mut self, on: bool) -> Share {
        *self = Self { on, ..Self::new(self.averages) };
        level(on)
    }
}

fn level(on: bool) -> Share {
    if on { Share::WHOLE } else { Share::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the states of a wave in percent, with their times in microseconds: `periods` of
    /// these microseconds on and off.
    fn wave(
        meter: &mut DutyMeter,
        begin: u64,
        periods: u64,
        on: u64,
        off: u64,
    ) -> Vec<(u64, String)> {
        let edges = (0..periods).flat_map(|period| {
            let rise = begin + period * (on + off);
            [(rise, true), (rise + on, false)]
        });
        let changes = edges.filter_map(|(us, on)| meter.edge(us * 1_000, on));
        changes.map(|(ns, share)| (ns / 1_000, share.percent())).collect()
    }

    #[test]
    fn a_wave_has_its_duty_cycle_from_its_first_period_on() {
        let mut meter = DutyMeter::new(true);
        let changes = wave(&mut meter, 1_000, 3, 250, 750);
        let shares: Vec<&str> = changes.iter().map(|(_, share)| share.as_str()).collect();
        assert_eq!(shares, ["100%", "25%", "25%"]);
        assert_eq!(changes[1].0, 2_000);
    }

    #[test]
    fn a_level_that_stays_ends_the_wave() {
        let mut meter = DutyMeter::new(true);
        wave(&mut meter, 0, 3, 500, 500);
        assert_eq!(meter.settle(22_499_000), None);
        assert_eq!(meter.settle(22_501_000), Some((22_500_000, Share::ZERO)));
        assert_eq!(meter.settle(99_000_000), None);
        // A new wave begins with its level.
        assert_eq!(meter.edge(100_000_000, true), Some((100_000_000, Share::WHOLE)));
    }

    #[test]
    fn a_blinking_led_is_on_and_off() {
        let mut meter = DutyMeter::new(true);
        let changes = wave(&mut meter, 0, 2, 300_000, 300_000);
        let shares: Vec<&str> = changes.iter().map(|(_, share)| share.as_str()).collect();
        assert_eq!(shares, ["100%", "0%", "100%", "0%"]);
    }

    #[test]
    fn levels_without_averages_are_states() {
        let mut meter = DutyMeter::new(false);
        let changes = wave(&mut meter, 0, 2, 1, 1);
        let shares: Vec<&str> = changes.iter().map(|(_, share)| share.as_str()).collect();
        assert_eq!(shares, ["100%", "0%", "100%", "0%"]);
        assert_eq!(meter.settle(99_000_000), None);
    }
}
