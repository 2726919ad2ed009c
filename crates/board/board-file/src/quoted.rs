//! Texts of a file in messages.

use crate::limits::QUOTED_CHARS_MAX;

/// Returns a text of the file for a message: at most 40 characters, none of them a control
/// character.
pub(crate) fn quoted(text: &str) -> String {
    let visible = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut quoted: String = visible.take(QUOTED_CHARS_MAX).collect();
    if text.chars().nth(QUOTED_CHARS_MAX).is_some() {
        quoted.push('…');
    }
    quoted
}
