//! Errors in a line of a saved game. The messages are short because they go over a board's console.

use core::fmt;

use super::typed::TypedWord;
use super::words::{STEPS, TITLE, VERSION};
use crate::game::history::saved::OpeningError;
use crate::game::history::{MOST, StepError};

/// An error in a line of a saved game. Borrows the words of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameLineError<'l> {
    /// The first line is not the title.
    NoTitle,
    /// The title has another version number.
    UnknownFormat(&'l str),
    /// No key has this name, or it is the verb of a step.
    NoKey(&'l str),
    /// No step has this name, or it is a key of the head.
    NoStep(&'l str),
    /// The line has a word too many or too few.
    Usage(&'static str),
    /// A key has no value, or more than one.
    KeyUsage(&'static str),
    /// A key occurs twice in the head.
    Repeated(&'static str),
    /// A key without a default is missing.
    Missing(&'static str),
    /// A key or a verb has an invalid value.
    NoValue {
        /// The key or the verb.
        key: &'static str,
        /// The value as written.
        value: &'l str,
        /// The valid values.
        known: &'static str,
    },
    /// The head states both that the game was abandoned and that a player resigned.
    AbandonedAndResigned,
    /// The head contradicts itself.
    Opening(OpeningError),
    /// The game does not allow the step.
    CannotFollow(StepError),
    /// The text has more steps than a history can store.
    TooManySteps,
    /// The text ends within an edit.
    EditNotDone,
}

impl fmt::Display for GameLineError<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTitle => write!(out, "a saved game begins with {TITLE} {VERSION}"),
            Self::UnknownFormat(version) => {
                write!(out, "format {} is unknown; it is {VERSION}", TypedWord(version))
            }
            Self::NoKey(word) => {
                write!(out, "{} is no key; steps come below a line {STEPS}", TypedWord(word))
            }
            Self::NoStep(word) => {
                write!(out, "{} is no step; keys come above the line {STEPS}", TypedWord(word))
            }
            Self::Usage(usage) => write!(out, "it is written: {usage}"),
            Self::KeyUsage(key) => write!(out, "it is written: {key} VALUE"),
            Self::Repeated(key) => write!(out, "{key} came before; send it once"),
            Self::Missing(key) => write!(out, "{key} is missing; send it first"),
            Self::NoValue { key, value, known } => {
                write!(out, "{key} cannot be {}; it is {known}", TypedWord(value))
            }
            Self::AbandonedAndResigned => {
                out.write_str("a game is abandoned or resigned, not both")
            }
            Self::Opening(error) => write!(out, "the game cannot begin so: {error}"),
            Self::CannotFollow(error) => write!(out, "this step cannot follow: {error}"),
            Self::TooManySteps => {
                write!(out, "a game keeps at most {MOST} steps; begin it later, by board")
            }
            Self::EditNotDone => out.write_str("the edit is not done; send edited first"),
        }
    }
}

impl core::error::Error for GameLineError<'_> {}
