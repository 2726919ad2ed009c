//! The clock of a touch controller's bus, and the fastest one that the controller takes.

use core::fmt;

/// Duration of the shortest byte on a bus, with its pause.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByteTimes {
    /// End of the byte before in the same transfer, in nanoseconds.
    before: Option<u64>,
    shortest: Option<u64>,
}

impl ByteTimes {
    /// Begins a transfer, whose first byte is not measured.
    pub(super) fn begin(&mut self) {
        self.before = None;
    }

    /// Handles the end of a byte.
    pub(super) fn end(&mut self, ns: u64) {
        if let Some(before) = self.before.replace(ns) {
            let lasted = ns.saturating_sub(before);
            self.shortest = Some(self.shortest.map_or(lasted, |shortest| shortest.min(lasted)));
        }
    }
}

/// The fastest clock that a controller takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClockLimit {
    /// Name of the clock in the datasheet.
    pub(super) clock: &'static str,
    /// Clocks of a byte.
    pub(super) clocks: u64,
    pub(super) khz: u64,
    /// Datasheet and section.
    pub(super) source: &'static str,
}

impl ClockLimit {
    /// Returns the clock of the shortest byte, if it is faster than the limit.
    pub(super) fn broken_by(self, times: ByteTimes) -> Option<TooFast> {
        // A bit has a whole number of nanoseconds less than one of the limit.
        let lasted = times.shortest?.saturating_add(self.clocks);
        let khz = self.clocks.saturating_mul(1_000_000) / times.shortest?.max(1);
        (lasted.saturating_mul(self.khz) < self.clocks.saturating_mul(1_000_000))
            .then_some(TooFast { limit: self, khz })
    }
}

/// A clock that is faster than its limit. The text is the end of a sentence about the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooFast {
    limit: ClockLimit,
    /// Average during the shortest byte.
    khz: u64,
}

impl fmt::Display for TooFast {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, khz } = self;
        let (clock, source) = (limit.clock, limit.source);
        let (is, most) = (Khz(*khz), Khz(limit.khz));
        write!(out, "gets {clock} with {is}; at most {most} are specified ({source})")
    }
}

/// A frequency in kilohertz.
struct Khz(u64);

impl fmt::Display for Khz {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            khz @ ..1_000 => write!(out, "{khz} kHz"),
            khz => write!(out, "{}.{} MHz", khz / 1_000, khz % 1_000 / 100),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clock_above_the_limit_breaks_it() {
        let limit = ClockLimit { clock: "DCLK", clocks: 8, khz: 2_500, source: "a section" };
        let of_byte = |lasted| {
            let mut times = ByteTimes::default();
            times.begin();
            for byte in 1..3 {
                times.end(1_000_000 * byte);
                times.end(1_000_000 * byte + lasted);
            }
            limit.broken_by(times).map(|broken| broken.to_string())
        };
        for lasted in [3_200, 3_192, 8_000, 900_000] {
            assert_eq!(of_byte(lasted), None);
        }
        let sentence = "gets DCLK with 15.6 MHz; at most 2.5 MHz are specified (a section)";
        assert_eq!(of_byte(512).as_deref(), Some(sentence));
        assert!(of_byte(3_191).is_some());
        let mut first = ByteTimes::default();
        first.begin();
        first.end(100);
        assert_eq!(limit.broken_by(first), None, "one byte has no duration");
    }
}
