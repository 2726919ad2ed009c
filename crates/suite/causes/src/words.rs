//! The part of a text that was replaced, and texts without their numbers.

/// Returns the parts in which two texts differ, without what both begin and end with. Words and
/// numbers are not split.
pub(crate) fn replaced<'a>(before: &'a str, after: &'a str) -> (&'a str, &'a str) {
    let (old, new) = (pieces(before), pieces(after));
    let same = |(one, other): &(&&str, &&str)| one == other;
    let first = old.iter().zip(&new).take_while(same).count();
    let rest = old.len().min(new.len()) - first;
    let last = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(same).count();
    let part = |text: &'a str, pieces: &[&str]| {
        let length = |pieces: &[&str]| pieces.iter().map(|piece| piece.len()).sum::<usize>();
        let start = length(&pieces[..first]);
        text[start..text.len() - length(&pieces[pieces.len() - last..])].trim()
    };
    (part(before, &old), part(after, &new))
}

/// Splits a text into words, numbers and single other characters.
fn pieces(text: &str) -> Vec<&str> {
    let class = |letter: char| match letter {
        _ if letter.is_ascii_digit() => 1,
        _ if letter.is_alphanumeric() => 2,
        _ => 0,
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let end = at + letter.len_utf8();
        let goes_on = letters
            .peek()
            .is_some_and(|(_, next)| class(letter) > 0 && class(*next) == class(letter));
        if !goes_on {
            found.push(&text[start..end]);
            start = end;
        }
    }
    found
}

/// Returns the text with `N` in place of each number, and one `N` in place of a list of numbers.
pub fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        if !piece.starts_with(|letter: char| letter.is_ascii_digit()) {
            out += piece;
        } else if out.ends_with("N,") {
            out.pop();
        } else {
            out.push('N');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_replaced_whole() {
        for (before, after, parts) in [
            ("Player 1's turn", "Player 1 to move", ("'s turn", "to move")),
            ("Only counted:", "Just counted:", ("Only", "Just")),
            ("12 points", "13 points", ("12", "13")),
            ("a a", "a a a", ("", "a")),
            ("GAME OVER", "GAME OVER", ("", "")),
            ("zwölf", "zwölfte", ("zwölf", "zwölfte")),
        ] {
            assert_eq!(replaced(before, after), parts, "{before}");
        }
    }

    #[test]
    fn numbers_and_lists_of_numbers_become_one_letter() {
        assert_eq!(without_numbers("capture:4"), "capture:N");
        assert_eq!(without_numbers("board=4,4,13 turn=0"), "board=N turn=N");
    }
}
