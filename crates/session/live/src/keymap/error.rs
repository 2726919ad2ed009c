//! What is wrong in a key map.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use trace::did_you_mean;

use super::action::KeyAction;
use super::key::Key;

/// What is wrong in a key map, and where: `board.keys:3:6: unknown key …`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}:{column}: {kind}")]
pub struct KeymapError {
    /// The file as it was named.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub kind: KeymapErrorKind,
}

/// What is wrong in a key map: the fact and the next step. Names from the file are shortened to 40
/// characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KeymapErrorKind {
    /// More bytes than a key map has.
    #[error("this is no key map: it has {bytes} bytes; the largest has {max}")]
    TooLarge {
        /// The file's bytes, as far as they were read.
        bytes: usize,
        /// The most bytes of a key map.
        max: usize,
    },
    /// A line without `=`.
    #[error("this line has no `=`; a key map has lines like `B1 = Z`")]
    NoEquals,
    /// A name that is no button and no control.
    #[error(
        "unknown button `{0}`; there are B1 to B6, T1 to T6, RESET, and the controls that \
         docs/keymap.md lists{near}",
        near = did_you_mean(.0, &KeyAction::all().map(KeyAction::name).collect::<Vec<_>>())
    )]
    UnknownAction(String),
    /// Nothing behind the `=`.
    #[error("{} has no key behind its `=`", .0.name())]
    NoKey(KeyAction),
    /// A key that does not exist.
    #[error(
        "unknown key `{0}`; docs/keymap.md lists the names{near}",
        near = did_you_mean(.0, &Key::all().map(Key::name).collect::<Vec<_>>())
    )]
    UnknownKey(String),
    /// A second line for a button.
    #[error("{} has a key already, in line {line}; keep one", action.name())]
    ActionTwice {
        /// The button or control.
        action: KeyAction,
        /// The line of the first one.
        line: usize,
    },
    /// One key for two things.
    #[error("the key {key} is {}'s already; a key does one thing", action.name())]
    KeyTwice {
        /// The key.
        key: Key,
        /// What it does already.
        action: KeyAction,
    },
    /// Buttons without a key.
    #[error("{} no key; a key map names all 13 buttons", subject(.0))]
    Missing(Vec<KeyAction>),
    /// A button on the default key of a control that the map does not name.
    #[error(
        "{} takes the key {key}, which is {control}'s unless the map names another; add a line \
         `{control} = …`", user.name(), control = control.name()
    )]
    DefaultTaken {
        /// What takes the key.
        user: KeyAction,
        /// The key.
        key: Key,
        /// The control whose default the key is.
        control: KeyAction,
    },
}

/// Why there is no key map from a file.
#[derive(Debug, Error)]
pub enum KeymapFileError {
    /// The file cannot be read.
    #[error("the key map {} cannot be read: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        #[source]
        error: io::Error,
    },
    /// The file is no key map.
    #[error(transparent)]
    Parse(#[from] KeymapError),
}

/// `T6 has`, `B1, T6 have`.
fn subject(actions: &[KeyAction]) -> String {
    let names: Vec<&str> = actions.iter().map(|action| action.name()).collect();
    format!("{} {}", names.join(", "), if names.len() == 1 { "has" } else { "have" })
}
