//! Edit Board: single stones between any two cups or stores, and who is to move.
//!
//! What is edited is a draft; only DONE makes it the game's position. A short RESET brings up
//! the soft keys: the stores have no button of their own.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::report::Change;
use super::{App, Memory, Micros, Mode, NOTICE, Next};
use crate::game::rules::Position;
use crate::interface::message::Message;
use crate::interface::page::Page;
use crate::pins::sound;

/// Half a period of the turn's blinking.
const BLINK: Micros = Micros::from_millis(400);

/// A board on which stones are moved by hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    pub(super) draft: Position,
    /// The place from which a stone is to be moved.
    pub(super) holding: Option<u8>,
    began: Micros,
}

impl Edit {
    /// Whether the turn can be seen in its blinking.
    pub(super) fn shows_turn(&self, now: Micros) -> bool {
        (now.since(self.began).0 / BLINK.0).is_multiple_of(2)
    }

    /// When the turn comes or goes next.
    pub(super) fn blink_at(&self, now: Micros) -> Micros {
        Micros(self.began.0 + (now.since(self.began).0 / BLINK.0 + 1) * BLINK.0)
    }
}

impl<M: DerefMut<Target = Memory>> App<M> {
    pub(super) fn begin_to_edit(&mut self, now: Micros) {
        self.finish_movement(now);
        self.mode = Mode::Board;
        self.notice = None;
        self.chosen = None;
        self.advice = None;
        self.edit = Some(Edit { draft: self.position(), holding: None, began: now });
    }

    /// A cup or store is chosen: a stone comes from there, or goes there.
    pub(super) fn edit_press(&mut self, now: Micros, place: usize) {
        let Some(edit) = &mut self.edit else { return };
        self.notice = None;
        let (sound, notice) = match edit.holding.take().map(usize::from) {
            None if edit.draft.stones[place] == 0 => (sound::ERROR, Some(Message::EditNothing)),
            None => {
                edit.holding = Some(place as u8);
                (sound::COUNT, None)
            }
            // Back where it came from.
            Some(from) if from == place => (sound::COUNT, None),
            Some(from) => {
                edit.draft.stones[from] -= 1;
                edit.draft.stones[place] += 1;
                (sound::STONE, None)
            }
        };
        self.notice = notice.map(|message| (message, now + NOTICE));
        self.sound(Some(sound), now);
    }

    pub(super) fn show_edit_keys(&mut self) {
        let Some(edit) = &self.edit else { return };
        let page = Page::Edit { turn: edit.draft.turn, holding: edit.holding.is_some() };
        self.mode = Mode::Page { page, next: Next::Board };
    }

    /// The other player is to move.
    pub(super) fn edit_turn(&mut self) {
        if let Some(edit) = &mut self.edit {
            edit.draft.turn = edit.draft.turn.opponent();
        }
        self.show_edit_keys();
    }

    /// The draft is the position from now on.
    pub(super) fn end_edit<F: NorFlash>(&mut self, now: Micros, flash: &mut F) {
        let Some(edit) = self.edit.take() else { return };
        self.mode = Mode::Board;
        if edit.draft != self.position() && self.memory.history.edit(&edit.draft) {
            self.changed(now, Change::Edit, flash);
        }
    }

    /// Everything stays as it was.
    pub(super) fn cancel_edit(&mut self) {
        self.edit = None;
        self.notice = None;
        self.mode = Mode::Board;
    }
}
