//! The levels of the computer, from the weakest to the strongest, and the abilities behind them.

use super::search::DEEPEST;

/// Playing strength of the computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    #[default]
    Novice,
    Intermediate,
    Proficient,
    Advanced,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 4] = [Self::Novice, Self::Intermediate, Self::Proficient, Self::Advanced];

    /// Returns the name on the console and in a trace's header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Novice => "novice",
            Self::Intermediate => "intermediate",
            Self::Proficient => "proficient",
            Self::Advanced => "advanced",
        }
    }

    pub(super) const fn skill(self) -> Skill {
        match self {
            Self::Novice => Skill { turns: 1, error: 128 },
            Self::Intermediate => Skill { turns: 2, error: 48 },
            Self::Proficient => Skill { turns: 3, error: 44 },
            Self::Advanced => Skill { turns: DEEPEST, error: 0 },
        }
    }
}

/// Abilities of a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skill {
    /// Number of turns that it looks ahead at most: 1 is its own turn with all its free turns.
    pub turns: u8,
    /// Largest error of its estimate for a cup, in sixteenths of a stone.
    pub error: u8,
}

impl Skill {
    /// Returns whether the level errs. It then needs the value of every cup, and considers one cup
    /// a slice, so that the user can follow it; otherwise only cups that could be the best matter.
    pub const fn errs(self) -> bool {
        self.error > 0
    }
}
