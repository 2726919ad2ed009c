//! The offer to abandon play against the computer where stones circle: once a move has made the
//! result certain, or the game goes round in circles, the board asks the user by itself, at his next
//! turn. It asks once; later the menu has the entry Abandon Play.

use core::ops::DerefMut;

use super::state::{App, Memory};
use crate::game::opponent::Players;
use crate::game::rules::Path;
use crate::time::{Instant, Micros};

/// Time for which the board is shown before the question covers it.
const OFFER_AFTER: Micros = Micros::from_millis(1_000);

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Returns whether the computer would agree to abandon a game in which the board offers that.
    pub(super) fn computer_would_agree(&self) -> bool {
        self.stored.settings.players == Players::One
            && self.rules().path == Path::CupsOnly
            && !self.is_over()
            && self.computer_abandons()
    }

    /// Returns when to ask, if the board is to ask: some time after the last move and its message,
    /// while no button is down.
    pub(super) fn offers_at(&self, now: Instant) -> Option<Instant> {
        let may_ask = self.game.offers_abandon
            && self.waits_for_a_person()
            && self.display.notice.is_none()
            && !self.is_status_shown(now)
            && self.buttons.held.is_none()
            && !self.buttons.reset.is_down();
        may_ask.then(|| self.user.waits_since.saturating_add(OFFER_AFTER))
    }

    /// Asks the user whether to abandon play, if that is due.
    pub(super) fn offer_to_abandon(&mut self, now: Instant) {
        if self.offers_at(now).is_some_and(|at| at <= now) {
            self.game.offers_abandon = false;
            if self.computer_would_agree() {
                self.ask_to_abandon(self.person());
            }
        }
    }
}
