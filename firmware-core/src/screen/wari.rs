//! The style of the `wari` system.

use super::style::{Counts, Style};
use crate::message::Message;
use crate::rules::{Cup, GameResult, PlayError, Player};

/// In the words of its source document.
pub const STYLE: Style =
    Style { name: "wari", words, label, stores: ["Btm", "Top"], counts: Counts::OnPress };

/// The pits have no numbers.
fn label(_pit: Cup) -> &'static str {
    ""
}

fn words(message: Message) -> [&'static str; 2] {
    use Player::{Bottom, Top};
    match message {
        Message::Turn(Bottom) => ["Bottom's turn", ""],
        Message::Turn(Top) => ["Top's turn", ""],
        Message::FreeTurn(Bottom) => ["Bottom", "extra turn"],
        Message::FreeTurn(Top) => ["Top", "extra turn"],
        Message::Captured(Bottom) => ["Bottom", "captures seeds"],
        Message::Captured(Top) => ["Top", "captures seeds"],
        Message::Over(GameResult::Winner(Bottom)) => ["GAME OVER", "Bottom wins"],
        Message::Over(GameResult::Winner(Top)) => ["GAME OVER", "Top wins"],
        Message::Over(GameResult::Draw) => ["GAME OVER", "DRAW"],
        Message::Refused(PlayError::NotYours, Bottom) => ["Not your pit:", "Bottom's turn"],
        Message::Refused(PlayError::NotYours, Top) => ["Not your pit:", "Top's turn"],
        Message::Refused(PlayError::Empty, _) => ["Empty pit:", "choose another"],
        Message::Refused(PlayError::GameOver, _) => ["GAME OVER:", "press RESET"],
        Message::Coin(Bottom) => ["Coin flip:", "Bottom begins"],
        Message::Coin(Top) => ["Coin flip:", "Top begins"],
        Message::Stuck(_) => ["is stuck", "and ignored"],
        Message::StorageDamaged => ["Flash damaged:", "defaults used"],
        _ => ["", ""],
    }
}
