//! Budgets in `expect` lines: a comparison and a bound with its unit, like `< 40kB`.

use core::fmt;

use super::nearest::did_you_mean;
use super::token::{Cursor, Fault, Word, abbreviated};

/// The units of sizes, each with its bytes.
const UNITS: [(&str, u64); 5] =
    [("B", 1), ("kB", 1_000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20)];
const UNIT_NAMES: [&str; 5] = ["B", "kB", "KiB", "MB", "MiB"];

/// How something compares with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Below,
    /// `<=`
    AtMost,
}

impl Comparison {
    /// Whether `value` is within `bound`.
    pub fn holds<T: PartialOrd>(self, value: T, bound: T) -> bool {
        match self {
            Self::Below => value < bound,
            Self::AtMost => value <= bound,
        }
    }

    /// As sentences have it: `less than`, `at most`.
    pub const fn spoken(self) -> &'static str {
        match self {
            Self::Below => "less than",
            Self::AtMost => "at most",
        }
    }

    /// Refuses a bound that nothing can meet.
    pub(super) fn check(self, column: u32, bound: u64, what: &str) -> Result<(), Fault> {
        match (self, bound) {
            (Self::Below, 0) => {
                Err(Fault::new(column, format!("no {what} can be below 0; write `<=`, or a bound")))
            }
            _ => Ok(()),
        }
    }
}

/// `<` or `<=`.
impl fmt::Display for Comparison {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Below => "<",
            Self::AtMost => "<=",
        })
    }
}

/// Reads `<` or `<=` behind `behind`; `bound` is an example of what comes then.
pub(super) fn comparison(
    cursor: &mut Cursor<'_>,
    behind: &str,
    bound: &str,
) -> Result<Comparison, Fault> {
    let word = cursor.need(behind, &format!("`<` or `<=` and a bound, like `< {bound}`"))?;
    match word.text {
        "<" => Ok(Comparison::Below),
        "<=" => Ok(Comparison::AtMost),
        other => {
            let text = abbreviated(other);
            let message = match other.strip_prefix("<=").or(other.strip_prefix('<')) {
                Some(rest) => {
                    let sign = other.strip_suffix(rest).unwrap_or_default();
                    format!("{text} lacks a blank; write `{sign} …`")
                }
                None => format!("{behind} needs `<` or `<=`, not {text}"),
            };
            Err(Fault::new(word.column, message))
        }
    }
}

/// A size in whole bytes, like `40kB`, and its column.
pub(super) fn bytes(word: Word<'_>) -> Result<(u32, u64), Fault> {
    let whole_text = abbreviated(word.text);
    let digits = word.text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = word.text.split_at(digits);
    if number.is_empty() || unit.starts_with('.') {
        let message =
            format!("{whole_text} is no size; a size is a whole number with its unit, like `40kB`");
        return Err(Fault::new(word.column, message));
    }
    if unit.is_empty() {
        let message = format!(
            "{whole_text} lacks its unit; every number carries one, like `{}`",
            abbreviated(&format!("{number}kB")).trim_matches('`')
        );
        return Err(Fault::new(word.column, message));
    }
    let Some(&(_, scale)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        let message = format!(
            "unknown unit {}; sizes are in B, kB, KiB, MB or MiB{}",
            abbreviated(unit),
            did_you_mean(unit, &UNIT_NAMES)
        );
        // A line has at most 4,096 bytes.
        return Err(Fault::new(word.column + digits as u32, message));
    };
    let size = number.parse::<u64>().ok().and_then(|number| number.checked_mul(scale));
    let size = size.ok_or_else(|| {
        Fault::new(word.column, format!("{whole_text} is past 2^64 bytes; no bus carries that"))
    })?;
    Ok((word.column, size))
}

/// A size as a trace has it: in the largest unit that gives a whole number.
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
    use super::Bytes;

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
