//! The options chosen before a game begins.

use crate::game::rules::Ruleset;
use crate::game::systems::Game;

/// Options chosen before the game began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    pub game: Game,
    pub stones: u8,
    /// Whether the direction of sowing flips at captures.
    pub bidirectional: bool,
}

impl Setup {
    /// Returns the rules with which the game begins.
    pub fn rules(&self) -> Ruleset {
        self.game.system().variant(self.stones, self.bidirectional)
    }
}
