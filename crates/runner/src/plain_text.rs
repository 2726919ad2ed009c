//! Text of files and firmware, made harmless for a terminal, a log and other reports.

/// `text` without anything that a terminal or a log would obey.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|letter| if is_command(letter) { '\u{FFFD}' } else { letter }).collect()
}

/// Control characters, and those that turn the direction of writing around.
fn is_command(letter: char) -> bool {
    let turns = matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_commands_a_terminal() {
        assert_eq!(plain("a\x1b[31mb\u{202E}c\r\n"), "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}\u{FFFD}");
    }
}
