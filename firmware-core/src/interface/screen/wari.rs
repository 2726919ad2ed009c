//! The style of the `wari` system: the Wari program's, with its two storage cups in the
//! middle, cups 1 to 12 as its Figure 2 numbers them, and stones counted on request.

use super::layout::Table;
use super::style::{Counts, NUMBERED, Style};
use super::words::Words;

/// Style with the words of its manual.
pub const STYLE: Style = Style {
    name: "wari",
    about: "Captures by two and three; has options",
    words: Words {
        players: ["Bottom", "Top"],
        cup: "cup",
        stone: "stone",
        store: "storage cup",
        // Its rules have no free turn.
        free_turn: "moves again",
        captures: "captures",
        capturing: "captures",
        capture: "a capture",
        captured: "Captured",
        draw: "DRAW",
    },
    labels: NUMBERED,
    stores: ["Btm", "Top"],
    counts: Counts::OnPress,
    table: Table::StoresInTheMiddle,
};
