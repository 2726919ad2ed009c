//! A saved or logged game step by step, on a page of its own: the game on the board is not affected.
//!
//! Each key reads the file again: no second game stays in memory.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;
use heapless::String;

use super::state::{App, Memory};
use crate::game::history::{Cursor, History, Replayed, Step};
use crate::interface::log::{self, LOG_LINE, LogReader};
use crate::interface::page::{Key, LOG_COLUMNS, LogText, Notice, Page, STEP_ROWS};
use crate::interface::screen::style::Counts;
use crate::storage::StorageError;
use crate::storage::files::{self, FileEntry, FileKind};

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Shows the game under the cursor of the list after `at` of its steps.
    pub(super) fn review<F: NorFlash>(&mut self, at: u16, flash: &mut F) {
        let Some((entry, _)) = self.memory.file_list.chosen() else { return self.show_list() };
        let name = entry.name;
        let kind = entry.kind;
        let read = match kind {
            FileKind::Game => self.read_game(&entry, flash),
            FileKind::Log => read_log(&entry, flash),
        };
        let Ok(history) = read else {
            return self.show(Page::Notice(match kind {
                FileKind::Game => Notice::CannotLoad(name),
                FileKind::Log => Notice::CannotRead(name),
            }));
        };
        let game = history.setup().game;
        // Its stones are not counted before the end.
        if game.system().style().counts == Counts::AtTheEnd && !history.is_over() {
            return self.show(Page::Notice(Notice::NotOver(game)));
        }
        let of = steps(&history);
        let at = at.min(of);
        let shown = replay(&history, at);
        let mut line = String::<LOG_LINE>::new();
        log::write_step(&mut line, &history, shown.as_ref());
        self.memory.log_text = wrap(&line);
        let stones = shown.map_or(history.base().stones, |shown| shown.after.stones);
        let sown = shown.as_ref().and_then(|shown| sown(&history, shown));
        self.show(Page::Review { kind, name, game, at, of, stones, sown });
    }

    /// Handles a soft key of the page after `at` of `of` steps.
    pub(super) fn review_key<F: NorFlash>(&mut self, at: u16, of: u16, key: Key, flash: &mut F) {
        let at = match key {
            Key::Previous => at.saturating_sub(1),
            Key::Next => at.saturating_add(1),
            Key::First => 0,
            Key::Last => of,
            _ => at,
        };
        self.review(at, flash);
    }
}

/// Reads the game in a log.
#[inline(never)]
fn read_log<F: NorFlash>(entry: &FileEntry, flash: &mut F) -> Result<History, StorageError> {
    files::verify(flash, entry)?;
    let (mut reader, mut history) = (LogReader::default(), History::NONE);
    // The longest line, and its newline.
    let mut bytes = [0; LOG_LINE + 1];
    let mut from = 0;
    while !reader.has_ended() {
        let read = files::read(flash, entry, from, &mut bytes)?;
        let line = bytes[..read].split(|byte| *byte == b'\n').next().unwrap_or_default();
        let text = core::str::from_utf8(line).map_err(|_| StorageError::Damaged)?;
        reader.take(text, &mut history).map_err(|_| StorageError::Damaged)?;
        from = from.saturating_add(line.len() as u32 + 1);
    }
    Ok(history)
}

/// Returns the number of steps of `history`; an edit is one.
fn steps(history: &History) -> u16 {
    let steps = (0..history.len()).filter_map(|index| history.at(index));
    steps.filter(|step| !step.is_within_edit()).count() as u16
}

/// Returns the step number `at`, counted from 1; `None` for the opening.
fn replay(history: &History, at: u16) -> Option<Replayed> {
    let mut cursor = Cursor::new(history);
    let whole = core::iter::from_fn(|| cursor.next(history));
    let mut whole = whole.filter(|replayed| !replayed.step.is_within_edit());
    at.checked_sub(1).and_then(|before| whole.nth(before.into()))
}

/// Returns the first and the last place of a move.
fn sown(history: &History, replayed: &Replayed) -> Option<(u8, u8)> {
    let Step::Sow(cup) = replayed.step else { return None };
    let last = history.rules().sowing(&replayed.before, cup).last()?;
    Some((cup.place() as u8, last as u8))
}

/// Breaks `line` into rows between words.
fn wrap(line: &str) -> LogText {
    let mut text = LogText::EMPTY;
    let mut rest = line.trim_start();
    for nth in 0..STEP_ROWS {
        let fits = rest.get(..LOG_COLUMNS).unwrap_or(rest);
        let end = match rest.as_bytes().get(LOG_COLUMNS) {
            Some(b' ') | None => fits.len(),
            Some(_) => fits.rfind(' ').unwrap_or(fits.len()),
        };
        let (row, more) = rest.split_at_checked(end).unwrap_or((rest, ""));
        text.set(nth, 0, row.as_bytes());
        rest = more.trim_start();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_between_words() {
        let text = wrap("   3 Player 1 #4, BONUS 12, GAME OVER, Player 1 wins 30-18");
        assert_eq!(text.row(0), "3 Player 1 #4, BONUS 12, GAME");
        assert_eq!(text.row(1), "OVER, Player 1 wins 30-18");
        assert_eq!(text.row(2), "");
        let long = wrap(&"x".repeat(70));
        assert_eq!((long.row(0).len(), long.row(1).len(), long.row(2).len()), (30, 30, 10));
        assert_eq!(
            wrap("123456789 123456789 123456789a 2").row(0),
            "123456789 123456789 123456789a"
        );
    }
}
