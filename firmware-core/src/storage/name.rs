//! Names of saved games and logs: up to eight letters, digits and dashes.

use core::fmt;

/// Length of the longest name in characters.
pub const NAME_CHARACTERS: usize = 8;

/// Characters of a name, in the order in which the soft keys offer them.
pub const LETTERS: &[u8; 37] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";

/// Number of letters in a row when a name is entered; the last row has fewer.
pub const LETTER_COLUMNS: usize = 13;

/// A name of one to eight [`LETTERS`]; it is empty only while it is being entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name([u8; NAME_CHARACTERS]);

impl Name {
    /// Creates the name `text`; `None` if it is empty, too long or has other characters.
    pub fn new(text: &str) -> Option<Self> {
        let mut name = Self::default();
        for letter in text.bytes() {
            if !name.push(letter) {
                return None;
            }
        }
        (!name.is_empty()).then_some(name)
    }

    /// Returns the name padded with zeros to the length of the longest one.
    pub const fn bytes(&self) -> &[u8; NAME_CHARACTERS] {
        &self.0
    }

    /// Returns the name whose [`Self::bytes`] these are.
    pub fn from_bytes(bytes: [u8; NAME_CHARACTERS]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(NAME_CHARACTERS);
        let (text, rest) = bytes.split_at(end);
        if rest.iter().any(|byte| *byte != 0) {
            return None;
        }
        Self::new(core::str::from_utf8(text).ok()?)
    }

    /// Appends a letter. Returns whether it is one of [`LETTERS`] and there was room.
    pub fn push(&mut self, letter: u8) -> bool {
        let end = self.len();
        if end == NAME_CHARACTERS || !LETTERS.contains(&letter) {
            return false;
        }
        self.0[end] = letter;
        true
    }

    /// Removes the last letter, if there is one.
    pub fn pop(&mut self) {
        if let Some(last) = self.len().checked_sub(1) {
            self.0[last] = 0;
        }
    }

    /// Returns its letters.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0[..self.len()]).unwrap_or_default()
    }

    /// Returns the number of its letters.
    pub fn len(&self) -> usize {
        self.0.iter().position(|byte| *byte == 0).unwrap_or(NAME_CHARACTERS)
    }

    /// Returns whether it has no letters.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_to_eight_letters() {
        for text in ["A", "GAME-1", "ABCDEFGH"] {
            let name = Name::new(text).expect("a name");
            assert_eq!((name.as_str(), name.len()), (text, text.len()));
            assert_eq!(Name::from_bytes(*name.bytes()), Some(name));
        }
        for text in ["", "abc", "A B", "ABCDEFGHI", "\u{c4}"] {
            assert_eq!(Name::new(text), None, "{text}");
        }
        assert_eq!(Name::from_bytes(*b"A\0B\0\0\0\0\0"), None);
    }

    #[test]
    fn letters_are_added_and_removed_at_the_end() {
        let mut name = Name::new("ABCDEFG").expect("a name");
        assert!(name.push(b'H') && !name.push(b'I'));
        name.pop();
        assert_eq!(name.as_str(), "ABCDEFG");
        let mut none = Name::default();
        none.pop();
        assert!(none.is_empty() && !none.push(b'a'));
    }
}
