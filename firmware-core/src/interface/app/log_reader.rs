//! A log on the LCD: its lines in rows of [`LOG_COLUMNS`] characters, [`LOG_ROWS`] of which are
//! visible.
//!
//! A longer line continues in further rows, which are indented. Only the visible rows are in
//! memory: for each key, the app searches the flash for the beginnings of the rows.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::state::{App, Memory};
use crate::interface::log::LOG_LINE;
use crate::interface::page::{Key, LOG_COLUMNS, LOG_ROWS, LogText, Notice, Page};
use crate::storage::StorageError;
use crate::storage::files::{self, FileEntry};

/// Indentation of a row that continues a line: the width of a move's number.
const INDENT: usize = 5;

/// Number of bytes searched backwards for the beginning of a line.
const BACK: u32 = 192;
const _: () = assert!(LOG_LINE < BACK as usize, "a line and its newline");

/// A row of a log: its characters, and the offset of the next row.
struct Row {
    text: [u8; LOG_COLUMNS],
    length: usize,
    indent: usize,
    next: u32,
}

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Shows the log under the cursor of the list, beginning with the row at offset `top`, or up to
    /// a page of rows earlier if the page would not be full.
    pub(super) fn show_log<F: NorFlash>(&mut self, top: u32, flash: &mut F) {
        let Some((entry, _)) = self.memory.file_list.chosen() else { return };
        let page = match self.read_rows(&entry, top, flash) {
            Ok((top, end)) => Page::Log {
                name: entry.name,
                top,
                below: end < entry.length,
                per_cent: (u64::from(end) * 100 / u64::from(entry.length.max(1))) as u8,
            },
            Err(_) => Page::Notice(Notice::CannotRead(entry.name)),
        };
        self.show(page);
    }

    /// Handles a soft key of a log whose first row begins at `top`.
    pub(super) fn log_key<F: NorFlash>(&mut self, top: u32, key: Key, flash: &mut F) {
        let Some((entry, _)) = self.memory.file_list.chosen() else { return };
        // Consecutive pages overlap by one row.
        let (up, down) = match key {
            Key::Up => (1, 0),
            Key::Down => (0, 1),
            Key::PageUp => (LOG_ROWS - 1, 0),
            Key::PageDown => (0, LOG_ROWS - 1),
            _ => return,
        };
        let mut found = Ok(top);
        for _ in 0..up {
            found = found.and_then(|at| row_before(flash, &entry, at));
        }
        for _ in 0..down {
            found = found.and_then(|at| Ok(row_at(flash, &entry, at)?.map_or(at, |row| row.next)));
        }
        match found {
            Ok(top) => self.show_log(top, flash),
            Err(_) => self.show(Page::Notice(Notice::CannotRead(entry.name))),
        }
    }

    /// Reads the rows from `top` on into memory. Returns the offset of the first row and of the end
    /// of the last one.
    fn read_rows<F: NorFlash>(
        &mut self,
        entry: &FileEntry,
        top: u32,
        flash: &mut F,
    ) -> Result<(u32, u32), StorageError> {
        let mut top = top;
        // At the end of a log the page is filled: at most this many rows precede.
        for _ in 0..=LOG_ROWS {
            let (end, rows) = self.read_rows_at(entry, top, flash)?;
            if rows == LOG_ROWS || top == 0 {
                return Ok((top, end));
            }
            top = row_before(flash, entry, top)?;
        }
        Ok((top, self.read_rows_at(entry, top, flash)?.0))
    }

    fn read_rows_at<F: NorFlash>(
        &mut self,
        entry: &FileEntry,
        top: u32,
        flash: &mut F,
    ) -> Result<(u32, usize), StorageError> {
        self.memory.log_text = LogText::EMPTY;
        let mut at = top;
        for nth in 0..LOG_ROWS {
            let Some(row) = row_at(flash, entry, at)? else { return Ok((at, nth)) };
            self.memory.log_text.set(nth, row.indent, &row.text[..row.length]);
            at = row.next;
        }
        Ok((at, LOG_ROWS))
    }
}

/// Returns the row that begins at `at`; `None` at the end of the log.
fn row_at<F: NorFlash>(
    flash: &mut F,
    entry: &FileEntry,
    at: u32,
) -> Result<Option<Row>, StorageError> {
    let mut before = [b'\n'];
    if let Some(last) = at.checked_sub(1) {
        files::read(flash, entry, last, &mut before)?;
    }
    let indent = if before == [b'\n'] { 0 } else { INDENT };
    let columns = LOG_COLUMNS - indent;
    // A row, and the newline or the space after it.
    let mut bytes = [0; LOG_COLUMNS + 1];
    let read = files::read(flash, entry, at, &mut bytes[..=columns])?;
    let bytes = &bytes[..read];
    if bytes.is_empty() {
        return Ok(None);
    }
    let (length, skipped) = match bytes.iter().position(|byte| *byte == b'\n') {
        Some(end) => (end, 1),
        None if read <= columns => (read, 0),
        None => {
            let first = bytes.iter().position(|byte| *byte != b' ').unwrap_or(0);
            match bytes.iter().rposition(|byte| *byte == b' ').filter(|space| *space > first) {
                Some(space) => (space, 1),
                None => (columns, 0),
            }
        }
    };
    let mut text = [0; LOG_COLUMNS];
    text[..length].copy_from_slice(&bytes[..length]);
    Ok(Some(Row { text, length, indent, next: at + length as u32 + skipped }))
}

/// Returns the beginning of the row that ends at `at`; 0 at the beginning of the log.
fn row_before<F: NorFlash>(flash: &mut F, entry: &FileEntry, at: u32) -> Result<u32, StorageError> {
    let from = at.saturating_sub(BACK);
    let mut bytes = [0; BACK as usize];
    let read = files::read(flash, entry, from, &mut bytes[..(at - from) as usize])?;
    // The last byte is the newline or the space after the row.
    let above = &bytes[..read.saturating_sub(1)];
    let line = above.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end as u32 + 1);
    let mut row = from + line;
    // Bound for rows of one character each.
    for _ in 0..BACK {
        match row_at(flash, entry, row)? {
            Some(found) if found.next < at => row = found.next,
            _ => break,
        }
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::chip::Chip;
    use crate::storage::files::{FileKind, Writer};
    use crate::storage::name::Name;

    #[test]
    fn a_word_longer_than_a_row_is_cut_but_not_its_indentation() {
        let mut chip = Chip::factory_new();
        let text = b"   Nineteen-letter-and-longer-words end\n";
        let name = Name::new("LOG1").expect("a name");
        let mut writer = Writer::begin(&mut chip, FileKind::Log, name, text.len() as u32).unwrap();
        writer.append(&mut chip, text).unwrap();
        let entry = writer.finish(&mut chip).unwrap();
        let mut at = 0;
        let mut rows = heapless::Vec::<(usize, heapless::Vec<u8, LOG_COLUMNS>), 4>::new();
        while let Some(row) = row_at(&mut chip, &entry, at).unwrap() {
            at = row.next;
            let text = heapless::Vec::from_slice(&row.text[..row.length]).unwrap();
            rows.push((row.indent, text)).unwrap();
        }
        let seen = rows.iter().map(|(indent, text)| (*indent, core::str::from_utf8(text).unwrap()));
        assert!(seen.eq([(0, "   Nineteen-letter-and-longer-"), (INDENT, "words end")]));
        assert_eq!(at, text.len() as u32);
    }
}
