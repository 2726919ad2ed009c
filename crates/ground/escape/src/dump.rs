//! A value change dump, made harmless for a strict parser: dialects that other readers ignore.
//!
//! | in the file | becomes |
//! |---|---|
//! | a byte order mark | nothing |
//! | a type of variable or scope that the parser does not know, such as SystemVerilog's `logic` | `wire`, `module` |
//! | a name of a variable with blanks | the same with no-break spaces ([`name`] turns them back) |
//! | an unknown section, such as GTKWave's `$attrbegin` | nothing |
//! | `$end` without a beginning | nothing |
//! | bytes that are not UTF-8, such as Latin-1 in `$date` | their characters in Latin-1 |
//! | the other levels of VHDL (`U`, `W`, `-`, `H`, `L`), a real that is no number | `x`, `1`, `0`; 0 |
//! | no end of the last line | a blank |
//!
//! Lines stay where they are, so that the parser's errors name them. This module knows no channels
//! and no times.

mod oddity;
mod token;

use std::io::{self, BufRead, Read};

pub use oddity::{Oddities, Oddity};
use token::Tokens;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// Length in bytes from which a token is passed on as it is.
const TOKEN_BYTES_MAX: usize = 4096;
/// Replaces a blank in the name of a variable.
const NO_BREAK_SPACE: char = '\u{A0}';

/// A reader of the mended text.
pub struct Mended<R> {
    inner: R,
    tokens: Tokens,
    has_begun: bool,
    line: u64,
    /// The token that has begun, and whether a part of it has been passed on.
    token: Vec<u8>,
    is_long: bool,
    /// Mended text, and the number of its bytes that were consumed.
    text: Vec<u8>,
    consumed: usize,
}

/// Returns the name of a variable as the file has it.
pub fn name(mended: &str) -> String {
    mended.replace(NO_BREAK_SPACE, " ")
}

impl<R: BufRead> Mended<R> {
    pub fn new(inner: R) -> Self {
        let (token, text) = (vec![], vec![]);
        let tokens = Tokens::default();
        let (has_begun, is_long) = (false, false);
        Self { inner, tokens, has_begun, line: 1, token, is_long, text, consumed: 0 }
    }

    /// Returns the reader of the file.
    pub fn inner(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns what has been mended.
    pub fn oddities(&self) -> &Oddities {
        &self.tokens.oddities
    }

    /// Takes the next part of the file.
    fn refill(&mut self) -> io::Result<()> {
        self.text.clear();
        self.consumed = 0;
        while self.text.is_empty() {
            let part = self.inner.fill_buf()?.to_vec();
            if part.is_empty() {
                self.end_file();
                return Ok(());
            }
            self.inner.consume(part.len());
            for byte in part {
                self.push(byte);
            }
        }
        Ok(())
    }

    fn push(&mut self, byte: u8) {
        if byte.is_ascii_whitespace() {
            self.end_token();
            self.text.push(byte);
            self.line += u64::from(byte == b'\n');
        } else if self.token.len() < TOKEN_BYTES_MAX && !self.is_long {
            self.token.push(byte);
        } else {
            if !self.is_long {
                self.is_long = true;
                self.tokens.long(self.token[0]);
                self.text.append(&mut self.token);
            }
            self.text.push(byte);
        }
    }

    fn end_token(&mut self) {
        self.is_long = false;
        if !self.has_begun && self.token.starts_with(BYTE_ORDER_MARK) {
            self.token.drain(..BYTE_ORDER_MARK.len());
        }
        self.has_begun = true;
        if !self.token.is_empty() {
            self.tokens.mend(&self.token, self.line, &mut self.text);
            self.token.clear();
        }
    }

    /// Ends the last token, which the parser reads up to a blank.
    fn end_file(&mut self) {
        if !self.token.is_empty() {
            self.end_token();
            self.text.push(b' ');
            self.tokens.oddities.add(self.line, Oddity::NoLineEnd);
        }
    }
}

impl<R: BufRead> Read for Mended<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let text = self.fill_buf()?;
        let length = text.len().min(bytes.len());
        bytes[..length].copy_from_slice(&text[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Mended<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.consumed == self.text.len() {
            self.refill()?;
        }
        Ok(&self.text[self.consumed..])
    }

    fn consume(&mut self, bytes: usize) {
        self.consumed = (self.consumed + bytes).min(self.text.len());
    }
}

#[cfg(test)]
mod tests;
