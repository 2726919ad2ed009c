//! Composes the texts of pages.

use core::fmt::Write as _;

use heapless::String;

use crate::game::outcome::GameResult;
use crate::game::places::Player;
use crate::interface::screen::style::Style;
use crate::storage::files::FileKind;

/// Length of the longest title, heading or sentence in characters.
pub const LONGEST: usize = 96;

/// A title, a heading or a sentence.
pub type Text = String<LONGEST>;

/// Text of a question or a notice: its subject, and the consequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentences {
    /// Text in large letters.
    pub heading: Text,
    /// Text in small letters.
    pub detail: Text,
}

/// Returns the name of `player` in the system with this style.
pub const fn player_name(style: &Style, player: Player) -> &'static str {
    style.words.players[player.index()]
}

/// Returns the name of a kind of file.
pub(super) const fn kind(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Game => "game",
        FileKind::Log => "log",
    }
}

/// Joins the parts. Omits parts that do not fit, which would be a bug of the caller.
pub(super) fn text(parts: &[&str]) -> Text {
    let mut text = Text::new();
    for part in parts {
        let pushed = text.push_str(part);
        debug_assert!(pushed.is_ok(), "longer than a text may be");
    }
    text
}

/// Returns a number of files, in at most eight characters.
pub(super) fn file_count(count: u8) -> Text {
    let mut text = Text::new();
    let plural = if count == 1 { "" } else { "s" };
    // Two digits at most, which fit.
    let _ = write!(text, "{count} file{plural}");
    text
}

/// Returns the heading of the totals at the end of a game, with its result.
pub fn totals_after(result: GameResult, style: &Style) -> Text {
    text(&[&style.words.result(result), ". In all games:"])
}

/// Returns the meaning of the two numbers of the scores.
pub fn totals(style: &Style) -> Text {
    text(&[style.words.captured, " in all games"])
}
