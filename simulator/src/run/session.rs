//! A session in the window: from the arguments of `nudge run` to its exit code.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use boards::session::{Session, SessionError, SessionOptions};
use boards::{Board, BoardError, BoardFactory};
use firmware_core::app::CHORDS;
use firmware_core::lcd::PANEL;
use firmware_core::menu::Entry;
use firmware_core::screen::layout::Layout;
use firmware_core::storage::Settings;
use hal_mock::Button;
use hal_mock::flash::FlashChip;
use hal_mock::trace::HeaderEntry;
use live::keymap::{Keymap, KeymapFileError};
use live::{Chord, Chords, FlashChoice, KeptFlash, Start};
use output_files::LockError;
use runner::Exit;
use window::RunOptions;
use window::face::{Panel, Scale, Theme};

use super::host::{CommandHost, identity_of};
use super::refuse;
use super::signals;
use crate::board_factory::board_factory;
use crate::cli::RunArgs;
use crate::data_folder;
use crate::text_reader;
use crate::trace::tidy;

/// The window, until it is closed.
pub fn run(args: RunArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let test = args.record.clone().filter(|_| args.expect).map(|file| (file, args.board.clone()));
    let options = match options(args) {
        Ok(options) => options,
        Err(why) => return refuse(err, why),
    };
    match window::run(options) {
        Ok(()) => match test {
            Some((recording, board)) => save_test(&recording, &board, out, err),
            None => Ok(Exit::Passed),
        },
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(if error.exit_code() == 1 { Exit::Failed } else { Exit::Usage })
        }
    }
}

/// Makes a test of the recording. The recording is replaced only after the test has been written.
fn save_test(
    recording: &Path,
    board: &Board,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    match board_factory(board) {
        Ok(factory) => {
            let to = tidy::TidyOutput { path: recording, force: true, expect: true };
            tidy::tidy_file(recording, to, &factory, out, err)
        }
        Err(error) => refuse(err, error),
    }
}

/// Why the window does not open.
#[derive(Debug, thiserror::Error)]
enum RunError {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Keymap(#[from] KeymapFileError),
    #[error(
        "{}: another session has this flash; close its window, or start from a copy that is not \
         written back with `--flash-copy`", .0.display()
    )]
    FlashInUse(PathBuf),
    #[error(transparent)]
    Lock(LockError),
    #[error(
        "the operating system gives no random number for a seed: {0}; name one with `--seed N`"
    )]
    NoSeed(getrandom::Error),
}

/// The options of the window, with the key map and the flash read.
fn options(args: RunArgs) -> Result<RunOptions, RunError> {
    let factory = board_factory(&args.board)?;
    let keymap = args.keymap.as_deref().map(Keymap::load).transpose()?.unwrap_or_default();
    // A recording starts from a factory-new board, unless another flash is named.
    let flash = match (args.flash.clone(), &args.record) {
        (Some(named), _) => Some(named),
        (None, Some(_)) => None,
        (None, None) => data_folder::flash_file(),
    };
    // Locked before it is read: what is read is what this session replaces.
    let kept = flash.clone().filter(|_| !args.flash_copy).map(lock).transpose()?;
    let is_copy = flash.is_some() && args.flash_copy;
    let seed = Some(args.seed.map_or_else(draw_seed, Ok)?);
    let options = SessionOptions { record: args.record.clone(), flash, seed, game: args.game };
    let session = Session::prepare(options)?;
    let identity = identity(&args, &factory, &session, kept.as_ref());
    let flash = match kept {
        Some(kept) => FlashChoice::Keep(kept.holds(session.on_disk.clone())),
        None if is_copy => FlashChoice::Copy,
        None => FlashChoice::Discard,
    };
    let flash_beside = session.flash_beside.clone();
    let start = Start {
        header: session.header.clone(),
        image: session.image.clone(),
        reader: text_reader::reader(),
        identity,
        before: None,
        machine: {
            let factory = factory.clone();
            Box::new(move || session.machine(&factory))
        },
    };
    Ok(RunOptions {
        start,
        host: Box::new(CommandHost::new(args.board, factory)),
        panel: panel(),
        chords: Chords { undo: chord(Entry::Undo), help: chord(Entry::Help) },
        record: args.record,
        flash_beside,
        flash,
        captures: args.captures.unwrap_or_default(),
        quit: signals::listen(),
        scale: args.scale.and_then(Scale::new),
        speed: args.speed,
        mute: args.mute,
        bare: args.bare,
        full_screen: args.full_screen,
        console: args.console,
        theme: if args.light { Theme::Light } else { Theme::Dark },
        keymap,
    })
}

/// What runs, and its files.
fn identity(
    args: &RunArgs,
    factory: &BoardFactory,
    session: &Session,
    kept: Option<&KeptFlash>,
) -> [String; 2] {
    let mut header = session.header.clone();
    if !header.iter().any(|entry| entry.key == "game") {
        let settings = session.image.clone().and_then(|image| {
            let mut chip = FlashChip::from_image(image).ok()?;
            Some(firmware_core::storage::start(&mut chip).settings)
        });
        let game = settings.map_or(Settings::FACTORY_NEW.game, |settings| settings.game);
        header.push(HeaderEntry::new("game", game.system().name));
    }
    let flash = match kept {
        Some(kept) => format!("flash {}", kept.path().display()),
        None if args.flash_copy => "a copy of a flash".to_owned(),
        None => "a flash that is not kept".to_owned(),
    };
    let record = args.record.as_ref().map(|path| format!("{}, ", path.display()));
    let files = format!("{}{flash}", record.unwrap_or_default());
    [identity_of(&args.board, factory, &header), files]
}

/// A seed that no one has chosen, so that no two sessions are alike; short enough to be read out.
fn draw_seed() -> Result<u64, RunError> {
    getrandom::u32().map(u64::from).map_err(RunError::NoSeed)
}

/// The file of the flash, for this session alone.
fn lock(path: PathBuf) -> Result<KeptFlash, RunError> {
    KeptFlash::lock(path).map_err(|error| match error {
        LockError::Held { path } => RunError::FlashInUse(path),
        error @ LockError::Io { .. } => RunError::Lock(error),
    })
}

/// The panel, for the window's picture of the board.
fn panel() -> Panel {
    let layout = Layout::new(PANEL);
    Panel {
        width: PANEL.width,
        height: PANEL.height,
        columns: [0, 1, 2, 3, 4, 5].map(|nth| layout.button_column(nth)),
    }
}

/// The buttons that choose `entry` without the menu: RESET, and the one that the firmware names.
fn chord(entry: Entry) -> Chord {
    let found = CHORDS.iter().find(|(_, chosen)| *chosen == entry);
    // A test asks for every entry that a key chooses.
    let pressed = found.and_then(|(button, _)| Button::ALL.get(button.index()).copied());
    Chord { held: Button::Reset, pressed: pressed.unwrap_or(Button::Reset) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_for_undo_and_help_press_what_the_firmware_takes_for_them() {
        let pressed = [Entry::Undo, Entry::Help].map(|entry| chord(entry).pressed);
        assert_eq!(pressed, [Button::T6, Button::T5]);
    }

    #[test]
    fn the_buttons_stand_over_six_columns_of_the_panel() {
        let panel = super::panel();
        assert!(panel.columns.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(panel.columns[5] < panel.width);
    }
}
