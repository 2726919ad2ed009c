//! What is wrong with YAML, before it is a scenario.

use saphyr_parser::ScanError;
use thiserror::Error;

/// Why YAML cannot be read.
#[derive(Debug, Error)]
pub enum YamlError {
    /// The parser fails.
    #[error("{}", .0.info())]
    Syntax(#[source] ScanError),
    /// More values than are read.
    #[error("more than {max} values")]
    TooManyValues {
        /// The most values.
        max: usize,
    },
    /// Lists and maps within one another.
    #[error("values lie deeper than {max}")]
    TooDeep {
        /// The deepest value.
        max: usize,
    },
    /// An alias, which can unfold to gigabytes.
    #[error("an alias; scenarios are read without them: write the value out")]
    Alias,
    /// A second document in the file.
    #[error("a second document; a scenario is one")]
    SecondDocument,
    /// A list or a map that ends without having begun.
    #[error("an end without a beginning")]
    EndWithoutBeginning,
    /// No document in the file.
    #[error("nothing stands here; a scenario has `steps:`")]
    Empty,
    /// A list or a map as a key.
    #[error("{0} as a key; a key is a text")]
    KeyIsNoText(&'static str),
    /// A key that the map has already.
    #[error("the key stands in line {line} already")]
    KeyTwice {
        /// The line of the first one.
        line: u64,
    },
}
