//! Preparation of a session: its board, its key map, its flash and its recording, from the arguments.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use boards::session::{Session, SessionError, SessionOptions};
use boards::{Board, BoardError, BoardFactory, DescribedBoard};
use firmware_board::Firmware;
use firmware_core::app::CHORDS;
use firmware_core::lcd::PANEL;
use firmware_core::menu::Entry;
use firmware_core::screen::layout::Layout;
use firmware_core::storage::Settings;
use hal_mock::{flash::FlashChip, setup::SetupError};
use host::{clock::Speed, output_files::LockError};
use live::keymap::{Keymap, KeymapFileError};
use live::{Chord, Chords, Engine, Files, FlashChoice, FlashFile, Rebuilds, Services, Start};
use trace::{Button, HeaderEntry};

use crate::board_factory::session_factory;
use crate::cli::{RunArgs, TtyGraphics};
use crate::data_folder;
use crate::run::gdb::{GdbError, SessionDebugger};
use crate::run::keymaps::{default_keymap, kept_keymap};
use crate::run::services::{CommandServices, identity_of};
#[cfg(feature = "window")]
use crate::run::watch;
use crate::text_reader;

/// The reason why a session cannot start.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunError {
    #[error(
        "there is no last session whose file still exists: `{program} run FILE` opens one, and \
         `{program} run --record FILE` records one",
        program = live::command_name()
    )]
    NoLast,
    #[error("not opened: {0}")]
    NotOpened(#[source] live::ServiceError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("`--game` is for the firmware of the LCD board; leave it out")]
    OfTheLcdBoard,
    #[error(transparent)]
    Gdb(#[from] GdbError),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Keymap(#[from] KeymapFileError),
    #[error(
        "{}: another session has this flash; end that one, or start from a copy that is not \
         written back with `--flash-copy`", .0.display()
    )]
    FlashInUse(PathBuf),
    #[error(transparent)]
    Lock(LockError),
    #[error(
        "the operating system gives no random number for a seed: {0}; name one with `--seed N`"
    )]
    NoSeed(getrandom::Error),
    #[cfg(feature = "window")]
    #[error(transparent)]
    NotWatched(#[from] watch::NotWatched),
    #[error(
        "{0} is for virtual boards: a real board has its own flash, settings, chance and time; leave it out, \
         and choose on the board"
    )]
    OfAVirtualBoard(&'static str),
}

/// Refuses settings that a real board does not take: it has its own flash, settings, randomness
/// and time.
fn refuse_settings(args: &RunArgs) -> Result<(), RunError> {
    let RunArgs { flash, seed, game, speed, watch, .. } = args;
    let options = [
        ("--flash", flash.is_some()),
        ("--seed", seed.is_some()),
        ("--game", game.is_some()),
        ("--speed", *speed != Speed::REAL),
        ("--watch", *watch),
    ];
    match options.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(RunError::OfAVirtualBoard(option)),
        None => Ok(()),
    }
}

/// Options of both a window and a terminal.
pub(super) struct Prepared {
    pub(super) start: Start,
    pub(super) services: Box<dyn Services>,
    /// Board of a board file.
    pub(super) described: Option<Arc<DescribedBoard>>,
    /// Centres of the columns of cups, in pixels of the panel.
    pub(super) columns: [u32; 6],
    pub(super) files: Files,
    pub(super) speed: Speed,
    pub(super) chords: Chords,
    pub(super) keymap: Keymap,
    /// Whether `--keymap` names the key map.
    #[cfg_attr(not(feature = "window"), expect(dead_code))]
    pub(super) has_own_keymap: bool,
    pub(super) console: bool,
    /// `--watch`.
    #[cfg_attr(not(feature = "window"), expect(dead_code))]
    pub(super) rebuilds: Option<Box<dyn Rebuilds>>,
    #[cfg_attr(not(feature = "terminal"), expect(dead_code))]
    pub(super) tty_graphics: TtyGraphics,
}

/// Reads the key map and the flash.
pub(super) fn prepare(args: RunArgs) -> Result<Prepared, RunError> {
    let mut args = args;
    let mut factory = session_factory(&args.board)?;
    if let (BoardFactory::Native(..), Some(file)) = (&factory, &args.file)
        && let Some((board, own)) = board_of_trace(file, &factory)?
    {
        (args.board, factory) = (board, own);
    }
    let described = match &factory {
        BoardFactory::Described(board) => Some(Arc::clone(board)),
        _ => None,
    };
    let is_real = factory.at_once().is_some();
    if is_real {
        refuse_settings(&args)?;
    }
    if described.is_some() && args.game.is_some() {
        return Err(RunError::OfTheLcdBoard);
    }
    let default = default_keymap(described.as_deref());
    let keymap = match &args.keymap {
        Some(file) => Keymap::load_for(&default, file)?,
        None => kept_keymap(default, described.as_deref()),
    };
    let has_own_keymap = args.keymap.is_some();
    if let Some(file) = &args.file {
        let services = CommandServices::new(args.board.clone(), factory);
        let start = services.open(file).map_err(RunError::NotOpened)?;
        let captures = args.captures.unwrap_or_default();
        let files = Files { record: None, flash_beside: None, flash: FlashChoice::Copy, captures };
        return Ok(Prepared {
            start,
            services: Box::new(services),
            described,
            columns: columns(),
            chords: Chords { undo: chord(Entry::Undo), help: chord(Entry::Help) },
            files,
            speed: args.speed,
            console: args.console,
            rebuilds: None,
            tty_graphics: args.tty_graphics,
            keymap,
            has_own_keymap,
        });
    }
    // A recording starts from a factory-new board unless another flash is named.
    let flash = match (args.flash.clone(), &args.record) {
        (Some(named), _) => Some(named),
        (None, Some(_)) => None,
        (None, None) if is_real || described.is_some() => None,
        (None, None) => data_folder::flash_file(),
    };
    // Locks the file before reading it, because this session overwrites what was read.
    let kept = flash.clone().filter(|_| !args.flash_copy).map(lock).transpose()?;
    let is_copy = flash.is_some() && args.flash_copy;
    // A real board has its own randomness.
    let seed = if is_real { None } else { Some(args.seed.map_or_else(draw_seed, Ok)?) };
    let board = described.as_ref().map(|board| board.path().to_owned());
    let game = args.game.map(|game| HeaderEntry::new("game", game.system().name));
    let settings = game.into_iter().collect();
    let options = SessionOptions { record: args.record.clone(), flash, seed, settings, board };
    let session = Session::prepare(options, &Firmware)?;
    let kept_path = kept.as_ref().map(FlashFile::path);
    let identity = identity(&args, &factory, &session, kept_path, is_copy);
    let flash = match kept {
        Some(kept) => FlashChoice::Keep(kept.holds(session.on_disk.clone())),
        None if is_copy => FlashChoice::Copy,
        None => FlashChoice::Discard,
    };
    let flash_beside = session.flash_beside.clone();
    let (header, image) = (session.header.clone(), session.image.clone());
    let (rebuilds, engine) = watched(&args, &factory, &session)?;
    let debugger = match &args.gdb {
        Some(address) => {
            let (debugger, program, local) =
                SessionDebugger::listen(address, &args.board, &factory)?;
            live::say(format_args!("nudge: a debugger may connect to {local}"));
            Some((debugger, program))
        }
        None => None,
    };
    let engine = match &debugger {
        Some((debugger, _)) => {
            let (debugger, factory) = (Arc::clone(debugger), factory.clone());
            let session = session.clone();
            let machine =
                move || session.debugged_machine(&factory, Arc::clone(&debugger) as Arc<_>);
            Some(Engine::Here(Box::new(machine)))
        }
        None => engine,
    };
    let start = Start {
        debugger: debugger.map(|(debugger, _)| debugger as Arc<dyn live::Debugger>),
        board: args.board.to_string(),
        parts: factory.parts().unwrap_or_default(),
        header,
        image,
        reader: text_reader::reader(),
        identity,
        before: None,
        machine: engine.unwrap_or_else(|| {
            let factory = factory.clone();
            Engine::Here(Box::new(move || session.machine(&factory)))
        }),
    };
    Ok(Prepared {
        start,
        services: Box::new(CommandServices::new(args.board, factory)),
        described,
        columns: columns(),
        chords: Chords { undo: chord(Entry::Undo), help: chord(Entry::Help) },
        files: Files {
            record: args.record,
            flash_beside,
            flash,
            captures: args.captures.unwrap_or_default(),
        },
        speed: args.speed,
        console: args.console,
        rebuilds,
        tty_graphics: args.tty_graphics,
        keymap,
        has_own_keymap,
    })
}

/// Returns the board that the header of the trace in `file` names, and its factory; `None` if the
/// file is no trace that names one.
fn board_of_trace(
    file: &Path,
    factory: &BoardFactory,
) -> Result<Option<(Board, BoardFactory)>, RunError> {
    // Errors of the trace are reported when it is opened.
    let Some(trace) = runner::open_trace(file).ok().filter(|_| is_trace(file)) else {
        return Ok(None);
    };
    match factory.for_trace(&trace)? {
        BoardFactory::Described(board) => {
            let name = Board::Described(board.path().to_owned());
            Ok(Some((name, BoardFactory::Described(board))))
        }
        _ => Ok(None),
    }
}

fn is_trace(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("trace"))
}

/// Rebuilds of the firmware, and the engine of the first one if another process runs it.
type Watched = (Option<Box<dyn Rebuilds>>, Option<Engine>);

/// With `--watch`: watches the sources and builds them.
#[cfg(feature = "window")]
fn watched(args: &RunArgs, factory: &BoardFactory, session: &Session) -> Result<Watched, RunError> {
    use watch::{Wanted, Watch, first};

    if !args.watch {
        return Ok((None, None));
    }
    let (first, folder) = first(&args.board, factory)?;
    let (header, image) = (session.header.clone(), session.image.clone());
    let engine = crate::board_factory::is_own_firmware(factory)
        .then(|| first.engine(&header, image.as_deref()));
    let described = match factory {
        BoardFactory::Described(board) => board.program_path().map(Path::to_owned),
        _ => None,
    };
    let wanted = Wanted {
        board: args.board.clone(),
        described,
        build: args.build.clone(),
        target: args.target.clone(),
        header,
        image,
    };
    let watch = Watch::start(wanted, first, folder)?;
    Ok((Some(Box::new(watch)), engine))
}

/// Stub without a window: `view` has already refused such a session.
#[cfg(not(feature = "window"))]
fn watched(_: &RunArgs, _: &BoardFactory, _: &Session) -> Result<Watched, RunError> {
    Ok((None, None))
}

/// Returns a description of the session, and its files.
fn identity(
    args: &RunArgs,
    factory: &BoardFactory,
    session: &Session,
    kept: Option<&Path>,
    is_copy: bool,
) -> [String; 2] {
    let mut header = session.header.clone();
    let is_described = matches!(factory, BoardFactory::Described(_));
    if !is_described && !header.iter().any(|entry| entry.key == "game") {
        let settings = session.image.clone().and_then(|image| {
            let mut chip = FlashChip::from_image(image).ok()?;
            Some(firmware_core::storage::start(&mut chip).settings)
        });
        let game = settings.map_or(Settings::FACTORY_NEW.game, |settings| settings.game);
        header.push(HeaderEntry::new("game", game.system().name));
    }
    let flash = match kept {
        Some(kept) => format!("flash {}", kept.display()),
        None if is_copy => "a copy of a flash".to_owned(),
        None => "a flash that is not kept".to_owned(),
    };
    let record = args.record.as_ref().map(|path| format!("{}, ", path.display()));
    let files = format!("{}{flash}", record.unwrap_or_default());
    [identity_of(&args.board, factory, &header), files]
}

/// Draws a random seed of 32 bits, so that it can be read out.
fn draw_seed() -> Result<u64, RunError> {
    getrandom::u32().map(u64::from).map_err(RunError::NoSeed)
}

/// Locks the file of the flash for this session.
fn lock(path: PathBuf) -> Result<FlashFile, RunError> {
    FlashFile::lock(path).map_err(|error| match error {
        LockError::Held { path } => RunError::FlashInUse(path),
        error @ LockError::Io { .. } => RunError::Lock(error),
    })
}

/// Returns the columns of the cups on the panel, for the buttons above and below them.
fn columns() -> [u32; 6] {
    let layout = Layout::new(PANEL);
    [0, 1, 2, 3, 4, 5].map(|nth| layout.button_column(nth))
}

/// Returns the buttons that choose `entry` without the menu: RESET, and the button that the
/// firmware names for it.
fn chord(entry: Entry) -> Chord {
    let found = CHORDS.iter().find(|(_, chosen)| *chosen == entry);
    // A test checks every entry that has a key.
    let pressed = found.and_then(|(button, _)| Button::LCD_BOARD.get(button.index()).copied());
    Chord { held: Button::Reset, pressed: pressed.unwrap_or(Button::Reset) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_for_undo_and_help_press_the_firmwares_chords() {
        let pressed = [Entry::Undo, Entry::Help].map(|entry| chord(entry).pressed);
        assert_eq!(pressed, [Button::T6, Button::T5]);
    }

    #[test]
    fn the_buttons_stand_over_six_columns_of_the_panel() {
        let columns = super::columns();
        assert!(columns.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(columns[5] < PANEL.width);
    }
}
