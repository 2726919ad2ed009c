//! Escapes text for a browser: text in an element or in a quoted attribute.

use super::is_command;

/// Escapes `text` as the text of an element or the value of a quoted attribute. Lines are retained,
/// and a browser shows every character, except commands and forbidden characters, which become `�`.
pub fn escaped(text: &str) -> String {
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

/// Returns the text from which [`escaped`] has made `html`.
pub fn unescaped(html: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .into_iter()
        .fold(html.to_owned(), |text, (escape, letter)| text.replace(escape, letter))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::hostile;
    use super::*;

    #[test]
    fn nothing_in_a_text_is_html() {
        assert_eq!(
            escaped("<img src=x onerror=\"a\">&'\x00\nb"),
            "&lt;img src=x onerror=&quot;a&quot;&gt;&amp;&#39;\u{FFFD}\nb"
        );
    }

    proptest! {
        #[test]
        fn a_browser_reads_the_same_text(text in hostile::text()) {
            let html = escaped(&text);
            prop_assert!(!html.contains(['<', '>', '"', '\'']), "{html}");
            // HTML's five references are those of XML.
            let read = quick_xml::escape::unescape(&html).unwrap();
            prop_assert_eq!(&read, &hostile::shown(&text));
            prop_assert_eq!(unescaped(&html), read);
        }
    }
}
