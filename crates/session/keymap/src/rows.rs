//! Rows of a list of keys.

use trace::{Button, ControlKind};

use super::action::KeyAction;
use super::control_move::ControlMove;
use super::map::Keymap;

/// Maximum length of the names of the keys in one row, in letters.
const KEYS_MAX: usize = 17;
/// Maximum length of the names of the buttons in one row, in letters.
const NAMES_MAX: usize = 32;
/// Maximum number of buttons in one row.
const BUTTONS_MAX: usize = 6;

/// Returns the rows of the buttons of `keymap`: one for several buttons, if the names of their keys
/// and their own are short. The buttons of the LCD board have a row for each of its two rows.
pub fn button_rows(keymap: &Keymap, name: impl Fn(KeyAction) -> String) -> Vec<(String, String)> {
    let buttons = keymap.buttons();
    let name = |button: &Button| name(KeyAction::Press(*button));
    if buttons.iter().map(|button| button.name()).eq(Button::LCD_BOARD.map(Button::name)) {
        return rows_of_the_lcd_board(name);
    }
    let letters = |words: &[String]| words.join(" ").chars().count();
    let mut rows: Vec<[Vec<String>; 2]> = Vec::new();
    for button in &buttons {
        let (key, named) = (name(button), button.name().to_owned());
        let fits = |[keys, names]: &[Vec<String>; 2]| {
            let keys = [keys.as_slice(), std::slice::from_ref(&key)].concat();
            let names = [names.as_slice(), std::slice::from_ref(&named)].concat();
            names.len() <= BUTTONS_MAX && letters(&keys) <= KEYS_MAX && letters(&names) <= NAMES_MAX
        };
        match rows.last_mut() {
            Some(row) if fits(row) => {
                row[0].push(key);
                row[1].push(named);
            }
            _ => rows.push([vec![key], vec![named]]),
        }
    }
    let what = |names: &[String]| match names {
        [name] => format!("button {name}"),
        names => format!("buttons {}", names.join(" ")),
    };
    rows.into_iter().map(|[keys, names]| (keys.join(" "), what(&names))).collect()
}

/// Returns a row for each encoder, switch, joystick and potentiometer of `keymap`.
pub fn control_rows(keymap: &Keymap, name: impl Fn(KeyAction) -> String) -> Vec<(String, String)> {
    let row = |control: trace::Control| {
        let moves = ControlMove::of(control.kind()).iter();
        let actions = moves.map(|by| KeyAction::Move(control, *by));
        let keys: Vec<String> = actions.map(&name).collect();
        let verb = match control.kind() {
            ControlKind::Encoder => "turn",
            ControlKind::Switch => "switch",
            ControlKind::Joystick => "tilt",
            ControlKind::Potentiometer => "move",
            ControlKind::Touch(_) => "touch",
        };
        (keys.join(" "), format!("{verb} {}", control.name()))
    };
    keymap.board_controls().into_iter().map(row).collect()
}

fn rows_of_the_lcd_board(name: impl Fn(&Button) -> String) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for buttons in [&Button::LCD_BOARD[6..12], &Button::LCD_BOARD[..6]] {
        let names: Vec<String> = buttons.iter().map(&name).collect();
        let joined = names.join(" ");
        if joined.chars().count() <= KEYS_MAX {
            rows.push((joined, format!("buttons {} to {}", buttons[0], buttons[5])));
        } else {
            let each = names.into_iter().zip(buttons);
            rows.extend(each.map(|(name, button)| (name, format!("button {button}"))));
        }
    }
    rows.push((name(&Button::Reset), format!("button {}", Button::Reset)));
    rows
}

#[cfg(test)]
mod tests {
    use trace::Buttons;

    use super::*;
    use crate::Key;

    #[test]
    fn keys_with_short_names_share_a_row() {
        let map = Keymap::default();
        let rows = button_rows(&map, |action| action.name().chars().take(1).collect());
        let names: Vec<&str> = rows.iter().map(|(_, what)| what.as_str()).collect();
        assert_eq!(names, ["buttons T1 to T6", "buttons B1 to B6", "button RESET"]);
        assert_eq!(rows[1].0, "B B B B B B");
        let rows = button_rows(&map, |action| format!("Keypad {}", action.name()));
        assert_eq!(rows.len(), Button::LCD_BOARD.len());
        assert_eq!(rows[6], ("Keypad B1".to_owned(), "button B1".to_owned()));
    }

    #[test]
    fn buttons_of_another_board_have_their_names() {
        let rows = |names: &[&str], keys: &[&str]| {
            let buttons = Buttons::new(names.iter().copied()).unwrap();
            let keys = keys.iter().map(|key| Key::from_name(key));
            let map = Keymap::of_buttons(buttons.all().iter().copied().zip(keys));
            button_rows(&map, |action| map.key_name(action).to_owned())
        };
        let row = |keys: &str, what: &str| (keys.to_owned(), what.to_owned());
        assert_eq!(rows(&["A", "UP"], &["Z", "W"]), [row("Z W", "buttons A UP")]);
        assert_eq!(
            rows(&["A", "B", "FIRE"], &["Left Shift", "Right Shift", "X"]),
            [row("Left Shift", "button A"), row("Right Shift X", "buttons B FIRE")]
        );
    }
}
