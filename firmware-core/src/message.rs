//! What the status message says, whatever the words. Each system's screen has its own words.

use crate::button::Button;
use crate::rules::{GameResult, PlayError, Player};

/// A status of the game, or why a press did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// It is this player's turn.
    Turn(Player),
    /// The player ended in his own store and moves again.
    FreeTurn(Player),
    /// The player captured.
    Captured(Player),
    /// The game is over.
    Over(GameResult),
    /// A press that the rules do not allow, and whose turn it is.
    Refused(PlayError, Player),
    /// The coin showed this player: he begins.
    Coin(Player),
    /// A button that has been down since power-on.
    Stuck(Button),
    /// The settings in flash could not be read.
    StorageDamaged,
}
