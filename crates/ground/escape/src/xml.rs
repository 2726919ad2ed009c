//! Escapes text for a reader of XML 1.0, which forbids most control characters even as references.

use super::html::escaped;
use super::is_command;

/// Prefix by which GitLab and others find a file in the output of a test: only a report may write
/// it.
const ATTACHMENT: &str = "[[ATTACHMENT|";

/// Replaces each forbidden character of `text` by `�`, and a tab, which the writer of the file
/// would leave out, by a blank. Lines are retained. The writer replaces markup by references.
pub fn text(text: &str) -> String {
    let shown = |letter| match letter {
        '\n' => '\n',
        '\t' => ' ',
        '\u{FFFE}' | '\u{FFFF}' => '\u{FFFD}',
        letter if is_command(letter) => '\u{FFFD}',
        letter => letter,
    };
    text.chars().map(shown).collect()
}

/// Escapes like [`text`] for a text on one line: a name, a message.
pub fn line(text: &str) -> String {
    self::text(text).replace('\n', "\u{FFFD}")
}

/// Escapes like `line`, with references in place of markup, for a file that is
/// written without an XML writer, such as an SVG.
pub fn markup(text: &str) -> String {
    // HTML's five references are XML's.
    escaped(&line(text))
}

/// Escapes like [`text`] for the output of a program, which must not attach a file.
pub fn output(text: &str) -> String {
    self::text(text).replace(ATTACHMENT, "[[ATTACHMENT |")
}

/// Returns the line by which a test's output attaches the file at `path`.
pub fn attachment(path: &str) -> String {
    format!("{ATTACHMENT}{}]]\n", line(path))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quick_junit::XmlString;

    use super::super::hostile;
    use super::*;

    #[test]
    fn characters_that_xml_forbids_are_replaced() {
        assert_eq!(
            text("a\0\x0b\x1b[1m\u{FFFE}\r\n\tb"),
            "a\u{FFFD}\u{FFFD}\u{FFFD}[1m\u{FFFD}\u{FFFD}\n b"
        );
        assert_eq!(line("a\nb"), "a\u{FFFD}b");
        assert_eq!(markup("a\u{FFFF}<\n\u{202E}"), "a\u{FFFD}&lt;\u{FFFD}\u{FFFD}");
        assert_eq!(output("[[ATTACHMENT|/etc/passwd]]"), "[[ATTACHMENT |/etc/passwd]]");
        assert_eq!(attachment("out/a.png"), "[[ATTACHMENT|out/a.png]]\n");
    }

    proptest! {
        #[test]
        fn the_xml_writer_leaves_nothing_out(hostile in hostile::text()) {
            for text in [text(&hostile), line(&hostile), output(&hostile)] {
                let written = XmlString::new(text.as_str());
                prop_assert_eq!(written.as_str(), text);
            }
            let markup = markup(&hostile);
            prop_assert!(!markup.contains(['<', '>', '"', '\'']), "{markup}");
            prop_assert_eq!(quick_xml::escape::unescape(&markup).unwrap(), line(&hostile));
            let shown = hostile::shown(&hostile.replace('\t', " "));
            let shown = shown.replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}");
            prop_assert_eq!(text(&hostile), shown);
        }
    }
}
