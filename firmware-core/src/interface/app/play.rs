//! The game on the board: the action of a NUDGE; the beginning, undo and end of a game.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::glow::CaptureAnimation;
use super::movement::{MESSAGE_TIME, MoveAnimation};
use super::next::Next;
use super::persist;
use super::report::{self, Change};
use super::state::{Activity, App, Memory, NOTICE, State};
use crate::game::history::{Step, Stop};
use crate::game::opponent::Players;
use crate::game::outcome::{GameResult, MoveOutcome, PlayError};
use crate::game::places::{Cup, Player};
use crate::game::rules::{Position, StartingPlayer};
use crate::interface::message::Message;
use crate::interface::page::{Notice, Page, Question};
use crate::interface::screen::style::Counts;
use crate::pins::button::Button;
use crate::pins::sound;
use crate::time::{Instant, Micros};

/// Time for which the end of a game is shown before the totals follow, or before the demo begins
/// the next game.
const AFTER_THE_END: Micros = Micros::from_millis(3_000);

/// Time for which the demo shows the totals.
const DEMO_TOTALS: Micros = Micros::from_millis(3_000);

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Handles a NUDGE: sows its cup, or counts it first. While stones move, it only finishes the
    /// movement.
    pub(super) fn nudge<F: NorFlash>(&mut self, now: Instant, cup: Cup, flash: &mut F) {
        if let Some(movement) = self.state.movement() {
            self.sound(movement.last_sound(), now);
            self.finish_movement(now);
            return;
        }
        if self.is_demo() {
            let answer = self.result().map_or(Message::HoldToLeave, Message::DemoOver);
            self.display.notice = Some((answer, now.saturating_add(NOTICE)));
            return;
        }
        if self.state.advising().is_some() {
            self.state = State::WAITING;
        }
        if self.computer_moves() {
            let waiting = Message::NotYetYours(self.position().turn, 0);
            self.display.notice = Some((waiting, now.saturating_add(NOTICE)));
            self.sound(Some(sound::ERROR), now);
        } else if self.is_thinking() {
            // The message of Help already shows that the computer is thinking.
            self.sound(Some(sound::ERROR), now);
        } else if self.game.system.style().counts == Counts::OnPress
            && self.state.counting() != Some(cup)
            && !self.sows_at_once(cup)
        {
            let answer = self.result().map(Message::PlayOn);
            self.display.notice = answer.map(|message| (message, now.saturating_add(NOTICE)));
            self.state = State::Board(Activity::Counting(cup));
            self.sound(Some(sound::COUNT), now);
        } else if self.is_over() {
            // A game that was abandoned is over, although the rules would allow more moves.
            self.refuse(now, cup, PlayError::GameOver);
        } else {
            match self.rules().play(&self.position(), cup) {
                Ok((next, outcome)) => {
                    self.note_sowing();
                    self.game.first_turn = false;
                    self.discard_suspended();
                    self.accept(now, next, outcome, flash);
                }
                Err(error) => self.refuse(now, cup, error),
            }
        }
    }

    /// Makes a move that the rules allow.
    pub(super) fn accept<F: NorFlash>(
        &mut self,
        now: Instant,
        next: Position,
        outcome: MoveOutcome,
        flash: &mut F,
    ) {
        let before = self.position();
        let path = self.rules().sowing(&before, outcome.cup);
        let (offers, agreed) = (self.game.offers_abandon, self.computer_would_agree());
        self.memory.history.push(Step::Sow(outcome.cup));
        let status = match outcome {
            MoveOutcome { result: Some(result), .. } => Message::Over(result),
            MoveOutcome { free_turn: true, mover, .. } => Message::FreeTurn(mover),
            MoveOutcome { capture: Some(_), mover, .. } => Message::Captured(mover),
            _ => Message::Turn(next.turn),
        };
        self.display.notice = None;
        self.forget_the_last_move();
        self.game.offers_abandon = offers || !agreed && self.computer_would_agree();
        self.report_move(&outcome, status);
        // The mover's own status stays in the box until the stones have come to rest.
        let was = Message::Turn(outcome.mover);
        self.display.status = status;
        let movement = MoveAnimation::new(now, before, next, path, outcome, was);
        self.state = State::Board(Activity::Moving(movement));
        if outcome.result.is_some() {
            self.count_the_game(now, flash);
        }
    }

    fn refuse(&mut self, now: Instant, cup: Cup, error: PlayError) {
        report::refused(&mut self.memory.console, Button::beside(cup), error);
        self.state = State::WAITING;
        let answer = match self.result() {
            Some(result) => Message::PlayOn(result),
            None => Message::Refused(error, self.position().turn),
        };
        self.display.notice = Some((answer, now.saturating_add(NOTICE)));
        self.sound(Some(sound::ERROR), now);
    }

    /// Handles a short RESET: restarts at once, except that a game of the Wari program in progress
    /// needs a confirmation.
    pub(super) fn restart(&mut self, now: Instant) {
        if self.game.system.choices && self.in_progress() {
            self.finish_movement(now);
            if self.state.counting().or(self.state.advising()).is_some() {
                self.state = State::WAITING;
            }
            self.show(Page::Question(Question::Restart));
        } else {
            self.player.stop();
            self.restart_game(now);
        }
    }

    /// Begins the first game of a system, or since power-on: only the loser of the previous game
    /// matters.
    pub(super) fn begin_first(&mut self, now: Instant) {
        self.game.first = self.stored.scores.begins.unwrap_or(Player::Bottom);
        self.display.status = Message::Turn(self.game.first);
        self.begin(now);
    }

    /// Sets the board up for the next game.
    pub(super) fn begin(&mut self, now: Instant) {
        let pinned = self.game.starting_player_override.take();
        self.opponent.chance.begin_game();
        let (first, notice) = match self.game.system.rules.starting_player {
            StartingPlayer::Bottom => (Player::Bottom, None),
            StartingPlayer::Coin => {
                // The coin is flipped even if the starting player is set, so that later flips do
                // not change.
                let coin = self.opponent.chance.coin();
                let first = pinned.unwrap_or(coin);
                (first, Some((Message::Coin(first), now.saturating_add(NOTICE))))
            }
            StartingPlayer::Loser => (pinned.unwrap_or(self.next_starter()), None),
        };
        self.state = State::WAITING;
        self.display.notice = self.failure_notice().or(notice);
        self.forget_the_last_move();
        persist::open(&mut self.memory.history, &self.stored.settings, first);
        self.game.first = first;
        self.game.counted = None;
        self.game.over_since = None;
        self.game.first_turn = true;
        self.display.status = Message::Turn(first);
        self.report_change(Change::Opening);
    }

    /// Returns the loser of the finished game; after a draw, or without a result, the player who
    /// began it.
    pub(super) fn loser(&self) -> Player {
        match self.display.status.result() {
            Some(GameResult::Winner(player)) => player.opponent(),
            Some(GameResult::Draw) | None => self.game.first,
        }
    }

    /// Returns who begins the next game where the previous one decides that: its loser, or the
    /// bottom player if the totals were reset since it ended.
    fn next_starter(&self) -> Player {
        let is_over = self.display.status.result().is_some();
        let was_reset = is_over && !self.is_demo() && self.stored.scores.begins.is_none();
        if was_reset { Player::Bottom } else { self.loser() }
    }

    /// Returns whether there is something to undo: a step other than a switched option and, against
    /// the computer, other than its own moves.
    pub(super) fn can_undo(&self) -> bool {
        let history = &self.memory.history;
        let against_computer = self.stored.settings.players == Players::One;
        (0..history.len()).filter_map(|index| history.at(index)).any(|step| match step {
            Step::Sow(cup) => !against_computer || cup.owner() == self.person(),
            Step::Bidirectional(_) => false,
            _ => true,
        })
    }

    /// Undoes the latest move; against the computer, returns to the user's own turn. Directly after
    /// a restart it restores the previous game.
    pub(super) fn undo<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        if self.can_restore_suspended() {
            return self.restore_suspended(now, Change::Undo, flash);
        }
        self.finish_movement(now);
        if !self.can_undo() || !self.memory.history.undo() {
            self.show(Page::Notice(Notice::NothingToUndo));
            return;
        }
        while self.computer_moves()
            && self.stored.settings.players == Players::One
            && self.memory.history.undo()
        {}
        self.changed(now, Change::Undo, flash);
    }

    /// Ends the game because both players have agreed.
    pub(super) fn abandon<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        self.stop(now, Step::Abandon, Change::Abandon, flash);
    }

    /// Ends the game because `player` resigns. The totals get the stones in the stores.
    pub(super) fn resign<F: NorFlash>(&mut self, now: Instant, player: Player, flash: &mut F) {
        self.stop(now, Step::Resign(player), Change::Resign, flash);
    }

    /// Ends the game by `step`, which is not a move.
    fn stop<F: NorFlash>(&mut self, now: Instant, step: Step, how: Change, flash: &mut F) {
        self.finish_movement(now);
        self.memory.history.push(step);
        self.sound(Some(sound::GAME_OVER), now);
        self.changed(now, how, flash);
    }

    /// Removes everything of the last move from the view, and withdraws an offer to abandon play.
    pub(super) fn forget_the_last_move(&mut self) {
        self.display.message_until = None;
        self.display.glow = None;
        self.game.offers_abandon = false;
    }

    /// Shows a position that is not the result of a move: status, console, totals.
    pub(super) fn changed<F: NorFlash>(&mut self, now: Instant, how: Change, flash: &mut F) {
        self.discard_suspended();
        self.state = State::WAITING;
        self.display.notice = None;
        self.forget_the_last_move();
        if self.memory.history.moves() == 0 && self.memory.history.gone() == 0 {
            self.game.first = self.position().turn;
        }
        let (kept, was_over) = (self.stored.scores, self.display.status.result().is_some());
        self.take_back_totals();
        self.display.status = match (self.memory.history.stopped(), self.result()) {
            (Some(Stop::Resigned(player)), _) => Message::Resigned(player),
            (Some(Stop::Abandoned), Some(result)) => Message::Abandoned(result),
            (None, Some(result)) => Message::Over(result),
            (_, None) => Message::Turn(self.position().turn),
        };
        self.report_change(how);
        match how {
            // A loaded game was counted when it ended.
            Change::Load if self.is_over() => self.record_next_starter(),
            Change::Load => {}
            _ if self.is_over() => self.add_the_game(),
            // The game continues: until it is over again, its own first player begins the next one.
            _ if was_over => self.record_next_starter(),
            _ => {}
        }
        self.game.over_since = self.is_over().then_some(now);
        if self.stored.scores != kept {
            self.save_scores(now, flash);
        }
    }

    /// Advances the movement, with its sounds.
    pub(super) fn advance(&mut self, now: Instant) {
        let State::Board(Activity::Moving(movement)) = &mut self.state else { return };
        let sound = movement.advance(now);
        if movement.is_done() {
            let glow = CaptureAnimation::of(movement.outcome(), now);
            self.finish_movement(now);
            self.display.glow = glow.filter(|_| !self.is_over());
        }
        self.sound(sound, now);
    }

    /// Ends a movement at once: the stones are where it would have left them.
    pub(super) fn finish_movement(&mut self, now: Instant) {
        if let Some(movement) = self.state.movement() {
            let since = movement.announced_at().unwrap_or(now);
            self.display.message_until =
                self.display.status.is_event().then(|| since.saturating_add(MESSAGE_TIME));
            self.state = State::WAITING;
            self.at_rest(now);
        }
    }

    /// Returns whether the status of the last move has not been shown long enough to read it.
    pub(super) fn is_status_shown(&self, now: Instant) -> bool {
        self.display.message_until.is_some_and(|until| now < until)
    }

    fn at_rest(&mut self, now: Instant) {
        if self.is_over() {
            self.game.over_since = Some(now);
        }
    }

    /// Returns when the totals or the next game follow after the end of a game. They wait while
    /// RESET is down, whose press is for what the LCD shows now.
    pub(super) fn next_after_the_end(&self) -> Option<Instant> {
        if self.buttons.reset.is_pending() {
            return None;
        }
        let since = self.game.over_since?;
        match self.state {
            State::Board(_) if self.game.system.choices || self.is_demo() => {
                Some(since.saturating_add(AFTER_THE_END))
            }
            State::Page { page: Page::Notice(Notice::Totals(..)), .. } if self.is_demo() => {
                Some(since.saturating_add(AFTER_THE_END).saturating_add(DEMO_TOTALS))
            }
            _ => None,
        }
    }

    /// Shows the totals after a game, as the Wari program does; the demo begins its next game.
    pub(super) fn proceed_after_end(&mut self, now: Instant) {
        if self.next_after_the_end().is_none_or(|at| at > now) {
            return;
        }
        if self.state.is_board() && self.game.system.choices {
            let Some(result) = self.result() else { return };
            let totals = self.stored.scores.of(self.game.system.game);
            self.show_then(Page::Notice(Notice::Totals(result, totals)), Next::NewBoard);
        } else {
            self.begin(now);
        }
    }

    /// Returns whether a game outside the demo has begun and is not over.
    pub(super) fn in_progress(&self) -> bool {
        !self.is_demo() && self.has_begun() && !self.is_over()
    }

    /// Returns whether anything has happened in the game.
    pub(super) fn has_begun(&self) -> bool {
        self.memory.history.moves() > 0 || self.position() != self.memory.history.base()
    }

    pub(super) fn is_over(&self) -> bool {
        self.result().is_some()
    }

    /// Returns the result of the game, if it is over.
    pub(super) fn result(&self) -> Option<GameResult> {
        self.memory.history.result()
    }

    pub(super) fn position(&self) -> Position {
        self.memory.history.position()
    }

    pub(super) fn rules(&self) -> crate::game::rules::Ruleset {
        self.memory.history.rules()
    }

    /// Returns whose turn it is; `None` once the game is over.
    pub(super) fn turn(&self) -> Option<Player> {
        (!self.is_over()).then_some(self.position().turn)
    }
}
