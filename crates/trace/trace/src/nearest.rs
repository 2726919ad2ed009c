//! "Did you mean": the known word nearest to a wrong one.
//!
//! Distance is the optimal string alignment distance (insert, delete, replace, or swap two
//! neighbours), ignoring case. The module knows no verb and no button: the words are arguments.

use strsim::osa_distance;

/// Longer words are not compared: no known word is near them, and this bounds the time.
const WORD_CHARS_MAX: usize = 32;

/// Returns the word of `known` that was most likely meant by `word`: equal except for case, or else
/// one edit away (two, for words of five letters and more). `None` if no word is that close, or if
/// two are equally close: a guess would mislead.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let (folded, length) = fold(word)?;
    let mut best: Option<(usize, &str)> = None;
    let mut tied = false;
    for &candidate in known {
        let Some((other, other_length)) = fold(candidate) else {
            continue;
        };
        let distance = osa_distance(&folded, &other);
        let allowed = if other_length < 5 { 1 } else { 2 };
        // Any one-letter word is one edit away from every other; that does not count as near.
        if distance > allowed || distance >= length.max(other_length) {
            continue;
        }
        match best {
            Some((least, _)) if distance > least => {}
            Some((least, _)) if distance == least => tied = true,
            _ => (best, tied) = (Some((distance, candidate)), false),
        }
    }
    best.filter(|_| !tied).map(|(_, candidate)| candidate)
}

/// Returns the end of an error sentence: "; did you mean `tap`?", or nothing if no word is near.
pub fn did_you_mean(word: &str, known: &[&str]) -> String {
    nearest(word, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// Returns the end of an error sentence like [`did_you_mean`], but lists all known words if none is
/// near: "; known are on, off".
pub(super) fn did_you_mean_or(word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; known are {}", known.join(", ")),
    }
}

/// Returns `word` in lower case, and its number of characters then.
fn fold(word: &str) -> Option<(String, usize)> {
    let mut letters = word.chars().flat_map(char::to_lowercase);
    let folded: String = letters.by_ref().take(WORD_CHARS_MAX).collect();
    let length = folded.chars().count();
    letters.next().is_none().then_some((folded, length))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const WORDS: &[&str] = &["power", "tap", "press", "release", "type", "screenshot", "end"];
    const BUTTONS: &[&str] = &["B1", "B2", "B3", "RESET"];

    #[test]
    fn a_mistyped_word_finds_the_intended_one() {
        for (wrong, meant) in [
            ("tpa", "tap"),
            ("pres", "press"),
            ("relaese", "release"),
            ("screnshoot", "screenshot"),
            ("TAP", "tap"),
            ("powr", "power"),
        ] {
            assert_eq!(nearest(wrong, WORDS), Some(meant), "{wrong}");
        }
        assert_eq!(nearest("b3", BUTTONS), Some("B3"));
        assert_eq!(nearest("RESTE", BUTTONS), Some("RESET"));
    }

    #[test]
    fn a_word_near_none_or_near_two_finds_none() {
        for wrong in ["", "x", "hold", "explain", &"press".repeat(40)] {
            assert_eq!(nearest(wrong, WORDS), None, "{wrong}");
        }
        assert_eq!(nearest("B7", BUTTONS), None);
    }
}
