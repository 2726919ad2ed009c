//! Virtual time: whole nanoseconds since the first power-on of what is simulated.
//!
//! [`Nanos`] is the time that models take as an argument. It knows no wall clock: a program that runs a
//! model at the speed of one maps the two onto each other.

use core::fmt;
use core::ops::{Add, AddAssign, Sub};

/// A moment, or a span, of virtual time in nanoseconds (0 ≤ n < 2⁶⁴, about 584 years).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub u64);

impl Nanos {
    /// The first power-on.
    pub const ZERO: Self = Self(0);
    /// Later than anything that happens.
    pub const MAX: Self = Self(u64::MAX);

    /// `micros` microseconds; saturates at [`Nanos::MAX`].
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros.saturating_mul(1_000))
    }

    /// `millis` milliseconds; saturates at [`Nanos::MAX`].
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    /// `seconds` seconds; saturates at [`Nanos::MAX`].
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1_000_000_000))
    }

    /// Whole microseconds, rounded down: what the Pico's 1 MHz timer shows.
    pub const fn as_micros(self) -> u64 {
        self.0 / 1_000
    }

    /// Seconds as a fraction, for people to read.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The span from `earlier` to `self`, or zero if `earlier` is the later one.
    pub const fn saturating_sub(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }

    /// The sum, or `None` past 2⁶⁴ ns.
    pub const fn checked_add(self, span: Self) -> Option<Self> {
        match self.0.checked_add(span.0) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }
}

/// Saturates at [`Nanos::MAX`], so that "never" plus a delay is still never.
impl Add for Nanos {
    type Output = Self;
    fn add(self, span: Self) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl AddAssign for Nanos {
    fn add_assign(&mut self, span: Self) {
        *self = *self + span;
    }
}

/// Saturates at zero.
impl Sub for Nanos {
    type Output = Self;
    fn sub(self, earlier: Self) -> Self {
        self.saturating_sub(earlier)
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
        // At most three decimals: `1.25s` is shorter than `1250ms`, `1.2500001s` is not legible.
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
    use super::Nanos;

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
        }
    }
}
