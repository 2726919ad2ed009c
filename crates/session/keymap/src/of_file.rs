//! The default key map of a described board: the keys that its file suggests.

use board_file::BoardFile;
use trace::{Buttons, Controls};

use super::key::Key;
use super::map::Keymap;

impl Keymap {
    /// Returns the default key map of the board of `file`, whose machine has these buttons and
    /// controls.
    pub fn of_file(file: &BoardFile, buttons: &Buttons, controls: &Controls) -> Self {
        let keys = |name| file.suggested_keys(name).into_iter();
        let button = |name| keys(name).next().and_then(|key| Key::from_name(key.name));
        let control = |name| keys(name).filter_map(|key| Key::from_name(key.name)).collect();
        let buttons = buttons.all().iter().map(|part| (*part, button(part.name())));
        let controls = controls.all().iter().map(|part| (*part, control(part.name())));
        Self::of_board(buttons, controls)
    }
}
