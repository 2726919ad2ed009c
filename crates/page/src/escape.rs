//! Text of files, made harmless for the two places of a page that it stands in.

use std::fmt::Write as _;

/// `json` as the content of a `<script>` that holds data: nothing in it begins or ends an element or a
/// comment. A JSON reader reads the same.
pub fn in_script(json: &str) -> String {
    // In JSON these stand in strings only, where an escape means the same letter.
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

/// `text` as the text of an element or the value of a quoted attribute. Its lines stay, and a browser
/// shows it letter for letter but for what it would obey or must not read, which is `�`.
pub fn in_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' => out.push('\n'),
            letter if is_command(letter) => out.push('\u{FFFD}'),
            letter => out.push(letter),
        }
    }
    out
}

/// Control characters, other ends of lines, and what turns the direction of writing around.
pub fn is_command(letter: char) -> bool {
    let turns = matches!(
        letter,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') || turns
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_trace_ends_no_element() {
        let hostile = "</script><!--<script>alert(1)</SCRIPT>\u{2028}&lt;";
        let data = in_script(&json!({ "text": hostile }).to_string());
        assert!(!data.contains(['<', '>', '&']), "{data}");
        assert_eq!(serde_json::from_str::<Value>(&data).unwrap()["text"], hostile);
        assert_eq!(
            in_text("<b title='\"'>&\u{202E}"),
            "&lt;b title=&#39;&quot;&#39;&gt;&amp;\u{FFFD}"
        );
    }

    proptest! {
        #[test]
        fn a_reader_of_json_reads_the_same(text in "(\\PC|[<>&\"\\\\\n\0]|</script|<!--){0,40}") {
            let data = in_script(&json!([text]).to_string());
            prop_assert!(!data.contains('<'));
            prop_assert_eq!(serde_json::from_str::<Value>(&data).unwrap(), json!([text]));
        }
    }
}
