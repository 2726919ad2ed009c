//! The offer to abandon play against the computer where stones circle: once a move has made the
//! result certain, or the game goes round in circles, the board asks the user by itself, at his next
//! turn. It asks once; later the menu has the entry Abandon Play.

use core::ops::DerefMut;

use super::state::{Activity, App, Memory, State};
use crate::game::opponent::Players;
use crate::game::rules::Path;
use crate::time::Instant;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Returns whether the computer would agree to abandon a game in which the board offers that.
    pub(super) fn computer_would_agree(&self) -> bool {
        self.stored.settings.players == Players::One
            && self.rules().path == Path::CupsOnly
            && !self.is_over()
            && self.computer_abandons()
    }

    /// Asks the user whether to abandon play, if that is due: after the message of the last move,
    /// while no button is down.
    pub(super) fn offer_to_abandon(&mut self, now: Instant) {
        let is_due = self.game.offers_abandon
            && matches!(self.state, State::Board(Activity::Waiting))
            && !self.computer_moves()
            && self.display.notice.is_none()
            && !self.is_status_shown(now)
            && self.buttons.held.is_none()
            && !self.buttons.reset.is_down();
        if is_due {
            self.game.offers_abandon = false;
            if self.computer_would_agree() {
                self.ask_to_abandon(self.person());
            }
        }
    }
}
