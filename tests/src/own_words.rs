//! Checks that a system uses none of the words that only other systems have, according to their
//! source documents. This module knows no screen.

use firmware_core::systems::Game;

/// Returns the words that only other systems have. Words with a capital letter are foreign only
/// with it: `Top` is a player, but every system has a top row.
fn foreign_words(game: Game) -> &'static [&'static str] {
    match game {
        Game::Board => &[
            "bin",
            "bins",
            "pit",
            "pits",
            "seed",
            "seeds",
            "store",
            "stores",
            "storage",
            "second",
            "extra",
            "collects",
            "collecting",
            "tie",
            "Player A",
            "Player B",
            "Bottom",
            "Top",
        ],
        Game::Family => &[
            "cup", "cups", "pit", "pits", "seed", "seeds", "store", "stores", "storage", "free",
            "extra", "bonus", "capture", "captures", "captured", "draw", "Player 1", "Player 2",
            "Bottom", "Top",
        ],
        Game::Wari => &[
            "bin",
            "bins",
            "pit",
            "pits",
            "seed",
            "seeds",
            "mancala",
            "mancalas",
            "free",
            "second",
            "extra",
            "bonus",
            "collected",
            "collects",
            "collecting",
            "tie",
            "Player 1",
            "Player 2",
            "Player A",
            "Player B",
        ],
        Game::TopBottom => &[
            "cup",
            "cups",
            "bin",
            "bins",
            "stone",
            "stones",
            "store",
            "stores",
            "storage",
            "free",
            "second",
            "bonus",
            "collected",
            "collects",
            "collecting",
            "tie",
            "Player 1",
            "Player 2",
            "Player A",
            "Player B",
        ],
    }
}

/// Returns the first word of `text` that only another system than `game` has.
pub fn foreign_word(text: &str, game: Game) -> Option<&'static str> {
    let bare = text.replace(|letter: char| !letter.is_alphanumeric(), " ");
    let words: Vec<&str> = bare.split_whitespace().collect();
    let padded = format!(" {} ", words.join(" "));
    let lower = padded.to_lowercase();
    foreign_words(game).iter().copied().find(|word| {
        let text = if word.chars().any(char::is_uppercase) { &padded } else { &lower };
        text.contains(&format!(" {word} "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_word_is_found_as_a_word_of_its_own() {
        assert_eq!(foreign_word("Takes from Player 1's store", Game::Board), Some("store"));
        assert_eq!(foreign_word("No SEEDS, here", Game::Wari), Some("seeds"));
        assert_eq!(foreign_word("Bottom wins", Game::Board), Some("Bottom"));
        assert_eq!(foreign_word("You at the bottom, the computer at the top", Game::Board), None);
        assert_eq!(foreign_word("Drawn in cabins, restored", Game::Family), None);
        assert_eq!(foreign_word("Top-Bottom's pit", Game::TopBottom), None);
    }
}
