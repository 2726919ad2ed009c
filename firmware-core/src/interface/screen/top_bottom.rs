//! The style of the `top-bottom` system: Top and Bottom, seeds in pits without numbers.

use super::layout::Table;
use super::style::{Counts, Style};
use super::words::Words;
use crate::game::places::CUPS_A_SIDE;

/// Style with the words of its source document.
pub const STYLE: Style = Style {
    name: "top-bottom",
    about: "Seeds and pits; what is left never counts",
    words: Words {
        players: ["Bottom", "Top"],
        cup: "pit",
        stone: "seed",
        store: "mancala",
        free_turn: "extra turn",
        captures: "captures seeds",
        capturing: "captures",
        capture: "a capture",
        captured: "Captured",
        draw: "DRAW",
    },
    labels: [[""; CUPS_A_SIDE]; 2],
    stores: ["Btm", "Top"],
    counts: Counts::Always,
    table: Table::StoresAtTheEnds,
};
