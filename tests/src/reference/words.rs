//! The status messages of each system, their two lines joined by one space.

use super::{End, System};

impl System {
    /// Returns the name of a player.
    pub fn player(self, player: usize) -> &'static str {
        match self {
            Self::Board => ["Player 1", "Player 2"][player],
            Self::Family => ["Player A", "Player B"][player],
            Self::Wari | Self::TopBottom => ["Bottom", "Top"][player],
        }
    }

    /// Returns the message that it is `player`'s turn.
    pub(super) fn turn(self, player: usize) -> String {
        format!("{}'s turn", self.player(player))
    }

    /// Returns the message that `player` moves again.
    pub(super) fn free_turn(self, player: usize) -> String {
        let again = match self {
            Self::Board => "FREE TURN",
            Self::Family => "second turn",
            Self::TopBottom => "extra turn",
            Self::Wari => unreachable!("no stone of wari is sown into a store"),
        };
        format!("{} {again}", self.player(player))
    }

    /// Returns the message that `player` has captured.
    pub(super) fn capture(self, player: usize) -> String {
        let captures = match self {
            Self::Board => "collected BONUS",
            Self::Family => "collects stones",
            Self::Wari => "captures",
            Self::TopBottom => "captures seeds",
        };
        format!("{} {captures}", self.player(player))
    }

    /// Returns the message of a result.
    pub(super) fn outcome(self, end: End) -> String {
        match (end, self) {
            (End::Winner(player), _) => format!("{} wins", self.player(player)),
            (End::Draw, Self::Family) => "TIE".to_owned(),
            (End::Draw, _) => "DRAW".to_owned(),
        }
    }
}
