//! The computer's turns, and Help. The computer thinks in slices at fixed times of virtual time, so
//! it plays the same move at the same time on every board, and the rest of the app never waits for
//! it.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::movement::PHASE;
use super::state::{Activity, App, Memory, State};
use super::thinking::{DOTS, LEAST, Purpose, SLICE, Thinking};
use crate::game::agreement::computer_agrees;
use crate::game::opponent::{Level, Players, Thinker, Thought, Variety, openings};
use crate::game::places::Cup;
use crate::game::reason::Reason;
use crate::interface::message::Message;
use crate::interface::page::{Page, Question};
use crate::time::Instant;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Returns whether the computer plays for the player to move.
    pub(super) fn computer_moves(&self) -> bool {
        match self.stored.settings.players {
            Players::Two => false,
            Players::One => self.position().turn != self.stored.settings.side && !self.is_over(),
            Players::Demo => !self.is_over(),
        }
    }

    pub(super) fn is_demo(&self) -> bool {
        self.stored.settings.players == Players::Demo
    }

    /// Returns the current or latest thoughts of the computer.
    pub fn thinker(&self) -> &Thinker {
        &self.opponent.thinker
    }

    pub(super) fn is_thinking(&self) -> bool {
        self.state.thinking().is_some()
    }

    /// Returns whether the computer is to move, may think, and does not think yet.
    pub(super) fn must_think(&self, now: Instant) -> bool {
        matches!(
            self.state,
            State::Board(Activity::Waiting | Activity::Counting(_) | Activity::Advising(..))
        ) && self.computer_moves()
            // The coin, or the notice about a game resumed after power-off, is shown first.
            && !matches!(self.display.notice, Some((Message::Coin(_) | Message::Resumed(_), _)))
            // A capture is also shown before two computers agree to end the game.
            && !(self.is_status_shown(now) && self.demo_abandons())
    }

    /// Continues to think, and makes the move.
    pub(super) fn think<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        if let State::Page { beneath: beneath @ Activity::Thinking(_), .. } = &mut self.state {
            // The thinking is dropped; it begins again when the board is shown again.
            *beneath = Activity::Waiting;
        }
        if self.must_think(now) {
            if self.demo_abandons() {
                self.abandon(now, flash);
                return;
            }
            self.begin_to_think(now, self.stored.settings.level, Purpose::Move);
        }
        let State::Board(Activity::Thinking(thinking)) = &mut self.state else { return };
        // One slice a step: a step that is late does not take longer to catch up.
        if thinking.decided.is_none() && thinking.due <= now {
            thinking.due = thinking.due.saturating_add(SLICE);
            match self.opponent.thinker.think(&mut self.memory.scratch) {
                Some(Thought::Considering(cup)) => thinking.considering = Some(cup),
                Some(Thought::Decided(cup)) => {
                    thinking.considering = Some(cup);
                    thinking.decided = Some(cup);
                }
                None => {
                    self.state = State::WAITING;
                    return;
                }
            }
        }
        if thinking.dot_at <= now {
            // A screen that changes is not settled: a trace's `settle` waits for the move.
            thinking.dots = (thinking.dots + 1) % DOTS;
            thinking.dot_at = now.saturating_add(PHASE);
        }
        if self.stored.settings.thoughts && thinking.purpose == Purpose::Move {
            thinking.move_dash(now);
        }
        if let Some(cup) = thinking.decided.filter(|_| thinking.answer_after_dash() <= now) {
            let purpose = thinking.purpose;
            self.state = State::WAITING;
            self.answer(now, purpose, cup, flash);
        }
    }

    /// Handles Help: thinks about what Advanced would play for the player to move.
    pub(super) fn help(&mut self, now: Instant) {
        self.finish_movement(now);
        self.begin_to_think(now, Level::Advanced, Purpose::Help);
    }

    /// Returns the message while the computer thinks.
    pub(super) fn thinking_message(&self) -> Option<Message> {
        if self.thinks_under_message() {
            return Some(self.display.status);
        }
        self.state.thinking().map(|thinking| match thinking.purpose {
            Purpose::Move => Message::Thinking(self.position().turn, thinking.dots),
            Purpose::Help => Message::Helping(thinking.dots),
        })
    }

    /// Returns whether the computer thinks about its move while the message of the last one is
    /// shown: that of a capture or a free turn.
    pub(super) fn thinks_under_message(&self) -> bool {
        let thinking = self.state.thinking();
        thinking.is_some_and(|thinking| thinking.purpose == Purpose::Move)
            && self.display.status.is_event()
    }

    /// Returns the number of dots that are shown.
    pub(super) fn dots(&self) -> u8 {
        self.state.thinking().map_or(0, |thinking| thinking.dots)
    }

    /// Returns the cup under consideration, if the computer shows its thoughts.
    pub(super) fn shown_thought(&self) -> Option<Cup> {
        self.state.thinking()?.dash.map(|(cup, _)| cup)
    }

    /// Returns whether the computer agrees to abandon play.
    pub(super) fn computer_abandons(&self) -> bool {
        computer_agrees(self.memory.history.quiet(), self.rules().decided(&self.position()))
    }

    /// Returns whether two computers agree to abandon play.
    fn demo_abandons(&self) -> bool {
        self.is_demo() && self.computer_abandons()
    }

    /// Asks whether to leave the demo, after which `players` play.
    pub(super) fn ask_to_leave_the_demo(&mut self, now: Instant, players: Players) {
        self.finish_movement(now);
        let waits = self.has_waiting_game();
        self.show(Page::Question(Question::LeaveDemo { waits, players }));
    }

    fn begin_to_think(&mut self, now: Instant, level: Level, purpose: Purpose) {
        let position = self.position();
        // The same position of the same game always gives the same thoughts.
        let moves = self.memory.history.gone() + self.memory.history.moves();
        let (seed, variety) = self.opponent.chance.thoughts(moves);
        let variety = if purpose == Purpose::Help { Variety::None } else { variety };
        let rules = self.rules();
        self.opponent.thinker.begin(
            &mut self.memory.scratch,
            &rules,
            &position,
            level,
            seed,
            variety,
        );
        if purpose == Purpose::Help
            && let Some(cup) = openings::best(self.game.system.game, &rules, &position)
        {
            self.opponent.thinker.decide_for(cup);
        }
        let least = now.saturating_add(LEAST);
        let answer_at = match purpose {
            // The move would cover the message of the last one.
            Purpose::Move => self.display.message_until.map_or(least, |until| least.max(until)),
            Purpose::Help => least,
        };
        self.state = State::Board(Activity::Thinking(Thinking {
            answer_at,
            due: now.saturating_add(SLICE),
            purpose,
            considering: None,
            decided: None,
            dash: None,
            // Begins with a dot next to a message that stays, so that the LCD changes from here on.
            dots: u8::from(purpose == Purpose::Move && self.display.status.is_event()),
            dot_at: now.saturating_add(PHASE),
        }));
    }

    fn answer<F: NorFlash>(&mut self, now: Instant, purpose: Purpose, cup: Cup, flash: &mut F) {
        match purpose {
            Purpose::Help => {
                let reason = Reason::of(&self.rules(), &self.position(), cup);
                self.state = State::Board(Activity::Advising(cup, reason));
            }
            Purpose::Move => {
                if let Ok((next, outcome)) = self.rules().play(&self.position(), cup) {
                    self.accept(now, next, outcome, flash);
                }
            }
        }
    }
}
