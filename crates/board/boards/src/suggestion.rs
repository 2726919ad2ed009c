//! The end of a sentence about an unknown word.

/// Returns `; did you mean `x`?`, or an empty text.
pub fn suggested(word: Option<&str>) -> String {
    word.map(|word| format!("; did you mean `{word}`?")).unwrap_or_default()
}
