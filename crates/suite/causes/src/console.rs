//! Compares what two firmwares print, token by token.
//!
//! A token is a part of a line between spaces; a quoted text is one token. If only texts are worded
//! otherwise, the behaviour is the same. Otherwise the first line that differs is the divergence, and
//! its most telling token names it: a word rather than a number, and a number rather than a quoted text.

use std::collections::BTreeSet;

use crate::words::{replaced, without_numbers};

/// Maximum number of wordings of one console; more of them are another behaviour.
const WORDINGS_MAX: usize = 8;

/// Maximum number of divergences of one console that are distinguished.
const DIVERGENCES_MAX: usize = 100;

/// A token on each side, with `N` in place of numbers. One side is `None` if the line was added or
/// removed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token(pub [Option<String>; 2]);

/// The difference between two consoles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConsoleDifference {
    /// All lines are the same.
    None,
    /// The same is printed in other words.
    Wording(Vec<Token>),
    /// Something else is printed, in order. Later divergences may only follow from the first.
    Diverged(Vec<Divergence>),
}

/// Lines that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Index of the first line, on each side.
    pub line: usize,
    /// Index of the first line that is the same again; `None` if there is none.
    pub until: Option<usize>,
    pub token: Token,
    /// The token with its numbers, for people: `event=capture:4 → event=none`.
    pub example: String,
}

/// Compares the lines of two consoles.
pub fn compare(before: &[&str], after: &[&str]) -> ConsoleDifference {
    let differs = |(one, other): (&&str, &&str)| one != other;
    let first = before.iter().zip(after).position(differs);
    let Some(line) = first.or((before.len() != after.len()).then(|| before.len().min(after.len())))
    else {
        return ConsoleDifference::None;
    };
    if let Some(wordings) = wordings(before, after) {
        return ConsoleDifference::Wording(wordings);
    }
    let mut found = Vec::new();
    let mut next = Some(line);
    while let Some(line) = next.filter(|_| found.len() < DIVERGENCES_MAX) {
        let lines = || before.iter().zip(after).enumerate().skip(line + 1);
        let until = lines().find(|(_, (old, new))| old == new).map(|(nth, _)| nth);
        let (token, example) = divergence(before, after, line);
        found.push(Divergence { line, until, token, example });
        let rest = before.len().min(after.len());
        let end = (before.len() != after.len()).then_some(rest);
        next = until.and_then(|until| {
            let mut lines = before.iter().zip(after).enumerate().skip(until);
            lines.find(|(_, (old, new))| old != new).map(|(nth, _)| nth).or(end)
        });
    }
    ConsoleDifference::Diverged(found)
}

/// Returns the token that names the difference between two lines, with and without its numbers.
fn divergence(before: &[&str], after: &[&str], line: usize) -> (Token, String) {
    let (old, new) = (before.get(line), after.get(line));
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) if name(old) == name(new) => (Some(old), Some(new)),
        (Some(old), Some(new))
            if Some(new) == before.get(line + 1) && Some(old) != after.get(line + 1) =>
        {
            (Some(old), None)
        }
        (Some(old), Some(new))
            if Some(old) == after.get(line + 1) && Some(new) != before.get(line + 1) =>
        {
            (None, Some(new))
        }
        sides => sides,
    };
    let [old, new] = match (old, new) {
        (Some(old), Some(new)) => telling(old, new).map(Some),
        (old, new) => [old, new].map(|line| line.map(|line| name(line).to_owned())),
    };
    let word = |token: &Option<String>| token.clone().unwrap_or_else(|| "nothing".to_owned());
    let example = format!("{} → {}", word(&old), word(&new));
    let token = Token([old, new].map(|token| token.map(|token| without_numbers(&token))));
    (token, example)
}

/// Returns the texts that were replaced, if nothing else differs.
fn wordings(before: &[&str], after: &[&str]) -> Option<Vec<Token>> {
    if before.len() != after.len() {
        return None;
    }
    let mut found = BTreeSet::new();
    for (old, new) in before.iter().zip(after).filter(|(old, new)| old != new) {
        let (old, new) = (tokens(old), tokens(new));
        if old.len() != new.len() {
            return None;
        }
        for (old, new) in old.into_iter().zip(new).filter(|(old, new)| old != new) {
            let (was, is) = replaced(old, new);
            let sides = [was, is].map(without_numbers);
            let has_letters = |text: &String| {
                text.contains(|letter: char| letter.is_alphabetic() && letter != 'N')
            };
            if sides[0] == sides[1] || !sides.iter().any(has_letters) || found.len() > WORDINGS_MAX
            {
                return None;
            }
            found.insert(Token(sides.map(Some)));
        }
    }
    // A word that became another in some lines only is not a wording.
    let stays = |token: &Token| {
        let Some(was) = token.0[0].as_deref().filter(|was| !was.is_empty()) else { return false };
        before.iter().zip(after).any(|(old, new)| old == new && without_numbers(old).contains(was))
    };
    (!found.iter().any(stays)).then(|| found.into_iter().collect())
}

/// Returns the tokens of a line.
fn tokens(line: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let split = line.split(|letter: char| {
        is_quoted ^= letter == '"';
        letter == ' ' && !is_quoted
    });
    split.filter(|token| !token.is_empty()).collect()
}

/// Returns what names a line: its first token.
fn name(line: &str) -> &str {
    tokens(line).first().copied().unwrap_or_default()
}

/// Returns the part of a token before `=`.
fn key(token: &str) -> Option<&str> {
    token.split_once('=').map(|(key, _)| key)
}

/// Returns the pair of tokens that tells most about the difference between two lines.
fn telling<'a>(old: &'a str, new: &'a str) -> [String; 2] {
    let (olds, news) = (tokens(old), tokens(new));
    if olds.first() != news.first() {
        return [name(old), name(new)].map(str::to_owned);
    }
    let mut pairs: Vec<[&str; 2]> = Vec::new();
    for (nth, was) in olds.iter().enumerate() {
        let same_key = |token: &str| key(token).is_some() && key(token) == key(was);
        let partner = news.iter().find(|token| same_key(token)).or(news.get(nth));
        if let Some(is) = partner.filter(|is| *is != was) {
            pairs.push([*was, *is]);
        }
    }
    // A token that was added or removed at the end.
    let rest = olds.len().min(news.len());
    if pairs.is_empty() {
        let word = |tokens: &[&str]| tokens.get(rest).copied().unwrap_or_default().to_owned();
        return [word(&olds), word(&news)];
    }
    let value = |token: &'a str| token.split_once('=').map_or(token, |(_, value)| value);
    let has_word = |token: &'a str| value(token).contains(char::is_alphabetic);
    let rank = |[was, is]: &[&'a str; 2]| match (was.contains('"'), has_word(was) || has_word(is)) {
        (true, _) => 3,
        (false, true) => 0,
        (false, false) if without_numbers(was) != without_numbers(is) => 1,
        (false, false) => 2,
    };
    first_item(pairs.into_iter().min_by_key(rank).unwrap_or([old, new]))
}

/// Returns the first items that differ in two lists of words, with their keys. A list of numbers
/// stays whole.
fn first_item([was, is]: [&str; 2]) -> [String; 2] {
    let value = |token: &str| token.split_once('=').map_or(token, |(_, value)| value).to_owned();
    let has_words = |token: &str| token.contains(',') && value(token).contains(char::is_alphabetic);
    if !(has_words(was) || has_words(is)) || was.contains('"') || is.contains('"') {
        return [was, is].map(str::to_owned);
    }
    let values = [value(was), value(is)];
    let items = values.each_ref().map(|value| value.split(',').collect::<Vec<_>>());
    let same = |(one, other): &(&&str, &&str)| one == other;
    let nth = items[0].iter().zip(&items[1]).take_while(same).count();
    let item = |side: usize, token: &str| {
        let item = items[side].get(nth).copied().unwrap_or("nothing");
        key(token).map_or_else(|| item.to_owned(), |key| format!("{key}={item}"))
    };
    [item(0, was), item(1, is)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "position board=4,4 turn=0 event=none message=\"Player 1's turn\"";
    const TAKEN: &str = "position board=0,9 turn=1 event=capture:4 message=\"Player 1 BONUS\"";
    const KEPT: &str = "position board=4,5 turn=1 event=none message=\"Player 2's turn\"";

    #[track_caller]
    fn check(before: &[&str], after: &[&str], expected: &str) {
        let found = match compare(before, after) {
            ConsoleDifference::None => "same".to_owned(),
            ConsoleDifference::Wording(tokens) => format!("wording {tokens:?}"),
            ConsoleDifference::Diverged(found) => {
                let Divergence { line, token: Token([old, new]), example, .. } = &found[0];
                format!("{line}: {old:?} {new:?}: {example}")
            }
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn the_first_line_and_its_most_telling_token_name_a_divergence() {
        check(&[START], &[START], "same");
        check(
            &[START, TAKEN, START],
            &[START, KEPT, TAKEN],
            "1: Some(\"event=capture:N\") Some(\"event=none\"): event=capture:4 → event=none",
        );
        let end =
            "position board=0,9 turn=- event=capture:12,game-over,winner:0 message=\"GAME OVER\"";
        check(
            &[end],
            &[KEPT],
            "0: Some(\"event=capture:N\") Some(\"event=none\"): event=capture:12 → event=none",
        );
        check(
            &[START],
            &["position board=5,5 turn=0 event=none message=\"Player 1's turn\""],
            "0: Some(\"board=N\") Some(\"board=N\"): board=4,4 → board=5,5",
        );
    }

    #[test]
    fn added_and_removed_lines_are_named_by_their_first_token() {
        check(&[START], &[START, "saved name=A"], "1: None Some(\"saved\"): nothing → saved");
        check(&["saved a", START], &[START], "0: Some(\"saved\") None: saved → nothing");
        check(
            &["saved a", START],
            &["refused a", START],
            "wording [Token([Some(\"saved\"), Some(\"refused\")])]",
        );
    }

    #[test]
    fn lines_that_are_the_same_again_end_a_divergence() {
        let (old, new) =
            (["v 1", START, TAKEN, KEPT, START, "a"], ["v 2", START, KEPT, TAKEN, START]);
        let ConsoleDifference::Diverged(found) = compare(&old, &new) else {
            panic!("no divergence")
        };
        let places: Vec<_> = found.iter().map(|one| (one.line, one.until)).collect();
        assert_eq!(places, [(0, Some(1)), (2, Some(4)), (5, None)]);
    }

    #[test]
    fn the_same_in_other_words_is_no_divergence() {
        let other = "position board=4,4 turn=0 event=none message=\"Player 1 to move\"";
        let two = "position board=4,5 turn=1 event=none message=\"Player 2 to move\"";
        check(
            &[START, KEPT],
            &[other, two],
            "wording [Token([Some(\"'s turn\"), Some(\"to move\")])]",
        );
        // The word is another in one of two lines.
        let [one, _] = [START, KEPT];
        assert!(matches!(compare(&[one, one], &[one, other]), ConsoleDifference::Diverged(_)));
    }
}
