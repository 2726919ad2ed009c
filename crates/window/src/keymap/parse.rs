//! Reads a key map from text.

use hal_mock::trace::did_you_mean;

use super::action::KeyAction;
use super::error::KeymapError;
use super::key::{Key, NAMED_KEYS};
use super::map::Keymap;

/// The largest key map, in bytes: each action once, with room for comments.
pub const FILE_BYTES_MAX: usize = 64 << 10;

impl Keymap {
    /// Reads a key map: a line `NAME = KEY` for each of the thirteen buttons, and for those
    /// controls (`PAUSE`, `FRAME`, `POWER`, `MUTE`) whose default does not suit; `#` begins a
    /// comment. `file` is the name for errors.
    ///
    /// # Errors
    /// The first line that is wrong, with file, line and column; a button without a key; a
    /// key for two actions.
    pub fn parse(file: &str, text: &str) -> Result<Self, KeymapError> {
        let fail = |line: usize, column: usize, message: String| KeymapError {
            file: file.to_owned(),
            line,
            column,
            message,
        };
        if text.len() > FILE_BYTES_MAX {
            let sizes = format!("{} bytes; the largest has {FILE_BYTES_MAX}", text.len());
            return Err(fail(1, 1, format!("this is no key map: it has {sizes}")));
        }
        let mut given: [Option<(Key, usize)>; KeyAction::COUNT] = [None; KeyAction::COUNT];
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let Some(entry) = Entry::read(line).map_err(|(at, why)| fail(number, at, why))? else {
                continue;
            };
            let Entry { action, key, name_column, key_column } = entry;
            if let Some((_, before)) = given[action.index()] {
                let name = action.name();
                let message = format!("{name} has a key already, in line {before}; keep one");
                return Err(fail(number, name_column, message));
            }
            let taken = KeyAction::all()
                .find(|other| given[other.index()].is_some_and(|(other_key, _)| other_key == key));
            if let Some(other) = taken {
                let other = other.name();
                let message = format!("the key {key} is {other}'s already; a key does one thing");
                return Err(fail(number, key_column, message));
            }
            given[action.index()] = Some((key, number));
        }

        let last = text.lines().count().max(1);
        let missing: Vec<&str> = KeyAction::all()
            .filter(|action| {
                matches!(action, KeyAction::Press(_)) && given[action.index()].is_none()
            })
            .map(KeyAction::name)
            .collect();
        if !missing.is_empty() {
            let verb = if missing.len() == 1 { "has" } else { "have" };
            let names = missing.join(", ");
            return Err(fail(
                last,
                1,
                format!("{names} {verb} no key; a key map names all 13 buttons"),
            ));
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
                    if let Some((other, (key, line))) = user {
                        let (name, other) = (action.name(), other.name());
                        let message = format!(
                            "{other} takes the key {key}, which is {name}'s unless the map \
                             names another; add a line `{name} = …`"
                        );
                        return Err(fail(line, 1, message));
                    }
                }
            }
        }
        Ok(map)
    }
}

/// One line `NAME = KEY`.
struct Entry {
    action: KeyAction,
    key: Key,
    name_column: usize,
    key_column: usize,
}

impl Entry {
    /// `None` for an empty line or a comment; an error has its column.
    fn read(line: &str) -> Result<Option<Self>, (usize, String)> {
        let start = line.trim_start();
        if start.is_empty() || start.starts_with('#') {
            return Ok(None);
        }
        let column_of = |rest: &str| line[..line.len() - rest.len()].chars().count() + 1;
        let name_column = column_of(start);
        let Some((name, rest)) = start.split_once('=') else {
            let message = "this line has no `=`; a key map has lines like `B1 = Z`";
            return Err((name_column, message.to_owned()));
        };
        let name = name.trim_end();
        let Some(action) = KeyAction::from_name(name) else {
            let names: Vec<&str> = KeyAction::all().map(KeyAction::name).collect();
            let near = did_you_mean(name, &names);
            let message = format!(
                "unknown button `{}`; there are B1 to B6, T1 to T6, RESET, PAUSE, FRAME, POWER \
                 and MUTE{near}",
                shortened(name)
            );
            return Err((name_column, message));
        };
        let rest = rest.trim_start();
        let key_column = column_of(rest);
        let written = without_comment(rest).trim_end();
        if written.is_empty() {
            return Err((key_column, format!("{} has no key behind its `=`", action.name())));
        }
        let Some(key) = Key::from_name(written) else {
            let names: Vec<&str> = NAMED_KEYS.iter().map(|(_, name)| *name).collect();
            let near = did_you_mean(written, &names);
            let message = format!(
                "unknown key `{}`; docs/keymap.md lists the names{near}",
                shortened(written)
            );
            return Err((key_column, message));
        };
        Ok(Some(Self { action, key, name_column, key_column }))
    }
}

/// Cuts a comment off: `#` behind a blank. A `#` right behind the `=` is the key `#`.
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

/// No longer than a person reads in an error.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}
