//! The style of the `family` system: Player A and Player B, bins 1 to 12, and stones that
//! nobody counts before the end.

use super::style::{Counts, Style};
use crate::message::Message;
use crate::rules::{CUPS_A_SIDE, Cup, GameResult, PlayError, Player};

/// In the words of its source document.
pub const STYLE: Style =
    Style { name: "family", words, label, stores: ["A", "B"], counts: Counts::AtTheEnd };

/// Bins 1 to 6 are Player A's, left to right; 7 to 12 go on counter-clockwise.
fn label(bin: Cup) -> &'static str {
    const LABELS: [[&str; CUPS_A_SIDE]; 2] =
        [["1", "2", "3", "4", "5", "6"], ["7", "8", "9", "10", "11", "12"]];
    LABELS[bin.owner().index()][bin.nth_of_owner()]
}

fn words(message: Message) -> [&'static str; 2] {
    use Player::{Bottom, Top};
    match message {
        Message::Turn(Bottom) => ["Player A's turn", ""],
        Message::Turn(Top) => ["Player B's turn", ""],
        Message::FreeTurn(Bottom) => ["Player A", "second turn"],
        Message::FreeTurn(Top) => ["Player B", "second turn"],
        Message::Captured(Bottom) => ["Player A", "collects stones"],
        Message::Captured(Top) => ["Player B", "collects stones"],
        Message::Over(GameResult::Winner(Bottom)) => ["GAME OVER", "Player A wins"],
        Message::Over(GameResult::Winner(Top)) => ["GAME OVER", "Player B wins"],
        Message::Over(GameResult::Draw) => ["GAME OVER", "TIE"],
        Message::Refused(PlayError::NotYours, Bottom) => ["Not your bin:", "Player A's turn"],
        Message::Refused(PlayError::NotYours, Top) => ["Not your bin:", "Player B's turn"],
        Message::Refused(PlayError::Empty, _) => ["Empty bin:", "choose another"],
        Message::Refused(PlayError::GameOver, _) => ["GAME OVER:", "press RESET"],
        Message::Coin(Bottom) => ["Coin flip:", "Player A begins"],
        Message::Coin(Top) => ["Coin flip:", "Player B begins"],
        Message::Stuck(_) => ["is stuck", "and ignored"],
        Message::StorageDamaged => ["Flash damaged:", "defaults used"],
        _ => ["", ""],
    }
}
