//! The line that a text was probably meant to be found in.
//!
//! It knows lines of text and not where they come from.

/// Longer texts and lines are compared up to here, in characters.
const COMPARED: usize = 512;

/// The line of which a part is nearest to `text`, if that part is less than half another text.
pub(super) fn nearest_line<'a>(text: &str, lines: &'a [String]) -> Option<&'a String> {
    let wanted: Vec<char> = text.chars().take(COMPARED).collect();
    let distances = lines.iter().map(|line| (distance(&wanted, line), line));
    let (distance, line) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance * 2 < wanted.len()).then_some(line)
}

/// The fewest characters to change, add or leave out so that `wanted` is a part of `line` (Sellers:
/// edit distance whose first row is zero).
fn distance(wanted: &[char], line: &str) -> usize {
    // The distance of the first characters of `wanted` to the part of `line` that ends here.
    let mut column: Vec<usize> = (0..=wanted.len()).collect();
    let mut least = wanted.len();
    for letter in line.chars().take(COMPARED) {
        let mut diagonal = column[0];
        for (nth, wanted) in wanted.iter().enumerate() {
            let changed = diagonal + usize::from(*wanted != letter);
            diagonal = column[nth + 1];
            column[nth + 1] = changed.min(diagonal + 1).min(column[nth] + 1);
        }
        least = least.min(column[wanted.len()]);
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let lines = ["game FRIDAY wari 31 59", "settings game wari, sound on", "scores wari 27-21"];
        let lines = lines.map(str::to_owned);
        assert_eq!(nearest_line(text, &lines).map(String::as_str), expected, "{text}");
    }

    #[test]
    fn the_nearest_line_has_a_part_that_is_almost_the_text() {
        check("sound off", Some("settings game wari, sound on"));
        check("wari 27-22", Some("scores wari 27-21"));
        check("game Friday", Some("game FRIDAY wari 31 59"));
        check("zzzzzzzz", None);
        assert_eq!(nearest_line("x", &[]), None);
    }
}
