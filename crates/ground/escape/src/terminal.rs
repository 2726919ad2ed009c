//! Escapes text for a terminal, and for the log of a CI system, which is standard output and error
//! as well.
//!
//! [`plain`] makes one line of a text. All lines pass through [`TextWriter`]: it removes control
//! characters, and on GitHub commands of its log. Sequences of the report itself (colours,
//! pictures, annotations) are written with [`TextWriter::own`].

use std::io::{self, Write};

use super::is_command;

/// Returns `text` as a part of one line, without anything that a terminal or a log would interpret.
pub fn plain(text: &str) -> String {
    text.chars().map(|letter| if is_command(letter) { '\u{FFFD}' } else { letter }).collect()
}

/// A writer that passes on lines of text. Control characters except line feed and tab become `�`,
/// as do bytes that are not UTF-8.
///
/// On GitHub a line that begins with `::`, with or without blanks before it, is a command, and so
/// is the text after `##[` anywhere in a line. Both are broken by an inserted blank.
pub struct TextWriter<'a> {
    inner: &'a mut dyn Write,
    on_github: bool,
    /// First bytes of a character whose other bytes have not been written yet.
    begun: Vec<u8>,
    line: LineState,
}

/// State of the current line.
#[derive(Clone, Copy)]
enum LineState {
    /// Only blanks, or nothing.
    Blank,
    /// Blanks and one colon.
    Colon,
    /// Other text; `signs` is the number of number signs at its end, at most two.
    Text { signs: u8 },
}

impl<'a> TextWriter<'a> {
    /// Creates a writer to `inner`; `on_github` if GitHub's log reads it.
    pub fn new(inner: &'a mut dyn Write, on_github: bool) -> Self {
        Self { inner, on_github, begun: Vec::new(), line: LineState::Blank }
    }

    /// Writes `text` unchanged: an escape sequence, or a whole line for GitHub. Parts of `text`
    /// that come from a file must have been escaped.
    ///
    /// # Errors
    /// If the text cannot be written.
    pub fn own(&mut self, text: &str) -> io::Result<()> {
        let last = text.chars().next_back();
        self.line = match last {
            Some('\n') => LineState::Blank,
            Some(_) => LineState::Text { signs: 0 },
            None => self.line,
        };
        self.inner.write_all(text.as_bytes())
    }

    fn text(&mut self, text: &str, out: &mut String) {
        for letter in text.chars() {
            let letter = match letter {
                '\n' | '\t' => letter,
                letter if is_command(letter) => '\u{FFFD}',
                letter => letter,
            };
            let (line, breaks) = self.line.with(letter);
            if breaks && self.on_github {
                out.push(' ');
            }
            self.line = line;
            out.push(letter);
        }
    }
}

impl LineState {
    /// Returns the state after `letter`, and whether `letter` completes a command of GitHub's.
    fn with(self, letter: char) -> (Self, bool) {
        const TEXT: LineState = LineState::Text { signs: 0 };
        match (self, letter) {
            (_, '\n') => (Self::Blank, false),
            (Self::Blank, letter) if letter.is_whitespace() => (Self::Blank, false),
            (Self::Blank, ':') => (Self::Colon, false),
            (Self::Colon, ':') => (TEXT, true),
            (Self::Text { signs }, '#') => (Self::Text { signs: (signs + 1).min(2) }, false),
            (_, '#') => (Self::Text { signs: 1 }, false),
            (Self::Text { signs: 2 }, '[') => (TEXT, true),
            _ => (TEXT, false),
        }
    }
}

impl Write for TextWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let whole = [std::mem::take(&mut self.begun).as_slice(), bytes].concat();
        let mut out = String::with_capacity(whole.len());
        let mut rest = whole.as_slice();
        loop {
            match str::from_utf8(rest) {
                Ok(text) => {
                    self.text(text, &mut out);
                    break;
                }
                Err(error) => {
                    let (valid, behind) = rest.split_at(error.valid_up_to());
                    self.text(str::from_utf8(valid).unwrap_or_default(), &mut out);
                    let Some(length) = error.error_len() else {
                        self.begun = behind.to_vec();
                        break;
                    };
                    self.text("\u{FFFD}", &mut out);
                    rest = &behind[length..];
                }
            }
        }
        self.inner.write_all(out.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::hostile;
    use super::*;

    /// Returns `pieces` as they are written, on GitHub or elsewhere.
    fn written(pieces: &[&[u8]], on_github: bool) -> String {
        let mut out = Vec::new();
        let mut writer = TextWriter::new(&mut out, on_github);
        pieces.iter().for_each(|piece| writer.write_all(piece).unwrap());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn no_text_commands_a_terminal() {
        assert_eq!(plain("a\x1b[31mb\u{202E}c\r\n"), "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}\u{FFFD}");
        let text = "a\tb\x1b]0;c\x07\r\nd\u{9b}\u{200F}";
        assert_eq!(
            written(&[text.as_bytes()], false),
            "a\tb\u{FFFD}]0;c\u{FFFD}\u{FFFD}\nd\u{FFFD}\u{FFFD}"
        );
    }

    #[test]
    fn no_text_commands_githubs_log() {
        for (text, expected) in [
            ("::error::x\n", ": :error::x\n"),
            ("a\n \t\u{A0}::stop-commands::x\n", "a\n \t\u{A0}: :stop-commands::x\n"),
            ("a ###[error]x ##[group]\n", "a ### [error]x ## [group]\n"),
            ("##\n[a ::b :c #[d\n", "##\n[a ::b :c #[d\n"),
        ] {
            assert_eq!(written(&[text.as_bytes()], true), expected);
            let letters: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(written(&letters, true), expected, "byte by byte");
            assert_eq!(written(&[text.as_bytes()], false), text, "elsewhere it is text");
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_replaced() {
        assert_eq!(written(&[b"a\xFFb\xC3", b"\xA4\xE2\x82", b"\xAC"], false), "a\u{FFFD}bä€");
    }

    #[test]
    fn own_sequences_pass_unchanged() {
        let mut out = Vec::new();
        let mut writer = TextWriter::new(&mut out, true);
        writer.own("\x1b[31mFAIL\x1b[0m").unwrap();
        writeln!(writer, "::a").unwrap();
        writer.own("::error::a\n").unwrap();
        writeln!(writer, "::b").unwrap();
        assert_eq!(out, b"\x1b[31mFAIL\x1b[0m::a\n::error::a\n: :b\n");
    }

    proptest! {
        #[test]
        fn no_text_commands_a_terminal_or_githubs_log(
            text in hostile::text(), cuts in proptest::collection::vec(1_usize..5, 1..40)
        ) {
            let mut pieces = Vec::new();
            let mut rest = text.as_bytes();
            for cut in cuts.into_iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (piece, behind) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = behind;
            }
            let out = written(&pieces, true);
            prop_assert_eq!(&out, &written(&[text.as_bytes()], true), "wherever it is cut");
            hostile::check_log(&out);
            let line = plain(&text);
            prop_assert_eq!(line.chars().count(), text.chars().count());
            prop_assert!(!line.chars().any(|letter| letter.is_control()), "{line:?}");
        }
    }
}
