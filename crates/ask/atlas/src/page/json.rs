//! JSON for a `<script>` element: it contains no `<`, so nothing in it ends the element or begins a
//! comment.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Returns a string that the page shows on one line.
pub(super) fn text(text: &str) -> String {
    escape::json::line(text)
}

/// Returns bytes as a base64 string.
pub(super) fn base64(bytes: &[u8]) -> String {
    format!("\"{}\"", STANDARD.encode(bytes))
}

pub(super) fn number(number: u64) -> String {
    number.to_string()
}

pub(super) fn array(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// Returns an object with these members, whose names must not need escaping.
pub(super) fn object(members: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let members = members.into_iter().map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{{{}}}\n", members.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_the_script_or_the_string() {
        assert_eq!(text("</script>\n\u{202E}"), "\"\\u003c/script\\u003e\u{FFFD}\u{FFFD}\"");
        assert_eq!(object([("a", array([number(1), text("b")]))]), "{\"a\":[1,\"b\"]}\n");
    }
}
