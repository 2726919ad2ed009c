//! Escapes JSON in a `<script>` of a page.

use core::fmt::Write as _;

use super::terminal::plain;

/// Escapes `json` as the content of a `<script>` with data: nothing in it begins or ends an element
/// or a comment. A JSON reader reads the same value.
pub fn in_script(json: &str) -> String {
    // In JSON these characters occur only in strings, where an escape means the same character.
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out
}

/// Escapes `text` as a string in such a `<script>`, for a page that shows it on one line: line ends
/// and characters that change the direction of writing become `�`.
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in plain(text).chars() {
        if matches!(letter, '"' | '\\') {
            out.push('\\');
        }
        out.push(letter);
    }
    out.push('"');
    in_script(&out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::hostile;
    use super::*;

    #[test]
    fn a_trace_ends_no_element() {
        let hostile = "</script><!--<script>alert(1)</SCRIPT>\u{2028}&lt;";
        let data = in_script(&json!({ "text": hostile }).to_string());
        assert!(!data.contains(['<', '>', '&']), "{data}");
        assert_eq!(serde_json::from_str::<Value>(&data).unwrap()["text"], hostile);
    }

    #[test]
    fn nothing_in_a_text_ends_the_script_or_the_string() {
        assert_eq!(
            line("</script><!-- \"\\\n\u{202E}\u{2028}é😀"),
            "\"\\u003c/script\\u003e\\u003c!-- \\\"\\\\\u{FFFD}\u{FFFD}\u{FFFD}é😀\""
        );
    }

    proptest! {
        #[test]
        fn a_reader_of_json_reads_the_same(text in "(\\PC|[<>&\"\\\\\n\0]|</script|<!--){0,40}") {
            let data = in_script(&json!([text]).to_string());
            prop_assert!(!data.contains('<'));
            prop_assert_eq!(serde_json::from_str::<Value>(&data).unwrap(), json!([text]));
        }

        #[test]
        fn a_reader_of_json_reads_the_line(text in hostile::text()) {
            let data = line(&text);
            prop_assert!(!data.contains('<'));
            prop_assert_eq!(serde_json::from_str::<Value>(&data).unwrap(), json!(plain(&text)));
        }
    }
}
