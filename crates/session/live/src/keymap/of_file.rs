//! The default key map of a described board: the keys that its file suggests.

use board_file::{BoardFile, value::KeyName};
use trace::{Button, Buttons, Control as BoardControl, ControlKind, Controls};

use super::key::Key;
use super::map::Keymap;

impl Keymap {
    /// Returns the default key map of the board of `file`, whose machine has these buttons and
    /// controls.
    pub fn of_file(file: &BoardFile, buttons: &Buttons, controls: &Controls) -> Self {
        let buttons = buttons.all().iter().map(|button| (*button, key_of(file, *button)));
        let controls = controls.all().iter().map(|control| (*control, keys_of(file, *control)));
        Self::of_board(buttons, controls)
    }
}

/// Returns the first key that the file suggests for a button, which may be one of a matrix.
fn key_of(file: &BoardFile, button: Button) -> Option<Key> {
    let name = button.name();
    if let Some(found) = file.button.iter().find(|described| described.name.text == name) {
        return Key::from_name(found.keys.first()?.name);
    }
    file.matrix.iter().find_map(|matrix| {
        let rows = matrix.buttons.iter().zip(&matrix.keys);
        let mut keys = rows.flat_map(|(names, keys)| names.iter().zip(keys));
        keys.find_map(|(own, key)| (own.text == name).then(|| Key::from_name(key.name))?)
    })
}

/// Returns the keys that the file suggests for a control.
fn keys_of(file: &BoardFile, control: BoardControl) -> Vec<Key> {
    let name = control.name();
    let keys: Option<&[KeyName]> = match control.kind() {
        ControlKind::Encoder => {
            let found = file.encoder.iter().find(|part| part.name.text == name);
            found.map(|part| part.keys.as_slice())
        }
        ControlKind::Switch => {
            let found = file.switch.iter().find(|part| part.name.text == name);
            found.map(|part| part.keys.as_slice())
        }
        ControlKind::Joystick => {
            let found = file.joystick.iter().find(|part| part.name.text == name);
            found.map(|part| part.keys.as_slice())
        }
        ControlKind::Potentiometer => {
            let found = file.potentiometer.iter().find(|part| part.name.text == name);
            found.map(|part| part.keys.as_slice())
        }
    };
    keys.unwrap_or_default().iter().filter_map(|key| Key::from_name(key.name)).collect()
}
