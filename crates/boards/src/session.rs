//! What a session in the window starts from: the board's flash, and the header of the trace
//! that records it.
//!
//! A session that is recorded must replay on a board that knows only the trace. So settings
//! that a header can name are carried over into the header. A flash that holds more (saved
//! games, logs, totals) is carried along whole, in a file beside the recording.
//!
//! It knows no window and opens no file for writing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use firmware_core::storage::{self, Scores, files};
use firmware_core::systems::Game;
use hal_mock::Machine;
use hal_mock::flash::FlashChip;
use hal_mock::trace::{HeaderEntry, Trace};

use hal_mock::setup::SetupError;

use crate::flash_file::{self, FlashFileError};
use crate::{BoardFactory, header};

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The file that the session is recorded into.
    pub record: Option<PathBuf>,
    /// The file that holds the flash; it may not exist yet.
    pub flash: Option<PathBuf>,
    /// The seed of every random source; `None` = as the flash has it.
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
    /// Where the flash is to be kept at the end.
    pub keep: Option<PathBuf>,
    /// What a recording has to carry along, and the name of the file beside it.
    pub carried: Option<(String, Vec<u8>)>,
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
}

impl Session {
    /// Reads the flash and settles where the session starts.
    ///
    /// # Errors
    /// If the flash's file is there but cannot be read or is no flash, or if a recording of
    /// that name cannot name the file that has to lie beside it.
    pub fn prepare(wishes: Wishes) -> Result<Self, SessionError> {
        let mut image = match &wishes.flash {
            Some(path) => flash_file::read(path)?,
            None => None,
        };
        let (mut header, mut carried) = (Vec::new(), None);
        if let (Some(record), Some(old)) = (&wishes.record, &image) {
            match carried_over(old) {
                Some(settings) => {
                    header = settings;
                    image = None;
                }
                None => carried = Some((beside(record)?, old.clone())),
            }
        }
        if let Some(seed) = wishes.seed {
            header.retain(|entry| entry.key != "seed");
            header.insert(0, HeaderEntry::new("seed", seed.to_string()));
        }
        if let Some(game) = wishes.game {
            header.retain(|entry| entry.key != "game");
            header.insert(0, HeaderEntry::new("game", game.system().name));
        }
        Ok(Self { header, image, keep: wishes.flash, carried })
    }

    /// The board, its power off.
    ///
    /// # Errors
    /// As [`BoardFactory::build`].
    pub fn machine(&self, maker: &BoardFactory) -> Result<Box<dyn Machine>, SetupError> {
        let trace = Trace { header: self.header.clone(), ..Trace::default() };
        maker.build(&trace, self.image.clone())
    }
}

/// The name of the file beside the recording that carries the flash along.
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
    let settings = storage::load(&mut chip).ok()?;
    let files = files::list(&mut chip, None).ok()?;
    if storage::load_scores(&mut chip) != Ok(Scores::default())
        || !files.files.is_empty()
        || files.damaged > 0
    {
        return None;
    }
    header::of(&settings)
}

/// Where the flash lives unless told otherwise: in the user's data folder, by the variables
/// of the environment that `variable` returns; `None` if they name none.
pub fn usual_flash(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = if cfg!(target_os = "windows") {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        // XDG Base Directory Specification: the variable, or .local/share below the home.
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    data.map(|data| data.join("nudge").join("flash.bin"))
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
            Settings { seed: 99, sound: false, first: Some(Player::Bottom), ..Settings::default() };
        fs::write(&path, flash_with(&settings)).unwrap();
        let wishes = Wishes {
            record: Some("win.trace".into()),
            flash: Some(path.clone()),
            ..Wishes::default()
        };
        let session = Session::prepare(wishes.clone()).unwrap();
        assert_eq!(header(&session), ["seed 99", "first bottom", "sound off"]);
        assert_eq!((&session.image, &session.keep), (&None, &Some(path)));
        let image = session
            .machine(&BoardFactory::default())
            .unwrap()
            .board()
            .with_flash(|chip| chip.image().to_vec());
        assert_eq!(storage::load(&mut FlashChip::from_image(image).unwrap()), Ok(settings));

        let session = Session::prepare(Wishes { seed: Some(3), ..wishes }).unwrap();
        assert_eq!(header(&session), ["seed 3", "first bottom", "sound off"]);
    }

    #[test]
    fn a_session_that_is_not_recorded_starts_from_the_flash_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flash.bin");
        let wishes = Wishes { flash: Some(path.clone()), ..Wishes::default() };
        let fresh = Session { keep: Some(path.clone()), ..Session::default() };
        let prepared = Session::prepare(wishes.clone()).expect("a file to come is no error");
        assert_eq!(prepared, fresh);
        let image = flash_with(&Settings { sound: false, ..Settings::default() });
        fs::write(&path, &image).unwrap();
        let session = Session::prepare(wishes).unwrap();
        assert_eq!((session.image, session.header), (Some(image), Vec::new()));
    }

    #[test]
    fn what_is_no_flash_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter.txt");
        for bytes in [Vec::new(), b"Dear Sir".to_vec(), vec![0; FLASH_SIZE + 1]] {
            fs::write(&path, &bytes).unwrap();
            let wishes = Wishes { flash: Some(path.clone()), ..Wishes::default() };
            let error = Session::prepare(wishes).unwrap_err().to_string();
            assert!(error.contains("letter.txt: is no flash of this board"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        let wishes = Wishes { flash: Some(folder.path().into()), ..Wishes::default() };
        assert!(Session::prepare(wishes).is_err(), "a folder");
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
        storage::save(&mut thoughtful, &Settings { thoughts: true, ..Settings::default() })
            .unwrap();
        let images = [saved.image().to_vec(), thoughtful.image().to_vec(), vec![0x55; FLASH_SIZE]];
        for image in images {
            fs::write(&path, &image).unwrap();
            let record = Some(folder.path().join("a game.trace"));
            let wishes = Wishes { record, flash: Some(path.clone()), seed: Some(4), game: None };
            let session = Session::prepare(wishes).unwrap();
            assert_eq!(session.carried, Some(("a game.flash".to_owned(), image.clone())));
            assert_eq!((header(&session), session.image), (vec!["seed 4".to_owned()], Some(image)));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_flash_lives_in_the_data_folder_of_the_user() {
        let with = |set: &[(&str, &str)]| {
            usual_flash(|name| set.iter().find(|pair| pair.0 == name).map(|pair| pair.1.into()))
        };
        assert_eq!(with(&[]), None);
        let home = ("HOME", "/home/ada");
        let usual = Some(PathBuf::from("/home/ada/.local/share/nudge/flash.bin"));
        assert_eq!(with(&[home]), usual);
        let data = Some(PathBuf::from("/data/nudge/flash.bin"));
        assert_eq!(with(&[home, ("XDG_DATA_HOME", "/data")]), data);
        // The specification: a path that is not absolute is not looked at.
        assert_eq!(with(&[home, ("XDG_DATA_HOME", "data")]), usual);
    }
}
