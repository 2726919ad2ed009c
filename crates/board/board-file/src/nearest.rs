//! The end of a sentence about an unknown word: the nearest known word, or all of them.

use strsim::osa_distance;

/// Longer words are not compared, which bounds the time.
const WORD_CHARS_MAX: usize = 32;
/// Maximum number of known words that a message lists.
const LISTED_MAX: usize = 24;

/// Returns the word of `known` that was most likely meant by `word`: at most one edit away, two for
/// words of five letters and more. `None` if no word is that close, or if two are equally close.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    if length > WORD_CHARS_MAX {
        return None;
    }
    let distances = known.iter().map(|candidate| {
        let folded = candidate.to_lowercase();
        let distance = osa_distance(&word, &folded);
        let allowed = if folded.chars().count() < 5 { 1 } else { 2 };
        (distance, distance <= allowed && distance < length.max(folded.len()), *candidate)
    });
    let close: Vec<(usize, &str)> =
        distances.filter(|(_, near, _)| *near).map(|(at, _, word)| (at, word)).collect();
    let least = close.iter().map(|(distance, _)| *distance).min()?;
    let mut best = close.iter().filter(|(distance, _)| *distance == least);
    let (_, first) = best.next()?;
    best.next().is_none().then_some(first)
}

/// Other words for keys and values, in lower case, with the words of board files.
const ALIASES: &[(&str, &str)] = &[
    ("0", "0 deg"),
    ("90", "90 deg"),
    ("180", "180 deg"),
    ("270", "270 deg"),
    ("90°", "90 deg"),
    ("180°", "180 deg"),
    ("270°", "270 deg"),
    ("8080", "parallel8"),
    ("a0", "dc"),
    ("arrowdown", "Down"),
    ("arrowleft", "Left"),
    ("arrowright", "Right"),
    ("arrowup", "Up"),
    ("bl", "backlight"),
    ("blk", "backlight"),
    ("cdc", "usb"),
    ("ce", "cs"),
    ("cipo", "miso"),
    ("clk", "sck"),
    ("clock", "sck"),
    ("controller", "panel"),
    ("copi", "mosi"),
    ("csn", "cs"),
    ("ctrl", "Left Ctrl"),
    ("dcx", "dc"),
    ("debounce", "bounce"),
    ("din", "mosi"),
    ("dout", "miso"),
    ("driver", "panel"),
    ("enter", "Return"),
    ("esc", "Escape"),
    ("firmware", "program"),
    ("gpio", "pin"),
    ("height", "rows"),
    ("height", "size"),
    ("interface", "bus"),
    ("neopixel", "ws2812"),
    ("parallel", "parallel8"),
    ("reset", "rst"),
    ("resolution", "size"),
    ("resx", "rst"),
    ("rs", "dc"),
    ("sclk", "sck"),
    ("sdi", "mosi"),
    ("sdo", "miso"),
    ("serial", "uart"),
    ("shift", "Left Shift"),
    ("spacebar", "Space"),
    ("spi", "spi4"),
    ("ss", "cs"),
    ("width", "columns"),
    ("width", "size"),
    ("x", "column"),
    ("y", "row"),
];

/// Returns the word of `known` for which `word` is another word.
fn alias<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    let meant = ALIASES.iter().filter(|(other, _)| *other == word);
    meant.filter_map(|(_, meant)| known.iter().find(|known| *known == meant)).copied().next()
}

/// Returns "; did you mean `x`?" or "; there are a, b, c".
pub(crate) fn hint(word: &str, known: &[&str]) -> String {
    hint_or(word, known, "docs/board-file.md")
}

/// Like [`hint`], with the page that lists the words if they are many.
pub(crate) fn hint_or(word: &str, known: &[&str], page: &str) -> String {
    match alias(word, known).or_else(|| nearest(word, known)) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if known.len() > LISTED_MAX => format!("; {page} lists all of them"),
        None => format!("; there are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_word_finds_the_intended_one_and_a_foreign_one_the_list() {
        let known = ["button", "buzzer", "led"];
        assert_eq!(nearest("buton", &known), Some("button"));
        assert_eq!(nearest("LED", &known), Some("led"));
        assert_eq!(nearest("x", &known), None);
        assert_eq!(hint("motor", &known), "; there are button, buzzer, led");
        assert_eq!(hint("CLK", &["cs", "sck"]), "; did you mean `sck`?");
        assert_eq!(hint("clk", &["cs", "dc"]), "; there are cs, dc", "not known here");
        assert_eq!(nearest(&"a".repeat(1_000), &known), None);
    }
}
