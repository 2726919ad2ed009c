//! The suspended game: the game that a new one replaced, which Undo restores, or the game that
//! waits while the demo runs. There is room for one.

use core::mem;
use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::report::Change;
use super::shelved::{Because, Shelved};
use super::state::{App, Memory, State};
use crate::game::opponent::Players;
use crate::interface::message::Message;
use crate::time::{Instant, Micros};

/// Time for which the LCD shows that a game was restarted, and how to restore it.
const RESTARTED: Micros = Micros::from_millis(4_000);

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Handles a short RESET: begins another game.
    pub(super) fn begin_again(&mut self, now: Instant) {
        let was_in_progress = self.in_progress();
        self.begin_anew(now);
        // The coin is shown first.
        if was_in_progress && self.notice.is_none() {
            self.notice = self.restarted(now);
        }
    }

    /// Begins another game; the current one can be restored.
    pub(super) fn begin_anew(&mut self, now: Instant) {
        self.put_aside();
        self.begin(now);
    }

    /// Suspends the game before another one begins. A game in which nothing has happened, and the
    /// demo's game, are not worth saving: an already suspended game stays.
    pub(super) fn put_aside(&mut self) {
        if !self.is_demo() && (self.has_begun() || self.is_over()) {
            self.shelve(Because::Anew);
        }
    }

    /// Returns the message that follows `message`.
    pub(super) fn next_notice(&self, message: Message, now: Instant) -> Option<(Message, Instant)> {
        let in_progress = self.shelved.is_some_and(|shelved| shelved.in_progress);
        match message {
            Message::Coin(_) if in_progress && self.can_bring_back() => self.restarted(now),
            _ => None,
        }
    }

    /// Returns whether Undo restores the game that this one has replaced.
    pub(super) fn can_bring_back(&self) -> bool {
        self.shelved.is_some_and(|shelved| shelved.because == Because::Anew)
    }

    /// Makes the new game permanent: the previous one cannot be restored.
    pub(super) fn keep_this_game(&mut self) {
        self.shelved.take_if(|shelved| shelved.because == Because::Anew);
    }

    /// Returns whether a game in progress waits while the demo runs.
    pub(super) fn a_game_waits(&self) -> bool {
        self.is_demo() && (self.waits || self.shelved.is_some_and(|shelved| shelved.in_progress))
    }

    /// Restores the suspended game as it was.
    pub(super) fn bring_back<F: NorFlash>(&mut self, now: Instant, how: Change, flash: &mut F) {
        let Some(shelved) = self.shelved.take() else { return };
        self.swap_with_the_shelf();
        let Shelved { first, status, counted, named, .. } = shelved;
        (self.first, self.status, self.counted, self.named) = (first, status, counted, named);
        self.state = State::WAITING;
        self.notice = None;
        self.forget_the_last_move(Some(now));
        self.player.stop();
        self.over_since = self.is_over().then_some(now);
        let before = self.settings;
        self.follow_the_game();
        self.memory.console.line(format_args!("restored game={}", self.system.name));
        self.report_change(how);
        if self.settings != before {
            self.save_settings(now, flash);
        }
    }

    /// Sets the system and the options to those of the game on the board.
    pub(super) fn follow_the_game(&mut self) {
        let setup = self.memory.history.setup();
        self.system = setup.game.system();
        self.settings.game = setup.game;
        if self.system.choices {
            self.settings.stones = setup.stones;
            self.settings.bidirectional = self.rules().bidirectional;
        }
    }

    /// Starts the demo: the computer plays a game against itself.
    pub(super) fn start_demo<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let runs = self.is_demo();
        if !runs {
            self.before_demo = self.settings.players;
            self.shelve(Because::Demo);
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
        self.set_players(now, players, flash);
        if self.shelved.is_some_and(|shelved| shelved.because == Because::Demo) {
            self.bring_back(now, Change::Load, flash);
        } else if !self.waits {
            self.begin(now);
        }
    }

    fn shelve(&mut self, because: Because) {
        self.shelved = Some(Shelved {
            because,
            in_progress: self.in_progress(),
            first: self.first,
            status: self.status,
            counted: self.counted,
            named: self.named,
        });
        self.swap_with_the_shelf();
    }

    fn swap_with_the_shelf(&mut self) {
        let Memory { history, shelf, .. } = &mut *self.memory;
        mem::swap(history, shelf);
    }

    fn restarted(&self, now: Instant) -> Option<(Message, Instant)> {
        Some((Message::Restarted, now.saturating_add(RESTARTED)))
    }
}
