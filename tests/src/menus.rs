//! Button presses that lead to each entry of the menus.
//!
//! RESET held for a second opens the menu at its last position; then B1 and B2 change to the menu
//! on the left and right, B3 and B4 move the cursor up and down, B5 chooses: each key's word is
//! above its button. This module knows the menus as the manual lists them, and no firmware.

use trace::Button;
use virtual_time::Nanos;

/// Hold time of RESET that opens the menu even if the contact bounces.
pub const HOLD: Nanos = Nanos::from_millis(1_200);

/// The button of OK on every page that has it.
pub const OK: Button = Button::B5;
/// The button of YES in every question.
pub const YES: Button = Button::B1;
/// The button of NO in every question.
pub const NO: Button = Button::B6;

const MENUS: [&[&str]; 4] = [
    &["Load Game", "Save Game", "Log Game", "Logs", "Quit"],
    &[
        "New Board",
        "Edit Board",
        "Show Scores",
        "Reset Scores",
        "How to play",
        "Help",
        "Undo",
        "Redo",
        "Abandon play",
        "Resign",
    ],
    &[
        "One Player",
        "Two Players",
        "Demo Mode",
        "Swap Sides",
        "Bidirectional",
        "Sow at Once",
        "Show Thoughts",
        "Volume",
        "Three Stones",
        "Four Stones",
        "Five Stones",
        "Advanced",
        "Proficient",
        "Intermediate",
        "Novice",
        "Sound Off",
    ],
    &["Board", "Family", "Wari", "Top-Bottom"],
];

/// The last position in the menus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Menus {
    menu: usize,
    cursor: usize,
}

impl Menus {
    /// Returns the taps that choose `entry` after the menu was opened, including the final OK.
    ///
    /// # Panics
    /// If no menu has such an entry.
    pub fn way_to(&mut self, entry: &str) -> Vec<Button> {
        let found = MENUS.iter().enumerate().find_map(|(menu, entries)| {
            Some((menu, entries.iter().position(|other| *other == entry)?))
        });
        let (menu, nth) = found.unwrap_or_else(|| panic!("no menu has {entry}"));
        let mut way = Vec::new();
        while self.menu != menu {
            let step = if self.menu < menu { Button::B2 } else { Button::B1 };
            self.menu = if step == Button::B2 { self.menu + 1 } else { self.menu - 1 };
            // Another menu opens at its first entry.
            self.cursor = 0;
            way.push(step);
        }
        let count = MENUS[menu].len();
        let down = (nth + count - self.cursor) % count;
        let up = count - down;
        self.cursor = nth;
        way.extend(if down <= up { vec![Button::B4; down] } else { vec![Button::B3; up] });
        way.push(OK);
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_way_is_taken_from_where_the_menu_was_left() {
        let [b1, b2, b3, b4, b5] = [Button::B1, Button::B2, Button::B3, Button::B4, Button::B5];
        let mut menus = Menus::default();
        assert_eq!(menus.way_to("Undo"), [b2, b3, b3, b3, b3, b5]);
        assert_eq!(menus.way_to("Undo"), [b5]);
        assert_eq!(menus.way_to("Abandon play"), [b4, b4, b5]);
        assert_eq!(menus.way_to("Load Game"), [b1, b5]);
    }
}
