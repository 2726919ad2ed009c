//! A session in the window or in the terminal: from the arguments of `nudge run` to its exit code.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boards::session::{Session, SessionError, SessionOptions};
use boards::{Board, BoardError, BoardFactory, DescribedBoard};
use firmware_core::app::CHORDS;
use firmware_core::lcd::PANEL;
use firmware_core::menu::Entry;
use firmware_core::screen::layout::Layout;
use firmware_core::storage::Settings;
use hal_mock::{flash::FlashChip, setup::SetupError};
use host::{Exit, clock::Speed, output_files::LockError};
use live::keymap::{Keymap, KeymapFileError};
use live::{
    Chord, Chords, Engine, Files, FlashChoice, FlashFile, Rebuilds, RecentSession, Services, Start,
};
use trace::{BoardParts, Button, HeaderEntry};

use super::gdb::{GdbError, SessionDebugger};
use super::keymaps::{default_keymap, kept_keymap, keymap_file};
use super::recent::RecentSessions;
use super::refuse;
use super::services::{CommandServices, identity_of};
use super::signals;
use super::view::{Surroundings, View, view};
use crate::board_factory::session_factory;
use crate::cli::panel_look::PanelLook;
use crate::cli::{RunArgs, TtyGraphics};
use crate::data_folder;
use crate::text_reader;
use crate::trace::tidy;

/// Runs a session until its window is closed or the user quits.
pub fn run(args: RunArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let test = args.record.clone().filter(|_| args.expect).map(|file| (file, args.board.clone()));
    let shown = match view(&args, Surroundings::of_process()) {
        Ok(shown) => shown,
        Err(why) => return refuse(err, why),
    };
    let window = OfWindow::of(&args);
    let recent = RecentSessions::of_user();
    let mut args = args;
    if args.last {
        match recent.last() {
            Some(RecentSession { path, board, .. }) => match board.parse() {
                Ok(board) => (args.file, args.board) = (Some(path), board),
                Err(error) => return refuse(err, error),
            },
            None => return refuse(err, RunError::NoLast),
        }
    }
    let recorded = args.record.clone().map(|path| (args.board.to_string(), path));
    // A watched session is always recorded, because the next firmware replays the recording.
    let kept = match &args.record {
        None if args.watch => {
            let path = data_folder::session_file();
            args.flash = args.flash.or_else(data_folder::flash_file);
            args.record = Some(path.clone());
            Some(path)
        }
        _ => None,
    };
    let prepared = match prepare(args) {
        Ok(prepared) => prepared,
        Err(why) => return refuse(err, why),
    };
    if let Some((board, path)) = recorded {
        recent.add(&board, &path);
    }
    let outcome = match shown {
        View::Window => show_in_window(prepared, window),
        View::Terminal => show_in_terminal(prepared),
    };
    if let (Ok(()), Some(path)) = (&outcome, &kept) {
        // The user did not request it, and nothing was lost.
        for path in [path.clone(), path.with_extension("flash"), path.with_extension("branches")] {
            let _ = std::fs::remove_file(path);
        }
    }
    match outcome {
        Ok(()) => match test {
            Some((recording, board)) => save_test(&recording, &board, out, err),
            None => Ok(Exit::Passed),
        },
        Err((error, code)) => {
            writeln!(err, "nudge: {error}")?;
            Ok(if code == 1 { Exit::Failed } else { Exit::Usage })
        }
    }
}

/// An error and the exit code for it.
type Failure = (Box<dyn std::error::Error>, u8);

/// Options that exist only for a window.
#[cfg_attr(not(feature = "window"), expect(dead_code))]
struct OfWindow {
    scale: Option<u32>,
    bare: bool,
    full_screen: bool,
    light: bool,
    panel: PanelLook,
    mute: bool,
}

impl OfWindow {
    fn of(args: &RunArgs) -> Self {
        let RunArgs { scale, bare, full_screen, light, panel, mute, .. } = *args;
        Self { scale, bare, full_screen, light, panel: panel.unwrap_or_default(), mute }
    }
}

/// Maximum number of bytes that are read of the file with the look of the last window.
#[cfg(feature = "window")]
const WINDOW_FILE_MAX: u64 = 4_096;

/// Shows the session in a window.
#[cfg(feature = "window")]
fn show_in_window(prepared: Prepared, options: OfWindow) -> Result<(), Failure> {
    use std::io::Read as _;

    use host::output_files::Output;
    use window::face::{BoardFace, DescribedFace, Panel, Scale, Theme};
    use window::{KeepKeymap, Remembered, RunOptions};

    let OfWindow { scale, bare, full_screen, light, panel: PanelLook { angle, tearing }, mute } =
        options;
    let Prepared { start, services, described, columns, files, speed, .. } = prepared;
    let Prepared { chords, keymap, has_own_keymap, console, rebuilds, .. } = prepared;
    let board = match &described {
        Some(board) => {
            let BoardParts { buttons, panel, .. } = board.parts();
            let panel = (panel.width.into(), panel.height.into());
            let face = DescribedFace::new(board.file(), buttons.all(), panel);
            BoardFace::Described(Arc::new(face))
        }
        None => Panel { width: PANEL.width, height: PANEL.height, columns }.into(),
    };
    let keep_keymap = keymap_file(described.as_deref()).filter(|_| !has_own_keymap).map(|file| {
        Box::new(move |keymap: &Keymap| {
            Output::new(&file).replace(true).write(keymap.to_string().as_bytes())?;
            Ok(file.clone())
        }) as KeepKeymap
    });
    let file = data_folder::window_file();
    let read = |file: &Path| {
        let mut text = String::new();
        let opened = host::input_files::open(file)?;
        opened.take(WINDOW_FILE_MAX).read_to_string(&mut text).map(|_| text)
    };
    let remembered = file.as_deref().and_then(|file| read(file).ok());
    let mut remembered = remembered.map_or(Remembered::default(), |text| Remembered::parse(&text));
    // The stored size is that of a window with the LCD board, whose face has another shape.
    let stored = remembered.size;
    let is_described = described.is_some();
    if is_described {
        remembered.size = None;
    }
    let remember = move |look: &Remembered| {
        if let Some(file) = &file {
            let size = if is_described { stored } else { look.size };
            let look = Remembered { size, ..*look };
            // The next window then looks like the one before.
            let _ = Output::new(file).replace(true).write(look.to_string().as_bytes());
        }
    };
    let options = RunOptions {
        start,
        services,
        rebuilds,
        board,
        files,
        quit: signals::listen(),
        scale: scale.and_then(Scale::new),
        speed,
        mute,
        bare,
        full_screen,
        console,
        angle,
        tearing,
        theme: if light { Theme::Light } else { Theme::Dark },
        chords,
        keymap,
        keep_keymap,
        remembered,
        remember: Box::new(remember),
    };
    window::run(options).map_err(|error| {
        let code = error.exit_code();
        (Box::new(error) as _, code)
    })
}

/// Stub without a window: `view` has already refused such a session.
#[cfg(not(feature = "window"))]
fn show_in_window(_: Prepared, _: OfWindow) -> Result<(), Failure> {
    Err((Box::new(super::view::NoView::NoWindow), 2))
}

/// Shows the session in the terminal.
#[cfg(feature = "terminal")]
fn show_in_terminal(prepared: Prepared) -> Result<(), Failure> {
    use terminal::{Caps, Graphics, TerminalBoard, TerminalOptions};

    let Prepared { start, services, described, columns, files, speed, .. } = prepared;
    let Prepared { chords, keymap, console, tty_graphics, .. } = prepared;
    let board = match described {
        Some(board) => {
            let BoardParts { buttons, controls, panel, .. } = board.parts();
            let panel = (panel.width.into(), panel.height.into());
            TerminalBoard { panel, buttons: Caps::below(buttons.all(), controls.all(), &keymap) }
        }
        None => {
            let panel = (PANEL.width as usize, PANEL.height as usize);
            TerminalBoard { panel, buttons: Caps::AroundPanel(columns) }
        }
    };
    let [quit, suspend] = signals::listen_in_terminal();
    let options = TerminalOptions {
        start,
        services,
        board,
        files,
        quit,
        suspend,
        speed,
        chords,
        keymap,
        console,
        graphics: match tty_graphics {
            TtyGraphics::Auto => Graphics::Auto,
            TtyGraphics::Blocks => Graphics::Blocks,
            TtyGraphics::Kitty => Graphics::Kitty,
            TtyGraphics::Sixel => Graphics::Sixel,
            TtyGraphics::Iterm => Graphics::Iterm,
        },
    };
    terminal::run(options).map_err(|error| {
        let code = error.exit_code();
        (Box::new(error) as _, code)
    })
}

/// Stub without a terminal view: `view` has already refused such a session.
#[cfg(not(feature = "terminal"))]
fn show_in_terminal(_: Prepared) -> Result<(), Failure> {
    Err((Box::new(super::view::NoView::NoTerminal), 2))
}

/// Converts the recording to a test. The recording is replaced only after the test has been
/// written.
fn save_test(
    recording: &Path,
    board: &Board,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    match session_factory(board) {
        Ok(factory) => {
            let to = tidy::TidyOutput { path: recording, force: true, expect: true };
            tidy::tidy_file(recording, to, &factory, out, err)
        }
        Err(error) => refuse(err, error),
    }
}

/// The reason why a session cannot start.
#[derive(Debug, thiserror::Error)]
enum RunError {
    #[error(
        "there is no last session whose file still exists: `nudge run FILE` opens one, and \
         `nudge run --record FILE` records one"
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
    NotWatched(#[from] super::watch::NotWatched),
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
struct Prepared {
    start: Start,
    services: Box<dyn Services>,
    /// Board of a board file.
    described: Option<Arc<DescribedBoard>>,
    /// Centres of the columns of cups, in pixels of the panel.
    columns: [u32; 6],
    files: Files,
    speed: Speed,
    chords: Chords,
    keymap: Keymap,
    /// Whether `--keymap` names the key map.
    #[cfg_attr(not(feature = "window"), expect(dead_code))]
    has_own_keymap: bool,
    console: bool,
    /// `--watch`.
    #[cfg_attr(not(feature = "window"), expect(dead_code))]
    rebuilds: Option<Box<dyn Rebuilds>>,
    #[cfg_attr(not(feature = "terminal"), expect(dead_code))]
    tty_graphics: TtyGraphics,
}

/// Reads the key map and the flash.
fn prepare(args: RunArgs) -> Result<Prepared, RunError> {
    let mut args = args;
    let mut factory = session_factory(&args.board)?;
    if let (BoardFactory::Native(_), Some(file)) = (&factory, &args.file)
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
    let options =
        SessionOptions { record: args.record.clone(), flash, seed, game: args.game, board };
    let session = Session::prepare(options)?;
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
    use super::watch::{Wanted, Watch, first};

    if !args.watch {
        return Ok((None, None));
    }
    let (first, folder) = first(&args.board, factory)?;
    let (header, image) = (session.header.clone(), session.image.clone());
    let engine = match factory {
        BoardFactory::Native(_) => Some(first.engine(&header, image.as_deref())),
        BoardFactory::Pico(_)
        | BoardFactory::Described(_)
        | BoardFactory::Probe(..)
        | BoardFactory::EmulatedProbe(..) => None,
    };
    let described = match factory {
        BoardFactory::Described(board) => Some(board.program_path().to_owned()),
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
    let pressed = found.and_then(|(button, _)| Button::ALL.get(button.index()).copied());
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
