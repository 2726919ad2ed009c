//! Which key does what, and the default.

use core::fmt;

use super::action::KeyAction;
use super::key::Key;

/// A key for every action; no key has two actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    pub(super) keys: [Key; KeyAction::COUNT],
}

/// The documented default (`docs/keymap.md`): the two letter rows are the two rows of cups.
impl Default for Keymap {
    fn default() -> Self {
        // Every default is in the table of keys, which a test checks; A is the fallback for one that is not.
        let mut keys = [Key::A; KeyAction::COUNT];
        for action in KeyAction::all() {
            keys[action.index()] = Key::from_name(action.default_key()).unwrap_or(Key::A);
        }
        Self { keys }
    }
}

impl Keymap {
    /// What `key` does.
    pub fn action(&self, key: Key) -> Option<KeyAction> {
        KeyAction::all().find(|action| self.keys[action.index()] == key)
    }

    /// The key for `action`.
    pub fn key(&self, action: KeyAction) -> Key {
        self.keys[action.index()]
    }
}

/// A key map file that can be read back: all lines, controls included.
impl fmt::Display for Keymap {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for action in KeyAction::all() {
            writeln!(out, "{} = {}", action.name(), self.key(action))?;
        }
        Ok(())
    }
}
