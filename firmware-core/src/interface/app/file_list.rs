//! The list of saved games or logs.

use heapless::Vec;

use crate::interface::page::{FILE_ROWS, FileContent, FileRow, List, ListRow, Page};
use crate::storage::files::{FileEntry, MOST_FILES};
use crate::storage::name::Name;

/// The list of saved games or logs, as it was when it was opened. Where a game is saved, a row for a
/// new name stands above the files.
#[derive(Clone)]
pub(super) struct FileList {
    pub(super) list: List,
    pub(super) entries: Vec<(FileEntry, FileContent), MOST_FILES>,
    /// The row that OK chooses.
    pub(super) cursor: usize,
    /// The first row that is seen.
    pub(super) top: usize,
}

impl FileList {
    pub(super) const fn new() -> Self {
        Self { list: List::LoadGame, entries: Vec::new(), cursor: 0, top: 0 }
    }

    pub(super) fn page(&self) -> Page {
        let mut rows = [None; FILE_ROWS];
        for (nth, row) in (self.top..self.rows()).zip(&mut rows) {
            *row = Some(match self.file(nth) {
                Some((FileEntry { name, .. }, content)) => ListRow::File(FileRow { name, content }),
                None => ListRow::NewName,
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

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.entries.len() + self.rows_above()
    }

    /// The file under the cursor; none where a new name is to be entered.
    pub(super) fn chosen(&self) -> Option<(FileEntry, FileContent)> {
        self.file(self.cursor)
    }

    /// Whether there is a file of this name.
    pub(super) fn has(&self, name: Name) -> bool {
        self.entries.iter().any(|(entry, _)| entry.name == name)
    }

    fn file(&self, nth: usize) -> Option<(FileEntry, FileContent)> {
        self.entries.get(nth.checked_sub(self.rows_above())?).copied()
    }

    /// Rows above the first file.
    const fn rows_above(&self) -> usize {
        match self.list {
            List::SaveGame => 1,
            List::LoadGame | List::Logs => 0,
        }
    }

    /// The cursor goes to the `nth` row, and the list follows it.
    pub(super) fn go_to(&mut self, nth: usize) {
        self.cursor = nth;
        self.top = self.top.clamp((nth + 1).saturating_sub(FILE_ROWS), nth);
    }
}
