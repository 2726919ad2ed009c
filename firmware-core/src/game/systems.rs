//! The register of game systems: their names, their rules, their options. Their appearance on the
//! LCD is not known here: the screens add `Game::style`.
//!
//! A new system is one rules file, a name in [`Game`], one line in [`SYSTEMS`], and one screen
//! file with its line in `interface/screen/styles.rs`.

use crate::game::rules::{self, Ruleset};

/// Game system, with the number that the settings store. The numbers are never given another
/// meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Game {
    /// System of the LCD board's own source document; the power-up default.
    #[default]
    Board = 0,
    /// System with bins 1 to 12.
    Family = 1,
    /// System of the Wari program.
    Wari = 2,
    /// System with seeds in pits.
    TopBottom = 3,
}

impl Game {
    /// Returns the game with this number; `None` if there is none.
    pub fn from_number(number: u8) -> Option<Self> {
        SYSTEMS.into_iter().map(|system| system.game).find(|game| *game as u8 == number)
    }

    /// Returns its names, rules and options.
    pub fn system(self) -> &'static System {
        SYSTEMS.into_iter().find(|system| system.game == self).unwrap_or(&BOARD)
    }
}

/// A game system.
#[derive(Debug)]
pub struct System {
    /// Number in the settings.
    pub game: Game,
    /// Name on the console and in a trace's header.
    pub name: &'static str,
    /// Name in the menu, at most ten characters.
    pub title: &'static str,
    pub rules: &'static Ruleset,
    /// Whether the user can choose the stones a cup (3, 4 or 5) and the bidirectional option.
    pub choices: bool,
}

impl System {
    /// Returns its rules with `stones` a cup and the bidirectional option, where the user can
    /// choose these; otherwise its rules unchanged.
    pub const fn variant(&self, stones: u8, bidirectional: bool) -> Ruleset {
        if self.choices {
            Ruleset { stones_a_cup: stones, bidirectional, ..*self.rules }
        } else {
            *self.rules
        }
    }
}

/// The power-up default.
pub const BOARD: System = System {
    game: Game::Board,
    name: "board",
    title: "Board",
    rules: &rules::board::RULES,
    choices: false,
};

/// All systems, in the order of the menu.
pub const SYSTEMS: [&System; 4] = [
    &BOARD,
    &System {
        game: Game::Family,
        name: "family",
        title: "Family",
        rules: &rules::family::RULES,
        choices: false,
    },
    &System {
        game: Game::Wari,
        name: "wari",
        title: "Wari",
        rules: &rules::wari::RULES,
        choices: true,
    },
    &System {
        game: Game::TopBottom,
        name: "top-bottom",
        title: "Top-Bottom",
        rules: &rules::top_bottom::RULES,
        choices: false,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_has_a_unique_name_and_is_found_by_number() {
        for (index, system) in SYSTEMS.into_iter().enumerate() {
            assert_eq!(Game::from_number(system.game as u8), Some(system.game));
            assert_eq!(system.game.system().name, system.name);
            assert!(SYSTEMS[..index].iter().all(|other| other.name != system.name));
        }
        assert_eq!(Game::from_number(99), None);
    }
}
