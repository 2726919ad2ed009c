//! Errors in a key map.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use trace::did_you_mean;

use super::action::KeyAction;
use super::key::Key;

/// An error in a key map and its place: `board.keys:3:6: unknown key …`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}:{column}: {kind}")]
pub struct KeymapError {
    /// Name of the file, as the caller gave it.
    pub file: String,
    /// Line number, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    pub kind: Box<KeymapErrorKind>,
}

/// An error in a key map: the fact and the next step. Names from the file are shortened to 40
/// characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KeymapErrorKind {
    /// The file is larger than a key map can be.
    #[error("this is no key map: it has {bytes} bytes; the largest has {max}")]
    TooLarge {
        /// Number of bytes that were read.
        bytes: usize,
        /// Maximum size of a key map in bytes.
        max: usize,
    },
    /// A line has no `=`.
    #[error("this line has no `=`; a key map has lines like `B1 = Z`")]
    NoEquals,
    /// A name is neither a button nor a control.
    #[error(
        "unknown button `{name}`; there are {buttons}, and the controls that docs/keymap.md \
         lists{near}",
        near = did_you_mean(.name, &.names.iter().map(String::as_str).collect::<Vec<_>>())
    )]
    UnknownAction {
        name: String,
        /// The names of the board's buttons, as a list.
        buttons: String,
        /// The names of all actions.
        names: Vec<String>,
    },
    /// A line has no key after the `=`.
    #[error("{} has no key behind its `=`", .0.name())]
    NoKey(KeyAction),
    /// A key does not exist.
    #[error(
        "unknown key `{0}`; docs/keymap.md lists the names{near}",
        near = did_you_mean(.0, &Key::all().map(Key::name).collect::<Vec<_>>())
    )]
    UnknownKey(String),
    /// A second line for a button or control.
    #[error("{} has a key already, in line {line}; keep one", action.name())]
    ActionTwice {
        action: KeyAction,
        /// Number of the first line for the action.
        line: usize,
    },
    /// A key with two actions.
    #[error("the key {key} is {}'s already; a key does one thing", action.name())]
    KeyTwice {
        key: Key,
        /// The first action of the key.
        action: KeyAction,
    },
    /// Buttons without a key, and the number of all buttons.
    #[error("{} no key; a key map names all {all} buttons", subject(.actions))]
    Missing { actions: Vec<KeyAction>, all: usize },
    /// A button on the default key of a control that the map does not name.
    #[error(
        "{} takes the key {key}, which is {control}'s unless the map names another; add a line \
         `{control} = …`", user.name(), control = control.name()
    )]
    DefaultTaken {
        /// The button or control that takes the key.
        user: KeyAction,
        key: Key,
        /// The control whose default the key is.
        control: KeyAction,
    },
}

/// The reason why a key map could not be loaded from a file.
#[derive(Debug, Error)]
pub enum KeymapFileError {
    /// The file cannot be read.
    #[error("the key map {} cannot be read: {error}", path.display())]
    Read {
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file has an error in its text.
    #[error(transparent)]
    Parse(#[from] KeymapError),
}

/// Returns the subject of a sentence with its verb: `T6 has`, `B1, T6 have`.
fn subject(actions: &[KeyAction]) -> String {
    let names: Vec<_> = actions.iter().map(|action| action.name()).collect();
    format!("{} {}", names.join(", "), if names.len() == 1 { "has" } else { "have" })
}
