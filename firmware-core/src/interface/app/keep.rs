//! What the board remembers without being asked: settings and total scores.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::state::{App, Memory, NOTICE};
use crate::game::history::{History, Setup};
use crate::game::places::Player;
use crate::game::rules::Position;
use crate::interface::message::Message;
use crate::interface::page::{Notice, Page};
use crate::storage::{self, Settings, StorageError};
use crate::time::Instant;

/// A game begins that `first` is to open.
pub(super) fn open(history: &mut History, settings: &Settings, first: Player) {
    let system = settings.game.system();
    let setup = Setup {
        game: settings.game,
        stones: if system.choices { settings.stones } else { system.rules.stones_a_cup },
        bidirectional: system.choices && settings.bidirectional,
    };
    history.begin(setup, setup.rules().start(first));
}

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Keeps the settings; the LCD says so if that fails.
    pub(super) fn keep_settings<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let kept = self.mend(flash).and_then(|()| storage::save(flash, &self.settings));
        self.say_if_lost(now, kept);
    }

    fn keep_scores<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let kept = self.mend(flash).and_then(|()| storage::save_scores(flash, &self.scores));
        self.say_if_lost(now, kept);
    }

    /// What could not be read at power-on is given up for what is to be kept now.
    fn mend<F: NorFlash>(&mut self, flash: &mut F) -> Result<(), StorageError> {
        if self.storage_damaged {
            storage::format(flash)?;
            self.storage_damaged = false;
            // Of the two, one may have been whole.
            storage::save(flash, &self.settings)?;
            storage::save_scores(flash, &self.scores)?;
        }
        Ok(())
    }

    fn say_if_lost(&mut self, now: Instant, kept: Result<(), StorageError>) {
        if kept.is_err() {
            self.memory.console.line(format_args!("storage state=failed"));
            self.notice = Some((Message::NotStored, now.saturating_add(NOTICE)));
        }
    }

    /// Adds the stones that both captured in the finished game to the totals.
    pub(super) fn count_the_game<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let captured = self.captured();
        self.scores.add(self.system.game, captured);
        self.counted = Some(captured);
        self.keep_scores(now, flash);
    }

    /// Takes the game out of the totals again: it goes on.
    pub(super) fn take_back_totals<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        if let Some(captured) = self.counted.take() {
            let mut totals = self.scores.of(self.system.game);
            for (total, captured) in totals.iter_mut().zip(captured) {
                *total = total.saturating_sub(captured);
            }
            self.scores.set(self.system.game, totals);
            self.keep_scores(now, flash);
        }
    }

    /// The totals of the system that is played: all finished games, and the one in progress.
    pub(super) fn scores_page(&self) -> Page {
        let mut totals = self.scores.of(self.system.game);
        if self.counted.is_none() && !self.is_over() {
            for (total, captured) in totals.iter_mut().zip(self.captured()) {
                *total = total.saturating_add(captured);
            }
        }
        Page::Scores { game: self.system.game, totals }
    }

    /// Of the totals only the game in progress is left, which was never added.
    pub(super) fn reset_scores<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        self.scores.set(self.system.game, [0; 2]);
        self.counted = None;
        self.show(Page::Notice(Notice::ScoresReset));
        self.keep_scores(now, flash);
    }

    /// Stones in the stores, by [`Player::index`].
    pub(super) fn captured(&self) -> [u32; 2] {
        let position: Position = self.position();
        Player::BOTH.map(|player| position.in_store(player).into())
    }
}
