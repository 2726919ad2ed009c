//! Saves the game in progress across a power-off: each step logs the changes, and the next start
//! resumes from the log.
//!
//! The app compares the history with the log instead of reporting changes to it: whatever a press
//! does to the history, the log is up to date at the end of the step. The demo's moves are not
//! logged; the game that the demo interrupts stays in the log.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::report::Change;
use super::state::{Activity, App, Memory, NOTICE, State};
use crate::game::history::saved::HEAD;
use crate::game::history::{History, Step, Unlogged};
use crate::interface::message::Message;
use crate::storage::StorageError;
use crate::storage::progress::{BlockInfo, MOST_BYTES, Progress};
use crate::time::{Instant, Micros};

const _: () = assert!(crate::game::history::saved::SAVED_BYTES <= MOST_BYTES);

/// Time without any button press before a sector of the log is erased.
const IDLE: Micros = Micros::from_millis(3_000);

/// Code of an entry: all steps but the first *n* were undone. Steps have smaller codes.
const BACK: u8 = 0xE0;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Updates the log, and erases a sector of it while the board is idle.
    pub(super) fn log_progress<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        if self.log.waits && !self.is_demo() {
            self.log.waits = false;
            let before = self.game.system;
            if self.restore_game(now, flash) {
                if self.game.system.game != before.game {
                    let name = self.game.system.name;
                    self.memory.console.line(format_args!("option game={name}"));
                }
                self.show_resumed(now);
            }
        }
        let kept = self.log_game(flash, None);
        self.report_if_lost(now, kept.map(|_| ()));
        if self.erases_at(now).is_some_and(|at| at <= now) {
            let tidied = self.log.progress.erase_next(flash);
            self.report_if_lost(now, tidied);
        }
    }

    /// Logs the changes since the last call; `totals` are the system's totals that are about to be
    /// stored. Returns whether the log now has them.
    pub(super) fn log_game<F: NorFlash>(
        &mut self,
        flash: &mut F,
        totals: Option<[u32; 2]>,
    ) -> Result<bool, StorageError> {
        if self.is_demo() || self.log.failed {
            return Ok(false);
        }
        // Set until everything succeeds: a failed write is not repeated in every step.
        self.log.failed = true;
        let has_totals = self.write_progress(flash, totals)?;
        self.log.failed = false;
        Ok(has_totals)
    }

    fn write_progress<F: NorFlash>(
        &mut self,
        flash: &mut F,
        totals: Option<[u32; 2]>,
    ) -> Result<bool, StorageError> {
        let about = BlockInfo {
            system: self.game.system.game as u8,
            totals,
            begins: self.stored.scores.begins.filter(|_| totals.is_some()),
            name: self.files.named,
        };
        if !self.in_progress() {
            if self.log.progress.sequence().is_none() {
                return Ok(false);
            }
            self.log.progress.end(flash, &about)?;
            return Ok(totals.is_some());
        }
        let log = self.log.progress.sequence().unwrap_or(0);
        let lacks = if self.log.name == self.files.named {
            self.memory.history.unlogged(log)
        } else {
            Unlogged::Rewrite
        };
        let has_room = match lacks {
            Unlogged::Nothing => return Ok(false),
            Unlogged::Step(step) if totals.is_none() => {
                self.log.progress.append(flash, step.code(), 0)?
            }
            Unlogged::UndoneTo(count) if totals.is_none() => {
                self.log.progress.append(flash, BACK, count as u16)?
            }
            _ => false,
        };
        if !has_room {
            let history = &self.memory.history;
            let length = history.saved_len();
            self.log
                .progress
                .begin(flash, &about, length, |from, out| history.saved_bytes(from, out))?;
            self.log.name = self.files.named;
        }
        self.memory.history.mark_logged(self.log.progress.sequence().unwrap_or(0));
        Ok(totals.is_some() && !has_room)
    }

    /// Restores the game in the log. Returns whether there is one. In the demo it waits.
    pub(super) fn restore_game<F: NorFlash>(&mut self, now: Instant, flash: &mut F) -> bool {
        let Ok(Some(found)) = self.log.progress.start(flash) else { return false };
        self.restore_totals(now, &found.about, flash);
        let Some(length) = found.length else { return false };
        if self.is_demo() {
            self.log.waits = true;
            return false;
        }
        let history = &mut self.memory.history;
        if !read_game(&self.log.progress, length, history, flash) || !self.in_progress() {
            return false;
        }
        self.files.named = found.about.name;
        self.log.name = self.files.named;
        let setup = self.memory.history.setup();
        let before = self.stored.settings;
        self.game.system = setup.game.system();
        self.stored.settings.game = setup.game;
        if self.game.system.choices {
            self.stored.settings.stones = setup.stones;
            self.stored.settings.bidirectional = self.rules().bidirectional;
        }
        self.game.first = self.memory.history.first();
        self.game.starting_player_override = None;
        self.game.counted = None;
        self.game.over_since = None;
        self.forget_the_last_move();
        self.display.status = Message::Turn(self.position().turn);
        if self.stored.settings != before {
            self.save_settings(now, flash);
        }
        true
    }

    /// Reports on the LCD and on the console that the game continues.
    pub(super) fn show_resumed(&mut self, now: Instant) {
        self.state = State::WAITING;
        let resumed = (Message::Resumed(self.position().turn), now.saturating_add(NOTICE));
        self.display.notice = self.failure_notice().or(Some(resumed));
        self.report_change(Change::Resume);
    }

    /// Applies the totals that were about to be stored when the power went off.
    fn restore_totals<F: NorFlash>(&mut self, now: Instant, about: &BlockInfo, flash: &mut F) {
        let game = crate::game::systems::Game::from_number(about.system);
        let (Some(totals), Some(game)) = (about.totals, game) else { return };
        self.stored.scores.set(game, totals);
        self.stored.scores.begins = about.begins;
        // After damage they are written with the next change, like everything else.
        if !self.stored.damage.is_any() {
            let stored = self.stored.records.save_scores(flash, &self.stored.scores);
            let stored = stored.and_then(|()| self.log.progress.stored(flash));
            self.report_if_lost(now, stored);
        }
    }

    /// Returns when to erase a sector of the log, if one must be erased: while nothing moves,
    /// sounds or is pressed.
    pub(super) fn erases_at(&self, now: Instant) -> Option<Instant> {
        let idle = matches!(self.state, State::Board(Activity::Waiting) | State::Off)
            && self.buttons.held.is_none()
            && !self.buttons.reset.is_down()
            && self.display.notice.is_none()
            && !self.must_think(now);
        (idle && self.log.progress.must_erase_next())
            .then(|| self.user.untouched_since.saturating_add(IDLE))
    }
}

/// Returns the game in progress in a flash, for tools; `None` if there is none. The board reads it
/// in place.
pub fn game_in_progress<F: NorFlash>(flash: &mut F) -> Option<History> {
    let mut progress = Progress::default();
    let length = progress.start(flash).ok()??.length?;
    let mut history = History::NONE;
    (read_game(&progress, length, &mut history, flash) && !history.is_over()).then_some(history)
}

/// Reads the game of `length` bytes in the log, and the changes since. Returns whether it is
/// possible.
fn read_game<F: NorFlash>(
    progress: &Progress,
    length: usize,
    history: &mut History,
    flash: &mut F,
) -> bool {
    let mut head = [0; HEAD];
    if progress.read(flash, 0, &mut head) != Ok(HEAD) {
        return false;
    }
    let Ok(steps) = history.restore(&head) else { return false };
    if length != HEAD + steps {
        return false;
    }
    let mut codes = [0; 32];
    let mut from = HEAD;
    while from < length {
        let Ok(count @ 1..) = progress.read(flash, from, &mut codes) else { return false };
        for code in &codes[..count] {
            if Step::from_code(*code).is_none_or(|step| history.append(step).is_err()) {
                return false;
            }
        }
        from += count;
    }
    if history.is_within_edit() {
        return false;
    }
    let mut entries = progress.entries();
    while let Ok(Some((code, number))) = progress.next_entry(flash, &mut entries) {
        let follows = match code {
            BACK => history.undo_to(number.into()),
            // The entry that totals are stored does not concern the game.
            u8::MAX => true,
            _ => Step::from_code(code).is_some_and(|step| history.push(step)),
        };
        if !follows {
            // The log cannot continue from here: the next step writes it from scratch.
            return true;
        }
    }
    history.mark_logged(progress.sequence().unwrap_or(0));
    true
}
