//! Chords: RESET together with a NUDGE chooses an entry of the menu Play without the menu. Neither
//! press has another effect: no stone moves, and RESET's release does nothing.
//!
//! Two fingers never close two contacts at the same time, so either may be first. A NUDGE that goes
//! down first sows at once, because the board must not wait for a RESET that hardly ever comes. If
//! RESET follows within [`CHORD_SPAN`], the move is taken back. A NUDGE that makes no chord with
//! RESET does nothing either, and the LCD names the two that do.
//!
//! Chords work on the board only. On a page or while the board is edited the buttons have their own
//! meaning.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::board_press::{BoardPress, Sowing};
use super::report::Change;
use super::state::{App, Memory, NOTICE, State};
use crate::game::places::{Cup, Player};
use crate::interface::menu::Entry;
use crate::interface::message::Message;
use crate::pins::button::Button;
use crate::pins::debounce::Edge;
use crate::pins::sound;
use crate::time::{Instant, Micros};

/// Buttons that make a chord with RESET, T5 and T6, and the entry that each chooses.
pub const CHORDS: [(Button, Entry); 2] = [(top(1), Entry::Help), (top(0), Entry::Undo)];

/// A NUDGE that closes at most this long before RESET was pressed together with it.
pub const CHORD_SPAN: Micros = Micros::from_millis(80);

/// Returns the `nth` NUDGE button of the top row, from the right.
const fn top(nth: usize) -> Button {
    match Cup::nth(Player::Top, nth) {
        Some(cup) => Button::beside(cup),
        None => panic!("the top row has two buttons"),
    }
}

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Handles `button` going down while RESET is down on the board; `counts` is the answer of the
    /// gate. Returns whether that is the case; the button then has no other effect.
    pub(super) fn chord<F: NorFlash>(
        &mut self,
        now: Instant,
        button: Button,
        counts: bool,
        flash: &mut F,
    ) -> bool {
        let together = self.buttons.reset.is_down() && self.state.is_board();
        if together {
            self.play_chord(now, button, counts, flash);
        }
        together
    }

    /// Handles RESET going down at `reset_at`: with a NUDGE that went down shortly before, it is a
    /// chord.
    pub(super) fn complete_chord<F: NorFlash>(
        &mut self,
        now: Instant,
        reset_at: Instant,
        flash: &mut F,
    ) {
        let Some(press) = self.buttons.on_board.take() else { return };
        if !self.state.is_board() || reset_at > press.at.saturating_add(CHORD_SPAN) {
            return;
        }
        if let Some(sowing) = press.sowing {
            self.take_back_sowing(now, sowing, flash);
        }
        self.play_chord(now, press.button, press.counts, flash);
    }

    /// Remembers a NUDGE on the board before it acts, in case RESET follows.
    pub(super) fn note_board_press(&mut self, edge: Edge, counts: bool) {
        let press = BoardPress { at: edge.at, button: edge.button, counts, sowing: None };
        self.buttons.on_board = self.state.is_board().then_some(press);
    }

    /// Remembers the state before the remembered NUDGE makes a move.
    pub(super) fn note_sowing(&mut self) {
        let sowing = Sowing {
            moves: self.memory.history.moves() + 1,
            first_turn: self.game.first_turn,
            suspended: self.game.suspended,
        };
        if let Some(press) = &mut self.buttons.on_board {
            press.sowing = Some(sowing);
        }
    }

    fn take_back_sowing<F: NorFlash>(&mut self, now: Instant, sowing: Sowing, flash: &mut F) {
        let moves = self.memory.history.moves();
        if moves != sowing.moves || !self.memory.history.undo() {
            return;
        }
        // The user did not mean the move, so Redo does not offer it.
        self.memory.history.forget_undone();
        self.changed(now, Change::Undo, flash);
        self.game.first_turn = sowing.first_turn;
        self.game.suspended = sowing.suspended;
    }

    fn play_chord<F: NorFlash>(
        &mut self,
        now: Instant,
        button: Button,
        counts: bool,
        flash: &mut F,
    ) {
        self.buttons.reset.answered();
        if !counts {
            return;
        }
        let chord = CHORDS.into_iter().find(|(other, _)| *other == button);
        let Some((_, entry)) = chord else {
            self.display.notice = Some((Message::NoChord, now.saturating_add(NOTICE)));
            self.sound(Some(sound::ERROR), now);
            return;
        };
        self.finish_movement(now);
        // As when the menu opens: counting, advice and thinking are dropped.
        self.state = State::WAITING;
        self.sound(Some(sound::COUNT), now);
        self.choose(now, entry, flash);
    }
}
