//! Text from a person or a program: split into words, parsed as numbers, and quoted in messages.
//! There is one function for each, and none is generic: they are used in many places, and the
//! Pico's flash is small.

use core::fmt::{self, Write as _};

/// Maximum number of words split off a line: one more than any line has.
pub const TYPED_WORDS: usize = 8;

/// Number of characters of a word that a message quotes.
const SHOWN: usize = 24;

/// Splits a line into words; unused elements at the end are empty. Words are separated by blanks
/// and by `separator`.
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

/// Parses a whole number of digits only: no sign, no blank. Returns `None` if it exceeds `most`.
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

/// Displays the beginning of a word in single quotes, without double quotes, which would end the
/// value that contains the message.
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
    fn words_are_separated_by_blanks_and_separators() {
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
