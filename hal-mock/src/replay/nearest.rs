//! Search for the text nearest to a missing one, which a person or the firmware may have mistyped.
//!
//! [`nearest`] compares with parts of any candidate strings: text on the LCD, lines of the console.
//! Differences in case, blanks, accents and look-alikes (Unicode Technical Standard 39) are
//! distinguished from other letters. The module knows no trace, no frame and no console.

use core::fmt;
use core::ops::Range;

use unicode_normalization::char::is_combining_mark;
use unicode_security::skeleton;

/// Longest text that is searched for, in characters; bounds the work.
const WANTED_MAX: usize = 200;
/// Fewest letters of a text that is searched for or named, white space not counted: a shorter one
/// is near to half of all texts.
const LETTERS_MIN: usize = 4;
/// Longest candidate that is compared, in characters.
const CANDIDATE_MAX: usize = 1_000;

/// A text that is nearly the wanted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearestText {
    /// The text as found.
    pub text: String,
    /// Changes that turn it into the wanted text.
    pub difference: TextDifference,
}

/// The difference between two texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextDifference {
    /// Number of letters to be inserted, removed, replaced or swapped with their neighbour.
    pub letters: usize,
    /// Whether upper and lower case differ.
    pub case: bool,
    /// Whether blanks differ.
    pub blanks: bool,
    /// Whether accents differ, or characters that look the same, like `0` and `O`.
    pub look_alikes: bool,
}

/// Writes `"FREE TURN" (differs in case)`.
impl fmt::Display for NearestText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} ({})", self.text, self.difference)
    }
}

/// Writes `differs in case and 2 letters`.
impl fmt::Display for TextDifference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = match self.letters {
            0 => None,
            1 => Some("one letter".to_owned()),
            several => Some(format!("{several} letters")),
        };
        let part = |differs: bool, name: &str| differs.then(|| name.to_owned());
        let parts = [
            part(self.case, "case"),
            part(self.blanks, "blanks"),
            part(self.look_alikes, "accents or look-alikes"),
            letters,
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.split_last() {
            None => out.write_str("is the same"),
            Some((last, [])) => write!(out, "differs in {last}"),
            Some((last, first)) => write!(out, "differs in {} and {last}", first.join(", ")),
        }
    }
}

impl TextDifference {
    /// Combinations of differences that are ignored in a comparison, the strictest first.
    const FOLDS: [Self; 8] = {
        const fn fold(case: bool, blanks: bool, look_alikes: bool) -> TextDifference {
            TextDifference { letters: 0, case, blanks, look_alikes }
        }
        [
            fold(false, false, false),
            fold(true, false, false),
            fold(false, true, false),
            fold(false, false, true),
            fold(true, true, false),
            fold(true, false, true),
            fold(false, true, true),
            fold(true, true, true),
        ]
    };

    /// Returns the number of kinds of differences that are ignored.
    fn folds(self) -> usize {
        [self.case, self.blanks, self.look_alikes].into_iter().filter(|differs| *differs).count()
    }
}

/// Returns the part of a candidate that is nearest to `wanted`, and the index of that candidate:
/// the first of equally near ones. `None` if no part is near enough to have been meant.
pub(super) fn nearest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<(usize, NearestText)> {
    let wanted = one_blank(wanted);
    let length = wanted.chars().count();
    if length > WANTED_MAX {
        return None;
    }
    let least = LETTERS_MIN.max(letters_in(&wanted).div_ceil(2));
    if letters_in(&wanted) < LETTERS_MIN {
        return None;
    }
    let allowed = match length {
        0..=9 => 1,
        10..=19 => 2,
        _ => 3,
    };
    let folded = TextDifference::FOLDS.map(|fold| letters(&wanted, fold));
    let mut best: Option<((usize, usize), usize, NearestText)> = None;
    for (index, candidate) in candidates.into_iter().enumerate() {
        let candidate = one_blank(candidate);
        if candidate.chars().nth(CANDIDATE_MAX).is_some() {
            continue;
        }
        for (fold, wanted) in TextDifference::FOLDS.into_iter().zip(&folded) {
            let there = letters(&candidate, fold);
            let Some((letters_off, found)) = nearest_part(wanted, &there) else { continue };
            let rank = (letters_off, fold.folds());
            let may_be_meant = letters_off == 0 || (letters_off <= allowed && fold.folds() <= 1);
            if !may_be_meant || best.as_ref().is_some_and(|(least, ..)| *least <= rank) {
                continue;
            }
            let start = there[found.start].1;
            let end = there.get(found.end).map_or(candidate.len(), |(_, at)| *at);
            let text = candidate[start..end].trim().to_owned();
            if letters_in(&text) < least {
                continue;
            }
            // The letters are equal but the texts are not: blanks were normalized for the
            // comparison.
            let blanks = fold.blanks || rank == (0, 0);
            let difference = TextDifference { letters: letters_off, blanks, ..fold };
            best = Some((rank, index, NearestText { text, difference }));
        }
    }
    best.map(|(_, index, near)| (index, near))
}

/// Returns the number of characters of `text` that are not white space.
fn letters_in(text: &str) -> usize {
    text.chars().filter(|letter| !letter.is_whitespace()).count()
}

/// Returns `text` with all white space as single spaces, and none at its ends.
fn one_blank(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the letters of `text` as they are compared, each with the position of its original.
fn letters(text: &str, fold: TextDifference) -> Vec<(char, usize)> {
    let mut letters = Vec::new();
    let mut buffer = [0; 4];
    for (at, letter) in text.char_indices() {
        if fold.blanks && letter.is_whitespace() {
            continue;
        }
        let shape: Vec<char> = match fold.look_alikes {
            true => skeleton(letter.encode_utf8(&mut buffer))
                .filter(|part| !is_combining_mark(*part))
                .collect(),
            false => vec![letter],
        };
        for part in shape {
            match fold.case {
                true => letters.extend(part.to_lowercase().map(|part| (part, at))),
                false => letters.push((part, at)),
            }
        }
    }
    letters
}

/// Returns the part of `there` with the least optimal string alignment distance from `wanted`, and
/// that distance: Sellers' algorithm. Of several such parts, the first of those whose length is
/// nearest to that of `wanted`.
fn nearest_part(
    wanted: &[(char, usize)],
    there: &[(char, usize)],
) -> Option<(usize, Range<usize>)> {
    // For each number of letters of `wanted`: the least distance of a part that ends here, and
    // where that part begins.
    type Column = Vec<(usize, usize)>;
    let empty = |at: usize| -> Column { (0..=wanted.len()).map(|count| (count, at)).collect() };
    let (mut two_before, mut before) = (empty(0), empty(0));
    let mut best: Option<(usize, usize, Range<usize>)> = None;
    for (at, (letter, _)) in there.iter().enumerate() {
        let mut column: Column = Vec::with_capacity(wanted.len() + 1);
        column.push((0, at + 1));
        for (row, (expected, _)) in wanted.iter().enumerate() {
            let (replaced, from) = before[row];
            let mut least = (replaced + usize::from(expected != letter), from);
            let swapped =
                row > 0 && at > 0 && *expected == there[at - 1].0 && wanted[row - 1].0 == *letter;
            // The first of equals wins: swapped letters do not change the length of the part.
            let others = [
                swapped.then(|| (two_before[row - 1].0 + 1, two_before[row - 1].1)),
                Some((before[row + 1].0 + 1, before[row + 1].1)),
                Some((column[row].0 + 1, column[row].1)),
            ];
            for other in others.into_iter().flatten() {
                if other.0 < least.0 {
                    least = other;
                }
            }
            column.push(least);
        }
        let (distance, start) = column[wanted.len()];
        let part = start..at + 1;
        let off = part.len().abs_diff(wanted.len());
        if !part.is_empty() && best.as_ref().is_none_or(|(d, o, _)| (distance, off) < (*d, *o)) {
            best = Some((distance, off, part));
        }
        (two_before, before) = (before, column);
    }
    best.map(|(distance, _, part)| (distance, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &str, candidates: &[&str], expected: Option<&str>) {
        let near = nearest(wanted, candidates.iter().copied());
        assert_eq!(near.map(|(_, near)| near.to_string()).as_deref(), expected, "{wanted}");
    }

    const SCREEN: [&str; 3] = ["Player 1 FREE TURN", "4 4 0 5 5 5", "#6 #5 #4"];

    #[test]
    fn a_text_in_another_case_is_named_with_its_own() {
        check("Free Turn", &SCREEN, Some(r#""FREE TURN" (differs in case)"#));
        check("player 1 free turn", &SCREEN, Some(r#""Player 1 FREE TURN" (differs in case)"#));
    }

    #[test]
    fn a_blank_too_many_or_too_few_is_named() {
        check("FREETURN", &SCREEN, Some(r#""FREE TURN" (differs in blanks)"#));
        check("Pla yer 1", &SCREEN, Some(r#""Player 1" (differs in blanks)"#));
        check("40 555", &SCREEN, Some(r#""4 0 5 5 5" (differs in blanks)"#));
        let console = ["turn=0 move=2"];
        check("turn=0  move=2", &console, Some(r#""turn=0 move=2" (differs in blanks)"#));
    }

    #[test]
    fn accents_and_look_alikes_are_named() {
        let alike = |text: &str| format!("{text:?} (differs in accents or look-alikes)");
        check("Pläyer 1", &SCREEN, Some(&alike("Player 1")));
        check("Pla\u{308}yer 1", &SCREEN, Some(&alike("Player 1")));
        check("\u{420}layer 1", &SCREEN, Some(&alike("Player 1")));
        check("Player l FREE", &SCREEN, Some(&alike("Player 1 FREE")));
        check("4 4 O 5", &SCREEN, Some(&alike("4 4 0 5")));
        check("Player\u{a0}2", &["Player\u{a0}1"], Some(r#""Player 1" (differs in one letter)"#));
    }

    #[test]
    fn wrong_missing_extra_and_swapped_letters_are_counted() {
        let one = |text: &str| format!("{text:?} (differs in one letter)");
        check("Player 2", &SCREEN, Some(&one("Player 1")));
        check("Playr 1", &SCREEN, Some(&one("Player 1")));
        check("Playyer 1", &SCREEN, Some(&one("Player 1")));
        check("Palyer 1", &SCREEN, Some(&one("Player 1")));
        check("Player 2 FRE TURN", &SCREEN, Some(r#""Player 1 FREE TURN" (differs in 2 letters)"#));
        check("free torn", &SCREEN, Some(r#""FREE TURN" (differs in case and one letter)"#));
        let screen = ["go Player 1"];
        check("xlayer 1", &screen, Some(&one("Player 1")));
        check("lPayer 1", &screen, Some(&one("Player 1")));
        check("lPayer 1", &["goPlayer 1"], Some(&one("Player 1")));
        let both = Some(r#""FREE TURN" (differs in case and blanks)"#);
        check("freeturn", &SCREEN, both);
    }

    #[test]
    fn a_text_of_three_letters_or_of_half_the_length_is_not_named() {
        check("btm", &["Btm"], None);
        check("4 4 0", &["4 4 O"], None);
        check("4 4 0 5", &["4 4 O 5"], Some(r#""4 4 O 5" (differs in accents or look-alikes)"#));
        check("won!", &["won"], None);
    }

    #[test]
    fn a_text_that_is_too_different_is_not_named() {
        for wanted in ["GAME OVER", "won", "never shown", "#9", "", " ", &"x".repeat(201)] {
            check(wanted, &SCREEN, None);
        }
        check("Playar 2 FREE TUNN", &SCREEN, None);
        check("Plyaar 2", &SCREEN, None);
        check("Blayar 1", &SCREEN, None);
        check("anything", &[], None);
        check("anything", &["", " "], None);
        let long = "anythink ".repeat(200);
        check("anything", &[&long], None);
        let (lower, upper) = ("x".repeat(200), "X".repeat(200));
        assert!(nearest(&lower, [upper.as_str()]).is_some());
        check(&(lower + "x"), &[&(upper + "X")], None);
    }

    #[test]
    fn the_nearest_is_named_and_the_first_of_equals() {
        check("Player 3", &["Player 1 Player 2"], Some(r#""Player 1" (differs in one letter)"#));
        let lines = ["turn=0 move=2", "TURN=1 MOVE=2", "turn=1 move=3"];
        assert_eq!(nearest("turn=1 move=2", lines).map(|(index, _)| index), Some(1));
        assert_eq!(nearest("turn=2 move=2", lines).map(|(index, _)| index), Some(0));
    }
}
