//! The game in progress survives power-off: each step writes down what has changed, and the next
//! start goes on from there.
//!
//! What is written is compared, not announced: whatever a press does to the history, the log is made
//! true at the end of the step. The demo's moves are not written; a person's game that it interrupts
//! stays in the log.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::report::Change;
use super::state::{Activity, App, Memory, NOTICE, State};
use crate::game::history::saved::HEAD;
use crate::game::history::{History, Step, Unlogged};
use crate::interface::message::Message;
use crate::storage::StorageError;
use crate::storage::progress::{About, MOST_BYTES, Progress};
use crate::time::{Instant, Micros};

const _: () = assert!(crate::game::history::saved::SAVED_BYTES <= MOST_BYTES);

/// How long no button has been touched before a sector of the log is erased.
const IDLE: Micros = Micros::from_millis(3_000);

/// The code of an entry: all steps but the first so many were taken back. Steps have smaller ones.
const BACK: u8 = 0xE0;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Makes the log true, and erases a sector of it when no one plays.
    pub(super) fn keep_game<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        if self.waits && !self.is_demo() {
            self.waits = false;
            let before = self.system;
            if self.restore_game(now, flash) {
                if self.system.game != before.game {
                    let name = self.system.name;
                    self.memory.console.line(format_args!("option game={name}"));
                }
                self.show_that_it_goes_on(now);
            }
        }
        let kept = self.log_game(flash, None);
        self.report_if_lost(now, kept.map(|_| ()));
        if self.tidies_at(now).is_some_and(|at| at <= now) {
            let tidied = self.progress.tidy(flash);
            self.report_if_lost(now, tidied);
        }
    }

    /// Writes down what has changed since the last call; `totals` are what those of the system are
    /// about to become. Whether the log has them now.
    pub(super) fn log_game<F: NorFlash>(
        &mut self,
        flash: &mut F,
        totals: Option<[u32; 2]>,
    ) -> Result<bool, StorageError> {
        if self.is_demo() || self.log_failed {
            return Ok(false);
        }
        // Until all is well: what fails once is not tried in every step.
        self.log_failed = true;
        let has_totals = self.write_progress(flash, totals)?;
        self.log_failed = false;
        Ok(has_totals)
    }

    fn write_progress<F: NorFlash>(
        &mut self,
        flash: &mut F,
        totals: Option<[u32; 2]>,
    ) -> Result<bool, StorageError> {
        let about = About {
            system: self.system.game as u8,
            totals,
            begins: self.scores.begins.filter(|_| totals.is_some()),
            name: self.named,
        };
        if !self.in_progress() {
            if self.progress.sequence().is_none() {
                return Ok(false);
            }
            self.progress.end(flash, &about)?;
            return Ok(totals.is_some());
        }
        let log = self.progress.sequence().unwrap_or(0);
        let lacks = if self.logged_name == self.named {
            self.memory.history.unlogged(log)
        } else {
            Unlogged::Much
        };
        let has_room = match lacks {
            Unlogged::Nothing => return Ok(false),
            Unlogged::Step(step) if totals.is_none() => {
                self.progress.append(flash, step.code(), 0)?
            }
            Unlogged::BackTo(count) if totals.is_none() => {
                self.progress.append(flash, BACK, count as u16)?
            }
            _ => false,
        };
        if !has_room {
            let history = &self.memory.history;
            let length = history.saved_len();
            self.progress
                .begin(flash, &about, length, |from, out| history.saved_bytes(from, out))?;
            self.logged_name = self.named;
        }
        self.memory.history.mark_logged(self.progress.sequence().unwrap_or(0));
        Ok(totals.is_some() && !has_room)
    }

    /// Takes up the game in the log, if there is one; whether there is. In the demo it waits.
    pub(super) fn restore_game<F: NorFlash>(&mut self, now: Instant, flash: &mut F) -> bool {
        let Ok(Some(found)) = self.progress.start(flash) else { return false };
        self.restore_totals(now, &found.about, flash);
        let Some(length) = found.length else { return false };
        if self.is_demo() {
            self.waits = true;
            return false;
        }
        let history = &mut self.memory.history;
        if !read_game(&self.progress, length, history, flash) || !self.in_progress() {
            return false;
        }
        self.named = found.about.name;
        self.logged_name = self.named;
        let setup = self.memory.history.setup();
        let before = self.settings;
        self.system = setup.game.system();
        self.settings.game = setup.game;
        if self.system.choices {
            self.settings.stones = setup.stones;
            self.settings.bidirectional = self.rules().bidirectional;
        }
        self.first = self.memory.history.first();
        self.pinned = None;
        self.counted = None;
        self.over_since = None;
        self.forget_the_last_move(Some(now));
        self.status = Message::Turn(self.position().turn);
        if self.settings != before {
            self.save_settings(now, flash);
        }
        true
    }

    /// Says on the LCD and on the console that the game goes on.
    pub(super) fn show_that_it_goes_on(&mut self, now: Instant) {
        self.state = State::WAITING;
        self.notice = Some((Message::GoesOn(self.position().turn), now.saturating_add(NOTICE)));
        self.report_change(Change::Resume);
    }

    /// Takes over the totals that were about to be stored when the power went.
    fn restore_totals<F: NorFlash>(&mut self, now: Instant, about: &About, flash: &mut F) {
        let game = crate::game::systems::Game::from_number(about.system);
        let (Some(totals), Some(game)) = (about.totals, game) else { return };
        self.scores.set(game, totals);
        self.scores.begins = about.begins;
        // After damage they are written with the next change, as everything else is.
        if !self.damage.is_any() {
            let stored = self.records.save_scores(flash, &self.scores);
            let stored = stored.and_then(|()| self.progress.stored(flash));
            self.report_if_lost(now, stored);
        }
    }

    /// When a sector of the log is to be erased, if one is: nothing moves, sounds or is held down.
    pub(super) fn tidies_at(&self, now: Instant) -> Option<Instant> {
        let idle = matches!(self.state, State::Board(Activity::Waiting) | State::Off)
            && self.held.is_none()
            && !self.reset.is_down()
            && self.notice.is_none()
            && !self.must_think(now);
        (idle && self.progress.must_tidy()).then(|| self.untouched_since.saturating_add(IDLE))
    }
}

/// The game in progress in a flash, for tools; `None` if there is none. The board reads it in place.
pub fn game_in_progress<F: NorFlash>(flash: &mut F) -> Option<History> {
    let mut progress = Progress::default();
    let length = progress.start(flash).ok()??.length?;
    let mut history = History::NONE;
    (read_game(&progress, length, &mut history, flash) && !history.is_over()).then_some(history)
}

/// Reads the game of so many bytes in the log, and what happened since; whether it can have been.
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
            BACK => history.take_back_to(number.into()),
            // That totals are stored is no matter of the game.
            u8::MAX => true,
            _ => Step::from_code(code).is_some_and(|step| history.push(step)),
        };
        if !follows {
            // The log does not go on from here: it begins anew with the next step.
            return true;
        }
    }
    history.mark_logged(progress.sequence().unwrap_or(0));
    true
}
