//! Labels of the buttons and of the legend: the names of their keys.

use super::lettering;
use live::keymap::{Key, KeyAction, Keymap};

/// Long names of keys, and those that keyboards print.
const PRINTED: [(&str, &str); 13] = [
    ("Backspace", "BKSP"),
    ("Return", "ENT"),
    ("Escape", "ESC"),
    ("Delete", "DEL"),
    ("Insert", "INS"),
    ("PageUp", "PGUP"),
    ("PageDown", "PGDN"),
    ("CapsLock", "CAPS"),
    ("PrintScreen", "PRT"),
    ("ScrollLock", "SCRL"),
    ("Numlock", "NUM"),
    ("Application", "MENU"),
    ("Space", "SPC"),
];

/// Returns the name of a key as a small keyboard prints it.
pub(super) fn printed(label: &str) -> &str {
    PRINTED.iter().find(|(name, _)| *name == label).map_or(label, |(_, printed)| printed)
}

/// The label of each action's key on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels(Vec<(KeyAction, String)>);

impl Labels {
    /// Labels the buttons with the names of the keymap's keys, as printed on a US keyboard.
    pub fn new(keymap: &Keymap) -> Self {
        Self::with_names(keymap, |_| None)
    }

    /// Labels the buttons with the names that `name_of` gives to the keys of the user's keyboard.
    /// The keymap's own name replaces a missing name, and a name that the board's lettering cannot
    /// write.
    pub fn with_names(keymap: &Keymap, name_of: impl Fn(Key) -> Option<String>) -> Self {
        let label = |action| {
            let key = keymap.key(action)?;
            let name = name_of(key).filter(|name| !name.is_empty() && lettering::can_write(name));
            let name = name.unwrap_or_else(|| key.name().to_owned());
            let label = name.replace("Keypad", "KP").replace("Left ", "L-");
            Some((action, label.replace("Right ", "R-")))
        };
        Self(keymap.actions().filter_map(label).collect())
    }

    pub(super) fn of(&self, action: KeyAction) -> &str {
        self.0.iter().find(|(known, _)| *known == action).map_or("", |(_, label)| label)
    }
}
