//! JSON that may stand in a `<script>` element: no `<` is in it, so nothing ends the element or begins a
//! comment.

use core::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A string.
pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            letter if letter.is_control() || "<>&\u{2028}\u{2029}".contains(letter) => {
                let mut units = [0; 2];
                for unit in letter.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// A string of bytes.
pub(super) fn base64(bytes: &[u8]) -> String {
    format!("\"{}\"", STANDARD.encode(bytes))
}

pub(super) fn number(number: u64) -> String {
    number.to_string()
}

pub(super) fn array(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// An object with these members, whose names are plain words.
pub(super) fn object(members: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let members = members.into_iter().map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{{{}}}\n", members.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_the_script_or_the_string() {
        let hostile = text("</script><!-- \"\\\n\u{2028}é😀");
        assert_eq!(hostile, "\"\\u003c/script\\u003e\\u003c!-- \\\"\\\\\\u000a\\u2028é😀\"");
        assert_eq!(object([("a", array([number(1), text("b")]))]), "{\"a\":[1,\"b\"]}\n");
    }
}
