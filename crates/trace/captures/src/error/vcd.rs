//! Errors of value change dumps.

use thiserror::Error;
use vcd::{IdCode, ParseError, ParseErrorKind};
use virtual_time::{Instant, spoken};

use crate::signal::Signal;

/// The reason why a value change dump cannot be read.
#[derive(Debug, Error)]
pub enum VcdError {
    /// The parser failed.
    #[error("{}", syntax(.0))]
    Syntax(#[source] ParseError),
    /// The file ends within a command.
    #[error("the file ends in the middle of something; it has been cut off")]
    CutOff,
    /// The file ends within its head.
    #[error("the file ends before its $enddefinitions")]
    NoEndOfHead,
    /// A command of the head among the changes.
    #[error("{0} is below the head")]
    BelowHead(&'static str),
    /// A change within the head.
    #[error("{0} is in the head")]
    InHead(&'static str),
    /// A time after the end of virtual time.
    #[error("#{0} is past 2^63 ns, the end of virtual time (292 years)")]
    PastTheEnd(u64),
    /// A time before the one above it.
    #[error("#{time} comes before the time above it ({}); times never go back", spoken(above.since_start()))]
    TimeGoesBack {
        /// The time, in steps of the file's timescale.
        time: u64,
        /// The time above it.
        above: Instant,
    },
    /// Scopes are nested too deeply.
    #[error("scopes lie deeper than {max}")]
    ScopesTooDeep {
        /// Maximum depth of scopes.
        max: usize,
    },
    /// The head has no timescale.
    #[error("the head has no $timescale; times mean nothing without it")]
    NoTimescale,
    /// The timescale is 0 of a unit.
    #[error("a timescale of 0; it is 1, 10 or 100 of a unit")]
    ZeroTimescale,
    /// A wire of several bits.
    #[error("`{path}` is {signal} but {bits} bits wide; a wire has one")]
    SeveralBits {
        /// Path of the channel.
        path: String,
        /// Wire of the channel.
        signal: Signal,
        /// Width in bits.
        bits: u32,
    },
    /// The same id for two different channels.
    #[error("the id `{id}` of `{path}` belongs to another channel in line {line}")]
    IdTaken {
        id: IdCode,
        /// Path of the second channel.
        path: String,
        /// Line of the first channel.
        line: u64,
    },
    /// More channels than supported.
    #[error("there are more than {max} channels")]
    TooManyChannels {
        /// Maximum number of channels.
        max: usize,
    },
    /// Two channels are the same wire.
    #[error(
        "`{path}` is {signal}, and so is a channel in line {line}; say which one is meant, like \
         `--map {signal}={path}`"
    )]
    TwoChannels {
        /// Path of the second channel.
        path: String,
        signal: Signal,
        /// Line of the first channel.
        line: u64,
    },
    /// A path that is too long.
    #[error("names of scopes and channels of more than {max} bytes")]
    LongPath {
        /// Maximum length of a path, in bytes.
        max: usize,
    },
    /// More lines of a trace's header than supported.
    #[error("more than {max} lines of a trace's header")]
    TooManyHeaderLines {
        /// Maximum number of lines.
        max: usize,
    },
}

fn syntax(error: &ParseError) -> String {
    match error.kind() {
        ParseErrorKind::ParseIntError(_) => "a number that is none, or past 2^64".to_owned(),
        ParseErrorKind::InvalidTimescaleUnit(_) => {
            "an unknown unit of time; a timescale is in s, ms, us, ns, ps or fs".to_owned()
        }
        kind => kind.to_string(),
    }
}
