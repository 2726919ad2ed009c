//! The tone of a buzzer whose pin the program or a PIO toggles: the frequency of its rising edges.
//!
//! A tone is known after [`PERIODS`] periods, and counts from its first edge. A period that differs
//! from the tone's by more than [`SAME`] begins another tone.

/// Number of periods of which the frequency is the mean.
const PERIODS: u32 = 2;
/// Largest difference of two periods of the same tone, as a share: about half a semitone.
const SAME: f64 = 0.03;
/// Longest period in nanoseconds: 20 Hz is the lowest audible frequency.
const LONGEST_PERIOD: u64 = 50_000_000;

/// A change of the tone: its time in nanoseconds, and the frequency in hertz or silence.
pub(super) type Change = (u64, Option<u32>);

/// Measures the frequency of a pin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ToneMeter {
    high: bool,
    /// Time of the first and of the last rising edge of the current tone.
    rises: Option<(u64, u64)>,
    /// Number of periods between them.
    periods: u32,
    sounds: bool,
}

impl ToneMeter {
    /// Handles an edge. Returns the changes of the tone, in order of time.
    pub(super) fn edge(&mut self, ns: u64, high: bool) -> [Option<Change>; 2] {
        if !std::mem::replace(&mut self.high, high) & high {
            let ended = self.settle(ns);
            return [ended, self.rise(ns)];
        }
        [None, None]
    }

    fn rise(&mut self, ns: u64) -> Option<Change> {
        let Some((first, last)) = self.rises else {
            (self.rises, self.periods) = (Some((ns, ns)), 0);
            return None;
        };
        let period = (ns - last) as f64;
        let mean = (last - first) as f64 / f64::from(self.periods.max(1));
        if self.periods > 0 && (period - mean).abs() > mean * SAME {
            (self.rises, self.periods) = (Some((last, ns)), 1);
            return std::mem::take(&mut self.sounds).then_some((last, None));
        }
        (self.rises, self.periods) = (Some((first, ns)), self.periods.saturating_add(1));
        if self.periods == PERIODS {
            self.sounds = true;
            let hertz = f64::from(PERIODS) * 1e9 / (ns - first).max(1) as f64;
            return Some((first, Some(hertz.round() as u32)));
        }
        None
    }

    /// Returns the end of a tone whose next edge has not come by `now`.
    pub(super) fn settle(&mut self, now: u64) -> Option<Change> {
        let (first, last) = self.rises?;
        let period = match self.periods {
            0 => LONGEST_PERIOD,
            periods => 2 * (last - first) / u64::from(periods),
        };
        if now - last <= period.min(LONGEST_PERIOD) {
            return None;
        }
        (self.rises, self.periods) = (None, 0);
        // The last period was a whole one, as far as the edges show.
        let end = last.saturating_add(period / 2).min(now);
        std::mem::take(&mut self.sounds).then_some((end, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Toggles the pin with this half period in nanoseconds, and returns the changes and the end.
    fn toggle(meter: &mut ToneMeter, begin: u64, periods: u64, half: u64) -> (Vec<Change>, u64) {
        let edges = (0..2 * periods).map(|edge| (begin + edge * half, edge % 2 == 0));
        let changes = edges.flat_map(|(ns, high)| meter.edge(ns, high)).flatten().collect();
        (changes, begin + 2 * periods * half)
    }

    #[test]
    fn a_tone_has_the_frequency_of_its_edges_from_its_first_one_on() {
        let mut meter = ToneMeter::default();
        let (changes, end) = toggle(&mut meter, 1_000, 44, 1_136_364);
        assert_eq!(changes, [(1_000, Some(440))]);
        assert_eq!(meter.settle(end), None);
        assert_eq!(meter.settle(end + 3_000_000), Some((end, None)));
        assert_eq!(meter.settle(end + 90_000_000), None);
    }

    #[test]
    fn another_period_is_another_tone() {
        let mut meter = ToneMeter::default();
        let (_, end) = toggle(&mut meter, 0, 10, 500_000);
        let (changes, _) = toggle(&mut meter, end, 10, 250_000);
        assert_eq!(changes, [(end, None), (end, Some(2_000))]);
    }

    #[test]
    fn a_jitter_of_one_percent_is_the_same_tone() {
        let mut meter = ToneMeter::default();
        let rises = (0..100).map(|nth| nth * 1_000_000 + nth % 2 * 5_000);
        let edges = rises.flat_map(|ns| [(ns, true), (ns + 400_000, false)]);
        let changes: Vec<Change> =
            edges.flat_map(|(ns, high)| meter.edge(ns, high)).flatten().collect();
        assert_eq!(changes, [(0, Some(1_000))]);
    }

    #[test]
    fn a_single_pulse_is_no_tone() {
        let mut meter = ToneMeter::default();
        assert_eq!(toggle(&mut meter, 0, 2, 400_000).0, []);
        assert_eq!(meter.settle(900_000_000), None);
        assert_eq!(meter.edge(999_000_000, true), [None, None]);
    }
}
