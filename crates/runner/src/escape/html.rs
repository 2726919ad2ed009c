//! For a browser: text in an element or in a quoted attribute.

pub use page::in_text as escaped;

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
            // The five references are those of XML.
            let read = quick_xml::escape::unescape(&html).unwrap();
            prop_assert_eq!(read, hostile::shown(&text));
        }
    }
}
