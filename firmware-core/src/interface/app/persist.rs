//! Data that the board saves by itself: settings and total scores.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::state::{App, Memory, NOTICE};
use crate::game::history::{History, Setup};
use crate::game::places::Player;
use crate::game::rules::{Position, StartingPlayer};
use crate::interface::message::{Fallback, Message};
use crate::interface::page::{Notice, Page, Question, TotalsAfter};
use crate::interface::screen::style::Counts;
use crate::storage::{Damage, RecordsDamage, Settings, StorageError};
use crate::time::Instant;

/// Begins a game that `first` opens.
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
    /// Saves the settings; the LCD shows a message if that fails.
    pub(super) fn save_settings<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let kept = self
            .repair_records(flash)
            .and_then(|()| self.stored.records.save(flash, &self.stored.settings));
        self.report_if_lost(now, kept);
    }

    pub(super) fn save_scores<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let kept = self.repair_records(flash).and_then(|()| {
            // The log comes first: if the power goes off in between, it has the totals too.
            let has_totals =
                self.log_game(flash, Some(self.stored.scores.of(self.game.system.game)));
            self.stored.records.save_scores(flash, &self.stored.scores)?;
            if has_totals? { self.log.progress.stored(flash) } else { Ok(()) }
        });
        self.report_if_lost(now, kept);
    }

    /// Writes both records again if storage was damaged at power-on; undamaged values are retained.
    pub(super) fn repair_records<F: NorFlash>(
        &mut self,
        flash: &mut F,
    ) -> Result<(), StorageError> {
        if self.stored.damage.is_any() {
            self.stored.records.format(flash)?;
            self.stored.damage = RecordsDamage::default();
        }
        Ok(())
    }

    /// Reports on the console which of settings and totals are damaged.
    pub(super) fn report_damage(&mut self) {
        let RecordsDamage { settings, scores } = self.stored.damage;
        for (record, damage) in [("settings", settings), ("totals", scores)] {
            let used = match damage {
                None => continue,
                Some(Damage::Older) => "older",
                Some(Damage::Lost(_)) => "defaults",
            };
            self.memory
                .console
                .line(format_args!("storage state=damaged record={record} used={used}"));
        }
    }

    /// Returns what replaces damaged records; the worst of the two.
    pub(super) fn fallback_used(&self) -> Option<Fallback> {
        match (self.stored.damage.settings, self.stored.damage.scores) {
            (None, None) => None,
            (Some(Damage::Lost(_)), _) => Some(Fallback::Defaults),
            (_, Some(Damage::Lost(_))) => Some(Fallback::NoTotals),
            (Some(Damage::Older), _) | (_, Some(Damage::Older)) => Some(Fallback::Older),
        }
    }

    pub(super) fn report_if_lost(&mut self, now: Instant, kept: Result<(), StorageError>) {
        if kept.is_err() {
            self.memory.console.line(format_args!("storage state=failed"));
            self.display.notice = Some((Message::NotStored, now.saturating_add(NOTICE)));
        }
    }

    /// Returns the message that something could not be stored, while it is shown: a message about
    /// the game does not replace it.
    pub(super) fn failure_notice(&self) -> Option<(Message, Instant)> {
        self.display.notice.filter(|(message, _)| *message == Message::NotStored)
    }

    /// Counts the game that a move has ended.
    pub(super) fn count_the_game<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        self.add_the_game();
        self.save_scores(now, flash);
    }

    /// Adds both players' captured stones of the finished game to the totals, and records who
    /// begins the next game. The caller must save them.
    pub(super) fn add_the_game(&mut self) {
        // The demo does not count.
        if self.is_demo() {
            return;
        }
        let captured = self.captured();
        self.stored.scores.add(self.game.system.game, captured);
        self.game.counted = Some(captured);
        self.record_next_starter();
    }

    /// Records who begins the next game, if the previous game decides that. The caller must save
    /// it.
    pub(super) fn record_next_starter(&mut self) {
        if self.game.system.rules.starting_player == StartingPlayer::Loser {
            self.stored.scores.begins = Some(self.loser());
        }
    }

    /// Removes the game from the totals. The caller must save them.
    pub(super) fn take_back_totals(&mut self) {
        if let Some(captured) = self.game.counted.take() {
            let mut totals = self.stored.scores.of(self.game.system.game);
            for (total, captured) in totals.iter_mut().zip(captured) {
                *total = total.saturating_sub(captured);
            }
            self.stored.scores.set(self.game.system.game, totals);
        }
    }

    /// Returns whether the totals of this system can include a game with these stones captured.
    pub(super) fn totals_include(&self, captured: [u32; 2]) -> bool {
        let totals = self.stored.scores.of(self.game.system.game);
        totals.iter().zip(captured).all(|(total, captured)| *total >= captured)
    }

    /// Returns the page with the totals of the current system: all finished games, and the one in
    /// progress if it may be counted.
    pub(super) fn scores_page(&self) -> Page {
        let mut totals = self.stored.scores.of(self.game.system.game);
        if let Some(captured) = self.score_in_progress() {
            for (total, captured) in totals.iter_mut().zip(captured) {
                *total = total.saturating_add(captured);
            }
        }
        Page::Scores { game: self.game.system.game, totals }
    }

    /// Returns the page with the totals of all finished games of the current system.
    pub(super) fn finished_scores_page(&self) -> Page {
        let game = self.game.system.game;
        Page::Scores { game, totals: self.stored.scores.of(game) }
    }

    /// Returns the score of the game in progress, if it may be counted before its end.
    fn score_in_progress(&self) -> Option<[u32; 2]> {
        let secret = self.game.system.style().counts == Counts::AtTheEnd;
        (!secret && !self.is_over() && !self.is_demo()).then(|| self.captured())
    }

    /// Asks whether to reset the totals.
    pub(super) fn ask_to_reset_scores(&mut self) {
        let after = match self.score_in_progress() {
            Some(score) if score != [0; 2] => TotalsAfter::Game(score.map(|stones| stones as u8)),
            None if self.in_progress() && !self.is_demo() => TotalsAfter::GameUncounted,
            _ => TotalsAfter::Zero,
        };
        self.show(Page::Question(Question::ResetScores(after)));
    }

    /// Sets the totals of this system to zero. A game in progress still counts when it ends. Where
    /// the loser begins, this ends the running total that the manual requires for it: the next
    /// game, or the present one if it has not begun, counts as the first.
    pub(super) fn reset_scores<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        self.stored.scores.set(self.game.system.game, [0; 2]);
        self.game.counted = None;
        let suspended = self.game.suspended.as_mut();
        if let Some(suspended) = suspended
            .filter(|_| self.memory.suspended_history.setup().game == self.game.system.game)
        {
            suspended.counted = None;
        }
        let decides = self.game.system.rules.starting_player == StartingPlayer::Loser;
        if decides && self.stored.scores.begins.take().is_some() && self.is_unbegun() {
            self.begin_first(now);
        }
        self.show(Page::Notice(Notice::ScoresReset));
        self.save_scores(now, flash);
    }

    /// Returns whether the board is set up for a game of persons in which nothing has happened.
    fn is_unbegun(&self) -> bool {
        !self.is_demo() && !self.has_begun() && !self.is_over()
    }

    /// Returns the stones in the stores, by [`Player::index`].
    pub(super) fn captured(&self) -> [u32; 2] {
        let position: Position = self.position();
        Player::BOTH.map(|player| position.in_store(player).into())
    }
}
