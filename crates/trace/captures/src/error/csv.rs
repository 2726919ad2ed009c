//! What is wrong with an export of a logic analyser as CSV.

use thiserror::Error;

use crate::signal::Signal;

/// Why an export cannot be read. Texts from the file are shortened to 40 characters.
#[derive(Debug, Error)]
pub enum CsvError {
    /// The CSV parser fails.
    #[error(transparent)]
    Parser(#[from] ::csv::Error),
    /// The file has no row.
    #[error("no row of values stands here")]
    NoRow,
    /// The head has more columns than are read.
    #[error("a row has more than {max} columns")]
    TooManyColumns {
        /// The most columns.
        max: usize,
    },
    /// Neither a column of times nor a sample rate.
    #[error(
        "`{first}` is no column of times like `Time [s]`, and no `; Samplerate: …` stands above \
         it; export with times or with sigrok's header"
    )]
    NoTimes {
        /// The label of the first column.
        first: String,
    },
    /// Two columns are one wire.
    #[error("two columns are {0}; say which one is meant with `--map`")]
    TwoColumns(Signal),
    /// A row of another length than the head.
    #[error("a row of {row} columns, and the head has {head}; the file may have been cut off")]
    RowLength {
        /// Columns in the row.
        row: usize,
        /// Columns in the head.
        head: usize,
    },
    /// The column of times holds something else.
    #[error("`{0}` is no time in seconds; export without ISO 8601 time stamps")]
    NotATime(String),
    /// A time beyond virtual time.
    #[error("the row's time is past 2^63 ns, the end of virtual time (292 years)")]
    PastTheEnd,
    /// A time before that of the row above.
    #[error("the row's time is before the one above; times never go back")]
    TimeGoesBack,
    /// A value that is no level.
    #[error("`{value}` is no level of {signal}: 0, 1 or X")]
    NotALevel {
        /// The value.
        value: String,
        /// The wire.
        signal: Signal,
    },
    /// A NUL byte in the head.
    #[error("a NUL byte; this is no CSV")]
    NulByte,
    /// The head's sample rate cannot be read.
    #[error("`{0}` is no sample rate, like `1 MHz`")]
    NotARate(String),
}
