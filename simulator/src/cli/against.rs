//! The argument of `nudge replay --against`: a board, another `nudge`, or a commit.

use core::fmt;
use core::str::FromStr;
use std::path::PathBuf;

use boards::{Board, BoardNameError};

/// The other side of a comparison of traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    Board(Board),
    /// The board `native` of another `nudge`.
    Program(PathBuf),
    /// The board `native` of the `nudge` that a commit of the present repository builds.
    Git(String),
}

/// Errors in the argument of `--against`.
#[derive(Debug, thiserror::Error)]
pub enum AgainstError {
    /// `native=` or `git=` without a value.
    #[error("`{0}=` wants {1}")]
    Nothing(&'static str, &'static str),
    #[error("{0}, and here also native=FILE and git=REV")]
    Board(#[from] BoardNameError),
}

impl FromStr for Against {
    type Err = AgainstError;

    fn from_str(text: &str) -> Result<Self, AgainstError> {
        match text.split_once('=') {
            Some(("native", "")) => Err(AgainstError::Nothing("native", "the other nudge: a file")),
            Some(("git", "")) => {
                Err(AgainstError::Nothing("git", "a commit: a hash, a branch, HEAD~1"))
            }
            Some(("native", file)) => Ok(Self::Program(file.into())),
            Some(("git", revision)) => Ok(Self::Git(revision.to_owned())),
            _ => Ok(Self::Board(text.parse()?)),
        }
    }
}

impl fmt::Display for Against {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(board) => write!(out, "{board}"),
            Self::Program(file) => write!(out, "native={}", file.display()),
            Self::Git(revision) => write!(out, "git={revision}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_parsed_and_errors_name_the_fault() {
        for text in ["native", "pico", "pico=old.elf", "native=old/nudge", "git=HEAD~1"] {
            assert_eq!(text.parse::<Against>().unwrap().to_string(), text);
        }
        for (text, said) in [
            ("native=", "`native=` wants the other nudge: a file"),
            ("git=", "`git=` wants a commit: a hash, a branch, HEAD~1"),
            ("old/nudge", "and here also native=FILE and git=REV"),
        ] {
            let error = text.parse::<Against>().unwrap_err().to_string();
            assert!(error.ends_with(said), "{error}");
        }
    }
}
