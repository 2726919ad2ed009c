//! Sessions on the LCD board start from its flash.

use std::fs;

use boards::session::{Session, SessionError, SessionOptions, board_file_from};
use firmware_board::Firmware;
use firmware_core::name::Name;
use firmware_core::rules::Player;
use firmware_core::storage::Settings;
use firmware_core::storage::files::FileKind;
use firmware_core::storage::{self, files};
use hal_mock::flash::{FLASH_SIZE, FlashChip};

fn prepare(options: SessionOptions) -> Result<Session, SessionError> {
    Session::prepare(options, &Firmware)
}

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
    let settings = Settings { seed: 99, sound: false, first: Some(Player::Bottom), ..introduced() };
    fs::write(&path, flash_with(&settings)).unwrap();
    let options = SessionOptions {
        record: Some("win.trace".into()),
        flash: Some(path.clone()),
        ..SessionOptions::default()
    };
    let session = prepare(options.clone()).unwrap();
    assert_eq!(header(&session), ["first bottom", "sound off"]);
    assert_eq!((&session.image, &session.on_disk), (&None, &fs::read(path).ok()));
    let image = session
        .machine(&firmware_board::factory())
        .unwrap()
        .board()
        .with_flash(|chip| chip.image().to_vec());
    // The random source is the board's and not a setting; a seed stored by an older version is
    // dropped.
    let carried = storage::load(&mut FlashChip::from_image(image).unwrap());
    assert_eq!(carried, Ok(Settings { seed: 0, ..settings }));

    let session = prepare(SessionOptions { seed: Some(3), ..options }).unwrap();
    assert_eq!(header(&session), ["seed 3", "first bottom", "sound off"]);
}

#[test]
fn an_unrecorded_session_starts_from_the_unchanged_flash() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flash.bin");
    let options = SessionOptions { flash: Some(path.clone()), ..SessionOptions::default() };
    let prepared = prepare(options.clone()).expect("a file to come is no error");
    assert_eq!(header(&prepared), ["introduction on"]);
    assert_eq!(Session { header: Vec::new(), ..prepared }, Session::default());
    for (settings, expected) in [
        (Settings { sound: false, ..introduced() }, &[][..]),
        (Settings { sound: false, ..Settings::default() }, &["introduction on"]),
    ] {
        let image = flash_with(&settings);
        fs::write(&path, &image).unwrap();
        let session = prepare(options.clone()).unwrap();
        assert_eq!(header(&session), expected);
        assert_eq!(session.image, Some(image));
    }
    let session = prepare(SessionOptions::default()).unwrap();
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
        let error = prepare(options).unwrap_err().to_string();
        assert!(error.contains("letter.txt: is no flash of this board"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    let options = SessionOptions { flash: Some(folder.path().into()), ..SessionOptions::default() };
    assert!(prepare(options).is_err(), "a folder");
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
        let session = prepare(options).unwrap();
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
    let error = prepare(options).unwrap_err().to_string();
    assert!(error.contains("a game.flash, which is the flash itself"), "{error}");
}
