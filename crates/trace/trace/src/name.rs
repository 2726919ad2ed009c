//! Names of golden frames and screenshots.

/// The longest name of a golden frame or a screenshot, in characters.
pub const NAME_CHARS_MAX: usize = 64;

/// Whether `name` may name a golden frame or a screenshot. Names become file names, so:
/// ASCII letters, digits, `-` and `_`, one to [`NAME_CHARS_MAX`] of them.
pub fn is_name(name: &str) -> bool {
    (1..=NAME_CHARS_MAX).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}
