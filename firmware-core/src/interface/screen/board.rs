//! The style of the `board` system: Player 1 and Player 2, cups #6 to #1.

use super::layout::Table;
use super::style::{Counts, Style};
use super::words::Words;

/// Style with the words of its source document.
pub const STYLE: Style = Style {
    name: "board",
    about: "Free turns and bonuses; stones are counted",
    words: Words {
        players: ["Player 1", "Player 2"],
        cup: "cup",
        stone: "stone",
        store: "mancala",
        free_turn: "FREE TURN",
        captures: "collected BONUS",
        capturing: "BONUS",
        capture: "a BONUS",
        captured: "Captured",
        draw: "DRAW",
    },
    // #1 is next to the player's own mancala, #6 farthest from it.
    labels: [["#6", "#5", "#4", "#3", "#2", "#1"]; 2],
    stores: ["P1", "P2"],
    counts: Counts::Always,
    table: Table::StoresAtTheEnds,
};
