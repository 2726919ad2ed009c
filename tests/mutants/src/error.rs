//! Errors that leave no result.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Reasons why there is no result.
#[derive(Debug, Error)]
pub enum MutantsError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// The list comes from another version of cargo-mutants.
    #[error("{} is no list of `cargo mutants --list --json`: {source}", path.display())]
    List {
        path: PathBuf,
        /// Error with its position in the list.
        source: serde_json::Error,
    },
    /// A file with mutants is not Rust.
    #[error("{}: {source}", path.display())]
    Source { path: PathBuf, source: syn::Error },
    /// A program cannot be started or its output cannot be read.
    #[error("{program} cannot be run: {source}")]
    Program {
        /// Name or path of the program.
        program: String,
        source: io::Error,
    },
    /// The rewritten sources do not compile, and the error is not at a mutant.
    #[error("the build with all mutants fails, and not at a mutant:\n{0}")]
    Compile(String),
    /// A trace or test fails without any mutant.
    #[error("without any mutant {program} fails:\n{output}")]
    Baseline { program: String, output: String },
    /// More mutants than the switch supports.
    #[error("{count} mutants; the switch has numbers for {most}: mutate fewer files at once")]
    TooMany { count: usize, most: usize },
    /// A line that is required in the copy is missing.
    #[error("{}: the line `{line}` is missing", path.display())]
    Line { path: PathBuf, line: &'static str },
}

impl MutantsError {
    /// Returns a function that wraps an error of the file at `path`.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), source }
    }

    /// Returns a function that wraps an error of the program at `path`.
    pub fn program(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Program { program: path.display().to_string(), source }
    }
}
