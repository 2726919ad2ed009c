//! What can be wrong with a time.

use thiserror::Error;

use crate::trace::nearest::did_you_mean;
use crate::trace::spoken::{abbreviated, spoken};
use crate::{Instant, Nanos};

/// Why a text is no time, or why a moment is past the end of virtual time. `Display` is a sentence
/// without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimeError {
    /// No number with a unit behind it; the text.
    #[error("{} is no time; a time is like `250ms` or `1.5s`", abbreviated(.0))]
    NotATime(String),
    /// A number without a unit; the number.
    #[error("{} lacks its unit; every number carries one, like `{}ms`", abbreviated(.0), .0)]
    NoUnit(String),
    /// A number with an unknown unit.
    #[error(
        "unknown unit {}; times are in ns, us, ms, s or min{}",
        abbreviated(unit),
        did_you_mean(in_ascii(unit), known)
    )]
    UnknownUnit {
        /// As it was written.
        unit: String,
        /// The units of time.
        known: &'static [&'static str],
    },
    /// A fraction of a nanosecond; the text.
    #[error("{} is not a whole number of nanoseconds", abbreviated(.0))]
    NotWhole(String),
    /// More than 2⁶³ − 1 ns; the text.
    #[error("{} is past 2^63 ns, the end of virtual time (about 292 years)", abbreviated(.0))]
    TooLate(String),
    /// A span that reaches beyond 2⁶³ − 1 ns.
    #[error(
        "{} after {} is past 2^63 ns, the end of virtual time (about 292 years)",
        spoken(*span), spoken(moment.since_start())
    )]
    SpanTooLate {
        /// The span.
        span: Nanos,
        /// Where it begins.
        moment: Instant,
    },
}

/// Microseconds as traces write them, for both characters that are in use as the micro sign.
fn in_ascii(unit: &str) -> &str {
    if unit == "µs" || unit == "μs" { "us" } else { unit }
}
