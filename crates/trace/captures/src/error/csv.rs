//! Errors of CSV exports of logic analysers.

use thiserror::Error;

use crate::signal::Signal;

/// The reason why an export cannot be read. Texts from the file are shortened to 40 characters.
#[derive(Debug, Error)]
pub enum CsvError {
    /// The CSV parser failed.
    #[error(transparent)]
    Parser(#[from] ::csv::Error),
    /// The file has no row.
    #[error("there is no row of values here")]
    NoRow,
    /// The head has more columns than supported.
    #[error("a row has more than {max} columns")]
    TooManyColumns {
        /// Maximum number of columns.
        max: usize,
    },
    /// Neither a column of times nor a sample rate.
    #[error(
        "`{first}` is no column of times like `Time [s]`, and no `; Samplerate: …` is above \
         it; export with times or with sigrok's header"
    )]
    NoTimes {
        /// Label of the first column.
        first: String,
    },
    /// Two columns are the same wire.
    #[error("two columns are {0}; say which one is meant with `--map`")]
    TwoColumns(Signal),
    /// A row whose length differs from the head's.
    #[error("a row of {row} columns, and the head has {head}; the file may have been cut off")]
    RowLength {
        /// Number of columns in the row.
        row: usize,
        /// Number of columns in the head.
        head: usize,
    },
    /// The column of times contains something else.
    #[error("`{0}` is no time in seconds; export without ISO 8601 time stamps")]
    NotATime(String),
    /// A time after the end of virtual time.
    #[error("the row's time is past 2^63 ns, the end of virtual time (292 years)")]
    PastTheEnd,
    /// A time before that of the row above.
    #[error("the row's time is before the one above; times never go back")]
    TimeGoesBack,
    /// A value that is not a level.
    #[error("`{value}` is no level of {signal}: 0, 1 or X")]
    NotALevel { value: String, signal: Signal },
    /// A NUL byte in the head.
    #[error("a NUL byte; this is no CSV")]
    NulByte,
    /// The head's sample rate cannot be read.
    #[error("`{0}` is no sample rate, like `1 MHz`")]
    NotARate(String),
}
