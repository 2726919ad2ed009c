//! The list of saved games or logs.

use heapless::Vec;

use crate::interface::page::{FILE_ROWS, FileContent, FileRow, Page};
use crate::storage::files::{FileEntry, FileKind, MOST_FILES};

/// The list of saved games or logs, as it was when it was opened.
#[derive(Clone)]
pub(super) struct FileList {
    pub(super) kind: FileKind,
    pub(super) entries: Vec<(FileEntry, FileContent), MOST_FILES>,
    pub(super) cursor: usize,
    /// The first that is seen.
    pub(super) top: usize,
}

impl FileList {
    pub(super) const fn new() -> Self {
        Self { kind: FileKind::Game, entries: Vec::new(), cursor: 0, top: 0 }
    }

    pub(super) fn page(&self) -> Page {
        let mut names = [None; FILE_ROWS];
        for (row, (entry, content)) in names.iter_mut().zip(self.entries.iter().skip(self.top)) {
            *row = Some(FileRow { name: entry.name, content: *content });
        }
        Page::Files {
            kind: self.kind,
            names,
            cursor: (self.cursor - self.top) as u8,
            above: self.top > 0,
            below: self.top + FILE_ROWS < self.entries.len(),
        }
    }

    /// The cursor goes to the `nth` file, and the list follows it.
    pub(super) fn go_to(&mut self, nth: usize) {
        self.cursor = nth;
        self.top = self.top.clamp((nth + 1).saturating_sub(FILE_ROWS), nth);
    }
}
