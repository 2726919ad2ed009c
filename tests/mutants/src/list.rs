//! The mutants as cargo-mutants lists them (`cargo mutants --list --json`), and the places in a file
//! that its lines and columns mean.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::error::MutantsError;

/// What is changed.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum Genre {
    /// A function returns a value at once.
    FnValue,
    /// Another binary operator, or one that assigns.
    BinaryOperator,
    /// An operator in front is gone.
    UnaryOperator,
    /// An arm is gone.
    MatchArm,
    /// A guard always holds, or never.
    MatchArmGuard,
    /// A field has the value of the base.
    StructField,
}

/// One mutant.
#[derive(Clone, Debug, Deserialize)]
pub struct Mutant {
    /// Its line in the results.
    pub name: String,
    /// The file, from the root of the checkout on.
    pub file: String,
    /// What is changed.
    pub genre: Genre,
    /// What stands there instead.
    pub replacement: String,
    /// Where.
    pub span: Span,
}

/// From a place to another.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Span {
    /// Its first character.
    pub start: Place,
}

/// A place in a file, from 1 on, in characters.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// Its byte in `text`; `None` if there is no such place.
    pub fn byte(self, text: &str) -> Option<usize> {
        let above = text.split_inclusive('\n').take(self.line.checked_sub(1)?);
        let start: usize = above.map(str::len).sum();
        let line = text.get(start..)?;
        line.char_indices().nth(self.column.checked_sub(1)?).map(|(byte, _)| start + byte)
    }
}

/// The mutants in the file at `path`, in its order. A mutant's number is its index here.
///
/// # Errors
/// If the file cannot be read, or is no such list.
pub fn read(path: &Path) -> Result<Vec<Mutant>, MutantsError> {
    let text = fs::read(path).map_err(MutantsError::file(path))?;
    serde_json::from_slice(&text)
        .map_err(|source| MutantsError::List { path: path.to_owned(), source })
}
