//! Characters that are no text when they are alone.

/// Returns whether pictures contain the character by accident: without a letter, digit or other
/// character beside it, it is not text.
pub fn is_stroke(character: char) -> bool {
    ".,:;'`\"-_|/\\=~^".contains(character)
}
