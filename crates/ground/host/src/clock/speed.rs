//! The speed of virtual time relative to real time.

use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use virtual_time::Nanos;

/// The speed of virtual time; 1 is real time. Stored in thousandths, so that pacing is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Speed(u32);

impl Speed {
    /// A hundredth of real time.
    pub const MIN: Self = Self(10);
    /// Real time.
    pub const REAL: Self = Self(1_000);
    /// Ten times real time.
    pub const TEN: Self = Self(10_000);
    /// A hundred times real time.
    pub const MAX: Self = Self(100_000);

    /// Returns the speed `thousandths` / 1000 of real time; `None` outside 0.01 to 100.
    pub fn from_thousandths(thousandths: u32) -> Option<Self> {
        let speed = Self(thousandths);
        (Self::MIN..=Self::MAX).contains(&speed).then_some(speed)
    }

    /// Returns the next speed of 1, 2, 5, 10, 20… hundredths; after the last, the fastest.
    #[must_use]
    pub fn faster(self) -> Self {
        Self(Self::STEPS.into_iter().find(|step| *step > self.0).unwrap_or(Self::MAX.0))
    }

    /// Returns the previous speed of 1, 2, 5, 10, 20… hundredths; before the first, the slowest.
    #[must_use]
    pub fn slower(self) -> Self {
        Self(Self::STEPS.into_iter().rev().find(|step| *step < self.0).unwrap_or(Self::MIN.0))
    }

    const STEPS: [u32; 13] =
        [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];

    /// Returns the factor times a thousand: 10 to 100,000.
    pub fn thousandths(self) -> u32 {
        self.0
    }

    /// Returns the virtual time that passes in `wall`.
    pub fn virtual_span(self, wall: Duration) -> Nanos {
        let nanos = wall.as_nanos() * u128::from(self.0) / 1_000;
        Nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// Returns the wall time that `span` of virtual time takes, rounded up.
    pub fn wall_span(self, span: Nanos) -> Duration {
        let nanos = (u128::from(span.0) * 1_000).div_ceil(u128::from(self.0));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

impl Default for Speed {
    fn default() -> Self {
        Self::REAL
    }
}

/// Writes the factor without needless decimals: `1`, `0.5`, `12.25`.
impl fmt::Display for Speed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0 / 1_000)?;
        match self.0 % 1_000 {
            0 => Ok(()),
            rest => write!(out, ".{}", format!("{rest:03}").trim_end_matches('0')),
        }
    }
}

/// An invalid speed; the text names the allowed ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeedError(String);

impl fmt::Display for SpeedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is no speed; a speed is a factor from 0.01 to 100, 1 = real time", self.0)
    }
}

impl std::error::Error for SpeedError {}

/// Parses `0.01` to `100`; the fourth decimal is rounded.
impl FromStr for Speed {
    type Err = SpeedError;

    fn from_str(text: &str) -> Result<Self, SpeedError> {
        let wrong = || SpeedError(text.chars().take(40).collect());
        let factor: f64 = text.trim().parse().map_err(|_| wrong())?;
        let thousandths = (factor * 1_000.0).round();
        // Also false for NaN.
        if !(f64::from(Self::MIN.0)..=f64::from(Self::MAX.0)).contains(&thousandths) {
            return Err(wrong());
        }
        Ok(Self(thousandths as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_speeds_from_a_hundredth_to_a_hundred_are_accepted() {
        for (text, thousandths) in
            [("0.01", 10), ("0.1", 100), ("1", 1_000), ("2.5", 2_500), ("100", 100_000)]
        {
            let speed: Speed = text.parse().unwrap();
            assert_eq!((speed.thousandths(), speed.to_string().as_str()), (thousandths, text));
        }
        for text in ["0", "-1", "0.009", "100.1", "NaN", "inf", "fast", "", "1x", "1e9"] {
            let error = text.parse::<Speed>().unwrap_err().to_string();
            assert!(error.contains("from 0.01 to 100"), "{error}");
        }
    }

    #[test]
    fn steps_lead_from_the_slowest_to_the_fastest_and_back() {
        let mut speed = Speed::MIN;
        for _ in 0..6 {
            speed = speed.faster();
        }
        assert_eq!(speed, Speed::REAL);
        assert_eq!(Speed(1_300).faster(), Speed(2_000));
        assert_eq!(Speed(1_300).slower(), Speed::REAL);
        assert_eq!((Speed::MAX.faster(), Speed::MIN.slower()), (Speed::MAX, Speed::MIN));
    }
}
