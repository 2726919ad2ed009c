//! Rows of a list of keys.

use trace::Button;

/// Maximum length of the names of six keys in one row, in letters.
const KEYS_MAX: usize = 17;

/// Returns the rows of the buttons: one for the keys of six buttons, if their names are short.
pub fn button_rows(name: impl Fn(Button) -> String) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for buttons in [&Button::ALL[6..12], &Button::ALL[..6]] {
        let names: Vec<String> = buttons.iter().map(|button| name(*button)).collect();
        let joined = names.join(" ");
        if joined.chars().count() <= KEYS_MAX {
            rows.push((joined, format!("buttons {} to {}", buttons[0], buttons[5])));
        } else {
            let each = names.into_iter().zip(buttons);
            rows.extend(each.map(|(name, button)| (name, format!("button {button}"))));
        }
    }
    rows.push((name(Button::Reset), format!("button {}", Button::Reset)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_short_names_share_a_row() {
        let rows = button_rows(|button| button.name().chars().take(1).collect());
        let names: Vec<&str> = rows.iter().map(|(_, what)| what.as_str()).collect();
        assert_eq!(names, ["buttons T1 to T6", "buttons B1 to B6", "button RESET"]);
        assert_eq!(rows[1].0, "B B B B B B");
        let rows = button_rows(|button| format!("Keypad {button}"));
        assert_eq!(rows.len(), Button::COUNT);
        assert_eq!(rows[6], ("Keypad B1".to_owned(), "button B1".to_owned()));
    }
}
