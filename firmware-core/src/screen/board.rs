//! The style of the `board` system: Player 1 and Player 2, cups #6 to #1.

use super::style::{Counts, Style};
use crate::message::Message;
use crate::rules::{Cup, GameResult, PlayError, Player};

/// In the words of its source document.
pub const STYLE: Style =
    Style { name: "board", words, label, stores: ["P1", "P2"], counts: Counts::Always };

/// #1 is beside one's own mancala, #6 farthest from it.
fn label(cup: Cup) -> &'static str {
    ["#6", "#5", "#4", "#3", "#2", "#1"][cup.nth_of_owner()]
}

fn words(message: Message) -> [&'static str; 2] {
    use Player::{Bottom, Top};
    match message {
        Message::Turn(Bottom) => ["Player 1's turn", ""],
        Message::Turn(Top) => ["Player 2's turn", ""],
        Message::FreeTurn(Bottom) => ["Player 1", "FREE TURN"],
        Message::FreeTurn(Top) => ["Player 2", "FREE TURN"],
        Message::Captured(Bottom) => ["Player 1", "collected BONUS"],
        Message::Captured(Top) => ["Player 2", "collected BONUS"],
        Message::Over(GameResult::Winner(Bottom)) => ["GAME OVER", "Player 1 wins"],
        Message::Over(GameResult::Winner(Top)) => ["GAME OVER", "Player 2 wins"],
        Message::Over(GameResult::Draw) => ["GAME OVER", "DRAW"],
        Message::Refused(PlayError::NotYours, Bottom) => ["Not your cup:", "Player 1's turn"],
        Message::Refused(PlayError::NotYours, Top) => ["Not your cup:", "Player 2's turn"],
        Message::Refused(PlayError::Empty, _) => ["Empty cup:", "choose another"],
        Message::Refused(PlayError::GameOver, _) => ["GAME OVER:", "press RESET"],
        Message::Coin(Bottom) => ["Coin flip:", "Player 1 begins"],
        Message::Coin(Top) => ["Coin flip:", "Player 2 begins"],
        Message::Stuck(_) => ["is stuck", "and ignored"],
        Message::StorageDamaged => ["Flash damaged:", "defaults used"],
        _ => ["", ""],
    }
}
