//! Splits one line into words, quoted texts and the comment at its end, with columns.
//!
//! The module knows blanks (space and tab), quotes and `#`; it knows no verb.

use super::error::{LineFault, ParseErrorKind};

/// A run of characters without blanks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) column: u32,
}

/// Reads a line from left to right.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
    column: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self { rest: line, column: 1 }
    }

    /// Returns the next word; `None` at the end of the line or at its comment.
    pub(super) fn word(&mut self) -> Option<Word<'a>> {
        let mut ahead = self.clone();
        ahead.skip_blanks();
        if ahead.rest.is_empty() || ahead.rest.starts_with('#') {
            return None;
        }
        let column = ahead.column;
        let text = ahead.take(ahead.rest.find(is_blank).unwrap_or(ahead.rest.len()));
        *self = ahead;
        Some(Word { text, column })
    }

    /// Returns the next word like [`need`](Self::need); a colour like `#ff8000` is a word here, not
    /// a comment.
    pub(super) fn need_with_colour(
        &mut self,
        behind: &str,
        wanted: &str,
    ) -> Result<Word<'a>, LineFault> {
        let mut ahead = self.clone();
        ahead.skip_blanks();
        let end = ahead.rest.find(is_blank).unwrap_or(ahead.rest.len());
        if !is_colour(&ahead.rest[..end]) {
            return self.need(behind, wanted);
        }
        let column = ahead.column;
        let text = ahead.take(end);
        *self = ahead;
        Ok(Word { text, column })
    }

    /// Returns the next word, or the fault that `wanted` is missing after `behind`.
    pub(super) fn need(&mut self, behind: &str, wanted: &str) -> Result<Word<'a>, LineFault> {
        let column = self.column;
        self.word().ok_or_else(|| {
            let (behind, wanted) = (behind.to_owned(), wanted.to_owned());
            LineFault::new(column, ParseErrorKind::Missing { behind, wanted })
        })
    }

    /// Returns the next text in quotes, without its escapes; never blank.
    pub(super) fn quoted(&mut self, behind: &str) -> Result<String, LineFault> {
        let mut ahead = self.clone();
        ahead.skip_blanks();
        let opened = ahead.column;
        let text = self.quoted_line(behind)?;
        if text.trim().is_empty() {
            return Err(LineFault::new(opened, ParseErrorKind::EmptyText));
        }
        Ok(text)
    }

    /// Returns the next text in quotes, without its escapes; it may be blank.
    pub(super) fn quoted_line(&mut self, behind: &str) -> Result<String, LineFault> {
        let mut text = String::new();
        self.between_quotes(behind, ParseErrorKind::Escape, |cursor, letter| {
            match (letter, letter == '\\') {
                (_, true) => text.push(cursor.next_char().filter(|it| matches!(it, '"' | '\\'))?),
                (letter, false) => text.push(letter),
            }
            Some(())
        })?;
        Ok(text)
    }

    /// Returns the bytes of the next text in quotes, with its escapes replaced; never empty.
    pub(super) fn quoted_bytes(&mut self, behind: &str) -> Result<Vec<u8>, LineFault> {
        let mut ahead = self.clone();
        ahead.skip_blanks();
        let opened = ahead.column;
        let mut bytes = Vec::new();
        self.between_quotes(behind, ParseErrorKind::ByteEscape, |cursor, letter| {
            if letter != '\\' {
                bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes());
                return Some(());
            }
            bytes.push(match cursor.next_char()? {
                '"' => b'"',
                '\\' => b'\\',
                'n' => b'\n',
                'r' => b'\r',
                't' => b'\t',
                'x' => {
                    let mut digit = || cursor.next_char()?.to_digit(16);
                    let (high, low) = (digit()?, digit()?);
                    // Two hexadecimal digits.
                    (high << 4 | low) as u8
                }
                _ => return None,
            });
            Some(())
        })?;
        if bytes.is_empty() {
            return Err(LineFault::new(opened, ParseErrorKind::NoBytes));
        }
        Ok(bytes)
    }

    /// Reads a text in quotes: passes each character to `take`, which reads the rest of an escape
    /// itself and returns `None` if there is no such escape.
    fn between_quotes(
        &mut self,
        behind: &str,
        wrong_escape: ParseErrorKind,
        mut take: impl FnMut(&mut Self, char) -> Option<()>,
    ) -> Result<(), LineFault> {
        let unquoted = |column| {
            let wanted = "a text in quotes, like \"GAME OVER\"".to_owned();
            LineFault::new(column, ParseErrorKind::Missing { behind: behind.to_owned(), wanted })
        };
        let before = self.column;
        self.skip_blanks();
        let opened = self.column;
        match self.rest.chars().next() {
            Some('"') => self.take(1),
            None | Some('#') => return Err(unquoted(before)),
            Some(letter) if is_typographic(letter) => {
                return Err(LineFault::new(opened, ParseErrorKind::TypographicQuote(letter)));
            }
            Some(_) => return Err(unquoted(opened)),
        };
        // The last typographic quote, which ends the text if nothing else does.
        let mut typographic = None;
        loop {
            let at = self.column;
            match self.next_char() {
                None => {
                    let unclosed = LineFault::new(opened, ParseErrorKind::Unclosed);
                    return Err(typographic.unwrap_or(unclosed));
                }
                Some('"') => break,
                Some(letter) => {
                    if is_typographic(letter) {
                        let kind = ParseErrorKind::TypographicQuote(letter);
                        typographic = Some(LineFault::new(at, kind));
                    }
                    if take(self, letter).is_none() {
                        return Err(LineFault::new(at, wrong_escape));
                    }
                }
            }
        }
        if !self.rest.is_empty() && !self.rest.starts_with(is_blank) {
            return Err(LineFault::new(self.column, ParseErrorKind::NoBlankAfterText));
        }
        Ok(())
    }

    /// Returns the rest of the line up to its comment, without the blanks around it. A `#` begins a
    /// comment only after a blank, so `a#b` is a value.
    pub(super) fn value(&mut self, behind: &str) -> Result<Word<'a>, LineFault> {
        let before = self.clone();
        let first = self.need(behind, "a value")?;
        while self.word().is_some() {}
        let read = &before.rest[..before.rest.len() - self.rest.len()];
        Ok(Word { text: read.trim_matches(is_blank), column: first.column })
    }

    /// Returns what `read` reads, and its text without the blanks around it.
    pub(super) fn spanned<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, LineFault>,
    ) -> Result<(Word<'a>, T), LineFault> {
        let mut before = self.clone();
        let found = read(self)?;
        before.skip_blanks();
        let text = &before.rest[..before.rest.len() - self.rest.len()];
        Ok((Word { text: text.trim_matches(is_blank), column: before.column }, found))
    }

    /// Returns the comment, if nothing else is left on the line.
    pub(super) fn finish(&mut self, behind: &str) -> Result<Option<String>, LineFault> {
        if let Some(word) = self.clone().word() {
            let (behind, rest) = (behind.to_owned(), word.text.to_owned());
            return Err(LineFault::new(
                word.column,
                ParseErrorKind::Surplus { behind, word: rest },
            ));
        }
        self.skip_blanks();
        Ok(self.rest.strip_prefix('#').map(|comment| comment.trim().to_owned()))
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest.len() - self.rest.trim_start_matches(is_blank).len();
        self.take(blanks);
    }

    fn next_char(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.take(letter.len_utf8());
        Some(letter)
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        // A line has at most 4,096 bytes.
        self.column += taken.chars().count() as u32;
        taken
    }
}

/// Returns whether a word is a colour: `#` and six or eight hexadecimal digits.
pub(super) fn is_colour(word: &str) -> bool {
    word.strip_prefix('#').is_some_and(|digits| {
        matches!(digits.len(), 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Returns whether word processors and chats put `letter` in the place of a straight quote.
fn is_typographic(letter: char) -> bool {
    matches!(letter, '“' | '”' | '„' | '‟' | '«' | '»' | '‘' | '’' | '‚' | '″')
}

fn is_blank(letter: char) -> bool {
    letter == ' ' || letter == '\t'
}
