//! Virtual time: whole nanoseconds since the first power-on of the simulated system.
//!
//! A point in time is an [`Instant`], a span is [`Nanos`]; models take the current [`Instant`] as
//! an argument. Neither has operators: arithmetic that saturates says so in its name. Neither knows
//! a wall clock: a program that runs a model at real speed maps the two onto each other.
//!
//! [`Random`] is the other thing that a model takes as an argument: chance, from a seed.
//! [`spoken()`] formats a span for a message.

pub mod random;
mod spoken;

pub use random::Random;
pub use spoken::spoken;

use core::fmt;

/// A point in virtual time, in nanoseconds since the first power-on (0 ≤ n < 2⁶⁴, about 584 years).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(pub u64);

impl Instant {
    /// Time of the first power-on.
    pub const START: Self = Self(0);
    /// Later than any event.
    pub const NEVER: Self = Self(u64::MAX);

    /// Returns the time `micros` microseconds after the first power-on; at most [`Instant::NEVER`].
    pub const fn from_micros(micros: u64) -> Self {
        Self(Nanos::from_micros(micros).0)
    }

    /// Returns the time `millis` milliseconds after the first power-on; at most [`Instant::NEVER`].
    pub const fn from_millis(millis: u64) -> Self {
        Self(Nanos::from_millis(millis).0)
    }

    /// Returns the time `seconds` seconds after the first power-on; at most [`Instant::NEVER`].
    pub const fn from_secs(seconds: u64) -> Self {
        Self(Nanos::from_secs(seconds).0)
    }

    /// Returns whole microseconds since the first power-on, rounded down.
    pub const fn as_micros(self) -> u64 {
        self.since_start().as_micros()
    }

    /// Returns seconds since the first power-on as a fraction, for people to read.
    pub fn as_secs_f64(self) -> f64 {
        self.since_start().as_secs_f64()
    }

    /// Returns the span from the first power-on to this time.
    #[must_use]
    pub const fn since_start(self) -> Nanos {
        Nanos(self.0)
    }

    /// Returns the span from `earlier` to `self`; zero if `earlier` is later.
    #[must_use]
    pub const fn saturating_since(self, earlier: Self) -> Nanos {
        Nanos(self.0.saturating_sub(earlier.0))
    }

    /// Returns the time `span` later; at most [`Instant::NEVER`], so that "never" plus a delay is
    /// still never.
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, span: Nanos) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// Returns the time `span` earlier; at least [`Instant::START`].
    #[must_use]
    pub const fn saturating_sub(self, span: Nanos) -> Self {
        Self(self.0.saturating_sub(span.0))
    }

    /// Returns the time `span` later, or `None` past 2⁶⁴ ns.
    pub const fn checked_add(self, span: Nanos) -> Option<Self> {
        match self.0.checked_add(span.0) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }
}

/// Writes the span since the first power-on, in the form of [`Nanos`].
impl fmt::Display for Instant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.since_start().fmt(out)
    }
}

/// A span of virtual time, in nanoseconds (0 ≤ n < 2⁶⁴, about 584 years).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub u64);

impl Nanos {
    /// Zero span.
    pub const ZERO: Self = Self(0);
    /// Longer than any span of a simulation.
    pub const MAX: Self = Self(u64::MAX);

    /// Returns `micros` microseconds; saturates at [`Nanos::MAX`].
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros.saturating_mul(1_000))
    }

    /// Returns `millis` milliseconds; saturates at [`Nanos::MAX`].
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    /// Returns `seconds` seconds; saturates at [`Nanos::MAX`].
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1_000_000_000))
    }

    /// Returns whole microseconds, rounded down, as the Pico's 1 MHz timer shows them.
    pub const fn as_micros(self) -> u64 {
        self.0 / 1_000
    }

    /// Returns seconds as a fraction, for people to read.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Returns the sum; at most [`Nanos::MAX`].
    #[must_use]
    pub const fn saturating_add(self, span: Self) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// Returns the difference; zero if `span` is longer.
    #[must_use]
    pub const fn saturating_sub(self, span: Self) -> Self {
        Self(self.0.saturating_sub(span.0))
    }

    /// Returns the sum, or `None` past 2⁶⁴ ns.
    pub const fn checked_add(self, span: Self) -> Option<Self> {
        match self.0.checked_add(span.0) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }
}

/// Writes the shortest exact form with one unit: `250ms`, `1.5s`, `17us`, `40ns`.
impl fmt::Display for Nanos {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 4] =
            [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns")];
        if self.0 == 0 {
            return out.write_str("0ms");
        }
        // At most three decimals: `1.25s` is shorter than `1250ms`, but `1.2500001s` is hard to
        // read.
        for (scale, unit) in UNITS {
            let (whole, rest) = (self.0 / scale, self.0 % scale);
            if whole > 0 && (scale == 1 || rest % (scale / 1_000) == 0) {
                write!(out, "{whole}")?;
                if rest > 0 {
                    let decimals = format!("{:03}", rest / (scale / 1_000));
                    write!(out, ".{}", decimals.trim_end_matches('0'))?;
                }
                return out.write_str(unit);
            }
        }
        write!(out, "{}ns", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Instant, Nanos};

    #[test]
    fn a_time_is_written_in_its_shortest_exact_form() {
        for (nanos, text) in [
            (0, "0ms"),
            (40, "40ns"),
            (17_000, "17us"),
            (250_000_000, "250ms"),
            (1_500_000_000, "1.5s"),
            (12_345_000_000, "12.345s"),
            (12_345_678_000, "12345.678ms"),
            (12_345_678_901, "12345678.901us"),
            (u64::MAX, "18446744073709551.615us"),
        ] {
            assert_eq!(Nanos(nanos).to_string(), text);
            assert_eq!(Instant(nanos).to_string(), text);
        }
    }

    #[test]
    fn instants_saturate_at_both_ends() {
        let (early, late) = (Instant::from_millis(3), Instant::from_millis(8));
        assert_eq!(late.saturating_since(early), Nanos::from_millis(5));
        assert_eq!(early.saturating_since(late), Nanos::ZERO);
        assert_eq!(early.saturating_add(Nanos::from_millis(5)), late);
        assert_eq!(late.saturating_sub(Nanos::from_millis(5)), early);
        assert_eq!(early.saturating_sub(Nanos::from_millis(5)), Instant::START);
        assert_eq!(Instant::NEVER.saturating_add(Nanos(1)), Instant::NEVER);
        assert_eq!(Instant::NEVER.checked_add(Nanos(1)), None);
    }

    #[test]
    fn spans_saturate_at_both_ends() {
        let (short, long) = (Nanos::from_millis(3), Nanos::from_millis(8));
        assert_eq!(long.saturating_sub(short), Nanos::from_millis(5));
        assert_eq!(short.saturating_sub(long), Nanos::ZERO);
        assert_eq!(Nanos::MAX.saturating_add(short), Nanos::MAX);
        assert_eq!(Nanos::MAX.checked_add(short), None);
    }
}
