//! Start of the console lines and tones that count for a line, as data and in words.
//!
//! The module knows no board: [`super::run`] finds the lines and tones.

use core::fmt;

/// Start of the period that console and tone expectations cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// The last line that is an input.
    Input {
        /// Name of the input, by [`Action::noun`](trace::Action::noun).
        action: String,
        line: u32,
    },
    /// The line or tone that satisfied the last expectation of the same kind.
    Met {
        /// Line of that expectation.
        line: u32,
    },
}

/// Writes `since tap of B3 in line 9`, `after the one of line 12`.
impl fmt::Display for Since {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Lines that are given one by one have no number.
            Self::Input { action, line: 0 } => write!(out, "since {action}"),
            Self::Input { action, line } => write!(out, "since {action} in line {line}"),
            Self::Met { line: 0 } => out.write_str("after the one before"),
            Self::Met { line } => write!(out, "after the one of line {line}"),
        }
    }
}
