//! What a person or a program has typed: cut into words, read as numbers, and repeated in messages. One function each, and
//! none that is generic: they are used at many places, and the Pico's flash is small.

use core::fmt::{self, Write as _};

/// Words that are cut off a line at most: one more than any line has.
pub const TYPED_WORDS: usize = 8;

/// Characters of a word that a message repeats.
const SHOWN: usize = 24;

/// The words of a line, empty ones behind the last. They are separated by blanks, and by `separator`.
#[inline(never)]
pub fn typed_words(line: &str, separator: u8) -> [&str; TYPED_WORDS] {
    let mut words = [""; TYPED_WORDS];
    let mut rest = line.as_bytes();
    let mut at = 0;
    for word in &mut words {
        let is_between = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r') || *byte == separator;
        let begin = rest.iter().position(|byte| !is_between(byte)).unwrap_or(rest.len());
        rest = &rest[begin..];
        let length = rest.iter().position(is_between).unwrap_or(rest.len());
        rest = &rest[length..];
        *word = line.get(at + begin..at + begin + length).unwrap_or_default();
        at += begin + length;
    }
    words
}

/// A whole number in digits only: no sign, no blank. `None` if it is more than `most`.
#[inline(never)]
pub fn typed_number(word: &str, most: u64) -> Option<u64> {
    let mut number = 0_u64;
    for byte in word.bytes() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number.checked_mul(10)?.checked_add(digit.into())?;
    }
    (!word.is_empty() && number <= most).then_some(number)
}

/// Writes a word in single quotes: its beginning, and no double quote, which would end the value that the message is in.
pub struct TypedWord<'l>(pub &'l str);

impl fmt::Display for TypedWord<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("'")?;
        for letter in self.0.chars().take(SHOWN) {
            out.write_char(if letter == '"' { '\'' } else { letter })?;
        }
        out.write_str(if self.0.len() > SHOWN { "...'" } else { "'" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_blanks_and_separators() {
        let check = |line, words: &[&str]| {
            let found = typed_words(line, b'=');
            assert_eq!(found[..words.len()], *words, "{line}");
            assert!(found[words.len()..].iter().all(|word| word.is_empty()), "{line}");
        };
        check("", &[]);
        check(" = \t", &[]);
        check("get", &["get"]);
        check("import end=A  lines=3\r", &["import", "end", "A", "lines", "3"]);
        check("a b c d e f g h i j", &["a", "b", "c", "d", "e", "f", "g", "h"]);
        check("\u{fc}=b", &["\u{fc}", "b"]);
    }

    #[test]
    fn a_number_has_digits_only() {
        for (word, most, number) in [
            ("0", 0, Some(0)),
            ("13", 13, Some(13)),
            ("14", 13, None),
            ("007", 13, Some(7)),
            ("18446744073709551615", u64::MAX, Some(u64::MAX)),
            ("18446744073709551616", u64::MAX, None),
            ("99999999999999999999", u64::MAX, None),
            ("", 13, None),
            ("+1", 13, None),
            ("1 ", 13, None),
            ("1a", 13, None),
        ] {
            assert_eq!(typed_number(word, most), number, "{word}");
        }
    }
}
