//! Numbers with units: sizes, frequencies, times, shares, angles, pixels.

use core::fmt;

use serde_json::{Value as Json, json};

use crate::error::BoardErrorKind;
use crate::limits::DISPLAY_SIDE_MAX;
use crate::reader::{Entry, Raw, Reader, quoted};
use crate::table::value::is_decimal;
use crate::table::{Value, wrong_type};

/// Maximum number of digits before and after the decimal point.
const DIGITS_MAX: usize = 12;

/// Units of a quantity, smallest first, each with its size in the smallest.
type Units = &'static [(&'static str, u64)];

const BYTES: Units = &[("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];
const HERTZ: Units = &[("Hz", 1), ("kHz", 1_000), ("MHz", 1_000_000)];
const TIME: Units = &[("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
const BAUD: Units = &[("baud", 1)];
const PERCENT: Units = &[("%", 1)];
const DEGREES: Units = &[("deg", 1)];

/// Defines a quantity: the name, its units, an example.
macro_rules! quantity {
    ($(#[doc = $doc:literal])+ $Quantity:ident, $noun:literal, $units:ident, $example:literal) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $Quantity<const MIN: u64, const MAX: u64>(pub u64);

        impl<const MIN: u64, const MAX: u64> Value for $Quantity<MIN, MAX> {
            fn shape() -> String {
                format!("{}: `\"{}\"` to `\"{}\"`", $noun, Self(MIN), Self(MAX))
            }

            fn example() -> String {
                format!("\"{}\"", $example)
            }

            fn json() -> Json {
                let units: Vec<&str> = $units.iter().map(|(unit, _)| *unit).collect();
                let pattern = format!("^[0-9]+(\\.[0-9]+)? ?({})$", units.join("|"));
                json!({ "type": "string", "pattern": pattern })
            }

            fn fallback() -> Option<Self> {
                Some(Self(MIN))
            }

            fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
                let value = number::<Self>(entry, $units, reader)?;
                if (MIN..=MAX).contains(&value) {
                    return Some(Self(value));
                }
                let kind = BoardErrorKind::OutOfRange {
                    key: entry.key,
                    written: Self(value).to_string(),
                    min: Self(MIN).to_string(),
                    max: Self(MAX).to_string(),
                };
                reader.refuse(entry.span, kind)
            }
        }

        /// Writes the value with the largest unit of which it is a whole number.
        impl<const MIN: u64, const MAX: u64> fmt::Display for $Quantity<MIN, MAX> {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                let whole = |(_, size): &&(&str, u64)| self.0 >= *size && self.0 % size == 0;
                let (unit, size) = $units.iter().rev().find(whole).unwrap_or(&$units[0]);
                let text = format!("{} {unit}", self.0 / size);
                out.pad(&text)
            }
        }
    };
}

quantity! {
    /// A size in bytes.
    ByteSize, "size", BYTES, "2 MiB"
}
quantity! {
    /// A frequency in hertz.
    Frequency, "frequency", HERTZ, "12 MHz"
}
quantity! {
    /// A time in nanoseconds.
    Duration, "time", TIME, "5 ms"
}
quantity! {
    /// A rate of a serial line in baud.
    BaudRate, "rate", BAUD, "115200 baud"
}
quantity! {
    /// A share in percent.
    Percent, "share", PERCENT, "50 %"
}
quantity! {
    /// An angle in degrees, clockwise.
    Angle, "angle", DEGREES, "90 deg"
}

/// Width and height of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelSize {
    pub width: u32,
    pub height: u32,
}

impl fmt::Display for PixelSize {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&format!("{}x{} px", self.width, self.height))
    }
}

impl Value for PixelSize {
    fn shape() -> String {
        format!("size in pixels: `\"1x1 px\"` to `\"{DISPLAY_SIDE_MAX}x{DISPLAY_SIDE_MAX} px\"`")
    }

    fn example() -> String {
        "\"240x320 px\"".into()
    }

    fn json() -> Json {
        json!({ "type": "string", "pattern": "^[0-9]+x[0-9]+ ?px$" })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let (width, height) = pair::<Self>(entry, 'x', reader)?;
        let side = |length: u64| {
            u32::try_from(length).ok().filter(|side| (1..=DISPLAY_SIDE_MAX).contains(side))
        };
        if let (Some(width), Some(height)) = (side(width), side(height)) {
            return Some(Self { width, height });
        }
        reader.refuse(entry.span, BoardErrorKind::DisplaySize { width, height })
    }
}

/// Distance of the visible part from the first column and row of the panel's memory, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelOffset {
    pub x: u32,
    pub y: u32,
}

impl fmt::Display for PixelOffset {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&format!("{},{} px", self.x, self.y))
    }
}

impl Value for PixelOffset {
    fn shape() -> String {
        format!("offset in pixels: `\"0,0 px\"` to `\"{DISPLAY_SIDE_MAX},{DISPLAY_SIDE_MAX} px\"`")
    }

    fn example() -> String {
        "\"0,80 px\"".into()
    }

    fn json() -> Json {
        json!({ "type": "string", "pattern": "^[0-9]+, ?[0-9]+ ?px$" })
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let (x, y) = pair::<Self>(entry, ',', reader)?;
        let side =
            |length: u64| u32::try_from(length).ok().filter(|side| *side <= DISPLAY_SIDE_MAX);
        if let (Some(x), Some(y)) = (side(x), side(y)) {
            return Some(Self { x, y });
        }
        let kind = BoardErrorKind::OutOfRange {
            key: entry.key,
            written: format!("{x},{y} px"),
            min: "0,0 px".into(),
            max: format!("{DISPLAY_SIDE_MAX},{DISPLAY_SIDE_MAX} px"),
        };
        reader.refuse(entry.span, kind)
    }
}

/// Reads two whole numbers with the unit `px`, separated by `between`.
fn pair<T: Value>(entry: Entry<'_>, between: char, reader: &mut Reader) -> Option<(u64, u64)> {
    const PIXELS: Units = &[("px", 1)];
    let Entry { key, span, raw } = entry;
    let Raw::Text(text) = raw else { return wrong_type::<T, _>(entry, reader) };
    let parts = text.split_once(between).and_then(|(first, rest)| {
        let rest = rest.trim_start();
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let (second, unit) = (&rest[..end], rest[end..].trim());
        let whole = |text: &str| is_decimal(text, 9).then(|| text.parse().ok()).flatten();
        Some((whole(first.trim())?, whole(second)?, unit))
    });
    let example = T::example();
    match parts {
        Some((first, second, "px")) => Some((first, second)),
        Some((_, _, "")) => {
            let (written, units) = (format!("\"{}\"", quoted(text)), words_of(PIXELS));
            reader.refuse(span, BoardErrorKind::NoUnit { key, written, units, example })
        }
        Some((_, _, unit)) => {
            let (unit, units) = (quoted(unit), words_of(PIXELS));
            reader.refuse(span, BoardErrorKind::UnknownUnit { key, unit, units, example })
        }
        None => {
            let written = quoted(text);
            reader.refuse(span, BoardErrorKind::NotANumber { key, written, example })
        }
    }
}

/// Reads a decimal number with a unit, and returns it in the smallest unit.
fn number<T: Value>(entry: Entry<'_>, units: Units, reader: &mut Reader) -> Option<u64> {
    let Entry { key, span, raw } = entry;
    let example = T::example();
    let text = match raw {
        Raw::Text(text) => text,
        Raw::Whole(Some(number)) => {
            let (written, units) = (number.to_string(), words_of(units));
            return reader.refuse(span, BoardErrorKind::NoUnit { key, written, units, example });
        }
        _ => return wrong_type::<T, _>(entry, reader),
    };
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let end = text.find(|letter| !is_number(letter)).unwrap_or(text.len());
    let (digits, unit) = (&text[..end], text[end..].trim());
    if unit.strip_prefix(',').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        let (written, instead) = (quoted(text), quoted(&text.replacen(',', ".", 1)));
        return reader.refuse(span, BoardErrorKind::DecimalComma { key, written, instead });
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    if !is_decimal(whole, DIGITS_MAX) || !is_decimal(fraction, DIGITS_MAX) {
        let written = quoted(text);
        return reader.refuse(span, BoardErrorKind::NotANumber { key, written, example });
    }
    if unit.is_empty() {
        let (written, units) = (format!("\"{}\"", quoted(text)), words_of(units));
        return reader.refuse(span, BoardErrorKind::NoUnit { key, written, units, example });
    }
    let Some((_, size)) = units.iter().find(|(known, _)| *known == unit) else {
        let (unit, units) = (quoted(unit), words_of(units));
        return reader.refuse(span, BoardErrorKind::UnknownUnit { key, unit, units, example });
    };
    let value = scaled(whole, fraction, *size);
    if value.is_none() {
        let written = quoted(text);
        return reader.refuse(span, BoardErrorKind::NotANumber { key, written, example });
    }
    value
}

/// Returns `whole.fraction` times `size`, if that is a whole number of 64 bits. Both parts have at
/// most [`DIGITS_MAX`] digits.
fn scaled(whole: &str, fraction: &str, size: u64) -> Option<u64> {
    let power = 10_u128.pow(fraction.len() as u32);
    let digits = whole.parse::<u128>().ok()? * power + fraction.parse::<u128>().ok()?;
    let product = digits * u128::from(size);
    product.is_multiple_of(power).then_some(product / power).and_then(|value| value.try_into().ok())
}

fn words_of(units: Units) -> String {
    let words: Vec<&str> = units.iter().map(|(unit, _)| *unit).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_number_is_a_whole_number_of_the_smallest_unit() {
        assert_eq!(scaled("1", "5", 1 << 20), Some(3 << 19));
        assert_eq!(scaled("1", "5", 1), None);
        assert_eq!(scaled("999999999999", "0", 1 << 30), None, "more than 64 bits");
        assert_eq!(scaled("0", "000001", 1_000_000), Some(1));
    }

    #[test]
    fn a_value_is_written_in_the_largest_unit() {
        assert_eq!(ByteSize::<0, 10>(2 << 20).to_string(), "2 MiB");
        assert_eq!(ByteSize::<0, 10>(1_000).to_string(), "1000 B");
        assert_eq!(Frequency::<0, 10>(12_000_000).to_string(), "12 MHz");
        assert_eq!(Duration::<0, 10>(0).to_string(), "0 ns");
    }
}
