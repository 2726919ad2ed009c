//! Reads numbers with their units: times (`250ms`, `1.5s`) and frequencies (`880Hz`).
//!
//! The module knows no verb; `sequence` decides which times may follow which.

use super::error::{AmountError, LineFault, TimeError};
use super::limits::LATEST;
use super::token::Word;
use virtual_time::{Instant, Nanos};

/// Units of time, with their number of nanoseconds.
const UNITS: [(&str, u64); 6] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// More digits than any valid time has (2⁶³ ns has 19), and few enough that nothing below overflows
/// 128 bits: 10²⁵ × 3.6·10¹² < 2¹²⁸.
const DIGITS_MAX: usize = 25;

/// Reads a time in the trace format: `250ms`, `1.5s`, `2min`.
///
/// # Errors
/// The error in `text`; never [`TimeError::SpanTooLate`].
pub fn parse_time(text: &str) -> Result<Nanos, TimeError> {
    read_time(text).map_err(|(_, error)| error)
}

/// Reads an absolute time in the trace format: the time since the first power-on.
///
/// # Errors
/// The error in `text`; never [`TimeError::SpanTooLate`].
pub fn parse_instant(text: &str) -> Result<Instant, TimeError> {
    parse_time(text).map(|span| Instant::START.saturating_add(span))
}

/// Returns whether a line that begins with `word` is meant to be a timed one.
pub(super) fn is_time_like(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
}

/// Reads a span, or the time since the first power-on: a number and its unit without a space
/// between them.
pub(super) fn time(word: Word<'_>) -> Result<Nanos, LineFault> {
    time_at(word.text, word.column)
}

/// Reads an absolute time: the time since the first power-on.
pub(super) fn instant(word: Word<'_>) -> Result<Instant, LineFault> {
    time(word).map(|span| Instant::START.saturating_add(span))
}

/// Reads a [`time`] from a text that begins in `column`.
pub(super) fn time_at(text: &str, column: u32) -> Result<Nanos, LineFault> {
    read_time(text).map_err(|(before, error)| LineFault::new(column + before, error))
}

/// Reads a time. The error has the number of characters before the wrong part.
fn read_time(text: &str) -> Result<Nanos, (u32, TimeError)> {
    let (number, unit) = split(text);
    let (whole, fraction) = digits(number).ok_or_else(|| (0, TimeError::NotATime(text.into())))?;
    if unit.is_empty() {
        return Err((0, TimeError::NoUnit(text.into())));
    }
    let Some(&(_, scale)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        // A number is ASCII.
        let before = number.len() as u32;
        return Err((before, TimeError::UnknownUnit { unit: unit.into() }));
    };

    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let too_late = || (0, TimeError::TooLate(text.into()));
    if whole.len() > DIGITS_MAX {
        return Err(too_late());
    }
    // Both have at most `DIGITS_MAX` digits; an empty one counts as 0.
    let value = |digits: &str| digits.parse::<u128>().unwrap_or(0);
    let scale = u128::from(scale);
    let parts = 10_u128.pow(fraction.len().min(DIGITS_MAX) as u32);
    // With more than 13 decimals not even an hour gives whole nanoseconds; 25 are certainly too
    // many.
    let scaled = if fraction.len() <= DIGITS_MAX { value(fraction) * scale } else { 1 };
    if scaled % parts != 0 {
        return Err((0, TimeError::NotWhole(text.into())));
    }
    match u64::try_from(value(whole) * scale + scaled / parts) {
        Ok(nanos) if nanos <= LATEST.0 => Ok(Nanos(nanos)),
        _ => Err(too_late()),
    }
}

/// Returns the end of `span` from `moment` on.
///
/// # Errors
/// [`TimeError::SpanTooLate`] if the end is after the end of virtual time.
pub(super) fn sum(moment: Instant, span: Nanos) -> Result<Instant, TimeError> {
    let sum = moment.checked_add(span).filter(|sum| *sum <= LATEST);
    sum.ok_or(TimeError::SpanTooLate { span, moment })
}

/// Reads a frequency in whole hertz, at least 1: `880Hz`.
pub(super) fn hertz(word: Word<'_>) -> Result<u32, LineFault> {
    let (number, unit) = split(word.text);
    let text = || word.text.to_owned();
    if !matches!(digits(number), Some((_, ""))) {
        return Err(LineFault::new(word.column, AmountError::NotAFrequency(text())));
    }
    match unit {
        "Hz" => {
            number.parse().ok().filter(|hertz| *hertz > 0).ok_or_else(|| {
                LineFault::new(word.column, AmountError::FrequencyOutOfRange(text()))
            })
        }
        "" => Err(LineFault::new(word.column, AmountError::NoFrequencyUnit(text()))),
        _ => {
            // A number is ASCII.
            let column = word.column + number.len() as u32;
            Err(LineFault::new(column, AmountError::UnknownFrequencyUnit(unit.to_owned())))
        }
    }
}

/// Splits into the number and, after its last digit or point, the unit.
fn split(text: &str) -> (&str, &str) {
    let number = |letter: char| letter.is_ascii_digit() || letter == '.';
    text.split_at(text.find(|letter| !number(letter)).unwrap_or(text.len()))
}

/// Returns the digits before and after the point; `None` unless there are digits on each side of
/// it.
fn digits(number: &str) -> Option<(&str, &str)> {
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (number, ""),
    };
    (!whole.is_empty() && !fraction.contains('.')).then_some((whole, fraction))
}

#[cfg(test)]
mod tests {
    use super::{Nanos, time_at};

    #[track_caller]
    fn check(text: &str, expected: Option<u64>) {
        assert_eq!(time_at(text, 1).ok(), expected.map(Nanos), "{text}");
    }

    #[test]
    fn every_unit_is_read_exactly() {
        check("40ns", Some(40));
        check("17us", Some(17_000));
        check("250ms", Some(250_000_000));
        check("1.5s", Some(1_500_000_000));
        check("2min", Some(120_000_000_000));
        check("0.000000001s", Some(1));
        check("1.50000000000000000000000000000000000000s", Some(1_500_000_000));
        check("0000000000000000000000000000000000000001ns", Some(1));
        check("0.00000000005min", Some(3));
    }

    #[test]
    fn time_ends_at_two_to_the_sixty_third() {
        check("9223372036854775807ns", Some(i64::MAX as u64));
        check("9223372036854775.807us", Some(i64::MAX as u64));
        check("9223372036854775808ns", None);
        check("9223372036.854775808s", None);
        check("99999999999999999999999999999999999999999999s", None);
        check("9999999999999999999999999min", None);
    }

    #[test]
    fn a_fraction_of_a_nanosecond_is_refused() {
        check("1.5ns", None);
        check("0.0000000001s", None);
        check("0.000000000000000000000000000000000000001s", None);
    }
}
