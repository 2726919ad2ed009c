//! History to lines, by the firmware's own code.

use firmware_core::history::History;
use firmware_core::history::text::GameText;

/// The text of `history`; [`parse()`](super::parse()) reads it back to the same game.
pub fn write(history: &History) -> String {
    let mut lines = GameText::new(history);
    let mut text = String::new();
    while lines.next_line(history, &mut text) {
        text.push('\n');
    }
    text
}
