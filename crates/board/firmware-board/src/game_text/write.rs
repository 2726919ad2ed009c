//! Converts a history to lines with the firmware's own code.

use firmware_core::history::History;
use firmware_core::history::text::GameText;

/// Returns the text of `history`, which [`parse()`](super::parse()) reads back to the same game.
pub fn write(history: &History) -> String {
    let mut lines = GameText::new(history);
    let mut text = String::new();
    while lines.next_line(history, &mut text) {
        text.push('\n');
    }
    text
}
