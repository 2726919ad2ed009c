//! Computes the view on the LCD from the app's state.

use core::ops::DerefMut;

use super::draft::Draft;
use super::movement::AnimationFrame;
use super::state::{App, Memory, State};
use crate::game::outcome::GameResult;
use crate::game::places::{Cup, Places};
use crate::interface::message::{HoldAction, Holding, Message};
use crate::interface::page::{LogText, Page};
use crate::interface::screen::page::PageView;
use crate::interface::screen::rows::Light;
use crate::interface::screen::style::Counts;
use crate::interface::screen::{BoardView, View};
use crate::pins::button::Button;
use crate::time::Instant;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Returns the view at `now`, the time of the last step.
    pub fn view(&self, now: Instant) -> View {
        let holding = self.holding(now);
        if let Some((page, _)) = self.state.page() {
            let log = match page {
                Page::Log { .. } | Page::Review { .. } => self.memory.log_text,
                _ => LogText::EMPTY,
            };
            return View::Page(PageView { style: self.game.system.style(), page, log, holding });
        }
        match &self.state {
            State::Off => View::Off,
            State::Editing { draft, .. } => under_the_bar(self.edited_board(draft, now), holding),
            _ => under_the_bar(self.board(now), holding),
        }
    }

    /// Returns the effect of holding RESET, and the bar until then; `None` where it has no effect.
    fn holding(&self, now: Instant) -> Option<Holding> {
        let does = match &self.state {
            State::Off
            | State::Page { page: Page::Menu { .. }, .. }
            | State::Editing { keys: true, .. } => return None,
            State::Editing { keys: false, .. } => HoldAction::Keys,
            State::Board(_) | State::Page { .. } | State::Logging(_) => HoldAction::Menu,
        };
        Some(Holding { does, steps: self.buttons.reset.bar(now)? })
    }

    fn board(&self, now: Instant) -> BoardView {
        let frame = match self.state.movement() {
            Some(movement) => movement.frame(),
            None => AnimationFrame::still(self.position()),
        };
        let turn = match self.state.movement() {
            Some(movement) if !frame.settled => Some(movement.outcome().mover),
            _ => self.turn(),
        };
        let message = match self.display.notice {
            // The dots continue below it: the screen is not settled before the computer has moved.
            Some((Message::NotYetYours(player, _), _)) => Message::NotYetYours(player, self.dots()),
            Some((notice, _)) => notice,
            None if frame.settled => self.settled_message(now),
            None => frame.message.unwrap_or(self.display.status),
        };
        let advice =
            self.state.advising().map(|cup| (Light::Advice, Places::NONE.with(cup.place())));
        let last = self.memory.history.last_sown();
        let glow = || self.display.glow.and_then(|glow| glow.lit(now));
        let winners = || self.winning_stores().filter(|_| frame.settled);
        BoardView {
            style: self.game.system.style(),
            stones: frame.stones,
            counted: self.counted_places(frame.settled),
            dash: self.dash(),
            direction: self.rules().bidirectional.then_some(frame.direction),
            turn,
            message,
            lit: frame.lit.or(advice).or_else(glow).or_else(winners),
            began: last.map(|last| last.from.place() as u8),
            ended: last.filter(|_| frame.landed).map(|last| last.to),
            dots: if self.thinks_under_message() { self.dots() } else { 0 },
            stuck: self.stuck_places(),
        }
    }

    /// Returns the view of the draft, with the turn blinking.
    fn edited_board(&self, draft: &Draft, now: Instant) -> BoardView {
        let message = match (self.display.notice, draft.holding) {
            (Some((notice, _)), _) => notice,
            (None, None) => Message::EditTake,
            (None, Some(_)) => Message::EditPut,
        };
        BoardView {
            style: self.game.system.style(),
            stones: draft.position.stones,
            counted: self.counted_places(true),
            dash: draft.holding,
            direction: self.rules().bidirectional.then_some(draft.position.direction),
            turn: draft.shows_turn(now).then_some(draft.position.turn),
            message,
            lit: None,
            began: None,
            ended: None,
            dots: 0,
            stuck: self.stuck_places(),
        }
    }

    /// Returns the message while no stone moves.
    fn settled_message(&self, now: Instant) -> Message {
        if let Some(message) = self.thinking_message() {
            return message;
        }
        if let Some(reason) = self.state.reason() {
            // A reason would count stones.
            let counts = self.game.system.style().counts != Counts::AtTheEnd;
            return Message::Advice(counts.then_some(reason));
        }
        let Some(cup) = self.state.counting().filter(|_| !self.is_over()) else {
            return self.status_with_hint(now);
        };
        let position = self.position();
        if cup.owner() == position.turn && position.in_cup(cup) > 0 {
            Message::PressAgain
        } else {
            Message::Counted
        }
    }

    /// Returns the places whose stones are counted in digits.
    fn counted_places(&self, settled: bool) -> Places {
        match self.game.system.style().counts {
            Counts::Always => Places::ALL,
            Counts::AtTheEnd if settled && self.is_over() => Places::ALL,
            Counts::AtTheEnd => Places::NONE,
            Counts::OnPress => self
                .state
                .counting()
                .iter()
                .chain(&self.state.advising())
                .fold(Places::STORES, |places, cup| places.with(cup.place())),
        }
    }

    /// Returns the place where the counted or advised cup would end, or the cup under
    /// consideration.
    fn dash(&self) -> Option<u8> {
        if let Some(cup) = self.shown_thought() {
            return Some(cup.place() as u8);
        }
        let cup = match self.game.system.style().counts {
            Counts::AtTheEnd => None,
            Counts::Always => self.state.advising(),
            Counts::OnPress => self.state.counting().or(self.state.advising()),
        }?;
        self.end_of_sowing(cup)
    }

    /// Returns where its owner's sowing of `cup` would end; `None` if it is empty.
    fn end_of_sowing(&self, cup: Cup) -> Option<u8> {
        self.rules().sowing(&self.position(), cup).last().map(|place| place as u8)
    }

    /// Returns the stores that light up once the game is over: the winner's, or both.
    fn winning_stores(&self) -> Option<(Light, Places)> {
        let stores = match self.display.status.result()? {
            GameResult::Winner(player) => Places::NONE.with(player.store()),
            GameResult::Draw => Places::STORES,
        };
        Some((Light::Event, stores))
    }

    fn stuck_places(&self) -> Places {
        self.buttons
            .stuck
            .iter()
            .filter_map(Button::cup)
            .fold(Places::NONE, |places, cup| places.with(cup.place()))
    }
}

/// Returns the board, with the bar in place of its message.
fn under_the_bar(board: BoardView, holding: Option<Holding>) -> View {
    let message = holding.map_or(board.message, Message::Holding);
    View::Board(BoardView { message, ..board })
}
