//! The saved games and logs in the file of a board's flash. [`FlashFiles`] opens the file, lists,
//! reads and writes its content with the firmware's own code, and replaces it atomically.
//!
//! This module knows the content of the saved files ([`FileContent`]) and their names on a computer
//! ([`file_name`], [`name_of`]). [`describe`] formats a whole flash, [`flash_map`] lists its
//! sectors. It does not know the command line.

mod content;
mod damage;
mod error;
mod kind;
mod map;
mod name;
mod table;

use std::path::Path;

use boards::flash_file::{self, FlashFileError};
use firmware_core::app::game_in_progress;
use firmware_core::history::History;
use firmware_core::name::Name;
use firmware_core::storage::files::{self, FileEntry, FileKind, MOST_BYTES, Writer};
use firmware_core::storage::{self, StorageError, Stored};
use hal_mock::flash::FlashChip;
use host::output_files::{Output, OutputError};

pub use content::FileContent;
pub use damage::FlashDamage;
pub use error::{ContentError, FileNameError, NameError, PutError, TextError};
pub use kind::kind_name;
pub use map::{Sector, SectorContent, flash_map};
pub use name::{file_name, name, name_of};
pub use table::describe;

/// The board's flash in memory. [`FlashFiles::save`] writes it to disk.
pub struct FlashFiles {
    chip: FlashChip,
}

/// A file in the board's flash, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFile {
    /// Name on the board.
    pub name: Name,
    pub kind: FileKind,
    /// Size in the flash, in bytes.
    pub bytes: u32,
    /// Content of the file, or the reason why it cannot be read.
    pub content: Result<FileContent, ContentError>,
}

/// The content of a flash.
#[derive(Debug)]
pub struct FlashListing {
    /// Saved games and logs, newest first.
    pub files: Vec<StoredFile>,
    /// Number of files without a readable header.
    pub damaged: u8,
    /// Maximum size of another file, in bytes.
    pub room: u32,
    /// Settings and total scores, and their damage, if any.
    pub stored: Stored,
    /// Game in progress with which the board starts, unless it starts in the demo.
    pub progress: Option<Box<History>>,
}

impl FlashListing {
    /// Returns the parts of the flash that cannot be read as they were stored; `None` if everything
    /// is readable.
    pub fn damage(&self) -> Option<FlashDamage> {
        let damaged = |file: &&StoredFile| file.content.is_err();
        let damage = FlashDamage {
            records: self.stored.damage,
            files: self.files.iter().filter(damaged).map(|file| (file.kind, file.name)).collect(),
            unnamed: self.damaged,
        };
        damage.is_any().then_some(damage)
    }
}

impl FlashFiles {
    /// Creates the flash of a factory-new board.
    pub fn factory_new() -> Self {
        Self { chip: FlashChip::factory_new() }
    }

    pub(crate) fn of(chip: FlashChip) -> Self {
        Self { chip }
    }

    /// Opens the flash in the file at `path`; `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a flash of this board.
    pub fn open(path: &Path) -> Result<Option<Self>, FlashFileError> {
        let chip = flash_file::read(path)?.map(FlashChip::from_image).transpose();
        let chip = chip.map_err(|_| FlashFileError::WrongSize(path.to_owned()))?;
        Ok(chip.map(|chip| Self { chip }))
    }

    /// Replaces the file at `path` atomically: after a crash it is either the old flash or this
    /// one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), OutputError> {
        Output::new(path).replace(true).durable().write_if_changed(self.chip.image())
    }

    /// Returns the content of the flash.
    ///
    /// # Errors
    /// If the files cannot be listed.
    pub fn listing(&mut self) -> Result<FlashListing, StorageError> {
        let listing = files::list(&mut self.chip, None)?;
        Ok(FlashListing {
            files: listing.files.iter().map(|entry| self.found(entry)).collect(),
            damaged: listing.damaged,
            room: listing.room,
            stored: storage::start(&mut self.chip),
            progress: game_in_progress(&mut self.chip).map(Box::new),
        })
    }

    /// Returns whether there is a file of that kind and name.
    ///
    /// # Errors
    /// If the files cannot be listed.
    pub fn has(&mut self, kind: FileKind, name: Name) -> Result<bool, StorageError> {
        Ok(files::find(&mut self.chip, kind, name)?.is_some())
    }

    /// Writes a file into the flash, replacing one of the same kind and name.
    ///
    /// # Errors
    /// If there is no room, or the flash fails.
    pub fn put(&mut self, name: Name, content: &FileContent) -> Result<(), PutError> {
        let (kind, bytes) = (content.kind(), content.bytes());
        let put = |chip: &mut FlashChip| -> Result<FileEntry, StorageError> {
            let most = u32::try_from(bytes.len()).map_err(|_| StorageError::Full)?;
            let mut writer = Writer::begin(chip, kind, name, most)?;
            writer.append(chip, &bytes)?;
            writer.finish(chip)
        };
        match put(&mut self.chip) {
            Ok(_) => Ok(()),
            Err(StorageError::Full) => {
                let files = files::list(&mut self.chip, None)?.files.len();
                Err(PutError::NoRoom { kind, name, bytes: bytes.len(), files })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes the file of that kind and name, if there is one.
    ///
    /// # Errors
    /// If the flash fails.
    pub fn delete(&mut self, kind: FileKind, name: Name) -> Result<(), StorageError> {
        match files::find(&mut self.chip, kind, name)? {
            Some(entry) => files::remove(&mut self.chip, &entry),
            None => Ok(()),
        }
    }

    fn found(&mut self, entry: &FileEntry) -> StoredFile {
        let &FileEntry { kind, name, length: bytes, .. } = entry;
        StoredFile { name, kind, bytes, content: self.content(entry) }
    }

    fn content(&mut self, entry: &FileEntry) -> Result<FileContent, ContentError> {
        files::verify(&mut self.chip, entry)?;
        // The file's area bounds its length, because a damaged header may give a greater one.
        let mut bytes = vec![0; entry.length.min(MOST_BYTES) as usize];
        let length = files::read(&mut self.chip, entry, 0, &mut bytes)?;
        bytes.truncate(length);
        match entry.kind {
            FileKind::Game => Ok(FileContent::Game(Box::new(History::from_bytes(&bytes)?))),
            FileKind::Log => {
                String::from_utf8(bytes).map(FileContent::Log).map_err(|_| ContentError::NotText)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use firmware_core::history::Setup;
    use firmware_core::history::saved::SavedError;
    use firmware_core::rules::Player;
    use firmware_core::systems::Game;

    fn game(game: Game) -> FileContent {
        let setup = Setup { game, stones: 4, bidirectional: false };
        FileContent::Game(Box::new(History::new(setup, setup.rules().start(Player::Bottom))))
    }

    fn log(moves: &str) -> FileContent {
        FileContent::Log(format!(
            "log of X\nsystem top-bottom, 4 seeds a pit\n{moves}end of the log\n"
        ))
    }

    fn named(text: &str) -> Name {
        name(text).expect("a name")
    }

    #[test]
    fn files_in_an_image_are_listed_newest_first() {
        let mut image = FlashFiles::factory_new();
        for (name, content) in [("A", game(Game::Wari)), ("B", log("")), ("A", log("   1 Top 1\n"))]
        {
            image.put(named(name), &content).expect("room");
        }
        image.put(named("A"), &game(Game::Family)).expect("room");
        let found = image.listing().expect("a listing").files;
        let read: Vec<(&str, &FileContent)> =
            found.iter().map(|it| (it.name.as_str(), it.content.as_ref().unwrap())).collect();
        let (family, long, short) = (game(Game::Family), log("   1 Top 1\n"), log(""));
        assert_eq!(read, [("A", &family), ("A", &long), ("B", &short)]);
        assert!(image.has(FileKind::Log, named("B")).unwrap());
        assert!(!image.has(FileKind::Game, named("B")).unwrap());
    }

    #[test]
    fn an_image_is_replaced_without_leaving_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flash.bin");
        assert!(FlashFiles::open(&path).unwrap().is_none());
        let mut image = FlashFiles::factory_new();
        image.save(&path).unwrap();
        image.put(named("A"), &game(Game::Board)).unwrap();
        image.save(&path).unwrap();
        let mut opened = FlashFiles::open(&path).unwrap().expect("a file");
        assert_eq!(opened.listing().unwrap().files.len(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let error = image.save(folder.path()).unwrap_err();
        assert!(error.to_string().contains("cannot be written"), "{error}");
    }

    #[test]
    fn an_invalid_saved_game_is_listed_with_the_reason() {
        let mut image = FlashFiles::factory_new();
        let mut writer = Writer::begin(&mut image.chip, FileKind::Game, named("A"), 9).unwrap();
        writer.append(&mut image.chip, b"Dear Sir,").unwrap();
        writer.finish(&mut image.chip).unwrap();
        let found = image.listing().unwrap().files;
        let error = found[0].content.as_ref().unwrap_err();
        assert_eq!(*error, ContentError::SavedGame(SavedError::UnknownVersion(68)));
        assert!(error.to_string().contains("it has format 68"), "{error}");
    }

    #[test]
    fn a_log_has_its_system_and_number_of_moves() {
        for (lines, moves) in [
            ("", 0),
            ("12 moves went before\n", 12),
            ("12 moves went before\n  13 Top 1\n  14 Bottom 2, extra turn\nedited: x\n", 14),
        ] {
            let log = log(lines);
            assert_eq!((log.game(), log.moves()), (Some(Game::TopBottom), moves), "{lines}");
        }
        assert_eq!(FileContent::Log("log of X\n".into()).game(), None);
    }

    #[test]
    fn text_that_begins_like_a_log_is_a_log() {
        let text = log("   1 Top 1\n").to_text();
        assert_eq!(
            FileContent::from_text("x", &text.replace('\n', "\r\n")),
            Ok(log("   1 Top 1\n"))
        );
        let text = game(Game::Wari).to_text();
        assert_eq!(FileContent::from_text("x", &text), Ok(game(Game::Wari)));
        let error = FileContent::from_text("x", "log of X\n\u{7}\n").unwrap_err();
        assert_eq!(error.to_string(), "x:2:1: a log has printable ASCII letters only");
        let long = format!("log of X\n{}", " ".repeat(MOST_BYTES as usize));
        let said = format!("x: a log has at most {MOST_BYTES} bytes, not {}", long.len());
        assert_eq!(FileContent::from_text("x", &long).unwrap_err().to_string(), said);
    }

    #[test]
    fn a_name_is_the_part_before_the_first_dot() {
        for (path, expected) in [("out/friday.game.txt", "FRIDAY"), ("A-1", "A-1")] {
            assert_eq!(name_of(Path::new(path)).map(|name| name.to_string()), Ok(expected.into()));
        }
        for path in ["saturday-night.txt", ".txt", "a b.game.txt", ""] {
            let error = name_of(Path::new(path)).unwrap_err();
            assert!(error.to_string().contains("is no name on the board"), "{error}");
        }
    }
}
