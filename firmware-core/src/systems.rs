//! The register of game systems: for each, its rules and its style on the LCD.
//!
//! A new system is one rules file, one screen file, a name in [`Game`] and one line in
//! [`SYSTEMS`].

use crate::rules::{self, Ruleset};
use crate::screen::style::Style;
use crate::screen::{board, family, top_bottom};

/// Which system is played, as the settings keep it. The numbers are never given another
/// meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Game {
    /// The LCD board's own source document; the power-up default.
    #[default]
    Board = 0,
    /// Bins 1 to 12.
    Family = 1,
    /// Seeds in pits.
    TopBottom = 3,
}

impl Game {
    /// The game of that number; `None` if there is none.
    pub fn from_number(number: u8) -> Option<Self> {
        SYSTEMS.into_iter().map(|system| system.game).find(|game| *game as u8 == number)
    }

    /// Its rules and its style.
    pub fn system(self) -> &'static System {
        SYSTEMS.into_iter().find(|system| system.game == self).unwrap_or(&BOARD)
    }
}

/// A game system.
#[derive(Debug)]
pub struct System {
    /// As the settings keep it.
    pub game: Game,
    /// Its name on the console and in a trace's header.
    pub name: &'static str,
    /// How it is played.
    pub rules: &'static Ruleset,
    /// What it says, and what it shows.
    pub style: &'static Style,
}

/// The power-up default.
pub const BOARD: System =
    System { game: Game::Board, name: "board", rules: &rules::board::RULES, style: &board::STYLE };

/// All of them, in the order of the menu.
pub const SYSTEMS: [&System; 3] = [
    &BOARD,
    &System {
        game: Game::Family,
        name: "family",
        rules: &rules::family::RULES,
        style: &family::STYLE,
    },
    &System {
        game: Game::TopBottom,
        name: "top-bottom",
        rules: &rules::top_bottom::RULES,
        style: &top_bottom::STYLE,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_is_found_by_its_number_and_has_a_name_of_its_own() {
        for (index, system) in SYSTEMS.into_iter().enumerate() {
            assert_eq!(Game::from_number(system.game as u8), Some(system.game));
            assert_eq!(system.game.system().name, system.name);
            assert!(SYSTEMS[..index].iter().all(|other| other.name != system.name));
        }
        assert_eq!(Game::from_number(99), None);
    }
}
