//! The initial state of an interactive session: the board's flash, and the header of the trace that
//! records the session.
//!
//! A recorded session must replay on a board that knows only the trace. Settings that a header can
//! name are therefore copied into the header. A flash with further content (saved games, logs,
//! totals) is copied whole into a file beside the recording.
//!
//! This module does not know the window and opens no file for writing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use firmware_core::app::game_in_progress;
use firmware_core::storage::{self, Scores, Stored, files};
use firmware_core::systems::Game;
use hal_mock::{Machine, flash::FlashChip, setup::SetupError};
use trace::{BOARD_KEY, HeaderEntry, Trace};

use crate::factory::BoardFactory;
use crate::flash_file::{self, FlashFileError};
use crate::header;
use crate::pico::ChipDebugger;

/// Options for the start of a session.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// File into which the session is recorded.
    pub record: Option<PathBuf>,
    /// File of the board's flash; it may not exist yet.
    pub flash: Option<PathBuf>,
    /// Seed of every random source; `None`: there is no randomness.
    pub seed: Option<u64>,
    /// Game system; `None`: the one in the flash.
    pub game: Option<Game>,
    /// The board file, if one describes the board.
    pub board: Option<PathBuf>,
}

/// The initial state of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// Header of the session's trace.
    pub header: Vec<HeaderEntry>,
    /// Content of the flash before the header's settings are written over it; `None`: factory-new.
    pub image: Option<Vec<u8>>,
    /// Content of the flash file; `None` if there is no file.
    pub on_disk: Option<Vec<u8>>,
    /// Name and content of the flash file that a recording needs beside it.
    pub flash_beside: Option<(String, Vec<u8>)>,
}

/// Reason why no session can be prepared.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The flash cannot be read.
    #[error(transparent)]
    Flash(#[from] FlashFileError),
    /// The header of a recording with this name cannot name the flash file beside it.
    #[error(
        "{}: a recording of that name cannot name the flash beside it; choose a plainer one",
        .0.display()
    )]
    RecordingName(PathBuf),
    /// No header can name this board file.
    #[error(
        "{}: a recording cannot name this board file; move it into a folder with a plainer name",
        .0.display()
    )]
    BoardName(PathBuf),
    /// The flash file beside the recording would be the board's flash file itself.
    #[error(
        "{}: its copy of the board's flash would be {}, which is the flash itself; name the \
         recording differently", record.display(), flash.display()
    )]
    BesideIsFlash {
        /// Path of the recording.
        record: PathBuf,
        /// Path of the board's flash file.
        flash: PathBuf,
    },
}

impl Session {
    /// Reads the flash and determines the initial state of the session.
    ///
    /// # Errors
    /// If the flash file exists but cannot be read or is not a flash, or if the header of the
    /// recording cannot name the file beside it.
    pub fn prepare(options: SessionOptions) -> Result<Self, SessionError> {
        let on_disk = match &options.flash {
            Some(path) => flash_file::read(path)?,
            None => None,
        };
        let mut image = on_disk.clone();
        let (mut header, mut flash_beside) = (Vec::new(), None);
        // A new flash that will be saved is that of a board at its first power-on.
        let described = options.board.is_some();
        if options.flash.is_some() && !described && !is_introduced(image.as_deref()) {
            header.push(HeaderEntry::new("introduction", "on"));
        }
        if let (Some(record), Some(old)) = (&options.record, &image) {
            match header_of_flash(old).filter(|_| !described) {
                Some(settings) => {
                    header = settings;
                    image = None;
                }
                None => {
                    let name = beside(record)?;
                    let copy = record.with_file_name(&name);
                    if let Some(flash) = options.flash.filter(|flash| same_file(flash, &copy)) {
                        return Err(SessionError::BesideIsFlash { record: record.clone(), flash });
                    }
                    flash_beside = Some((name, old.clone()));
                }
            }
        }
        if let Some(seed) = options.seed {
            header.retain(|entry| entry.key != "seed");
            header.insert(0, HeaderEntry::new("seed", seed.to_string()));
        }
        if let Some(game) = options.game {
            header.retain(|entry| entry.key != "game");
            header.insert(0, HeaderEntry::new("game", game.system().name));
        }
        if let Some(board) = &options.board {
            let folder = options.record.as_deref().and_then(Path::parent);
            let named = board_file_from(board, folder.unwrap_or(Path::new("")))?;
            header.insert(0, HeaderEntry::new(BOARD_KEY, named));
        }
        Ok(Self { header, image, on_disk, flash_beside })
    }

    /// Builds the board with its power off.
    ///
    /// # Errors
    /// As for [`BoardFactory::build`].
    pub fn machine(&self, factory: &BoardFactory) -> Result<Box<dyn Machine>, SetupError> {
        let trace = Trace { header: self.header.clone(), ..Trace::default() };
        factory.build(&trace, self.image.clone())
    }

    /// Like [`machine`](Self::machine), with a debugger of its emulated chip. A machine without one
    /// has no debugger.
    ///
    /// # Errors
    /// As for [`BoardFactory::build`].
    pub fn debugged_machine(
        &self,
        factory: &BoardFactory,
        debugger: Arc<dyn ChipDebugger>,
    ) -> Result<Box<dyn Machine>, SetupError> {
        let trace = Trace { header: self.header.clone(), ..Trace::default() };
        match factory.build_pico(&trace, self.image.clone())? {
            Some(pico) => Ok(Box::new(pico.with_debugger(debugger))),
            None => factory.build(&trace, self.image.clone()),
        }
    }
}

/// Returns whether a board with this flash has offered the introduction, or will not because it is
/// damaged.
fn is_introduced(image: Option<&[u8]>) -> bool {
    let Some(image) = image else { return false };
    let Ok(mut chip) = FlashChip::from_image(image.to_vec()) else { return true };
    storage::start(&mut chip).settings.introduced
}

/// Returns whether both paths lead to one existing file.
fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Returns the name of the flash file beside the recording.
fn beside(record: &Path) -> Result<String, SessionError> {
    let name = record.with_extension("flash").file_name().map(|name| name.to_owned());
    let name = name.and_then(|name| name.into_string().ok());
    name.filter(|name| name.trim() == name && !name.contains(['#', '\n']))
        .ok_or_else(|| SessionError::RecordingName(record.to_owned()))
}

/// Returns the path of a board file from `folder`, as the header of a trace in this folder names it.
/// An empty path is the current folder.
///
/// # Errors
/// If no header can name the file.
pub fn board_file_from(board: &Path, folder: &Path) -> Result<String, SessionError> {
    name_from(board, folder).ok_or_else(|| SessionError::BoardName(board.to_owned()))
}

fn name_from(board: &Path, folder: &Path) -> Option<String> {
    let board = std::path::absolute(board).ok()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = canonical(folder)?;
    let board = board.parent()?.canonicalize().ok()?.join(board.file_name()?);
    let (mut up, mut base) = (0, folder.as_path());
    while !board.starts_with(base) {
        base = base.parent()?;
        up += 1;
    }
    let mut parts: Vec<String> = vec!["..".to_owned(); up];
    for part in board.strip_prefix(base).ok()?.components() {
        parts.push(part.as_os_str().to_str()?.to_owned());
    }
    let name = parts.join("/");
    let is_plain = name.trim() == name && !name.contains(['#', '\n', '\\', ':']);
    is_plain.then_some(name)
}

/// Returns the canonical path of a folder, which may not exist yet.
fn canonical(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    folder.ancestors().find_map(|existing| {
        let rest = folder.strip_prefix(existing).ok()?;
        Some(existing.canonicalize().ok()?.join(rest))
    })
}

/// Returns the header that gives a factory-new board the content of `image`; `None` if no header
/// can.
fn header_of_flash(image: &[u8]) -> Option<Vec<HeaderEntry>> {
    let mut chip = FlashChip::from_image(image.to_vec()).ok()?;
    let Stored { settings, scores, damage } = storage::start(&mut chip);
    let files = files::list(&mut chip, None).ok()?;
    if damage.is_any()
        || scores != Scores::default()
        || !files.files.is_empty()
        || files.damaged > 0
        || game_in_progress(&mut chip).is_some()
    {
        return None;
    }
    header::of(&settings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use firmware_core::name::Name;
    use firmware_core::rules::Player;
    use firmware_core::storage::Settings;
    use firmware_core::storage::files::FileKind;
    use hal_mock::flash::FLASH_SIZE;

    fn introduced() -> Settings {
        Settings { introduced: true, ..Settings::default() }
    }

    fn flash_with(settings: &Settings) -> Vec<u8> {
        let mut chip = FlashChip::factory_new();
        storage::save(&mut chip, settings).unwrap();
        chip.image().to_vec()
    }

    fn header(session: &Session) -> Vec<String> {
        session.header.iter().map(|entry| format!("{} {}", entry.key, entry.value)).collect()
    }

    #[test]
    fn a_recording_carries_the_settings_of_the_flash_in_its_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flash.bin");
        let settings =
            Settings { seed: 99, sound: false, first: Some(Player::Bottom), ..introduced() };
        fs::write(&path, flash_with(&settings)).unwrap();
        let options = SessionOptions {
            record: Some("win.trace".into()),
            flash: Some(path.clone()),
            ..SessionOptions::default()
        };
        let session = Session::prepare(options.clone()).unwrap();
        assert_eq!(header(&session), ["first bottom", "sound off"]);
        assert_eq!((&session.image, &session.on_disk), (&None, &fs::read(path).ok()));
        let image = session
            .machine(&BoardFactory::default())
            .unwrap()
            .board()
            .with_flash(|chip| chip.image().to_vec());
        // The random source is the board's and not a setting; a seed stored by an older version is
        // dropped.
        let carried = storage::load(&mut FlashChip::from_image(image).unwrap());
        assert_eq!(carried, Ok(Settings { seed: 0, ..settings }));

        let session = Session::prepare(SessionOptions { seed: Some(3), ..options }).unwrap();
        assert_eq!(header(&session), ["seed 3", "first bottom", "sound off"]);
    }

    #[test]
    fn an_unrecorded_session_starts_from_the_unchanged_flash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flash.bin");
        let options = SessionOptions { flash: Some(path.clone()), ..SessionOptions::default() };
        let prepared = Session::prepare(options.clone()).expect("a file to come is no error");
        assert_eq!(header(&prepared), ["introduction on"]);
        assert_eq!(Session { header: Vec::new(), ..prepared }, Session::default());
        for (settings, expected) in [
            (Settings { sound: false, ..introduced() }, &[][..]),
            (Settings { sound: false, ..Settings::default() }, &["introduction on"]),
        ] {
            let image = flash_with(&settings);
            fs::write(&path, &image).unwrap();
            let session = Session::prepare(options.clone()).unwrap();
            assert_eq!(header(&session), expected);
            assert_eq!(session.image, Some(image));
        }
        let session = Session::prepare(SessionOptions::default()).unwrap();
        assert_eq!(session, Session::default(), "a board that keeps nothing does not ask");
    }

    #[test]
    fn a_recording_names_its_board_file_before_its_folder_exists() {
        let folder = tempfile::tempdir().unwrap();
        let board = folder.path().join("pad.board.toml");
        let named = |at: &str| board_file_from(&board, &folder.path().join(at)).unwrap();
        assert_eq!(named(""), "pad.board.toml");
        assert_eq!(named("sessions"), "../pad.board.toml");
        assert_eq!(named("data/sessions"), "../../pad.board.toml");
    }

    #[test]
    fn an_invalid_flash_is_refused_and_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter.txt");
        for bytes in [Vec::new(), b"Dear Sir".to_vec(), vec![0; FLASH_SIZE + 1]] {
            fs::write(&path, &bytes).unwrap();
            let options = SessionOptions { flash: Some(path.clone()), ..SessionOptions::default() };
            let error = Session::prepare(options).unwrap_err().to_string();
            assert!(error.contains("letter.txt: is no flash of this board"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        let options =
            SessionOptions { flash: Some(folder.path().into()), ..SessionOptions::default() };
        assert!(Session::prepare(options).is_err(), "a folder");
    }

    #[test]
    fn a_flash_beyond_any_header_is_copied_beside_the_recording() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flash.bin");
        let mut saved = FlashChip::factory_new();
        let name = Name::new("GAME1").unwrap();
        let writer = files::Writer::begin(&mut saved, FileKind::Game, name, 0).unwrap();
        writer.finish(&mut saved).unwrap();
        let mut thoughtful = FlashChip::factory_new();
        storage::save(&mut thoughtful, &Settings { thoughts: true, ..introduced() }).unwrap();
        let images = [saved.image().to_vec(), thoughtful.image().to_vec(), vec![0x55; FLASH_SIZE]];
        for image in images.clone() {
            fs::write(&path, &image).unwrap();
            let record = Some(folder.path().join("a game.trace"));
            let options = SessionOptions {
                record,
                flash: Some(path.clone()),
                seed: Some(4),
                ..SessionOptions::default()
            };
            let session = Session::prepare(options).unwrap();
            assert_eq!(session.flash_beside, Some(("a game.flash".to_owned(), image.clone())));
            let mut expected = vec!["seed 4".to_owned()];
            if image == images[0] {
                // Only the game is stored: the board has not offered the introduction yet.
                expected.push("introduction on".to_owned());
            }
            assert_eq!((header(&session), session.image), (expected, Some(image)));
        }
        let flash = folder.path().join("a game.flash");
        fs::rename(&path, &flash).unwrap();
        let options = SessionOptions {
            record: Some(folder.path().join("./a game.trace")),
            flash: Some(flash),
            ..SessionOptions::default()
        };
        let error = Session::prepare(options).unwrap_err().to_string();
        assert!(error.contains("a game.flash, which is the flash itself"), "{error}");
    }
}
