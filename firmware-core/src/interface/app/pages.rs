//! The soft keys: their action on each page, and the page to which RESET returns.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::next::Next;
use super::state::{App, Memory, State};
use crate::game::places::Player;
use crate::interface::menu::Menu;
use crate::interface::page::{Key, Notice, Page, Question};
use crate::pins::sound;
use crate::storage::files::FileKind;
use crate::storage::name::{LETTER_COLUMNS, LETTERS};
use crate::time::Instant;

/// Returns whether a held key repeats its action.
pub(super) const fn repeats(key: Key) -> bool {
    matches!(
        key,
        Key::Up
            | Key::Down
            | Key::PageUp
            | Key::Previous
            | Key::Next
            | Key::PageDown
            | Key::PreviousLetter
            | Key::NextLetter
            | Key::Delete
    )
}

impl<M: DerefMut<Target = Memory>> App<M> {
    pub(super) fn show(&mut self, page: Page) {
        self.show_then(page, Next::Board);
    }

    pub(super) fn show_then(&mut self, page: Page, next: Next) {
        self.display.notice = None;
        self.state.cover(page, next);
    }

    pub(super) fn open_menu(&mut self, now: Instant) {
        self.finish_movement(now);
        self.user.menu_known = true;
        // A press of RESET ends the counting of a cup, as any other button does.
        self.state = State::WAITING;
        let (menu, cursor) = self.user.menu;
        self.show_menu(menu, cursor);
    }

    fn show_menu(&mut self, menu: Menu, cursor: u8) {
        self.user.menu = (menu, cursor);
        self.show(self.menu_page(menu, cursor));
    }

    /// Closes `page` after a short RESET, BACK, CANCEL or NO, without any other effect. NO to a
    /// question returns to the game, or to the page that led to the question. RESET in a question
    /// is its NO. On any other page RESET and BACK return to the previous page.
    pub(super) fn back(&mut self, now: Instant, page: Page, next: Next) {
        match page {
            Page::Edit { .. } => self.hide_edit_keys(),
            Page::Question(Question::Overwrite(kind, _) | Question::OverwriteOldest(kind, _))
                if self.overwrites_from_list(kind) =>
            {
                self.show_list();
            }
            Page::Name { kind, .. } if self.named_from_list(kind) => self.show_list(),
            Page::Question(
                Question::Overwrite(kind, name) | Question::OverwriteOldest(kind, name),
            ) => {
                self.show_then(Page::Name { kind, name, letter: 0 }, next);
            }
            Page::Question(Question::Load(_) | Question::Delete(..) | Question::DeleteLost(_))
            | Page::Log { .. }
            | Page::Review { .. } => {
                self.show_list();
            }
            Page::Question(_) | Page::HowToPlay { .. } | Page::Menu { .. } | Page::Logging(_) => {
                self.state.uncover();
            }
            // The demo continues.
            Page::Notice(Notice::Totals(..)) if self.is_demo() => self.begin(now),
            Page::Notice(Notice::Totals(..)) => {
                // The totals are shown once: then the end of the game stays on the LCD.
                self.game.over_since = None;
                self.state.uncover();
            }
            _ => {
                let (menu, cursor) = self.user.menu;
                self.show_menu(menu, cursor);
            }
        }
    }

    /// Handles a soft key of `page`, whose OK leads to `next`.
    pub(super) fn key<F: NorFlash>(
        &mut self,
        now: Instant,
        page: Page,
        next: Next,
        key: Key,
        flash: &mut F,
    ) {
        self.sound(Some(sound::COUNT), now);
        match (page, key) {
            (Page::Edit { .. }, Key::Cancel) => self.cancel_edit(),
            (_, Key::Back | Key::Cancel | Key::No) => self.back(now, page, next),
            (Page::Menu { menu, cursor, .. }, _) => self.menu_key(now, menu, cursor, key, flash),
            (Page::Question(question), Key::Yes) => self.yes(now, question, next, flash),
            (Page::Notice(notice), Key::Ok) => self.read(now, notice, next, flash),
            (Page::Scores { .. }, Key::Ok) => self.go_on(now, next),
            (Page::Scores { .. }, Key::Log) => self.ask_for_name(FileKind::Log, next),
            (Page::Name { kind, name, letter }, _) => {
                let (mut name, mut letter) = (name, letter);
                let count = LETTERS.len() as u8;
                match key {
                    Key::PreviousLetter => letter = (letter + count - 1) % count,
                    Key::NextLetter => letter = (letter + 1) % count,
                    Key::Up => letter = letter_above(letter),
                    Key::Down => letter = letter_below(letter),
                    Key::Add => {
                        let added = name.push(LETTERS[usize::from(letter % count)]);
                        self.sound((!added).then_some(sound::ERROR), now);
                    }
                    Key::Delete => name.pop(),
                    Key::Ok if name.is_empty() => self.sound(Some(sound::ERROR), now),
                    Key::Ok => return self.named(kind, name, next, flash),
                    _ => {}
                }
                self.show_then(Page::Name { kind, name, letter }, next);
            }
            (Page::Files { .. }, _) => self.files_key(now, key, flash),
            (Page::Log { top, .. }, _) => self.log_key(top, key, flash),
            (Page::Review { at, of, .. }, _) => self.review_key(at, of, key, flash),
            (Page::HowToPlay { nth, .. }, _) => self.lesson_key(nth, key),
            (Page::Edit { .. }, Key::BottomStore) => self.edit_store(now, Player::Bottom),
            (Page::Edit { .. }, Key::TopStore) => self.edit_store(now, Player::Top),
            (Page::Edit { .. }, Key::Turn) => self.edit_turn(),
            (Page::Edit { .. }, Key::Done) => self.end_edit(now, flash),
            _ => {}
        }
    }

    fn edit_store(&mut self, now: Instant, player: Player) {
        self.hide_edit_keys();
        self.edit_press(now, player.store());
    }

    fn menu_key<F: NorFlash>(
        &mut self,
        now: Instant,
        menu: Menu,
        cursor: u8,
        key: Key,
        flash: &mut F,
    ) {
        let count = menu.len() as u8;
        let beside = |by: usize| {
            let at = Menu::ALL.iter().position(|other| *other == menu).unwrap_or(0);
            Menu::ALL[(at + by) % Menu::ALL.len()]
        };
        match key {
            Key::PreviousMenu => self.show_menu(beside(Menu::ALL.len() - 1), 0),
            Key::NextMenu => self.show_menu(beside(1), 0),
            Key::Up => self.show_menu(menu, (cursor + count - 1) % count),
            Key::Down => self.show_menu(menu, (cursor + 1) % count),
            Key::Ok => {
                if let Some(entry) = menu.entry(cursor.into()) {
                    self.choose(now, entry, flash);
                }
            }
            _ => {}
        }
    }

    fn yes<F: NorFlash>(&mut self, now: Instant, question: Question, next: Next, flash: &mut F) {
        match question {
            Question::Quit { .. } => self.power_down(),
            Question::NewBoard { .. } => {
                // The game that is left does not count.
                self.show_then(self.finished_scores_page(), Next::NewBoard);
            }
            Question::Restart => self.restart_game(now),
            Question::Stones(stones) => self.start_with_stones(now, stones, flash),
            Question::System(game) => self.start_system(now, game, flash),
            Question::Load(name) => self.load(now, name, flash),
            Question::ResetScores(_) => self.reset_scores(now, flash),
            Question::Abandon(player, _) => self.agreed(now, player, flash),
            Question::Resign(player) => self.resign(now, player, flash),
            Question::Demo => self.start_demo(now, flash),
            Question::LeaveDemo { players, .. } => self.leave_demo(now, players, flash),
            Question::Overwrite(kind, name) => self.write(kind, name, next, flash),
            Question::OverwriteOldest(kind, name) => {
                self.write_over_oldest(kind, name, next, flash);
            }
            Question::Delete(kind, name) => self.delete(kind, name, flash),
            Question::DeleteLost(lost) => self.delete_lost(lost, flash),
            Question::Introduction => self.show_lessons(),
        }
    }

    /// Handles OK on a notice.
    fn read<F: NorFlash>(&mut self, now: Instant, notice: Notice, next: Next, flash: &mut F) {
        match notice {
            Notice::Demo => self.start_demo(now, flash),
            _ => self.go_on(now, next),
        }
    }

    pub(super) fn go_on(&mut self, now: Instant, next: Next) {
        match next {
            Next::Board => self.state.uncover(),
            Next::NewBoard => self.begin_new_game(now),
        }
    }

    fn power_down(&mut self) {
        self.memory.console.line(format_args!("off"));
        self.player.stop();
        self.state = State::Off;
    }
}

/// Returns the letter in the row above, or in the last row that has one.
fn letter_above(letter: u8) -> u8 {
    let (columns, count) = (LETTER_COLUMNS as u8, LETTERS.len() as u8);
    match letter.checked_sub(columns) {
        Some(above) => above,
        None => {
            (0..count).rev().find(|other| other % columns == letter % columns).unwrap_or(letter)
        }
    }
}

/// Returns the letter in the row below, or in the first row.
fn letter_below(letter: u8) -> u8 {
    let (columns, count) = (LETTER_COLUMNS as u8, LETTERS.len() as u8);
    match letter.saturating_add(columns) {
        below if below < count => below,
        _ => letter % columns,
    }
}
