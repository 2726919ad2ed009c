//! A session in the window or in the terminal: from the arguments of `nudge run` to its exit code.

mod prepare;

use std::io::{self, Write};
use std::path::Path;
#[cfg(feature = "window")]
use std::sync::Arc;

use boards::Board;
use firmware_core::lcd::PANEL;
use host::Exit;
use live::RecentSession;
#[cfg(feature = "window")]
use live::keymap::Keymap;
use trace::BoardParts;

#[cfg(feature = "window")]
use super::keymaps::keymap_file;
use super::recent::RecentSessions;
use super::refuse;
use super::signals;
use super::view::{Surroundings, View, view};
use crate::board_factory::session_factory;
use crate::cli::RunArgs;
#[cfg(feature = "terminal")]
use crate::cli::TtyGraphics;
use crate::cli::panel_look::PanelLook;
use crate::data_folder;
use crate::trace::tidy;
use prepare::{Prepared, RunError, prepare};

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
            // The flash that is kept is that of the LCD board.
            if crate::board_factory::is_lcd_board(&args.board) {
                args.flash = args.flash.or_else(data_folder::flash_file);
            }
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

    let Prepared { mut start, services, described, columns, files, speed, .. } = prepared;
    let Prepared { chords, keymap, console, tty_graphics, .. } = prepared;
    let board = match described {
        Some(board) => {
            let BoardParts { buttons, controls, panel, displays, .. } = board.parts();
            if let [first, _, ..] = displays.all() {
                // The terminal shows one display; the window has all.
                let [identity, _] = &mut start.identity;
                *identity +=
                    &format!(", shows {} of {} displays", first.name(), displays.all().len());
            }
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
