//! Names of golden frames and screenshots.

/// Maximum length of a name of a golden frame or a screenshot, in characters.
pub const NAME_CHARS_MAX: usize = 64;

/// Returns whether `name` is a valid name of a golden frame or a screenshot. Names become file
/// names, so they consist of 1 to [`NAME_CHARS_MAX`] ASCII letters, digits, `-` and `_`.
pub fn is_name(name: &str) -> bool {
    (1..=NAME_CHARS_MAX).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}
