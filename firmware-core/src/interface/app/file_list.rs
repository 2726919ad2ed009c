//! The list of saved games or logs.

use heapless::Vec;

use crate::interface::page::{FILE_ROWS, FileContent, FileRow, List, ListRow, Page};
use crate::storage::files::{FileEntry, MAX_FILES};
use crate::storage::name::Name;

/// The list of saved games or logs when it was opened. When the user saves a game, a row for a new
/// name precedes the files. In the other lists a row for all files whose headers are damaged
/// follows them: their kinds are unknown.
#[derive(Clone)]
pub(super) struct FileList {
    pub(super) list: List,
    pub(super) entries: Vec<(FileEntry, FileContent), MAX_FILES>,
    /// Number of files whose headers are damaged; 0 if the list does not show them.
    pub(super) lost: u8,
    /// Row that OK chooses.
    pub(super) cursor: usize,
    /// First visible row.
    pub(super) top: usize,
}

impl FileList {
    pub(super) const fn new() -> Self {
        Self { list: List::LoadGame, entries: Vec::new(), lost: 0, cursor: 0, top: 0 }
    }

    pub(super) fn page(&self) -> Page {
        let mut rows = [None; FILE_ROWS];
        for (nth, row) in (self.top..self.rows()).zip(&mut rows) {
            *row = Some(match self.file(nth) {
                Some((FileEntry { name, .. }, content)) => ListRow::File(FileRow { name, content }),
                None if nth < self.rows_above() => ListRow::NewName,
                None => ListRow::Lost(self.lost),
            });
        }
        Page::Files {
            list: self.list,
            rows,
            cursor: (self.cursor - self.top) as u8,
            above: self.top > 0,
            below: self.top + FILE_ROWS < self.rows(),
        }
    }

    /// Returns the number of rows.
    pub(super) fn rows(&self) -> usize {
        self.entries.len() + self.rows_above() + usize::from(self.lost > 0)
    }

    /// Returns the file under the cursor; `None` on the row for a new name or for lost files.
    pub(super) fn chosen(&self) -> Option<(FileEntry, FileContent)> {
        self.file(self.cursor)
    }

    /// Returns whether a file with this name exists.
    pub(super) fn has(&self, name: Name) -> bool {
        self.entries.iter().any(|(entry, _)| entry.name == name)
    }

    fn file(&self, nth: usize) -> Option<(FileEntry, FileContent)> {
        self.entries.get(nth.checked_sub(self.rows_above())?).copied()
    }

    /// Returns the number of rows above the first file.
    const fn rows_above(&self) -> usize {
        match self.list {
            List::SaveGame => 1,
            List::LoadGame | List::Logs => 0,
        }
    }

    /// Moves the cursor to the `nth` row and scrolls the list so that it is visible.
    pub(super) fn go_to(&mut self, nth: usize) {
        self.cursor = nth;
        self.top = self.top.clamp((nth + 1).saturating_sub(FILE_ROWS), nth);
    }
}
