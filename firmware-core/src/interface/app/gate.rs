//! Which presses count. A press acts on what the user sees: it counts only if the LCD showed the
//! whole picture of its target when the contact closed. Every press passes this gate, on the board,
//! on a page and while the board is edited.
//!
//! A *target* is what a press acts on: a page with its cursor, an edited board, a position with
//! its turn. Animations, notices and the dots of thinking change the picture and not the target.
//! RESET has the same meaning in every position, of a game or of an edit: for RESET each of the two
//! is one target.
//! This module knows no pin and no pixel: the firmware reports which pictures are complete.

use core::ops::DerefMut;

use super::state::{Activity, App, Memory, State};
use crate::game::places::Cup;
use crate::game::rules::Position;
use crate::game::systems::Game;
use crate::interface::page::Page;
use crate::time::Instant;

/// Numbers of a target, from [`App::press_target`]: equal as long as the target is the same.
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
enum Content {
    Off,
    Page(Page),
    Editing { position: Position, holding: Option<u8> },
    Board { game: Game, position: Position, over: bool, does: Doing },
}

/// Activity on the board, as far as it changes the effect of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
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
    fn enter(&mut self, content: Content) -> bool {
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

    fn shown(&mut self, target: PressTarget, now: Instant) {
        if target.nudge == self.target.nudge {
            self.nudge_since.get_or_insert(now);
        }
        if target.reset == self.target.reset {
            self.reset_since.get_or_insert(now);
        }
    }
}

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Returns what a press acts on in [`Self::view`].
    pub const fn press_target(&self) -> PressTarget {
        self.gate.target()
    }

    /// Records that the LCD shows the whole of [`Self::view`] at `now`. A press counts only if the
    /// contact closed later.
    pub fn shown(&mut self, now: Instant) {
        self.gate.shown(self.gate.target(), now);
    }

    /// Records that the LCD shows the whole of an earlier view at `now`, which had `target`. A
    /// picture of a movement that is late is still one of this movement.
    pub fn shown_earlier(&mut self, target: PressTarget, now: Instant) {
        self.gate.shown(target, now);
    }

    /// Updates the gate after anything that may have changed the target. A press does not act on a
    /// later target: RESET, if it is down, does nothing more, and a held key does not repeat.
    pub(super) fn update_gate(&mut self) {
        let content = self.content();
        if self.gate.enter(content) {
            self.buttons.reset.answered();
            self.buttons.held = None;
        }
    }

    fn content(&self) -> Content {
        match &self.state {
            State::Off => Content::Off,
            // How much of the log has been written does not change the keys.
            State::Logging(_) => Content::Page(Page::Logging(0)),
            State::Editing { draft, keys: false } => {
                Content::Editing { position: draft.position, holding: draft.holding }
            }
            State::Editing { keys: true, .. } | State::Page { .. } => match self.state.page() {
                Some((page, _)) => Content::Page(page),
                None => Content::Off,
            },
            State::Board(activity) => Content::Board {
                game: self.game.system.game,
                position: self.position(),
                over: self.is_over(),
                does: match activity {
                    Activity::Waiting => Doing::Waiting,
                    Activity::Counting(cup) => Doing::Counting(*cup),
                    Activity::Advising(cup, _) => Doing::Advising(*cup),
                    Activity::Moving(_) => Doing::Moving,
                    Activity::Thinking(_) => Doing::Thinking,
                },
            },
        }
    }
}
