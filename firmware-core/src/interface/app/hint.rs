//! When the LCD explains how to open the menu: at power-on, at the first turn of a game, and after
//! the user has not played for a minute. Once the menu has been opened, only the last of these
//! applies. There is no hint while RESET is stuck.

use core::ops::DerefMut;

use super::state::{Activity, App, Memory, State};
use crate::interface::message::Message;
use crate::pins::button::Button;
use crate::time::{Instant, Micros};

/// Idle time after which a user who has not pressed anything may not know how to continue.
pub const IDLE: Micros = Micros::from_millis(60_000);

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Returns the status of the game, with the hint where it helps.
    pub(super) fn status_with_hint(&self, now: Instant) -> Message {
        if self.buttons.stuck.is_down(Button::RESET) {
            return self.display.status;
        }
        let first = self.game.first_turn && !self.user.menu_known && self.waits_for_a_person();
        match (self.turn(), self.display.status) {
            (Some(turn), _) if self.is_idle(now) => Message::TurnHint(turn),
            (Some(turn), Message::Turn(_)) if first => Message::TurnHint(turn),
            (_, status) => status,
        }
    }

    /// Records the end of a step in which the board did not wait for the user.
    pub(super) fn note_idleness(&mut self, now: Instant) {
        if !self.waits_for_a_person() {
            self.user.waits_since = now;
        }
    }

    /// Returns when the idle time will be over.
    pub(super) fn idle_at(&self, now: Instant) -> Option<Instant> {
        let at = self.user.waits_since.saturating_add(IDLE);
        (self.waits_for_a_person() && now < at).then_some(at)
    }

    fn is_idle(&self, now: Instant) -> bool {
        self.waits_for_a_person() && now >= self.user.waits_since.saturating_add(IDLE)
    }

    /// Returns whether nothing moves and a person is to move.
    pub(super) fn waits_for_a_person(&self) -> bool {
        matches!(self.state, State::Board(Activity::Waiting))
            && !self.is_over()
            && !self.computer_moves()
    }
}
