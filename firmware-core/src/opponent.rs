//! The computer that plays, and who plays at all.

use crate::rules::{Cup, Position, Ruleset};

/// Who sits at the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Players {
    /// A person at the bottom against the computer at the top.
    One,
    /// Two persons.
    #[default]
    Two,
    /// The computer against itself.
    Demo,
}

/// How well the computer plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the manual's own names")]
pub enum Level {
    #[default]
    Novice,
    Intermediate,
    Advanced,
}

/// Nodes that one slice of thinking may visit.
pub const NODES_A_SLICE: u32 = 800;
/// Most slices that an answer takes.
pub const MOST_SLICES: u32 = 48;

/// The computer's thoughts about one position.
pub struct Thinker {
    best: Option<Cup>,
}

/// How far the thinking is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thought {
    /// It goes on; this is the cup in hand.
    Considering(Cup),
    /// The move to play.
    Decided(Cup),
}

impl Default for Thinker {
    fn default() -> Self {
        Self::new()
    }
}

impl Thinker {
    /// One that thinks of nothing.
    pub const fn new() -> Self {
        Self { best: None }
    }

    /// Begins to think about `position`, in which the game is not over. `seed` decides among
    /// moves that are equally good.
    pub fn begin(&mut self, rules: &Ruleset, position: &Position, _level: Level, _seed: u64) {
        self.best = Cup::of(position.turn)
            .find(|cup| position.in_cup(*cup) > 0 && !rules.is_over(position));
    }

    /// One slice more; `None` if there is nothing to think about.
    pub fn think(&mut self) -> Option<Thought> {
        self.best.map(Thought::Decided)
    }
}
