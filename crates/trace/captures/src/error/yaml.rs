//! Errors of YAML, before it is read as a scenario.

use saphyr_parser::ScanError;
use thiserror::Error;

/// The reason why YAML cannot be read.
#[derive(Debug, Error)]
pub enum YamlError {
    /// The parser failed.
    #[error("{}", .0.info())]
    Syntax(#[source] ScanError),
    /// More values than supported.
    #[error("more than {max} values")]
    TooManyValues {
        /// Maximum number of values.
        max: usize,
    },
    /// Lists and maps are nested too deeply.
    #[error("values lie deeper than {max}")]
    TooDeep {
        /// Maximum depth.
        max: usize,
    },
    /// An alias, which can expand to gigabytes.
    #[error("an alias; scenarios are read without them: write the value out")]
    Alias,
    /// A second document in the file.
    #[error("a second document; a scenario is one")]
    SecondDocument,
    /// The end of a list or a map that has not begun.
    #[error("an end without a beginning")]
    EndWithoutBeginning,
    /// No document in the file.
    #[error("there is nothing here; a scenario has `steps:`")]
    Empty,
    /// A list or a map as a key.
    #[error("{0} as a key; a key is a text")]
    KeyIsNoText(&'static str),
    /// A repeated key of a map.
    #[error("the key is in line {line} already")]
    KeyTwice {
        /// Line of the first one.
        line: u64,
    },
}
