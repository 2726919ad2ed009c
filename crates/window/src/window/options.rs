//! What a session in the window is opened with.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use wall_clock::Speed;

use super::host::Host;
use super::kept_flash::KeptFlash;
use super::start::Start;
use crate::face::{Panel, Scale, Theme};
use crate::keymap::Keymap;
use live::Chord;

/// Where the flash of a session goes.
pub enum FlashChoice {
    /// It is saved in this file whenever it has changed.
    Keep(KeptFlash),
    /// It is not saved.
    Discard,
    /// It is the copy of a file's, and not saved.
    Copy,
}

/// The buttons that the firmware takes for a wish when they are pressed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chords {
    /// Takes back a move.
    pub undo: Chord,
    /// Asks for a move.
    pub help: Chord,
}

/// The options of `nudge run`.
pub struct RunOptions {
    /// What runs.
    pub start: Start,
    /// What the window asks of the command.
    pub host: Box<dyn Host>,
    /// The panel and the columns of cups that the firmware draws on it.
    pub panel: Panel,
    /// `--record`: a file that does not exist yet.
    pub record: Option<PathBuf>,
    /// The name and content of a flash file that is written beside the recording.
    pub flash_beside: Option<(String, Vec<u8>)>,
    /// Where the flash goes.
    pub flash: FlashChoice,
    /// `--captures`: the folder of pictures and films.
    pub captures: PathBuf,
    /// Ends the session when it is set, as the closing of the window does.
    pub quit: Arc<AtomicBool>,
    /// `--scale`; `None` = what fits on the screen.
    pub scale: Option<Scale>,
    /// `--speed`.
    pub speed: Speed,
    /// `--mute`.
    pub mute: bool,
    /// `--bare`: the panel without the board.
    pub bare: bool,
    /// `--full-screen`.
    pub full_screen: bool,
    /// `--console`: the pane beside the board.
    pub console: bool,
    /// `--light`, or dark.
    pub theme: Theme,
    /// What the keys for Undo and Help press.
    pub chords: Chords,
    /// `--keymap`, or the default.
    pub keymap: Keymap,
}
