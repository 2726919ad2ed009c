//! The lists of saved games and of logs: Load Game, Save Game and Logs, and the deletion of files
//! from them.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::file_list::FileList;
use super::next::Next;
use super::state::{App, Memory};
use crate::interface::page::{FILE_ROWS, FileContent, Key, List, Notice, Page, Question};
use crate::storage::StorageError;
use crate::storage::files::{self, FileEntry, FileKind};
use crate::storage::name::Name;
use crate::time::Instant;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Lists the files for `list`, from the newest on.
    pub(super) fn show_files<F: NorFlash>(&mut self, list: List, flash: &mut F) {
        self.list_files(list, flash);
        self.show_list();
    }

    /// Returns to the list.
    pub(super) fn show_list(&mut self) {
        let file_list = &self.memory.file_list;
        let page = match file_list.list {
            List::SaveGame if file_list.entries.is_empty() => {
                return self.ask_for_name(FileKind::Game, Next::Board);
            }
            List::LoadGame if file_list.rows() == 0 => Page::Notice(Notice::NoGames),
            List::Logs if file_list.rows() == 0 => Page::Notice(Notice::NoLogs),
            _ => file_list.page(),
        };
        self.show(page);
    }

    /// Returns whether the question was opened from a list in which the user chose a saved game to
    /// overwrite.
    pub(super) fn overwrites_from_list(&self, kind: FileKind) -> bool {
        let file_list = &self.memory.file_list;
        kind == FileKind::Game && file_list.list == List::SaveGame && file_list.chosen().is_some()
    }

    /// Returns whether the letters of a new name were opened from the list of saved games.
    pub(super) fn named_from_list(&self, kind: FileKind) -> bool {
        let file_list = &self.memory.file_list;
        kind == FileKind::Game && !file_list.entries.is_empty()
    }

    /// Reads the list of files. Reports damaged ones on the console.
    fn list_files<F: NorFlash>(&mut self, list: List, flash: &mut F) {
        self.memory.file_list = FileList::new();
        self.memory.file_list.list = list;
        let kind = list.kind();
        let (entries, lost) = match files::list(flash, Some(kind)) {
            Ok(listing) => (listing.files, listing.damaged),
            Err(_) => Default::default(),
        };
        if lost > 0 {
            self.memory.console.line(format_args!("storage state=damaged files={lost}"));
        }
        if list != List::SaveGame {
            self.memory.file_list.lost = lost;
        }
        for entry in entries {
            let content = self.content_of(&entry, flash);
            if content == FileContent::Damaged {
                let (kind, name) = (kind.name(), entry.name);
                self.memory.console.line(format_args!("storage state=damaged {kind}={name}"));
            }
            // There is room: the list has the maximum number of files.
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

    /// Handles a soft key of a list.
    pub(super) fn files_key<F: NorFlash>(&mut self, now: Instant, key: Key, flash: &mut F) {
        let file_list = &mut self.memory.file_list;
        let (count, list) = (file_list.rows().max(1), file_list.list);
        match key {
            Key::Up => file_list.go_to((file_list.cursor + count - 1) % count),
            Key::Down => file_list.go_to((file_list.cursor + 1) % count),
            Key::View if list != List::SaveGame && file_list.chosen().is_some() => {
                return self.review(0, flash);
            }
            Key::Ok | Key::Remove | Key::View => match file_list.chosen() {
                Some((FileEntry { name, .. }, content)) => {
                    let damaged = content == FileContent::Damaged;
                    return self.file_key(now, key, list, name, damaged, flash);
                }
                None if list == List::SaveGame => {
                    return self.ask_for_name(list.kind(), Next::Board);
                }
                None => {
                    let lost = file_list.lost;
                    return self.show(match key {
                        Key::Remove => Page::Question(Question::DeleteLost(lost)),
                        _ => Page::Notice(Notice::Lost(lost)),
                    });
                }
            },
            _ => {}
        }
        self.show_list();
    }

    /// Handles OK or DEL on the file `name` of a list.
    fn file_key<F: NorFlash>(
        &mut self,
        now: Instant,
        key: Key,
        list: List,
        name: Name,
        damaged: bool,
        flash: &mut F,
    ) {
        let page = match list {
            _ if key == Key::Remove => Page::Question(Question::Delete(list.kind(), name)),
            List::SaveGame => Page::Question(Question::Overwrite(list.kind(), name)),
            List::LoadGame if damaged => Page::Notice(Notice::CannotLoad(name)),
            List::LoadGame if self.in_progress() || self.has_waiting_game() => {
                Page::Question(Question::Load(name))
            }
            List::LoadGame => return self.load(now, name, flash),
            List::Logs if damaged => Page::Notice(Notice::CannotRead(name)),
            List::Logs => return self.show_log(0, flash),
        };
        self.show(page);
    }

    /// Deletes the file under the cursor, which has this kind and name. The cursor moves to the
    /// file that follows in the list, or to the last one.
    pub(super) fn delete<F: NorFlash>(&mut self, kind: FileKind, name: Name, flash: &mut F) {
        let entry = self.memory.file_list.chosen().map(|(entry, _)| entry);
        let removed = match entry.filter(|entry| (entry.kind, entry.name) == (kind, name)) {
            Some(entry) => files::remove(flash, &entry),
            None => Err(StorageError::Damaged),
        };
        if removed.is_err() {
            self.memory.console.line(format_args!("storage state=failed"));
            return self.show(Page::Notice(Notice::NotDeleted(name)));
        }
        self.memory.console.line(format_args!("deleted {}={name}", kind.name()));
        self.list_again(flash);
    }

    /// Deletes the files whose headers are damaged.
    pub(super) fn delete_lost<F: NorFlash>(&mut self, lost: u8, flash: &mut F) {
        if files::remove_damaged(flash).is_err() {
            self.memory.console.line(format_args!("storage state=failed"));
            return self.show(Page::Notice(Notice::LostNotDeleted));
        }
        self.memory.console.line(format_args!("deleted files={lost}"));
        self.list_again(flash);
    }

    /// Shows the list after files were deleted.
    fn list_again<F: NorFlash>(&mut self, flash: &mut F) {
        let FileList { list, cursor, top, .. } = self.memory.file_list;
        self.list_files(list, flash);
        let file_list = &mut self.memory.file_list;
        let count = file_list.rows();
        file_list.top = top.min(count.saturating_sub(FILE_ROWS));
        file_list.go_to(cursor.min(count.saturating_sub(1)));
        self.show_list();
    }
}
