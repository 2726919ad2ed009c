//! "Did you mean": the known word nearest to a wrong one.
//!
//! Nearness is the optimal string alignment distance (insert, delete, replace, or swap
//! two neighbours), case ignored. It knows no verb and no button: the words come in.

/// Longer words are not compared: nothing known is anywhere near them, and the table
/// below stays small.
const WORD_CHARS_MAX: usize = 32;

/// The word of `known` that was most likely meant by `word`: the same but for its case,
/// or else one edit away (two, for words of five letters and more). `None` if
/// nothing is that close, or if two are equally close: a guess would mislead.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let folded = fold(word)?;
    let mut best: Option<(usize, &str)> = None;
    let mut tied = false;
    for &candidate in known {
        let Some(other) = fold(candidate) else {
            continue;
        };
        let distance = distance(&folded, &other);
        let allowed = if other.len() < 5 { 1 } else { 2 };
        // A word of one letter is one edit away from every other: that is not near.
        if distance > allowed || distance >= folded.len().max(other.len()) {
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

/// The end of an error sentence: "; did you mean `tap`?", or nothing if nothing is near.
pub fn did_you_mean(word: &str, known: &[&str]) -> String {
    nearest(word, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

fn fold(word: &str) -> Option<Vec<char>> {
    let mut letters = word.chars().flat_map(char::to_lowercase);
    let folded: Vec<char> = letters.by_ref().take(WORD_CHARS_MAX).collect();
    letters.next().is_none().then_some(folded)
}

/// The optimal string alignment distance; at most `WORD_CHARS_MAX` rows of as many columns.
fn distance(left: &[char], right: &[char]) -> usize {
    let width = right.len() + 1;
    let mut before_last = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for row in 1..=left.len() {
        let mut current = vec![row; width];
        for column in 1..width {
            let replaced = usize::from(left[row - 1] != right[column - 1]);
            let mut least =
                (last[column] + 1).min(current[column - 1] + 1).min(last[column - 1] + replaced);
            let swapped = row > 1
                && column > 1
                && left[row - 1] == right[column - 2]
                && left[row - 2] == right[column - 1];
            if swapped {
                least = least.min(before_last[column - 2] + 1);
            }
            current[column] = least;
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[width - 1]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const WORDS: &[&str] = &["power", "tap", "press", "release", "screenshot", "end"];
    const BUTTONS: &[&str] = &["B1", "B2", "B3", "RESET"];

    #[test]
    fn a_slip_of_the_finger_finds_its_word() {
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
    fn what_is_near_nothing_or_near_two_finds_none() {
        for wrong in ["", "x", "hold", "explain", &"press".repeat(40)] {
            assert_eq!(nearest(wrong, WORDS), None, "{wrong}");
        }
        assert_eq!(nearest("B7", BUTTONS), None);
    }
}
