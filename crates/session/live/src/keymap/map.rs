//! The key of each action, and the default key map.

use core::fmt;

use super::action::KeyAction;
use super::key::Key;

/// A key for every action; no key has two actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    pub(super) keys: [Key; KeyAction::COUNT],
}

/// The default in `docs/keymap.md`: the two letter rows are the two rows of cups.
impl Default for Keymap {
    fn default() -> Self {
        // All default keys are in the table of keys, which a test checks. A is the fallback for a
        // missing one.
        let mut keys = [Key::A; KeyAction::COUNT];
        for action in KeyAction::all() {
            keys[action.index()] = Key::from_name(action.default_key()).unwrap_or(Key::A);
        }
        Self { keys }
    }
}

impl Keymap {
    /// Returns the action of `key`, if it has one.
    pub fn action(&self, key: Key) -> Option<KeyAction> {
        KeyAction::all().find(|action| self.keys[action.index()] == key)
    }

    /// Gives `action` the key `key`. If another action has it, that one gets the former key of
    /// `action` and is returned.
    pub fn assign(&mut self, action: KeyAction, key: Key) -> Option<KeyAction> {
        let other = self.action(key).filter(|other| *other != action);
        let former = std::mem::replace(&mut self.keys[action.index()], key);
        if let Some(other) = other {
            self.keys[other.index()] = former;
        }
        other
    }

    /// Returns the key for `action`.
    pub fn key(&self, action: KeyAction) -> Key {
        self.keys[action.index()]
    }
}

/// Writes a key map file that can be parsed again: a line for each action, controls included.
impl fmt::Display for Keymap {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for action in KeyAction::all() {
            writeln!(out, "{} = {}", action.name(), self.key(action))?;
        }
        Ok(())
    }
}
