//! What is chosen before a game begins.

use crate::game::rules::Ruleset;
use crate::game::systems::Game;

/// What was chosen before the game began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The system that is played.
    pub game: Game,
    /// Stones a cup.
    pub stones: u8,
    /// Whether the direction of sowing flips at captures.
    pub bidirectional: bool,
}

impl Setup {
    /// The rules as the game begins.
    pub fn rules(&self) -> Ruleset {
        self.game.system().variant(self.stones, self.bidirectional)
    }
}
