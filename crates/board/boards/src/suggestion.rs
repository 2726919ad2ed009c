//! The end of a sentence about an unknown word.

/// `; did you mean `x`?`, or nothing.
pub(crate) fn suggested(word: Option<&str>) -> String {
    word.map(|word| format!("; did you mean `{word}`?")).unwrap_or_default()
}
