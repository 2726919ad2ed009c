//! Splits text into lines and words with their places. Comments and empty lines are left out.

use trace::Place;

use super::error::GameTextErrorKind;

/// Maximum number of characters of a word that a message shows.
const WORD_SHOWN: usize = 40;

/// An error with its place.
pub(super) type LocatedError = (Place, GameTextErrorKind);

/// A word and the place of its first letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) place: Place,
}

impl Word<'_> {
    /// Returns the word as messages show it.
    pub(super) fn shown(&self) -> String {
        if self.text.chars().count() <= WORD_SHOWN {
            return self.text.to_owned();
        }
        self.text.chars().take(WORD_SHOWN).chain(['…']).collect()
    }
}

/// A line that is not empty.
#[derive(Clone, Debug)]
pub(super) struct Line<'t> {
    /// Words of the line; never empty.
    pub(super) words: Vec<Word<'t>>,
}

impl<'t> Line<'t> {
    pub(super) fn verb(&self) -> Word<'t> {
        self.words[0]
    }

    /// Returns the `N` words after the verb. `usage` is the form of the whole line.
    pub(super) fn arguments<const N: usize>(
        &self,
        usage: &str,
    ) -> Result<[Word<'t>; N], LocatedError> {
        let verb = self.verb();
        let arguments = &self.words[1..];
        if let Some(extra) = arguments.get(N) {
            let (word, usage) = (extra.shown(), usage.to_owned());
            return Err((extra.place, GameTextErrorKind::ExtraWord { word, usage }));
        }
        let missing = || GameTextErrorKind::MissingWord { usage: usage.to_owned() };
        arguments.try_into().map_err(|_| (verb.place, missing()))
    }
}

/// Iterator over the lines that are not empty.
pub(super) struct Lines<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    last: u32,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        // Some editors write a byte order mark first.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { lines: text.lines().enumerate(), last: 1 }
    }

    pub(super) fn next(&mut self) -> Option<Line<'t>> {
        for (index, text) in self.lines.by_ref() {
            // A file of maximum size has far fewer lines.
            self.last = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let code = text.split('#').next().unwrap_or_default();
            let words = words(code, self.last);
            if !words.is_empty() {
                return Some(Line { words });
            }
        }
        None
    }

    /// Returns the place of the last line of the file.
    pub(super) fn end(&self) -> Place {
        Place { line: self.last, column: 1 }
    }
}

fn words(code: &str, line: u32) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = code;
    let mut column = 1;
    loop {
        let trimmed = rest.trim_start();
        column += rest[..rest.len() - trimmed.len()].chars().count() as u32;
        if trimmed.is_empty() {
            return words;
        }
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let (text, after) = trimmed.split_at(end);
        words.push(Word { text, place: Place { line, column } });
        column += text.chars().count() as u32;
        rest = after;
    }
}
