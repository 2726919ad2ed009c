//! The style of each game system on the LCD: [`Game::style`].

use super::style::Style;
use super::{board, family, top_bottom, wari};
use crate::game::systems::{Game, System};

impl Game {
    /// Returns the system's words and marks on the LCD.
    pub const fn style(self) -> &'static Style {
        match self {
            Self::Board => &board::STYLE,
            Self::Family => &family::STYLE,
            Self::Wari => &wari::STYLE,
            Self::TopBottom => &top_bottom::STYLE,
        }
    }
}

impl System {
    /// Returns the style; see [`Game::style`].
    pub const fn style(&self) -> &'static Style {
        self.game.style()
    }
}
