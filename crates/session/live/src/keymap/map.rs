//! The key of each action, and the key maps of boards.

use core::fmt;

use trace::Button;

use super::action::{Control, KeyAction};
use super::key::Key;

/// Keys that an action of a described board gets if its own key is taken or not named, in this
/// order: those that are easy to reach first.
const SPARE_KEYS: [&str; 30] = [
    "Z", "X", "C", "V", "B", "N", "Q", "W", "E", "R", "T", "Y", "A", "S", "G", "J", "1", "2", "3",
    "4", "5", "6", "7", "8", "9", "0", "Space", "Return", "Tab", "Insert",
];

/// A key for every action of a board; no key has two actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    /// The buttons in pin order, then the controls.
    pub(super) keys: Vec<(KeyAction, Key)>,
}

/// The default in `docs/keymap.md`, for the LCD board: the two letter rows are the two rows of cups.
impl Default for Keymap {
    fn default() -> Self {
        // All default keys are in the table of keys, which a test checks. A is the fallback for a
        // missing one.
        let key = |action: KeyAction| Key::from_name(action.default_key()).unwrap_or(Key::A);
        Self { keys: KeyAction::all().map(|action| (action, key(action))).collect() }
    }
}

impl Keymap {
    /// Returns the default key map of another board, with its buttons in pin order and the keys that
    /// its file suggests. A button without a suggestion gets a key that is free, and so does a control
    /// whose default key is the key of a button. Controls that press RESET do not exist.
    pub fn of_buttons(buttons: impl IntoIterator<Item = (Button, Option<Key>)>) -> Self {
        let mut actions: Vec<(KeyAction, Option<Key>)> = Vec::new();
        for (button, suggested) in buttons {
            let is_taken = actions.iter().any(|(_, key)| key.is_some() && *key == suggested);
            actions.push((KeyAction::Press(button), suggested.filter(|_| !is_taken)));
        }
        let controls = Control::all().filter(|control| !control.needs_reset());
        let controls: Vec<KeyAction> = controls.map(KeyAction::Control).collect();
        let default = |action: &KeyAction| Key::from_name(action.default_key());
        // The controls keep their keys unless the file gives them to a button.
        let named: Vec<Key> = actions.iter().filter_map(|(_, key)| *key).collect();
        let free = |action: &KeyAction| default(action).filter(|key| !named.contains(key));
        actions.extend(controls.iter().map(|action| (*action, free(action))));
        let mut taken: Vec<Key> = actions.iter().filter_map(|(_, key)| *key).collect();
        let spare = SPARE_KEYS.into_iter().filter_map(Key::from_name).chain(Key::all());
        let mut spare: Vec<Key> = spare.collect();
        spare.reverse();
        let keys = actions.into_iter().map(|(action, key)| {
            let key = key.unwrap_or_else(|| {
                // There are more keys than actions.
                while let Some(key) = spare.pop() {
                    if !taken.contains(&key) {
                        taken.push(key);
                        return key;
                    }
                }
                Key::A
            });
            (action, key)
        });
        Self { keys: keys.collect() }
    }

    /// Returns all actions: the buttons in pin order, then the controls.
    pub fn actions(&self) -> impl Iterator<Item = KeyAction> + '_ {
        self.keys.iter().map(|(action, _)| *action)
    }

    /// Returns the buttons of the board, in pin order.
    pub fn buttons(&self) -> Vec<Button> {
        let button = |action| match action {
            KeyAction::Press(button) => Some(button),
            KeyAction::Control(_) => None,
        };
        self.actions().filter_map(button).collect()
    }

    /// Returns the controls that exist, in the order of the list that F1 shows.
    pub fn controls(&self) -> impl Iterator<Item = Control> + '_ {
        self.actions().filter_map(|action| match action {
            KeyAction::Press(_) => None,
            KeyAction::Control(control) => Some(control),
        })
    }

    /// Returns the action named `name`, ignoring case. A button has priority over a control of the
    /// same name.
    pub fn named(&self, name: &str) -> Option<KeyAction> {
        self.actions().find(|action| action.name().eq_ignore_ascii_case(name))
    }

    /// Returns the action of `key`, if it has one.
    pub fn action(&self, key: Key) -> Option<KeyAction> {
        self.keys.iter().find(|(_, own)| *own == key).map(|(action, _)| *action)
    }

    /// Gives `action` the key `key`. If another action has it, that one gets the former key of
    /// `action` and is returned. An action that the board does not have gets no key.
    pub fn assign(&mut self, action: KeyAction, key: Key) -> Option<KeyAction> {
        let other = self.action(key).filter(|other| *other != action);
        let (_, own) = self.keys.iter_mut().find(|(own, _)| *own == action)?;
        let former = std::mem::replace(own, key);
        let exchanged = self.keys.iter_mut().find(|(own, _)| Some(*own) == other);
        if let Some((_, own)) = exchanged {
            *own = former;
        }
        other
    }

    /// Returns the key for `action`; `None` if the board does not have the action.
    pub fn key(&self, action: KeyAction) -> Option<Key> {
        self.keys.iter().find(|(own, _)| *own == action).map(|(_, key)| *key)
    }

    /// Returns the name of the key for `action`; empty if the board does not have the action.
    pub fn key_name(&self, action: KeyAction) -> &'static str {
        self.key(action).map_or("", Key::name)
    }
}

/// Writes a key map file that can be parsed again: a line for each action, controls included. A
/// control whose name is that of a button has no line.
impl fmt::Display for Keymap {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (action, key) in &self.keys {
            if self.named(action.name()) == Some(*action) {
                writeln!(out, "{} = {key}", action.name())?;
            }
        }
        Ok(())
    }
}
