//! For a reader of XML 1.0, which forbids most control characters even as references.

use super::html::escaped;
use super::is_command;

/// How GitLab and others find a file in the output of a test: only a report may name one.
const ATTACHMENT: &str = "[[ATTACHMENT|";

/// `text` with its lines: each forbidden character is `�`, a tabulator, which the writer of the
/// file would leave out, a blank. The writer puts references in place of markup.
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

/// The same for a text on one line: a name, a message.
pub fn line(text: &str) -> String {
    self::text(text).replace('\n', "\u{FFFD}")
}

/// The same with references in place of markup, for a file that is written by hand, such as an SVG.
pub fn markup(text: &str) -> String {
    // The five references of HTML are XML's.
    escaped(&line(text))
}

/// The same for what a program has printed: it attaches no file.
pub fn output(text: &str) -> String {
    self::text(text).replace(ATTACHMENT, "[[ATTACHMENT |")
}

/// The line by which a test's output attaches the file at `path`.
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
    fn what_xml_forbids_is_shown_as_such() {
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
        fn the_writer_of_xml_has_nothing_to_leave_out(hostile in hostile::text()) {
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
