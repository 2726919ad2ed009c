//! How to play: its pages, and the question at the first power-on whether to show them.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::state::{App, Memory, State};
use crate::interface::page::{Key, Page, Question};
use crate::interface::screen::page::how_to_play;
use crate::time::Instant;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Asks whether to show how to play, if this board has never asked. If the LCD must show a
    /// notice first, the question waits until the next power-on.
    pub(super) fn introduce(&mut self) {
        if !self.stored.settings.introduced && self.display.notice.is_none() {
            self.show(Page::Question(Question::Introduction));
        }
    }

    /// Returns whether the LCD shows the question.
    pub(super) const fn is_introducing(&self) -> bool {
        matches!(self.state, State::Page { page: Page::Question(Question::Introduction), .. })
    }

    /// Records that the question has been answered, with YES or NO: it is not asked again.
    pub(super) fn remember_the_introduction<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        self.stored.settings.introduced = true;
        self.save_settings(now, flash);
    }

    pub(super) fn show_lessons(&mut self) {
        self.show_lesson(0);
    }

    fn show_lesson(&mut self, nth: u8) {
        let game = self.game.system.game;
        self.show(Page::HowToPlay { game, nth, of: how_to_play::count(game) });
    }

    /// Handles a soft key of the `nth` lesson.
    pub(super) fn lesson_key(&mut self, nth: u8, key: Key) {
        match key {
            Key::Previous => self.show_lesson(nth.saturating_sub(1)),
            Key::Next => self.show_lesson(nth + 1),
            _ => {}
        }
    }
}
