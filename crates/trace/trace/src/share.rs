//! A share of a whole, in ten-thousandths: a voltage as a part of 3.3 V, a duty cycle.

use core::fmt;

/// Number of decimals of a share between 0 and 1.
const DECIMALS: usize = 4;

/// A share of a whole, 0 to 1, in ten-thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Share(u16);

impl Share {
    pub const ZERO: Self = Self(0);
    pub const WHOLE: Self = Self(10_000);

    /// Returns the share of this number of ten-thousandths, at most the whole.
    pub const fn from_ten_thousandths(number: u16) -> Self {
        if number > Self::WHOLE.0 { Self::WHOLE } else { Self(number) }
    }

    /// Returns a share in percent, at most the whole.
    pub const fn from_percent(percent: u8) -> Self {
        Self::from_ten_thousandths(percent as u16 * 100)
    }

    /// Returns the nearest share to a fraction; below 0 is 0, above 1 is the whole.
    pub fn nearest(fraction: f64) -> Self {
        // The cast saturates, and NaN is 0.
        Self::from_ten_thousandths((fraction * f64::from(Self::WHOLE.0)).round() as u16)
    }

    pub const fn ten_thousandths(self) -> u16 {
        self.0
    }

    /// Returns the share as a number from 0 to 1.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WHOLE.0)
    }

    /// Returns the share as text in percent: `50%`, `12.5%`.
    pub fn percent(self) -> String {
        format!("{}%", decimal(self.0 / 100, self.0 % 100, 2))
    }

    /// Reads a number from 0 to 1 with at most four decimals.
    pub(super) fn read(text: &str) -> Result<Self, ShareError> {
        read(text, DECIMALS)
    }

    /// Reads a number from 0 to 100 with at most two decimals, and its `%`.
    pub(super) fn read_percent(text: &str) -> Result<Self, ShareError> {
        let number = text.strip_suffix('%').ok_or(ShareError::NotANumber)?;
        read(number, DECIMALS - 2)
    }
}

/// Writes a number from 0 to 1: `0.5`.
impl fmt::Display for Share {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = Self::WHOLE.0;
        out.pad(&decimal(self.0 / whole, self.0 % whole, DECIMALS))
    }
}

/// Reason why a text is no share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShareError {
    NotANumber,
    TooLarge,
}

/// Returns a number with its decimals, without zeros at the end.
fn decimal(whole: u16, part: u16, decimals: usize) -> String {
    match part {
        0 => whole.to_string(),
        part => format!("{whole}.{part:0decimals$}").trim_end_matches('0').to_owned(),
    }
}

/// Reads a number with at most `decimals` decimals, of which the last is a ten-thousandth.
fn read(text: &str, decimals: usize) -> Result<Share, ShareError> {
    let (whole, part) =
        text.split_once('.').map_or((text, None), |(whole, part)| (whole, Some(part)));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let part = part.unwrap_or("0");
    if !is_digits(whole) || !is_digits(part) || part.len() > decimals {
        return Err(ShareError::NotANumber);
    }
    let digits = format!("{whole}{part:0<decimals$}");
    // A number with more digits than fit is too large.
    let number = digits.parse::<u64>().unwrap_or(u64::MAX);
    match u16::try_from(number) {
        Ok(number) if number <= Share::WHOLE.0 => Ok(Share(number)),
        _ => Err(ShareError::TooLarge),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_share_is_read_as_it_is_written() {
        for number in 0..=Share::WHOLE.ten_thousandths() {
            let share = Share::from_ten_thousandths(number);
            assert_eq!(Share::read(&share.to_string()), Ok(share));
            assert_eq!(Share::read_percent(&share.percent()), Ok(share));
        }
        assert_eq!(Share::from_percent(50).to_string(), "0.5");
        assert_eq!(Share::from_ten_thousandths(1_250).percent(), "12.5%");
    }

    #[test]
    fn other_texts_are_no_shares() {
        for text in ["", ".5", "0.", "-1", "0.12345", "1e3", "0,5", "50%", "½"] {
            assert_eq!(Share::read(text), Err(ShareError::NotANumber), "{text}");
        }
        for text in ["1.0001", "2", "99999999999999999999999"] {
            assert_eq!(Share::read(text), Err(ShareError::TooLarge), "{text}");
        }
        assert_eq!(Share::read_percent("50"), Err(ShareError::NotANumber));
        assert_eq!(Share::read_percent("101%"), Err(ShareError::TooLarge));
        assert_eq!(Share::read("1.0000"), Ok(Share::WHOLE));
    }

    #[test]
    fn a_fraction_becomes_the_nearest_share() {
        let of = |fraction| Share::nearest(fraction).ten_thousandths();
        assert_eq!(
            [of(0.5), of(-1.0), of(7.0), of(f64::NAN), of(0.00004)],
            [5_000, 0, 10_000, 0, 0]
        );
    }
}
