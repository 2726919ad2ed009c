//! Chords: a NUDGE that goes down while RESET is down chooses an entry of the menu Play without the
//! menu. Neither press has another effect: no stone moves, and RESET's release does nothing.
//!
//! Chords work on the board only. On a page or while the board is edited the buttons have their own
//! meaning.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::state::{App, Memory, State};
use crate::game::places::{Cup, Player};
use crate::interface::menu::Entry;
use crate::pins::button::Button;
use crate::pins::sound;
use crate::time::Instant;

/// Buttons that make a chord with RESET, T5 and T6, and the entry that each chooses.
pub const CHORDS: [(Button, Entry); 2] = [(top(1), Entry::Help), (top(0), Entry::Undo)];

/// Returns the `nth` NUDGE button of the top row, from the right.
const fn top(nth: usize) -> Button {
    match Cup::nth(Player::Top, nth) {
        Some(cup) => Button::beside(cup),
        None => panic!("the top row has two buttons"),
    }
}

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Handles `button` going down. Returns whether it makes a chord; if so, executes it.
    pub(super) fn chord<F: NorFlash>(
        &mut self,
        now: Instant,
        button: Button,
        flash: &mut F,
    ) -> bool {
        if !self.buttons.reset.is_down() || !self.state.is_board() {
            return false;
        }
        let Some((_, entry)) = CHORDS.into_iter().find(|(other, _)| *other == button) else {
            return false;
        };
        self.buttons.reset.answered();
        self.finish_movement(now);
        // As when the menu opens: counting, advice and thinking are dropped.
        self.state = State::WAITING;
        self.sound(Some(sound::COUNT), now);
        self.choose(now, entry, flash);
        true
    }
}
