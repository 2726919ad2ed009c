//! Errors in a table file. Each has its position, the fact, the limit and, for a wrong word, the
//! nearest right one.

use core::fmt;

use thiserror::Error;

use super::{LOADED_MAX, SIZE_MAX};

/// Maximum number of edits between a wrong word and the suggested one.
const EDITS_MAX: usize = 3;

/// An error in a table file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {problem}")]
pub struct TableError {
    /// Line and column, from 1; the column counts characters.
    pub line: usize,
    pub column: usize,
    pub problem: Problem,
}

/// A problem in a table file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    #[error("the file has more than {SIZE_MAX} bytes, the maximum of a table")]
    TooLarge,
    #[error("{LOADED_MAX} different tables have been loaded, which is the maximum; start again")]
    TooMany,
    #[error("this is not TOML: {0}")]
    Syntax(String),
    #[error("unknown key `{found}`{}", found.hint())]
    Key { found: Found },
    #[error("`{key}` is missing in {part}")]
    Missing { key: &'static str, part: String },
    #[error("`{key}` is {found}; it must be {expected}")]
    Type { key: String, found: &'static str, expected: &'static str },
    #[error("`{key}` is {value}; it must be between {least} and {most}")]
    Range { key: String, value: i128, least: i128, most: i128 },
    #[error("`{found}` is not a word for `{key}`{}", found.hint())]
    Word { key: String, found: Found },
    #[error("`{text}` is not {expected}")]
    Text { text: String, expected: &'static str },
    #[error("command {code:02X}h is listed a second time")]
    SameCode { code: u8 },
    #[error("there is no command {code:02X}h in this table")]
    NoCommand { code: u8 },
    #[error("there is no command `{found}` in this table{}", found.hint())]
    NoCommandName { found: Found },
    #[error("`{command}` has {found} bytes; the command takes {least} to {most}")]
    Arguments { command: String, found: usize, least: u8, most: u8 },
    #[error("`does = \"{effect}\"` needs at least {least} arguments, the command has {found}")]
    EffectArguments { effect: &'static str, least: u8, found: u8 },
    #[error("`does = \"{effect}\"` exists only for family \"{family}\"")]
    EffectFamily { effect: &'static str, family: &'static str },
    #[error("a table of this family needs a command with `does = \"{effect}\"`")]
    NoEffect { effect: &'static str },
    #[error("`{rule}` needs a `limit`, such as \"5 ms\"")]
    NoLimit { rule: &'static str },
    #[error("`{rule}` has no limit: leave `limit` out")]
    UselessLimit { rule: &'static str },
    #[error("the module ends at {what} {last}; the memory has 0 to {most}")]
    OutsideMemory { what: &'static str, last: u32, most: u16 },
    #[error("the controller has no bus `{bus}`; add it to `buses`")]
    NoBus { bus: &'static str },
}

/// A wrong word and the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub word: String,
    pub known: Vec<String>,
}

impl Found {
    /// Returns the nearest known word, if one is near.
    pub fn nearest(&self) -> Option<&str> {
        let distance =
            |known: &str| strsim::osa_distance(&self.word.to_lowercase(), &known.to_lowercase());
        let nearest = self.known.iter().min_by_key(|known| distance(known))?;
        let most = EDITS_MAX.min(self.word.chars().count().max(2) / 2);
        (distance(nearest) <= most).then_some(nearest.as_str())
    }

    /// Returns the end of a message: the nearest word, or all known ones.
    fn hint(&self) -> String {
        match self.nearest() {
            Some(nearest) => format!("; did you mean `{nearest}`?"),
            None if self.known.len() <= 24 => format!("; known are {}", self.known.join(", ")),
            None => format!("; docs/panels.md lists the {} known ones", self.known.len()),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A word may be as long as the file.
        match self.word.char_indices().nth(40) {
            Some((end, _)) => write!(out, "{}…", &self.word[..end]),
            None => out.write_str(&self.word),
        }
    }
}
