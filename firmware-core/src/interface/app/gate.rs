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
use super::target::{Content, Doing, PressTarget};
use crate::interface::page::Page;
use crate::time::Instant;

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
