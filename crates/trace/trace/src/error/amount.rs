//! Errors of frequencies, sizes, bounds and the other amounts of faults and budgets.

use thiserror::Error;

use crate::fault_limits::{LONGEST_BOUNCE, RAREST_FLIP};
use crate::nearest::did_you_mean;
use crate::spoken::abbreviated;
use virtual_time::spoken;

/// An invalid amount other than a time. `Display` is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AmountError {
    /// Not a whole number of hertz; the text.
    #[error("{} is no frequency; a frequency is in whole hertz, like `880Hz`", abbreviated(.0))]
    NotAFrequency(String),
    /// A frequency without a unit; the number.
    #[error("{} lacks its unit; every number carries one, like `{}Hz`", abbreviated(.0), .0)]
    NoFrequencyUnit(String),
    /// A unit other than `Hz`; the unit.
    #[error("unknown unit {}; frequencies are in `Hz`", abbreviated(.0))]
    UnknownFrequencyUnit(String),
    /// A frequency of 0 or above [`u32::MAX`]; the text.
    #[error("{} is out of range; 1Hz to {}Hz", abbreviated(.0), u32::MAX)]
    FrequencyOutOfRange(String),
    /// Not a whole number of bytes; the text.
    #[error(
        "{} is no size; a size is a whole number with its unit, like `40kB`", abbreviated(.0)
    )]
    NotASize(String),
    /// A size without a unit; the number.
    #[error(
        "{} lacks its unit; every number carries one, like {}",
        abbreviated(.0), abbreviated(&format!("{}kB", .0))
    )]
    NoSizeUnit(String),
    /// A size with an unknown unit.
    #[error(
        "unknown unit {}; sizes are in B, kB, KiB, MB or MiB{}",
        abbreviated(unit),
        did_you_mean(unit, known)
    )]
    UnknownSizeUnit {
        /// The unit as written.
        unit: String,
        known: &'static [&'static str],
    },
    /// A size of 2⁶⁴ bytes or more; the text.
    #[error("{} is past 2^64 bytes; no bus carries that", abbreviated(.0))]
    SizeTooLarge(String),
    /// Neither `<` nor `<=`.
    #[error("{behind} needs `<` or `<=`, not {}", abbreviated(word))]
    NotAComparison {
        /// Owner of the comparison, in back quotes.
        behind: String,
        /// The word as written.
        word: String,
    },
    /// A comparison with no space before its bound.
    #[error("{} lacks a blank; write `{sign} …`", abbreviated(word))]
    ComparisonWithoutBlank {
        /// `<` or `<=`.
        sign: &'static str,
        /// The word as written, with the sign.
        word: String,
    },
    /// `< 0` for a quantity that is never negative; the quantity.
    #[error("no {0} can be below 0; write `<=`, or a bound")]
    BelowZero(&'static str),
    /// A bounce that is not a time from 1 ns to [`LONGEST_BOUNCE`]; the text.
    #[error(
        "{} is no bounce; a contact bounces for more than 0 and at most {}; `fault none` makes it \
         a good one",
        abbreviated(.0), spoken(LONGEST_BOUNCE)
    )]
    BounceOutOfRange(String),
    /// A share of flipped bits that is not 1/1 to 1/[`RAREST_FLIP`]; the text.
    #[error(
        "{} is no share of bits; 1/1 (every bit) to 1/{RAREST_FLIP}, like `1/100000`",
        abbreviated(.0)
    )]
    NotAShare(String),
    /// A share of bytes that is not 1/1 to 1/[`RAREST_FLIP`]; the text.
    #[error(
        "{} is no share of bytes; 1/1 (every byte) to 1/{RAREST_FLIP}, like `1/20`",
        abbreviated(.0)
    )]
    NotAShareOfBytes(String),
    /// A count of flash bytes that is not 0 to [`u32::MAX`]; the text.
    #[error("{} is no number of bytes; 0 to {}", abbreviated(.0), u32::MAX)]
    NotAByteCount(String),
}
