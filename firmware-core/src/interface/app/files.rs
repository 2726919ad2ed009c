//! Saved games and logs: loading and writing. Their lists are in `lists`.
//!
//! A game is saved within one step. A log is written one line a step, to the console and to flash;
//! the file exists once its last line is written.

use core::fmt::Write as _;
use core::mem;
use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;
use heapless::String;

use super::logging::Logging;
use super::next::Next;
use super::report::Change;
use super::state::{App, Memory, State};
use crate::game::history::History;
use crate::game::history::saved::{is_counted, mark_uncounted};
use crate::interface::log::{LOG_LINE, Log};
use crate::interface::page::{Notice, Page, Question};
use crate::storage::StorageError;
use crate::storage::files::{self, FileEntry, FileKind, MAX_FILES, MOST_BYTES, Writer};
use crate::storage::name::{NAME_CHARACTERS, Name};
use crate::time::Instant;

/// Number of bytes of a saved game that are written at once.
const SAVED_AT_ONCE: usize = 256;

/// Default names. That of a game is followed by a number.
const GAME_NAME: &str = "GAME";
const LOG_NAME: &str = "LOG1";

/// A line of a log with its newline.
type LogLine = String<{ LOG_LINE + 1 }>;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Loads the saved game `name` onto the board.
    pub(super) fn load<F: NorFlash>(&mut self, now: Instant, name: Name, flash: &mut F) {
        let read = match files::find(flash, FileKind::Game, name) {
            Ok(Some(entry)) => self.read_game(&entry, flash),
            Ok(None) => Err(StorageError::Damaged),
            Err(error) => Err(error),
        };
        let Ok(history) = read else {
            self.show(Page::Notice(Notice::CannotLoad(name)));
            return;
        };
        // The points that the previous game added to the totals stay.
        self.game.counted = None;
        self.game.first = history.first();
        self.memory.history = history;
        self.apply_setup_of_game();
        self.files.named = Some(name);
        self.memory.console.line(format_args!("loaded name={name} game={}", self.game.system.name));
        if self.is_demo() {
            // Loading a game ends the demo.
            self.game.suspended = None;
            self.set_players(now, self.stored.settings.before_demo, flash);
        }
        self.changed(now, Change::Load, flash);
        // A game that was counted when it ended counts once, even if the user undoes its end and
        // ends it again. An imported game, and one from before the totals were reset, is no part of
        // the totals.
        let counted = is_counted(&self.memory.saved) && self.totals_include(self.captured());
        self.game.counted = (self.is_over() && counted).then(|| self.captured());
        self.save_settings(now, flash);
    }

    /// Reads the game in a file.
    #[inline(never)]
    pub(super) fn read_game<F: NorFlash>(
        &mut self,
        entry: &FileEntry,
        flash: &mut F,
    ) -> Result<History, StorageError> {
        files::verify(flash, entry)?;
        let bytes = &mut self.memory.saved;
        let mut length = 0;
        while length < bytes.len() {
            match files::read(flash, entry, length as u32, &mut bytes[length..])? {
                0 => break,
                more => length += more,
            }
        }
        History::from_bytes(&bytes[..length]).map_err(|_| StorageError::Damaged)
    }

    pub(super) fn ask_for_name(&mut self, kind: FileKind, next: Next) {
        let name = match kind {
            FileKind::Game => self.new_game_name(),
            FileKind::Log => self.files.named.or(Name::new(LOG_NAME)),
        };
        let name = name.unwrap_or_default();
        self.show_then(Page::Name { kind, name, letter: 0 }, next);
    }

    /// Returns the name offered for a game: the one under which it was saved or loaded before,
    /// unless there is such a saved game; then the first free one of GAME1, GAME2, ….
    fn new_game_name(&self) -> Option<Name> {
        let is_free = |name: &Name| !self.memory.file_list.has(*name);
        // One more than the maximum number of files: one is free.
        let mut usual = (1..=MAX_FILES + 1).filter_map(|nth| {
            let mut text = String::<NAME_CHARACTERS>::new();
            write!(text, "{GAME_NAME}{nth}").ok().and_then(|()| Name::new(&text))
        });
        self.files.named.filter(is_free).or_else(|| usual.find(is_free))
    }

    /// Handles the entered name.
    pub(super) fn named<F: NorFlash>(
        &mut self,
        kind: FileKind,
        name: Name,
        next: Next,
        flash: &mut F,
    ) {
        match files::find(flash, kind, name) {
            Ok(Some(_)) => self.show_then(Page::Question(Question::Overwrite(kind, name)), next),
            _ => self.write(kind, name, next, flash),
        }
    }

    /// Saves the game or begins its log, over an existing file with this name.
    pub(super) fn write<F: NorFlash>(
        &mut self,
        kind: FileKind,
        name: Name,
        next: Next,
        flash: &mut F,
    ) {
        self.write_instead_of(kind, name, None, next, flash);
    }

    /// Deletes the oldest file of this kind to make room for the one that could not be written.
    pub(super) fn write_over_oldest<F: NorFlash>(
        &mut self,
        kind: FileKind,
        oldest: Name,
        next: Next,
        flash: &mut F,
    ) {
        let name = self.files.name_without_room.take().unwrap_or(oldest);
        match files::find(flash, kind, oldest) {
            Ok(old) => self.write_instead_of(kind, name, old, next, flash),
            Err(_) => self.show_then(Page::Notice(Notice::SaveFailed), next),
        }
    }

    fn write_instead_of<F: NorFlash>(
        &mut self,
        kind: FileKind,
        name: Name,
        old: Option<FileEntry>,
        next: Next,
        flash: &mut F,
    ) {
        let written = match kind {
            FileKind::Game => self.save_game(name, old, flash),
            FileKind::Log => self.begin_log(name, old, next, flash),
        };
        let page = match written {
            // The log shows its own page.
            Ok(()) if kind == FileKind::Log => return,
            Ok(()) => Page::Notice(Notice::Saved(kind, name)),
            Err(StorageError::Full) => match oldest(flash, kind) {
                _ if self.bytes_of(kind, name) > MOST_BYTES => Page::Notice(Notice::TooLong),
                Some(oldest) if old.is_none() => {
                    self.files.name_without_room = Some(name);
                    Page::Question(Question::OverwriteOldest(kind, oldest.name))
                }
                // No file of this kind exists, or even its room is not enough.
                _ => Page::Notice(no_room(flash, kind)),
            },
            Err(_) => Page::Notice(Notice::SaveFailed),
        };
        self.show_then(page, next);
    }

    fn save_game<F: NorFlash>(
        &mut self,
        name: Name,
        old: Option<FileEntry>,
        flash: &mut F,
    ) -> Result<(), StorageError> {
        let length = self.memory.history.saved_len();
        let writer = begin(flash, FileKind::Game, name, length as u32, old)?;
        let counted = !self.is_over() || self.game.counted.is_some();
        write_game(writer, &self.memory.history, counted, flash)?;
        self.files.named = Some(name);
        self.memory.console.line(format_args!("saved name={name}"));
        Ok(())
    }

    fn begin_log<F: NorFlash>(
        &mut self,
        name: Name,
        old: Option<FileEntry>,
        next: Next,
        flash: &mut F,
    ) -> Result<(), StorageError> {
        let log = Log::new(&self.memory.history, name);
        let writer = begin(flash, FileKind::Log, name, self.length_of(&log), old)?;
        self.display.notice = None;
        self.state = State::Logging(Logging { log, writer, name, written: 0, next });
        Ok(())
    }

    /// Returns the size in bytes of the file that would be written.
    fn bytes_of(&self, kind: FileKind, name: Name) -> u32 {
        match kind {
            FileKind::Game => self.memory.history.saved_len() as u32,
            FileKind::Log => self.length_of(&Log::new(&self.memory.history, name)),
        }
    }

    /// Returns the size in bytes of the whole log.
    fn length_of(&self, log: &Log) -> u32 {
        let (mut log, mut line, mut length) = (log.clone(), LogLine::new(), 0);
        while log.next_line(&self.memory.history, &mut line) {
            length += line.len() as u32 + 1;
        }
        length
    }

    /// Returns whether a line of the log can be written.
    pub(super) fn can_write_log(&self) -> bool {
        matches!(self.state, State::Logging(_)) && self.memory.console.has_room_for_a_line()
    }

    /// Writes the log's next line.
    pub(super) fn write_log<F: NorFlash>(&mut self, flash: &mut F) {
        if !self.can_write_log() {
            return;
        }
        let State::Logging(logging) = &mut self.state else { return };
        let mut line = LogLine::new();
        if logging.log.next_line(&self.memory.history, &mut line) {
            self.memory.console.line(format_args!("log text=\"{line}\""));
            let _ = line.push('\n');
            logging.written += 1;
            self.display.notice = None;
            if logging.writer.append(flash, line.as_bytes()).is_err() {
                let next = logging.next;
                self.state = State::WAITING;
                self.show_then(Page::Notice(Notice::SaveFailed), next);
            }
            return;
        }
        let state = mem::replace(&mut self.state, State::WAITING);
        let State::Logging(Logging { writer, name, next, .. }) = state else { return };
        let notice = match writer.finish(flash) {
            Ok(_) => {
                self.memory.console.line(format_args!("logged name={name}"));
                Notice::Saved(FileKind::Log, name)
            }
            Err(_) => Notice::SaveFailed,
        };
        self.show_then(Page::Notice(notice), next);
    }
}

/// Begins a file, in place of `old` if that must make room for it.
fn begin<F: NorFlash>(
    flash: &mut F,
    kind: FileKind,
    name: Name,
    most: u32,
    old: Option<FileEntry>,
) -> Result<Writer, StorageError> {
    match old {
        Some(old) => Writer::begin_instead_of(flash, kind, name, most, &old),
        None => Writer::begin(flash, kind, name, most),
    }
}

/// Writes a saved game into the file that `writer` has begun. `counted` is whether a finished game is
/// part of the totals.
pub(super) fn write_game<F: NorFlash>(
    mut writer: Writer,
    history: &History,
    counted: bool,
    flash: &mut F,
) -> Result<FileEntry, StorageError> {
    let mut bytes = [0; SAVED_AT_ONCE];
    let mut saved = 0;
    while saved < history.saved_len() {
        let more = history.saved_bytes(saved, &mut bytes);
        if saved == 0 && !counted {
            mark_uncounted(&mut bytes);
        }
        writer.append(flash, &bytes[..more])?;
        saved += more;
    }
    writer.finish(flash)
}

/// Returns the file that makes room for another of its kind.
fn oldest<F: NorFlash>(flash: &mut F, kind: FileKind) -> Option<FileEntry> {
    files::list(flash, Some(kind)).ok()?.files.last().copied()
}

/// Returns the notice that there is no room.
fn no_room<F: NorFlash>(flash: &mut F, kind: FileKind) -> Notice {
    let files = files::list(flash, None).map(|listing| listing.files).unwrap_or_default();
    let older = files.iter().filter(|entry| entry.kind == kind).count();
    Notice::NoRoom { kind, files: files.len() as u8, older: older as u8 }
}
