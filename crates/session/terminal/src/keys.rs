//! Maps events of the terminal to keys of a key map. A terminal reports letters, not positions: on
//! another keyboard layout the key is the one with the reported letter. This module knows no
//! session.

use live::keymap::Key;
use ratatui_crossterm::crossterm::event::{KeyCode, KeyModifiers, ModifierKeyCode};

/// Returns the key, by its name in a key map.
pub fn key(code: KeyCode, modifiers: KeyModifiers, keypad: bool) -> Option<Key> {
    let name = match code {
        KeyCode::Char(letter) => return Key::from_name(&of_letter(letter, keypad)?),
        KeyCode::F(number) => return Key::from_name(&format!("F{number}")),
        KeyCode::Enter if keypad => "Keypad Enter",
        KeyCode::Enter => "Return",
        KeyCode::Esc => "Escape",
        KeyCode::Backspace => "Backspace",
        KeyCode::Tab | KeyCode::BackTab => "Tab",
        KeyCode::Left => "Left",
        KeyCode::Right => "Right",
        KeyCode::Up => "Up",
        KeyCode::Down => "Down",
        KeyCode::Home => "Home",
        KeyCode::End => "End",
        KeyCode::PageUp => "PageUp",
        KeyCode::PageDown => "PageDown",
        KeyCode::Insert => "Insert",
        KeyCode::Delete => "Delete",
        KeyCode::CapsLock => "CapsLock",
        KeyCode::ScrollLock => "ScrollLock",
        KeyCode::NumLock => "Numlock",
        KeyCode::PrintScreen => "PrintScreen",
        KeyCode::Pause => "Pause",
        KeyCode::Menu => "Application",
        // Some terminals send only this code for Ctrl and Space.
        KeyCode::Null if modifiers.is_empty() => "Space",
        KeyCode::Modifier(ModifierKeyCode::LeftShift) => "Left Shift",
        KeyCode::Modifier(ModifierKeyCode::LeftControl) => "Left Ctrl",
        KeyCode::Modifier(ModifierKeyCode::LeftAlt) => "Left Alt",
        KeyCode::Modifier(ModifierKeyCode::LeftSuper) => "Left GUI",
        KeyCode::Modifier(ModifierKeyCode::RightShift) => "Right Shift",
        KeyCode::Modifier(ModifierKeyCode::RightControl) => "Right Ctrl",
        KeyCode::Modifier(ModifierKeyCode::RightAlt) => "Right Alt",
        KeyCode::Modifier(ModifierKeyCode::RightSuper) => "Right GUI",
        _ => return None,
    };
    Key::from_name(name)
}

/// Returns the name of the key with that letter.
fn of_letter(letter: char, keypad: bool) -> Option<String> {
    let name = match letter {
        ' ' => "Space".to_owned(),
        letter => letter.to_uppercase().collect(),
    };
    Some(if keypad { format!("Keypad {name}") } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: KeyCode, keypad: bool, expected: Option<&str>) {
        let found = key(code, KeyModifiers::NONE, keypad);
        assert_eq!(found.map(Key::name), expected, "{code:?}");
    }

    #[test]
    fn keys_have_their_names_in_key_maps() {
        check(KeyCode::Char('q'), false, Some("Q"));
        check(KeyCode::Char('Q'), false, Some("Q"));
        check(KeyCode::Char(' '), false, Some("Space"));
        check(KeyCode::Char('.'), false, Some("."));
        check(KeyCode::Char('7'), true, Some("Keypad 7"));
        check(KeyCode::Enter, true, Some("Keypad Enter"));
        check(KeyCode::F(11), false, Some("F11"));
        check(KeyCode::BackTab, false, Some("Tab"));
        check(KeyCode::Modifier(ModifierKeyCode::RightControl), false, Some("Right Ctrl"));
        check(KeyCode::Char('ß'), false, None);
        check(KeyCode::Char('あ'), false, None);
        check(KeyCode::F(99), false, None);
    }
}
