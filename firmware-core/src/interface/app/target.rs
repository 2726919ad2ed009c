//! The data of the gate: what a press acts on, and since when the LCD has shown it.

use crate::game::places::Cup;
use crate::game::rules::Position;
use crate::game::systems::Game;
use crate::interface::page::Page;
use crate::time::Instant;

/// Numbers of a target, from [`super::App::press_target`]: equal as long as the target is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PressTarget {
    /// Number of the target of a NUDGE.
    nudge: u32,
    /// Number of the target of RESET.
    reset: u32,
}

/// The current target, and since when the LCD has shown it.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    content: Content,
    target: PressTarget,
    /// Time since which the LCD has shown the target of a NUDGE; `None` while it does not.
    nudge_since: Option<Instant>,
    /// The same for the target of RESET.
    reset_since: Option<Instant>,
}

/// Content of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Off,
    Page(Page),
    Editing { position: Position, holding: Option<u8> },
    Board { game: Game, position: Position, over: bool, does: Doing },
}

/// Activity on the board, as far as it changes the effect of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Waiting,
    Counting(Cup),
    Advising(Cup),
    Moving,
    Thinking,
}

impl Gate {
    /// Creates the gate of a board whose LCD has not shown anything.
    pub(super) const fn new() -> Self {
        Self {
            content: Content::Off,
            target: PressTarget { nudge: 0, reset: 0 },
            nudge_since: None,
            reset_since: None,
        }
    }

    pub(super) const fn target(&self) -> PressTarget {
        self.target
    }

    /// Returns whether a NUDGE that went down at `at` counts.
    pub(super) fn passes_nudge(&self, at: Instant) -> bool {
        self.nudge_since.is_some_and(|since| since <= at)
    }

    /// Returns whether a press at `at` counts if its effect does not depend on the position.
    pub(super) fn passes_reset(&self, at: Instant) -> bool {
        self.reset_since.is_some_and(|since| since <= at)
    }

    /// Sets the current content. Returns whether RESET and held buttons have another target now.
    pub(super) fn enter(&mut self, content: Content) -> bool {
        if content == self.content {
            return false;
        }
        let elsewhere = !matches!(
            (&self.content, &content),
            (Content::Board { .. }, Content::Board { .. })
                | (Content::Editing { .. }, Content::Editing { .. })
        );
        if elsewhere {
            self.target.reset = self.target.reset.wrapping_add(1);
            self.reset_since = None;
        }
        self.target.nudge = self.target.nudge.wrapping_add(1);
        self.nudge_since = None;
        self.content = content;
        elsewhere
    }

    pub(super) fn shown(&mut self, target: PressTarget, now: Instant) {
        if target.nudge == self.target.nudge {
            self.nudge_since.get_or_insert(now);
        }
        if target.reset == self.target.reset {
            self.reset_since.get_or_insert(now);
        }
    }
}
