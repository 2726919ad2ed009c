//! Budgets in `expect` lines: a comparison and a bound with its unit, like `< 40kB`.

use core::fmt;

use super::error::{AmountError, LineFault};
use super::token::{Cursor, Word};

/// Units of sizes, with their number of bytes.
const UNITS: [(&str, u64); 5] =
    [("B", 1), ("kB", 1_000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20)];
const UNIT_NAMES: [&str; 5] = ["B", "kB", "KiB", "MB", "MiB"];

/// Comparison of a value with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Below,
    /// `<=`
    AtMost,
}

impl Comparison {
    /// Returns whether `value` is within `bound`.
    pub fn holds<T: PartialOrd>(self, value: T, bound: T) -> bool {
        match self {
            Self::Below => value < bound,
            Self::AtMost => value <= bound,
        }
    }

    /// Returns the words for sentences: `less than`, `at most`.
    pub const fn spoken(self) -> &'static str {
        match self {
            Self::Below => "less than",
            Self::AtMost => "at most",
        }
    }

    /// Refuses a bound that no value can satisfy.
    pub(super) fn check(
        self,
        column: u32,
        bound: u64,
        what: &'static str,
    ) -> Result<(), LineFault> {
        match (self, bound) {
            (Self::Below, 0) => Err(LineFault::new(column, AmountError::BelowZero(what))),
            _ => Ok(()),
        }
    }
}

/// Writes `<` or `<=`.
impl fmt::Display for Comparison {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Below => "<",
            Self::AtMost => "<=",
        })
    }
}

/// Reads `<` or `<=` after `behind`; `bound` is an example of the bound that follows.
pub(super) fn comparison(
    cursor: &mut Cursor<'_>,
    behind: &str,
    bound: &str,
) -> Result<Comparison, LineFault> {
    let word = cursor.need(behind, &format!("`<` or `<=` and a bound, like `< {bound}`"))?;
    match word.text {
        "<" => Ok(Comparison::Below),
        "<=" => Ok(Comparison::AtMost),
        other => {
            let word_text = other.to_owned();
            let error = match ["<=", "<"].into_iter().find(|sign| other.starts_with(sign)) {
                Some(sign) => AmountError::ComparisonWithoutBlank { sign, word: word_text },
                None => AmountError::NotAComparison { behind: behind.to_owned(), word: word_text },
            };
            Err(LineFault::new(word.column, error))
        }
    }
}

/// Reads a size in whole bytes, like `40kB`; returns its column and the size.
pub(super) fn bytes(word: Word<'_>) -> Result<(u32, u64), LineFault> {
    let fault = |error| LineFault::new(word.column, error);
    let digits = word.text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = word.text.split_at(digits);
    if number.is_empty() || unit.starts_with('.') {
        return Err(fault(AmountError::NotASize(word.text.to_owned())));
    }
    if unit.is_empty() {
        return Err(fault(AmountError::NoSizeUnit(number.to_owned())));
    }
    let Some(&(_, scale)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        let error = AmountError::UnknownSizeUnit { unit: unit.to_owned(), known: &UNIT_NAMES };
        // A line has at most 4,096 bytes.
        return Err(LineFault::new(word.column + digits as u32, error));
    };
    let size = number.parse::<u64>().ok().and_then(|number| number.checked_mul(scale));
    let size = size.ok_or_else(|| fault(AmountError::SizeTooLarge(word.text.to_owned())))?;
    Ok((word.column, size))
}

/// Displays a size in the trace format: in the largest unit that gives a whole number.
pub(super) struct Bytes(pub(super) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |(_, scale): &&(&str, u64)| self.0 >= *scale && self.0.is_multiple_of(*scale);
        match UNITS.iter().rev().find(fits) {
            Some((unit, scale)) => write!(out, "{}{unit}", self.0 / scale),
            None => write!(out, "{}B", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Comparison};

    #[test]
    fn a_value_equal_to_its_bound_is_at_most_it_but_not_below() {
        for (value, below, at_most) in [(1, true, true), (2, false, true), (3, false, false)] {
            assert_eq!(Comparison::Below.holds(value, 2), below, "{value}");
            assert_eq!(Comparison::AtMost.holds(value, 2), at_most, "{value}");
        }
    }

    #[test]
    fn a_size_is_written_in_its_largest_whole_unit() {
        for (bytes, text) in [
            (0, "0B"),
            (999, "999B"),
            (40_000, "40kB"),
            (40_960, "40KiB"),
            (2_000_000, "2MB"),
            (1 << 20, "1MiB"),
            (1_024_000, "1000KiB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }
}
