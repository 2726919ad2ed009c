//! What a session in the window starts from: the board's flash, and the header of the trace
//! that records it.
//!
//! A recorded session must replay on a board that knows only the trace. Settings that a header can
//! name are therefore copied into the header. A flash that holds more (saved games, logs, totals) is
//! copied whole into a file beside the recording.
//!
//! It knows no window and opens no file for writing.

use std::path::{Path, PathBuf};

use firmware_core::app::game_in_progress;
use firmware_core::storage::{self, Scores, Stored, files};
use firmware_core::systems::Game;
use hal_mock::{Machine, flash::FlashChip, setup::SetupError};
use trace::{HeaderEntry, Trace};

use crate::factory::BoardFactory;
use crate::flash_file::{self, FlashFileError};
use crate::header;

/// What a session is asked to start from.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// The file that the session is recorded into.
    pub record: Option<PathBuf>,
    /// The file that holds the flash; it may not exist yet.
    pub flash: Option<PathBuf>,
    /// The seed of every random source; `None`: there is no chance.
    pub seed: Option<u64>,
    /// The game system; `None` = as the flash has it.
    pub game: Option<Game>,
}

/// What a session starts from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The header of its trace.
    pub header: Vec<HeaderEntry>,
    /// What the flash holds before the header's settings are written over it; `None` =
    /// factory-new.
    pub image: Option<Vec<u8>>,
    /// What the file of the flash holds; `None`: there is no file.
    pub on_disk: Option<Vec<u8>>,
    /// The name and the content of the flash file that a recording needs beside it.
    pub flash_beside: Option<(String, Vec<u8>)>,
}

/// Why no session can be prepared.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The flash cannot be read.
    #[error(transparent)]
    Flash(#[from] FlashFileError),
    /// The header of a recording of this name cannot name the file beside it.
    #[error(
        "{}: a recording of that name cannot name the flash beside it; choose a plainer one",
        .0.display()
    )]
    RecordingName(PathBuf),
    /// The file beside the recording would be the flash itself.
    #[error(
        "{}: its copy of the board's flash would be {}, which is the flash itself; name the \
         recording differently", record.display(), flash.display()
    )]
    BesideIsFlash {
        /// The recording.
        record: PathBuf,
        /// The flash.
        flash: PathBuf,
    },
}

impl Session {
    /// Reads the flash and decides what the session starts from.
    ///
    /// # Errors
    /// If the file of the flash exists but cannot be read or is no flash, or if the header of the
    /// recording cannot name the file beside it.
    pub fn prepare(options: SessionOptions) -> Result<Self, SessionError> {
        let on_disk = match &options.flash {
            Some(path) => flash_file::read(path)?,
            None => None,
        };
        let mut image = on_disk.clone();
        let (mut header, mut flash_beside) = (Vec::new(), None);
        // A flash that is kept, and new, is that of a board at its first power-on.
        if options.flash.is_some() && !is_introduced(image.as_deref()) {
            header.push(HeaderEntry::new("introduction", "on"));
        }
        if let (Some(record), Some(old)) = (&options.record, &image) {
            match carried_over(old) {
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
        Ok(Self { header, image, on_disk, flash_beside })
    }

    /// The board, its power off.
    ///
    /// # Errors
    /// As [`BoardFactory::build`].
    pub fn machine(&self, factory: &BoardFactory) -> Result<Box<dyn Machine>, SetupError> {
        let trace = Trace { header: self.header.clone(), ..Trace::default() };
        factory.build(&trace, self.image.clone())
    }
}

/// Whether a board with this flash has offered the introduction, or is damaged and does not.
fn is_introduced(image: Option<&[u8]>) -> bool {
    let Some(image) = image else { return false };
    let Ok(mut chip) = FlashChip::from_image(image.to_vec()) else { return true };
    storage::start(&mut chip).settings.introduced
}

/// Whether both paths lead to one file that exists.
fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The name of the flash file beside the recording.
fn beside(record: &Path) -> Result<String, SessionError> {
    let name = record.with_extension("flash").file_name().map(|name| name.to_owned());
    let name = name.and_then(|name| name.into_string().ok());
    name.filter(|name| name.trim() == name && !name.contains(['#', '\n']))
        .ok_or_else(|| SessionError::RecordingName(record.to_owned()))
}

/// The header that makes a factory-new board hold what `image` holds; `None` if a header
/// cannot say it.
fn carried_over(image: &[u8]) -> Option<Vec<HeaderEntry>> {
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
        // Chance is the board's, no setting: what an older version has written is left behind.
        let carried = storage::load(&mut FlashChip::from_image(image).unwrap());
        assert_eq!(carried, Ok(Settings { seed: 0, ..settings }));

        let session = Session::prepare(SessionOptions { seed: Some(3), ..options }).unwrap();
        assert_eq!(header(&session), ["seed 3", "first bottom", "sound off"]);
    }

    #[test]
    fn a_session_that_is_not_recorded_starts_from_the_flash_as_it_is() {
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
    fn what_is_no_flash_is_refused_and_stays() {
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
    fn a_flash_that_no_header_can_describe_is_carried_along_beside_the_recording() {
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
            let options =
                SessionOptions { record, flash: Some(path.clone()), seed: Some(4), game: None };
            let session = Session::prepare(options).unwrap();
            assert_eq!(session.flash_beside, Some(("a game.flash".to_owned(), image.clone())));
            let mut expected = vec!["seed 4".to_owned()];
            if image == images[0] {
                // Nothing but the game is stored: the board has not asked yet.
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
