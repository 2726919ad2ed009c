//! Errors of times.

use thiserror::Error;

use crate::nearest::did_you_mean;
use crate::spoken::abbreviated;
use virtual_time::{Instant, Nanos, spoken};

/// A text that is not a time, or a time after the end of virtual time. `Display` is a sentence
/// without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimeError {
    /// Not a number with a unit; the text.
    #[error("{} is no time; a time is like `250ms` or `1.5s`", abbreviated(.0))]
    NotATime(String),
    /// A number without a unit; the number.
    #[error("{} lacks its unit; every number carries one, like `{}ms`", abbreviated(.0), .0)]
    NoUnit(String),
    /// A number with an unknown unit.
    #[error(
        "unknown unit {}; times are in ns, us, ms, s, min or h{}",
        abbreviated(unit),
        meant(unit)
    )]
    UnknownUnit {
        /// The unit as written.
        unit: String,
    },
    /// A fraction of a nanosecond; the text.
    #[error("{} is not a whole number of nanoseconds", abbreviated(.0))]
    NotWhole(String),
    /// More than 2⁶³ − 1 ns; the text.
    #[error("{} is past 2^63 ns, the end of virtual time (about 292 years)", abbreviated(.0))]
    TooLate(String),
    /// A span that ends after 2⁶³ − 1 ns.
    #[error(
        "{} after {} is past 2^63 ns, the end of virtual time (about 292 years)",
        spoken(*span), spoken(moment.since_start())
    )]
    SpanTooLate {
        span: Nanos,
        /// Start of the span.
        moment: Instant,
    },
}

/// Returns "; did you mean `min`?", or nothing if no known unit is near.
fn meant(unit: &str) -> String {
    let known = match unit.to_lowercase().as_str() {
        "µs" | "μs" | "usec" | "microseconds" => "us",
        "msec" | "milliseconds" => "ms",
        "sec" | "secs" | "second" | "seconds" => "s",
        // Of `ms`, `ns`, `us`, `s` and `min` none is nearer to `m` than the others.
        "m" | "mins" | "minute" | "minutes" => "min",
        "hr" | "hrs" | "hour" | "hours" => "h",
        _ => return did_you_mean(unit, &["ns", "us", "ms", "s", "min", "h"]),
    };
    format!("; did you mean `{known}`?")
}
