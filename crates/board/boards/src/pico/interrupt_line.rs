//! The interrupt line of a touch controller: low during a touch, or a pulse for each report.
//!
//! A report is due when a finger comes, after each period while it stays, and when it leaves. A line
//! knows no controller and no pin; the caller asks for the level at each [`next`](Interrupt::next).

use rp2040_emulator::chip::Drive;
use virtual_time::{Instant, Nanos};

/// Duration of a pulse. The FT6206's data sheet has no number; a pulse of its boards is about 1 ms long.
pub(super) const PULSE: Nanos = Nanos::from_millis(1);
/// Shortest period of the reports, so that the line is high between two pulses.
const PERIOD_MIN: Nanos = Nanos::from_millis(2);

/// How the line reports a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InterruptMode {
    /// Low during a touch.
    Level,
    /// Low for [`PULSE`] at each report.
    Pulses { period: Nanos },
    /// Always high.
    Off,
}

/// An interrupt line.
#[derive(Clone, Debug)]
pub(super) struct Interrupt {
    level: Drive,
    /// Whether the last report was that of a finger.
    is_touched: bool,
    /// The pulse under way or the last one: its start. `None` after the report that the finger has left.
    pulse: Option<Instant>,
    /// Time of the next edge.
    next: Option<Instant>,
}

impl Interrupt {
    pub(super) fn new() -> Self {
        Self { level: Drive::High, is_touched: false, pulse: None, next: None }
    }

    /// Returns the time at which the level changes while the finger stays as it is.
    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Returns the level at `now`, if it is another one than at the last call.
    pub(super) fn change(
        &mut self,
        now: Instant,
        mode: InterruptMode,
        is_touched: bool,
    ) -> Option<Drive> {
        let level = match mode {
            InterruptMode::Pulses { period } => self.pulses(now, period, is_touched),
            InterruptMode::Level | InterruptMode::Off => {
                (self.is_touched, self.pulse, self.next) = (is_touched, None, None);
                if is_touched && mode == InterruptMode::Level { Drive::Low } else { Drive::High }
            }
        };
        (std::mem::replace(&mut self.level, level) != level).then_some(level)
    }

    fn pulses(&mut self, now: Instant, period: Nanos, is_touched: bool) -> Drive {
        let period = period.max(PERIOD_MIN);
        let due = match self.pulse {
            Some(began) if now < began.saturating_add(PULSE) => {
                self.next = Some(began.saturating_add(PULSE));
                return Drive::Low;
            }
            Some(began) if is_touched && self.is_touched => began.saturating_add(period),
            // A finger that leaves is reported at once.
            Some(began) => began.saturating_add(PERIOD_MIN),
            None => now,
        };
        if !is_touched && !self.is_touched {
            (self.pulse, self.next) = (None, None);
            return Drive::High;
        }
        if now < due {
            self.next = Some(due);
            return Drive::High;
        }
        self.is_touched = is_touched;
        self.pulse = Some(now);
        self.next = Some(now.saturating_add(PULSE));
        Drive::Low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PULSES: InterruptMode = InterruptMode::Pulses { period: Nanos::from_millis(12) };

    /// Returns the edges of a line, in milliseconds, while a finger is on the panel in this time.
    fn edges(mode: InterruptMode, touched: core::ops::Range<u64>, until: u64) -> Vec<(u64, bool)> {
        let mut line = Interrupt::new();
        let mut edges = Vec::new();
        let mut ms = 0;
        while ms < until {
            let now = Instant::from_millis(ms);
            if let Some(level) = line.change(now, mode, touched.contains(&ms)) {
                edges.push((ms, level == Drive::High));
            }
            let next = line.next().map_or(u64::MAX, |at| at.0 / 1_000_000);
            assert!(next > ms, "an edge at {next} ms is past at {ms} ms");
            let inputs = [touched.start, touched.end].into_iter().filter(|at| *at > ms);
            ms = inputs.chain([next, until]).min().unwrap_or(until);
        }
        edges
    }

    #[test]
    fn a_level_is_low_during_a_touch() {
        assert_eq!(edges(InterruptMode::Level, 5..30, 100), [(5, false), (30, true)]);
        assert_eq!(edges(InterruptMode::Off, 5..30, 100), []);
    }

    #[test]
    fn a_touch_has_a_pulse_for_each_report_and_one_at_its_end() {
        let pulses = [5, 17, 29, 36].map(|at| [(at, false), (at + 1, true)]).concat();
        assert_eq!(edges(PULSES, 5..36, 100), pulses);
        // The finger leaves at the end of a pulse: the line is high before the next one.
        assert_eq!(edges(PULSES, 4..5, 100), [(4, false), (5, true), (6, false), (7, true)]);
    }

    #[test]
    fn a_change_of_the_mode_takes_effect_during_a_touch() {
        let mut line = Interrupt::new();
        let at = Instant::from_millis;
        assert_eq!(line.change(at(1), InterruptMode::Level, true), Some(Drive::Low));
        assert_eq!(line.change(at(2), InterruptMode::Off, true), Some(Drive::High));
        assert_eq!(line.change(at(3), PULSES, true), Some(Drive::Low));
        assert_eq!(line.next(), Some(at(4)));
        assert_eq!(line.change(at(4), PULSES, true), Some(Drive::High));
        assert_eq!(line.next(), Some(at(15)));
        assert_eq!(line.change(at(5), InterruptMode::Level, true), Some(Drive::Low));
        assert_eq!(line.next(), None);
    }
}
