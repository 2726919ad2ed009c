//! What is wrong with a value change dump.

use thiserror::Error;
use vcd::{IdCode, ParseError, ParseErrorKind};
use virtual_time::{Instant, spoken};

use crate::signal::Signal;

/// Why a value change dump cannot be read.
#[derive(Debug, Error)]
pub enum VcdError {
    /// The parser fails.
    #[error("{}", syntax(.0))]
    Syntax(#[source] ParseError),
    /// The file ends within a command.
    #[error("the file ends in the middle of something; it has been cut off")]
    CutOff,
    /// The file ends within its head.
    #[error("the file ends before its $enddefinitions")]
    NoEndOfHead,
    /// A command of the head among the changes.
    #[error("{0} stands below the head")]
    BelowHead(&'static str),
    /// A change within the head.
    #[error("{0} stands in the head")]
    InHead(&'static str),
    /// A change of a channel that is not declared.
    #[error("no channel has the id `{0}`")]
    UnknownId(IdCode),
    /// A time beyond virtual time.
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
    /// Scopes within scopes.
    #[error("scopes lie deeper than {max}")]
    ScopesTooDeep {
        /// The deepest scope.
        max: usize,
    },
    /// More scopes end than begin.
    #[error("$upscope without a scope")]
    UpscopeWithoutScope,
    /// The head has no timescale.
    #[error("the head has no $timescale; times mean nothing without it")]
    NoTimescale,
    /// The timescale is 0 of a unit.
    #[error("a timescale of 0; it is 1, 10 or 100 of a unit")]
    ZeroTimescale,
    /// A wire of several bits.
    #[error("`{path}` is {signal} but {bits} bits wide; a wire has one")]
    SeveralBits {
        /// The channel's path.
        path: String,
        /// The wire that it is.
        signal: Signal,
        /// Its width.
        bits: u32,
    },
    /// One id for two channels that differ.
    #[error("the id `{id}` of `{path}` belongs to another channel in line {line}")]
    IdTaken {
        /// The id.
        id: IdCode,
        /// The second channel's path.
        path: String,
        /// The line of the first channel.
        line: u64,
    },
    /// More channels than are read.
    #[error("there are more than {max} channels")]
    TooManyChannels {
        /// The most channels.
        max: usize,
    },
    /// Two channels are one wire.
    #[error(
        "`{path}` is {signal}, and so is a channel in line {line}; say which one is meant, like \
         `--map {signal}={path}`"
    )]
    TwoChannels {
        /// The second channel's path.
        path: String,
        /// The wire.
        signal: Signal,
        /// The line of the first channel.
        line: u64,
    },
    /// A path that is longer than any.
    #[error("names of scopes and channels of more than {max} bytes")]
    LongPath {
        /// The longest path, in bytes.
        max: usize,
    },
    /// More lines of a trace's header than a header has.
    #[error("more than {max} lines of a trace's header")]
    TooManyHeaderLines {
        /// The most lines.
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
