//! Where the console lines and tones begin that a line looks at, as data and in words.
//!
//! It knows no board: [`super::run`] finds the lines and tones.

use core::fmt;

/// What console and tone expectations look back to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// The last line that begins an action.
    Input {
        /// What [`Action::noun`](trace::Action::noun) calls it.
        action: String,
        /// Its line.
        line: u32,
    },
    /// What the last expectation of the same kind has met.
    Met {
        /// The line of that expectation.
        line: u32,
    },
}

/// `since tap of B3 in line 9`, `after the one of line 12`.
impl fmt::Display for Since {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input { action, line } => write!(out, "since {action} in line {line}"),
            Self::Met { line } => write!(out, "after the one of line {line}"),
        }
    }
}
