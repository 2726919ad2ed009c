//! What is written on the buttons and in the legend: the names of their keys.

use super::lettering;
use live::keymap::{Key, KeyAction, Keymap};

/// The label of each action's key on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels(Vec<(KeyAction, String)>);

impl Labels {
    /// The names of the keymap's keys: what a US keyboard has there.
    pub fn new(keymap: &Keymap) -> Self {
        Self::with_names(keymap, |_| None)
    }

    /// The names that `name_of` gives to keys on the user's keyboard; the keymap's own name where it
    /// gives none, or one that the board's lettering cannot write.
    pub fn with_names(keymap: &Keymap, name_of: impl Fn(Key) -> Option<String>) -> Self {
        let label = |action| {
            let key = keymap.key(action);
            let name = name_of(key).filter(|name| !name.is_empty() && lettering::can_write(name));
            let name = name.unwrap_or_else(|| key.name().to_owned());
            (action, name.replace("Keypad", "KP").replace("Left ", "L-").replace("Right ", "R-"))
        };
        Self(KeyAction::all().map(label).collect())
    }

    pub(super) fn of(&self, action: KeyAction) -> &str {
        self.0.iter().find(|(known, _)| *known == action).map_or("", |(_, label)| label)
    }
}
