//! The suspended game: the game that a new one replaced, which Undo restores, or the game that
//! waits while the demo runs. There is room for one.

use core::mem;
use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::report::Change;
use super::state::{App, Memory, State};
use super::suspended_game::{SuspendReason, SuspendedGame};
use crate::game::opponent::Players;
use crate::interface::message::Message;
use crate::time::{Instant, Micros};

/// Time for which the LCD shows that a game was restarted, and how to restore it.
const RESTARTED: Micros = Micros::from_millis(4_000);

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Handles a short RESET: begins another game.
    pub(super) fn restart_game(&mut self, now: Instant) {
        let was_in_progress = self.in_progress();
        self.begin_new_game(now);
        // The coin is shown first.
        if was_in_progress && self.display.notice.is_none() {
            self.display.notice = self.restarted(now);
        }
    }

    /// Begins another game; the current one can be restored.
    pub(super) fn begin_new_game(&mut self, now: Instant) {
        self.suspend_if_worth_it();
        self.begin(now);
    }

    /// Suspends the game before another one begins. A game in which nothing has happened, and the
    /// demo's game, are not worth saving: an already suspended game stays.
    pub(super) fn suspend_if_worth_it(&mut self) {
        if !self.is_demo() && (self.has_begun() || self.is_over()) {
            self.suspend(SuspendReason::NewGame);
        }
    }

    /// Returns the message that follows `message`.
    pub(super) fn next_notice(&self, message: Message, now: Instant) -> Option<(Message, Instant)> {
        let in_progress = self.game.suspended.is_some_and(|game| game.in_progress);
        match message {
            Message::Coin(_) if in_progress && self.can_restore_suspended() => self.restarted(now),
            _ => None,
        }
    }

    /// Returns whether Undo restores the game that this one has replaced.
    pub(super) fn can_restore_suspended(&self) -> bool {
        self.game.suspended.is_some_and(|game| game.because == SuspendReason::NewGame)
    }

    /// Makes the new game permanent: the previous one cannot be restored.
    pub(super) fn discard_suspended(&mut self) {
        self.game.suspended.take_if(|game| game.because == SuspendReason::NewGame);
    }

    /// Returns whether a game in progress waits while the demo runs.
    pub(super) fn has_waiting_game(&self) -> bool {
        self.is_demo()
            && (self.log.waits || self.game.suspended.is_some_and(|game| game.in_progress))
    }

    /// Restores the suspended game as it was.
    pub(super) fn restore_suspended<F: NorFlash>(
        &mut self,
        now: Instant,
        how: Change,
        flash: &mut F,
    ) {
        let Some(game) = self.game.suspended.take() else { return };
        self.swap_with_suspended();
        let SuspendedGame { first, status, counted, named, .. } = game;
        (self.game.first, self.display.status, self.game.counted, self.files.named) =
            (first, status, counted, named);
        self.state = State::WAITING;
        self.display.notice = self.failure_notice();
        self.forget_the_last_move();
        self.player.stop();
        self.game.over_since = self.is_over().then_some(now);
        let before = self.stored.settings;
        self.apply_setup_of_game();
        self.memory.console.line(format_args!("restored game={}", self.game.system.name));
        self.report_change(how);
        if self.stored.settings != before {
            self.save_settings(now, flash);
        }
    }

    /// Sets the system and the options to those of the game on the board.
    pub(super) fn apply_setup_of_game(&mut self) {
        let setup = self.memory.history.setup();
        self.game.system = setup.game.system();
        self.stored.settings.game = setup.game;
        if self.game.system.choices {
            self.stored.settings.stones = setup.stones;
            self.stored.settings.bidirectional = self.rules().bidirectional;
        }
    }

    /// Starts the demo: the computer plays a game against itself.
    pub(super) fn start_demo<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let runs = self.is_demo();
        if !runs {
            self.stored.settings.before_demo = self.stored.settings.players;
            self.suspend(SuspendReason::Demo);
        }
        self.set_players(now, Players::Demo, flash);
        if !runs {
            self.begin(now);
        }
    }

    /// Leaves the demo for `players`: resumes the game that the demo interrupted, or begins a new
    /// one.
    pub(super) fn leave_demo<F: NorFlash>(
        &mut self,
        now: Instant,
        players: Players,
        flash: &mut F,
    ) {
        self.stored.settings.before_demo = Players::Two;
        self.set_players(now, players, flash);
        if self.game.suspended.is_some_and(|game| game.because == SuspendReason::Demo) {
            self.restore_suspended(now, Change::Load, flash);
        } else if !self.log.waits {
            self.begin(now);
        }
    }

    fn suspend(&mut self, because: SuspendReason) {
        self.game.suspended = Some(SuspendedGame {
            because,
            in_progress: self.in_progress(),
            first: self.game.first,
            status: self.display.status,
            counted: self.game.counted,
            named: self.files.named,
        });
        self.swap_with_suspended();
    }

    fn swap_with_suspended(&mut self) {
        let Memory { history, suspended_history, .. } = &mut *self.memory;
        mem::swap(history, suspended_history);
    }

    fn restarted(&self, now: Instant) -> Option<(Message, Instant)> {
        Some((Message::Restarted, now.saturating_add(RESTARTED)))
    }
}
