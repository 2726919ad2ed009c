//! Parses a key map from text.

use std::io::Read;
use std::path::Path;

use trace::Button;

use super::action::KeyAction;
use super::error::{KeymapError, KeymapErrorKind, KeymapFileError};
use super::key::Key;
use super::map::Keymap;

/// Maximum size of a key map in bytes: room for each action once and for comments.
pub const FILE_BYTES_MAX: usize = 64 << 10;

impl Keymap {
    /// Reads the key map of the LCD board in the file at `path`, as [`Keymap::parse`] does.
    ///
    /// # Errors
    /// If the file cannot be read or is no key map.
    pub fn load(path: &Path) -> Result<Self, KeymapFileError> {
        Self::load_for(&Self::default(), path)
    }

    /// Reads the key map in the file at `path`, as [`Keymap::parse_for`] does.
    ///
    /// # Errors
    /// If the file cannot be read or is no key map of the board.
    pub fn load_for(default: &Self, path: &Path) -> Result<Self, KeymapFileError> {
        let mut text = String::new();
        host::input_files::open(path)
            // Reads one byte more than the maximum, so that the parser detects a file that is too
            // large.
            .and_then(|file| file.take(FILE_BYTES_MAX as u64 + 1).read_to_string(&mut text))
            .map_err(|error| KeymapFileError::Read { path: path.to_owned(), error })?;
        Ok(Self::parse_for(default, &path.display().to_string(), &text)?)
    }

    /// Parses a key map of the LCD board, like [`Keymap::parse_for`].
    ///
    /// # Errors
    /// As for [`Keymap::parse_for`].
    pub fn parse(file: &str, text: &str) -> Result<Self, KeymapError> {
        Self::parse_for(&Self::default(), file, text)
    }

    /// Parses a key map of the board whose default map is `default`: a line `NAME = KEY` for each
    /// button, and for each control (`PAUSE`, `DIAL.CW`…) that is not to have its default key.
    /// `#` begins a comment. `file` is the name for errors.
    ///
    /// # Errors
    /// The first line that is wrong, with file, line and column; a button without a key; a
    /// key for two actions.
    pub fn parse_for(default: &Self, file: &str, text: &str) -> Result<Self, KeymapError> {
        let fail = |line: usize, column: usize, kind: KeymapErrorKind| KeymapError {
            file: file.to_owned(),
            line,
            column,
            kind: Box::new(kind),
        };
        if text.len() > FILE_BYTES_MAX {
            let bytes = text.len();
            return Err(fail(1, 1, KeymapErrorKind::TooLarge { bytes, max: FILE_BYTES_MAX }));
        }
        // The key and the line of each action, in the order of `default`.
        let mut given: Vec<Option<(Key, usize)>> = vec![None; default.keys.len()];
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let Some(entry) =
                Entry::read(line, default).map_err(|(column, kind)| fail(number, column, kind))?
            else {
                continue;
            };
            let Entry { action, key, name_column, key_column } = entry;
            let Some(own) = default.actions().position(|other| other == action) else { continue };
            if let Some((_, before)) = given[own] {
                let kind = KeymapErrorKind::ActionTwice { action, line: before };
                return Err(fail(number, name_column, kind));
            }
            let has_key = |at: &Option<(Key, usize)>| at.is_some_and(|(other, _)| other == key);
            if let Some(at) = given.iter().position(has_key) {
                let kind = KeymapErrorKind::KeyTwice { key, action: default.keys[at].0 };
                return Err(fail(number, key_column, kind));
            }
            given[own] = Some((key, number));
        }

        let last = text.lines().count().max(1);
        // A button for which no key was left may stay without one.
        let needed = |(action, key): &&(KeyAction, Option<Key>)| {
            matches!(action, KeyAction::Press(_)) && key.is_some()
        };
        let missing: Vec<KeyAction> = default
            .keys
            .iter()
            .zip(&given)
            .filter(|(default, given)| needed(default) && given.is_none())
            .map(|((action, _), _)| *action)
            .collect();
        if !missing.is_empty() {
            let all = default.keys.iter().filter(needed).count();
            return Err(fail(last, 1, KeymapErrorKind::Missing { actions: missing, all }));
        }
        let mut map = default.clone();
        for (at, (action, key)) in map.keys.iter_mut().enumerate() {
            match given[at] {
                Some((named, _)) => *key = Some(named),
                None => {
                    let Some(key) = *key else { continue };
                    let mut users = default.actions().zip(&given);
                    let user = users.find_map(|(user, given)| {
                        given.filter(|(named, _)| *named == key).map(|(_, line)| (user, line))
                    });
                    if let Some((user, line)) = user {
                        let kind = KeymapErrorKind::DefaultTaken { user, key, control: *action };
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
    fn read(line: &str, default: &Keymap) -> Result<Option<Self>, (usize, KeymapErrorKind)> {
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
        let Some(action) = default.named(name) else {
            let names = default.actions().map(|action| action.name().into_owned()).collect();
            let buttons = listed(&default.buttons());
            let kind = KeymapErrorKind::UnknownAction { name: shortened(name), buttons, names };
            return Err((name_column, kind));
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

/// Returns the names of the buttons for an error. Those of the LCD board are shortened to their rows.
fn listed(buttons: &[Button]) -> String {
    let names: Vec<&str> = buttons.iter().map(|button| button.name()).collect();
    if names == Button::LCD_BOARD.map(Button::name) {
        return "B1 to B6, T1 to T6, RESET".to_owned();
    }
    names.join(", ")
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
