//! The menus and their entries, in order. Shared by the app, which executes the entries, and the
//! screens, which show them. This module knows no button and no pixel.

use crate::game::systems::{Game, SYSTEMS};

/// One of the menus that a long press on RESET opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    File,
    Play,
    Options,
    Game,
}

/// An entry of a menu (manual, Mancala Menus).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    LoadGame,
    SaveGame,
    LogGame,
    Logs,
    Quit,
    NewBoard,
    EditBoard,
    ShowScores,
    ResetScores,
    HowToPlay,
    Help,
    Undo,
    Redo,
    AbandonPlay,
    Resign,
    OnePlayer,
    TwoPlayers,
    DemoMode,
    SwapSides,
    Bidirectional,
    SowAtOnce,
    ShowThoughts,
    Volume,
    ThreeStones,
    FourStones,
    FiveStones,
    Advanced,
    Proficient,
    Intermediate,
    Novice,
    SoundOff,
    /// Another game system.
    System(Game),
}

const FILE: [Entry; 5] =
    [Entry::LoadGame, Entry::SaveGame, Entry::LogGame, Entry::Logs, Entry::Quit];
const PLAY: [Entry; 10] = [
    Entry::NewBoard,
    Entry::EditBoard,
    Entry::ShowScores,
    Entry::ResetScores,
    Entry::HowToPlay,
    Entry::Help,
    Entry::Undo,
    Entry::Redo,
    Entry::AbandonPlay,
    Entry::Resign,
];
const OPTIONS: [Entry; 16] = [
    Entry::OnePlayer,
    Entry::TwoPlayers,
    Entry::DemoMode,
    Entry::SwapSides,
    Entry::Bidirectional,
    Entry::SowAtOnce,
    Entry::ShowThoughts,
    Entry::Volume,
    Entry::ThreeStones,
    Entry::FourStones,
    Entry::FiveStones,
    Entry::Advanced,
    Entry::Proficient,
    Entry::Intermediate,
    Entry::Novice,
    Entry::SoundOff,
];

/// Number of entries of the longest menu.
pub const MAX_ENTRIES: usize = OPTIONS.len();

const _: () = assert!(SYSTEMS.len() <= MAX_ENTRIES);

impl Menu {
    /// All menus, left to right.
    pub const ALL: [Self; 4] = [Self::File, Self::Play, Self::Options, Self::Game];

    /// Returns the number of entries, at most [`MAX_ENTRIES`].
    #[expect(clippy::len_without_is_empty, reason = "no menu is empty")]
    pub const fn len(self) -> usize {
        match self {
            Self::File => FILE.len(),
            Self::Play => PLAY.len(),
            Self::Options => OPTIONS.len(),
            Self::Game => SYSTEMS.len(),
        }
    }

    /// Returns the `nth` entry from the top.
    pub fn entry(self, nth: usize) -> Option<Entry> {
        match self {
            Self::File => FILE.get(nth).copied(),
            Self::Play => PLAY.get(nth).copied(),
            Self::Options => OPTIONS.get(nth).copied(),
            Self::Game => SYSTEMS.get(nth).map(|system| Entry::System(system.game)),
        }
    }

    /// Returns the entries from the top.
    pub fn entries(self) -> impl Iterator<Item = Entry> {
        (0..self.len()).filter_map(move |nth| self.entry(nth))
    }
}

/// Set of entries of one menu, by their index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entries(u32);

const _: () = assert!(MAX_ENTRIES < u32::BITS as usize);

impl Entries {
    /// Returns the set with the `nth` entry added.
    #[must_use]
    pub const fn with(self, nth: usize) -> Self {
        if nth < MAX_ENTRIES { Self(self.0 | 1 << nth) } else { self }
    }

    /// Returns how many entries of the set are above the `nth` one.
    pub const fn above(self, nth: usize) -> u32 {
        let all = if nth < MAX_ENTRIES { 1 << nth } else { 1 << MAX_ENTRIES };
        (self.0 & (all - 1)).count_ones()
    }

    /// Returns whether the set contains the `nth` entry.
    pub const fn contains(self, nth: usize) -> bool {
        nth < MAX_ENTRIES && self.0 & (1 << nth) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn above_counts_the_entries_above_an_entry() {
        let some = Entries::default().with(0).with(3).with(MAX_ENTRIES - 1);
        for nth in 0..MAX_ENTRIES + 5 {
            let above = (0..nth).filter(|nth| some.contains(*nth)).count();
            assert_eq!(some.above(nth) as usize, above, "{nth}");
        }
    }
}
