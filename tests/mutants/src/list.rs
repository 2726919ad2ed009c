//! The mutants as cargo-mutants lists them (`cargo mutants --list --json`), and the places in a
//! file given by their lines and columns.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::error::MutantsError;

/// The kind of a mutant.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum Genre {
    /// A function returns a value at once.
    FnValue,
    /// A binary or assignment operator is replaced.
    BinaryOperator,
    /// A unary operator is removed.
    UnaryOperator,
    /// A match arm is removed.
    MatchArm,
    /// A match guard is always true or always false.
    MatchArmGuard,
    /// A struct field has the value of the base.
    StructField,
    /// A statement that assigns to state, or calls a method of `self`, is deleted (`state`).
    Statement,
    /// The left side of `&&` or `||` is deleted (`state`).
    LeftOperand,
    /// The right side of `&&` or `||` is deleted (`state`).
    RightOperand,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Mutant {
    /// The mutant's line in the results.
    pub name: String,
    /// Path of the file, relative to the root of the checkout.
    pub file: String,
    pub genre: Genre,
    /// The new text.
    pub replacement: String,
    pub span: Span,
}

/// A range in a file; only its start is used.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Span {
    pub start: Place,
}

/// A place in a file, counted from 1, in characters.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// Returns the byte offset of the place in `text`; `None` if there is no such place.
    pub fn byte(self, text: &str) -> Option<usize> {
        let above = text.split_inclusive('\n').take(self.line.checked_sub(1)?);
        let start: usize = above.map(str::len).sum();
        let line = text.get(start..)?;
        line.char_indices().nth(self.column.checked_sub(1)?).map(|(byte, _)| start + byte)
    }
}

impl Genre {
    /// Returns whether cargo-mutants does not know mutants of this kind: one that cannot be
    /// switched cannot be judged.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Statement | Self::LeftOperand | Self::RightOperand)
    }
}

/// Reads the mutants in the file at `path`, in its order. A mutant's number is its index in this
/// list.
///
/// # Errors
/// If the file cannot be read, or is not such a list.
pub fn read(path: &Path) -> Result<Vec<Mutant>, MutantsError> {
    let text = fs::read(path).map_err(MutantsError::file(path))?;
    serde_json::from_slice(&text)
        .map_err(|source| MutantsError::List { path: path.to_owned(), source })
}
