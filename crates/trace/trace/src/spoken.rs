//! Counts, sizes and words formatted for sentences.

/// Formats a number of things for a sentence: `1 frame`, `12 frames`, `2 presses`. `noun` is the
/// singular.
pub fn counted(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let ending = match number {
        1 => "",
        _ if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{number} {noun}{ending}")
}

/// Formats a size for a sentence: `40,960 bytes`.
pub fn bytes_spoken(bytes: u64) -> String {
    let digits = bytes.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + if bytes == 1 { " byte" } else { " bytes" }
}

/// Formats a word for an error: in back quotes, and abbreviated to 40 characters. Invisible
/// characters are shown by their code point: `tap<U+200B>`.
pub(super) fn abbreviated(word: &str) -> String {
    const CHARS_MAX: usize = 40;
    let mut shown = String::new();
    for letter in word.chars().take(CHARS_MAX) {
        if is_invisible(letter) {
            shown += &format!("<U+{:04X}>", u32::from(letter));
        } else {
            shown.push(letter);
        }
    }
    let more = if word.chars().nth(CHARS_MAX).is_some() { "…" } else { "" };
    format!("`{shown}{more}`")
}

/// Returns whether a character is invisible, looks like a space, or changes the direction of the
/// text.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || letter.is_whitespace() && letter != ' '
        || matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::{bytes_spoken, counted};

    #[test]
    fn the_plural_is_formed_except_for_one() {
        for (number, noun, text) in [
            (0, "frame", "0 frames"),
            (1, "frame", "1 frame"),
            (12, "frame", "12 frames"),
            (1, "press", "1 press"),
            (2, "press", "2 presses"),
        ] {
            assert_eq!(counted(number, noun), text);
        }
    }

    #[test]
    fn large_numbers_are_grouped_in_threes() {
        for (bytes, text) in
            [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_234_567, "1,234,567 bytes")]
        {
            assert_eq!(bytes_spoken(bytes), text);
        }
    }
}
