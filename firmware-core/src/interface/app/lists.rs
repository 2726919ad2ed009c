//! The lists of saved games and of logs: Load Game and Logs, and how a file is deleted from them.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::file_list::FileList;
use super::state::{App, Memory};
use crate::interface::page::{FILE_ROWS, FileContent, Key, Notice, Page, Question};
use crate::storage::StorageError;
use crate::storage::files::{self, FileEntry, FileKind};
use crate::storage::name::Name;
use crate::time::Instant;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Lists the files of `kind`, from the newest on.
    pub(super) fn show_files<F: NorFlash>(&mut self, kind: FileKind, flash: &mut F) {
        self.list_files(kind, flash);
        self.show(self.list_page());
    }

    /// Goes back to the list.
    pub(super) fn show_list(&mut self) {
        self.show(self.list_page());
    }

    /// Reads which files of `kind` there are. What is damaged stands on the console.
    fn list_files<F: NorFlash>(&mut self, kind: FileKind, flash: &mut F) {
        self.memory.file_list = FileList::new();
        self.memory.file_list.kind = kind;
        let (entries, unreadable) = match files::list(flash, Some(kind)) {
            Ok(listing) => (listing.files, listing.damaged),
            Err(_) => Default::default(),
        };
        if unreadable > 0 {
            self.memory.console.line(format_args!("storage state=damaged files={unreadable}"));
        }
        for entry in entries {
            let content = self.content_of(&entry, flash);
            if content == FileContent::Damaged {
                let (kind, name) = (kind.name(), entry.name);
                self.memory.console.line(format_args!("storage state=damaged {kind}={name}"));
            }
            // There is room: as many as there can be.
            let _ = self.memory.file_list.entries.push((entry, content));
        }
    }

    fn content_of<F: NorFlash>(&mut self, entry: &FileEntry, flash: &mut F) -> FileContent {
        let content = match entry.kind {
            FileKind::Game => {
                let game = self.read_game(entry, flash).map(|history| history.setup().game);
                game.map(FileContent::Game)
            }
            FileKind::Log => files::verify(flash, entry)
                .map(|()| FileContent::Log(entry.length.div_ceil(1024).min(u8::MAX.into()) as u8)),
        };
        content.unwrap_or(FileContent::Damaged)
    }

    fn list_page(&self) -> Page {
        let file_list = &self.memory.file_list;
        match (file_list.entries.is_empty(), file_list.kind) {
            (false, _) => file_list.page(),
            (true, FileKind::Game) => Page::Notice(Notice::NoGames),
            (true, FileKind::Log) => Page::Notice(Notice::NoLogs),
        }
    }

    /// A soft key of a list.
    pub(super) fn files_key<F: NorFlash>(&mut self, now: Instant, key: Key, flash: &mut F) {
        let file_list = &mut self.memory.file_list;
        let count = file_list.entries.len();
        let Some((entry, content)) = file_list.entries.get(file_list.cursor).cloned() else {
            return;
        };
        let damaged = content == FileContent::Damaged;
        match (key, entry.kind) {
            (Key::Up, _) => file_list.go_to((file_list.cursor + count - 1) % count),
            (Key::Down, _) => file_list.go_to((file_list.cursor + 1) % count),
            (Key::Remove, kind) => {
                return self.show(Page::Question(Question::Delete(kind, entry.name)));
            }
            (Key::Ok, FileKind::Game) if damaged => {
                return self.show(Page::Notice(Notice::CannotLoad(entry.name)));
            }
            (Key::Ok, FileKind::Game) if self.in_progress() || self.a_game_waits() => {
                return self.show(Page::Question(Question::Load(entry.name)));
            }
            (Key::Ok, FileKind::Game) => return self.load(now, entry.name, flash),
            (Key::Ok, FileKind::Log) if damaged => {
                return self.show(Page::Notice(Notice::CannotRead(entry.name)));
            }
            (Key::Ok, FileKind::Log) => return self.show_log(0, flash),
            _ => {}
        }
        self.show_list();
    }

    /// Deletes the file under the cursor, which has this kind and name. The cursor goes to the file that
    /// takes its place in the list, or to the last.
    pub(super) fn delete<F: NorFlash>(&mut self, kind: FileKind, name: Name, flash: &mut F) {
        let FileList { cursor, top, .. } = self.memory.file_list;
        let entry = self.memory.file_list.entries.get(cursor).map(|(entry, _)| *entry);
        let removed = match entry.filter(|entry| (entry.kind, entry.name) == (kind, name)) {
            Some(entry) => files::remove(flash, &entry),
            None => Err(StorageError::Damaged),
        };
        if removed.is_err() {
            self.memory.console.line(format_args!("storage state=failed"));
            return self.show(Page::Notice(Notice::NotDeleted(name)));
        }
        self.memory.console.line(format_args!("deleted {}={name}", kind.name()));
        self.list_files(kind, flash);
        let file_list = &mut self.memory.file_list;
        let count = file_list.entries.len();
        file_list.top = top.min(count.saturating_sub(FILE_ROWS));
        file_list.go_to(cursor.min(count.saturating_sub(1)));
        self.show_list();
    }
}
