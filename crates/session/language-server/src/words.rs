//! The words of a line of a trace, also of one with errors.

/// Number of hexadecimal digits of a colour, without and with its white.
const COLOUR_DIGITS: [usize; 2] = [6, 8];

/// A word, or a text in quotes, and its bytes in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    pub text: &'a str,
    pub start: usize,
}

impl Word<'_> {
    /// Returns the byte after the word.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Returns whether the word is a text in quotes, perhaps without its end.
    pub fn is_quoted(&self) -> bool {
        self.text.starts_with('"')
    }
}

/// Returns the words of a line up to its comment.
pub fn words(line: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        at += line[at..].len() - line[at..].trim_start_matches(is_blank).len();
        let rest = &line[at..];
        if rest.is_empty() || rest.starts_with('#') && !begins_with_colour(rest) {
            return found;
        }
        let length = if rest.starts_with('"') {
            quoted_length(rest)
        } else {
            rest.find(is_blank).unwrap_or(rest.len())
        };
        found.push(Word { text: &rest[..length], start: at });
        at += length;
    }
}

/// Returns whether a line with this first word has a time.
pub fn is_time(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_digit() || first == '+')
}

/// Returns the text between the quotes of a word, without its escapes.
pub fn unquoted(word: &str) -> Option<String> {
    let inner = word.strip_prefix('"')?;
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut text = String::new();
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        text.push(if letter == '\\' { letters.next()? } else { letter });
    }
    Some(text)
}

fn is_blank(letter: char) -> bool {
    letter == ' ' || letter == '\t'
}

fn begins_with_colour(text: &str) -> bool {
    let word = text.split(is_blank).next().unwrap_or_default();
    let digits = &word[1..];
    COLOUR_DIGITS.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn quoted_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<&str> {
        words(line).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn a_line_is_split_up_to_its_comment() {
        assert_eq!(texts("+1s  tap B3\t# press"), ["+1s", "tap", "B3"]);
        assert_eq!(
            texts("+1s expect text \"a # \\\" b\" in 1,2,3,4"),
            ["+1s", "expect", "text", "\"a # \\\" b\"", "in", "1,2,3,4"]
        );
        assert_eq!(
            texts("+1s expect led STRIP 3 #ff0000 # red"),
            ["+1s", "expect", "led", "STRIP", "3", "#ff0000"]
        );
        assert_eq!(texts("+1s expect text \"open"), ["+1s", "expect", "text", "\"open"]);
        assert_eq!(texts("   # only"), Vec::<&str>::new());
    }

    #[test]
    fn a_text_has_no_escapes_between_its_quotes() {
        assert_eq!(unquoted("\"a \\\" b\""), Some("a \" b".into()));
        assert_eq!(unquoted("\"open"), Some("open".into()));
        assert_eq!(unquoted("word"), None);
    }
}
