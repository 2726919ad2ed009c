//! The style of the `family` system: Player A and Player B, bins 1 to 12; the stones are not
//! counted before the end.

use super::layout::Table;
use super::style::{Counts, NUMBERED, Style};
use super::words::Words;

/// Style with the words of its source document.
pub const STYLE: Style = Style {
    name: "family",
    about: "Nobody may count; a coin flip begins",
    words: Words {
        players: ["Player A", "Player B"],
        cup: "bin",
        stone: "stone",
        store: "mancala",
        free_turn: "second turn",
        captures: "collects stones",
        capturing: "collects",
        capture: "collecting",
        captured: "Collected",
        draw: "TIE",
    },
    labels: NUMBERED,
    stores: ["A", "B"],
    counts: Counts::AtTheEnd,
    table: Table::StoresAtTheEnds,
};
