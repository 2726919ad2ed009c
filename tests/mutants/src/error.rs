//! Why there is no result.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why there is no result.
#[derive(Debug, Error)]
pub enum MutantsError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The list is of another version of cargo-mutants.
    #[error("{} is no list of `cargo mutants --list --json`: {source}", path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// Where it is wrong.
        source: serde_json::Error,
    },
    /// A file with mutants is no Rust.
    #[error("{}: {source}", path.display())]
    Source {
        /// Which.
        path: PathBuf,
        /// Where.
        source: syn::Error,
    },
    /// A program cannot be started or heard.
    #[error("{program} cannot be run: {source}")]
    Program {
        /// Its name or path.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// The rewritten sources do not compile, and no mutant is at the place.
    #[error("the build with all mutants fails, and not at a mutant:\n{0}")]
    Compile(String),
    /// What has no mutant fails.
    #[error("without any mutant {program} fails:\n{output}")]
    Baseline {
        /// What was run.
        program: String,
        /// What it wrote.
        output: String,
    },
    /// More mutants than the switch has numbers for.
    #[error("{count} mutants; the switch has numbers for {most}: mutate fewer files at once")]
    TooMany {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A text of the copy that has to be there is not.
    #[error("{}: the line `{line}` is missing", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line.
        line: &'static str,
    },
}

impl MutantsError {
    /// The error of the file at `path`.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), source }
    }

    /// The error of the program at `path`.
    pub fn program(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Program { program: path.display().to_string(), source }
    }
}
