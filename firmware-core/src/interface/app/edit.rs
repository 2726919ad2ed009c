//! Edit Board: moves single stones between any two cups or stores, and sets the player to move.
//!
//! The user edits a draft; only DONE makes it the game's position. A short RESET shows the soft
//! keys, because the stores have no button of their own.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::draft::Draft;
use super::report::Change;
use super::state::{App, Memory, NOTICE, State};
use crate::interface::message::Message;
use crate::pins::sound;
use crate::time::Instant;

impl<M: DerefMut<Target = Memory>> App<M> {
    pub(super) fn begin_to_edit(&mut self, now: Instant) {
        self.finish_movement(now);
        self.display.notice = None;
        let draft = Draft { position: self.position(), holding: None, began: now };
        self.state = State::Editing { draft, keys: false };
    }

    /// Chooses a cup or store: takes a stone from there, or puts it there.
    pub(super) fn edit_press(&mut self, now: Instant, place: usize) {
        let State::Editing { draft, .. } = &mut self.state else { return };
        self.display.notice = None;
        let (sound, notice) = match draft.holding.take().map(usize::from) {
            None if draft.position.stones[place] == 0 => (sound::ERROR, Some(Message::EditNothing)),
            None => {
                draft.holding = Some(place as u8);
                (sound::COUNT, None)
            }
            // Puts the stone back.
            Some(from) if from == place => (sound::COUNT, None),
            Some(from) => {
                draft.position.stones[from] -= 1;
                draft.position.stones[place] += 1;
                (sound::STONE, None)
            }
        };
        self.display.notice = notice.map(|message| (message, now.saturating_add(NOTICE)));
        self.sound(Some(sound), now);
    }

    pub(super) fn show_edit_keys(&mut self) {
        if let State::Editing { keys, .. } = &mut self.state {
            *keys = true;
        }
    }

    /// Makes the NUDGE buttons cups again.
    pub(super) fn hide_edit_keys(&mut self) {
        if let State::Editing { keys, .. } = &mut self.state {
            *keys = false;
        }
    }

    /// Passes the turn to the other player.
    pub(super) fn edit_turn(&mut self) {
        if let State::Editing { draft, .. } = &mut self.state {
            draft.position.turn = draft.position.turn.opponent();
        }
    }

    /// Makes the draft the position of the game.
    pub(super) fn end_edit<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let State::Editing { draft: Draft { position, .. }, .. } = self.state else { return };
        self.state = State::WAITING;
        if position != self.position() && self.memory.history.edit(&position) {
            self.changed(now, Change::Edit, flash);
        }
    }

    /// Drops the draft: everything stays as it was.
    pub(super) fn cancel_edit(&mut self) {
        self.state = State::WAITING;
        self.display.notice = None;
    }
}
