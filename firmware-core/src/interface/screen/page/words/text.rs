//! How the words of pages are put together.

use heapless::String;

use crate::game::outcome::GameResult;
use crate::game::places::Player;
use crate::interface::screen::style::Style;
use crate::storage::files::FileKind;

/// Characters of the longest title, heading or sentence.
pub const LONGEST: usize = 96;

/// A title, a heading or a sentence.
pub type Text = String<LONGEST>;

/// The text of a question or a notice: its subject, and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentences {
    /// In large letters.
    pub heading: Text,
    /// In small ones.
    pub detail: Text,
}

/// What `player` is called in the system with this style.
pub const fn player_name(style: &Style, player: Player) -> &'static str {
    style.words.players[player.index()]
}

/// What a file is.
pub(super) const fn kind(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Game => "game",
        FileKind::Log => "log",
    }
}

/// The parts in one. A part for which there is no room is left out; that is a mistake above.
pub(super) fn text(parts: &[&str]) -> Text {
    let mut text = Text::new();
    for part in parts {
        let pushed = text.push_str(part);
        debug_assert!(pushed.is_ok(), "longer than a text may be");
    }
    text
}

/// The same at the end of a game, below how it came out.
pub fn totals_after(result: GameResult, style: &Style) -> Text {
    text(&[&style.words.result(result), ". In all games:"])
}

/// What the two numbers of the scores are.
pub fn totals(style: &Style) -> Text {
    text(&[style.words.captured, " in all games"])
}
