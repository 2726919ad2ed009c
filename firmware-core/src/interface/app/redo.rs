//! Redo: plays what Undo took back again, until something else is played.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::report::Change;
use super::state::{App, Memory};
use crate::game::opponent::Players;
use crate::interface::page::{Notice, Page};
use crate::time::Instant;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Returns whether Undo has taken back an action that can be played again.
    pub(super) fn can_redo(&self) -> bool {
        self.memory.history.can_redo()
    }

    /// Plays again what the latest Undo took back; against the computer, its answers too.
    pub(super) fn redo<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        if !self.memory.history.redo() {
            self.show(Page::Notice(Notice::NothingToRedo));
            return;
        }
        while self.computer_moves()
            && self.stored.settings.players == Players::One
            && self.memory.history.redo()
        {}
        self.changed(now, Change::Redo, flash);
    }
}
