//! Names made from the words of a screen.

use reading::text::ScreenText;
use trace::NAME_CHARS_MAX;

/// Minimum number of letters in a text that can become a name.
const LETTERS_MIN: usize = 3;
/// Maximum length of a name made from a text; a number is added in front.
const SLUG_MAX: usize = 40;

const _: () = assert!(SLUG_MAX + 12 <= NAME_CHARS_MAX);

/// Returns the words that describe what is new on `screen`: the last of the
/// `messages` that the console reported, otherwise the first lines that are not on the screen
/// `before`.
pub(super) fn new_text(
    screen: &ScreenText,
    before: Option<&ScreenText>,
    messages: &[&str],
) -> Option<String> {
    if let Some(message) =
        messages.last().filter(|text| has_enough_letters(text) && screen.contains(text))
    {
        return Some((*message).to_owned());
    }
    let old =
        |text: &str| before.is_some_and(|before| before.lines.iter().any(|line| line.text == text));
    let mut new = screen.lines.iter().map(|line| line.text.as_str()).filter(|text| !old(text));
    let first = new.find(|text| has_enough_letters(text))?.to_owned();
    // Two adjacent new lines are one message. A line of digits below is a count.
    let both = new
        .next()
        .filter(|second| has_enough_letters(second))
        .map(|second| format!("{first} {second}"));
    Some(both.filter(|both| screen.contains(both)).unwrap_or(first))
}

fn has_enough_letters(text: &str) -> bool {
    text.chars().filter(|letter| letter.is_alphabetic()).count() >= LETTERS_MIN
}

/// Converts `Player 1 FREE TURN` to `player-1-free-turn`.
pub(super) fn slug(text: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { ' ' };
    let words = text.chars().filter(|letter| *letter != '\'').map(plain).collect::<String>();
    let mut slug = String::new();
    for word in words.split_whitespace() {
        if slug.len() + word.len() >= SLUG_MAX {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word.to_ascii_lowercase());
    }
    if slug.is_empty() { "screen".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_made_of_a_text() {
        assert_eq!(slug("Player 1's turn"), "player-1s-turn");
        assert_eq!(slug("?!"), "screen");
        assert!(slug(&"word ".repeat(99)).len() <= SLUG_MAX);
    }
}
