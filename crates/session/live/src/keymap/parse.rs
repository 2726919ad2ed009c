//! Parses a key map from text.

use std::io::Read;
use std::path::Path;

use super::action::KeyAction;
use super::error::{KeymapError, KeymapErrorKind, KeymapFileError};
use super::key::Key;
use super::map::Keymap;

/// Maximum size of a key map in bytes: room for each action once and for comments.
pub const FILE_BYTES_MAX: usize = 64 << 10;

impl Keymap {
    /// Reads the key map in the file at `path`, as [`Keymap::parse`] does.
    ///
    /// # Errors
    /// If the file cannot be read or is no key map.
    pub fn load(path: &Path) -> Result<Self, KeymapFileError> {
        let mut text = String::new();
        host::input_files::open(path)
            // Reads one byte more than the maximum, so that the parser detects a file that is too
            // large.
            .and_then(|file| file.take(FILE_BYTES_MAX as u64 + 1).read_to_string(&mut text))
            .map_err(|error| KeymapFileError::Read { path: path.to_owned(), error })?;
        Ok(Self::parse(&path.display().to_string(), &text)?)
    }

    /// Parses a key map: a line `NAME = KEY` for each of the thirteen buttons, and for each
    /// control (`PAUSE`, `FRAME`, `POWER`…) that is not to have its default key. `#` begins a
    /// comment. `file` is the name for errors.
    ///
    /// # Errors
    /// The first line that is wrong, with file, line and column; a button without a key; a
    /// key for two actions.
    pub fn parse(file: &str, text: &str) -> Result<Self, KeymapError> {
        let fail = |line: usize, column: usize, kind: KeymapErrorKind| KeymapError {
            file: file.to_owned(),
            line,
            column,
            kind,
        };
        if text.len() > FILE_BYTES_MAX {
            let bytes = text.len();
            return Err(fail(1, 1, KeymapErrorKind::TooLarge { bytes, max: FILE_BYTES_MAX }));
        }
        let mut given: [Option<(Key, usize)>; KeyAction::COUNT] = [None; KeyAction::COUNT];
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let Some(entry) =
                Entry::read(line).map_err(|(column, kind)| fail(number, column, kind))?
            else {
                continue;
            };
            let Entry { action, key, name_column, key_column } = entry;
            if let Some((_, before)) = given[action.index()] {
                let kind = KeymapErrorKind::ActionTwice { action, line: before };
                return Err(fail(number, name_column, kind));
            }
            let taken = KeyAction::all()
                .find(|other| given[other.index()].is_some_and(|(other_key, _)| other_key == key));
            if let Some(other) = taken {
                let kind = KeymapErrorKind::KeyTwice { key, action: other };
                return Err(fail(number, key_column, kind));
            }
            given[action.index()] = Some((key, number));
        }

        let last = text.lines().count().max(1);
        let missing: Vec<KeyAction> = KeyAction::all()
            .filter(|action| {
                matches!(action, KeyAction::Press(_)) && given[action.index()].is_none()
            })
            .collect();
        if !missing.is_empty() {
            return Err(fail(last, 1, KeymapErrorKind::Missing(missing)));
        }
        let mut map = Self::default();
        for action in KeyAction::all() {
            let default = map.keys[action.index()];
            match given[action.index()] {
                Some((key, _)) => map.keys[action.index()] = key,
                None => {
                    let user = KeyAction::all()
                        .filter_map(|other| given[other.index()].map(|at| (other, at)))
                        .find(|(_, (key, _))| *key == default);
                    if let Some((user, (key, line))) = user {
                        let kind = KeymapErrorKind::DefaultTaken { user, key, control: action };
                        return Err(fail(line, 1, kind));
                    }
                }
            }
        }
        Ok(map)
    }
}

/// A line `NAME = KEY`.
struct Entry {
    action: KeyAction,
    key: Key,
    name_column: usize,
    key_column: usize,
}

impl Entry {
    /// Parses a line. Returns `None` for an empty line or a comment. An error has its column.
    fn read(line: &str) -> Result<Option<Self>, (usize, KeymapErrorKind)> {
        let start = line.trim_start();
        if start.is_empty() || start.starts_with('#') {
            return Ok(None);
        }
        let column_of = |rest: &str| line[..line.len() - rest.len()].chars().count() + 1;
        let name_column = column_of(start);
        let Some((name, rest)) = start.split_once('=') else {
            return Err((name_column, KeymapErrorKind::NoEquals));
        };
        let name = name.trim_end();
        let Some(action) = KeyAction::from_name(name) else {
            return Err((name_column, KeymapErrorKind::UnknownAction(shortened(name))));
        };
        let rest = rest.trim_start();
        let key_column = column_of(rest);
        let written = without_comment(rest).trim_end();
        if written.is_empty() {
            return Err((key_column, KeymapErrorKind::NoKey(action)));
        }
        let Some(key) = Key::from_name(written) else {
            return Err((key_column, KeymapErrorKind::UnknownKey(shortened(written))));
        };
        Ok(Some(Self { action, key, name_column, key_column }))
    }
}

/// Removes a comment, which is a `#` after a blank. A `#` directly after the `=` is the key `#`.
fn without_comment(value: &str) -> &str {
    let mut blank_before = false;
    for (at, letter) in value.char_indices() {
        if letter == '#' && blank_before {
            return &value[..at];
        }
        blank_before = letter.is_whitespace();
    }
    value
}

/// Returns the first 40 characters, for an error.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}
