//! Options of a session in the window.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use host::clock::Speed;
use ili9341_model::ViewingAngle;

use super::remembered::Remembered;
use crate::face::{BoardFace, Scale, Theme};
use live::keymap::Keymap;
use live::{Chords, Files, Rebuilds, Services, Start};

/// Stores a key map, and returns where.
pub type KeepKeymap = Box<dyn Fn(&Keymap) -> io::Result<PathBuf>>;

/// The options of `nudge run`.
pub struct RunOptions {
    pub start: Start,
    /// Services of the command.
    pub services: Box<dyn Services>,
    /// `--watch`: the firmware is rebuilt when its sources are saved.
    pub rebuilds: Option<Box<dyn Rebuilds>>,
    /// The board whose face is shown, with its panel.
    pub board: BoardFace,
    pub files: Files,
    /// Ends the session when it is set, as the closing of the window does.
    pub quit: Arc<AtomicBool>,
    /// `--scale`; `None` chooses the largest that fits on the screen.
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
    /// `--panel angle`: the direction from which the LCD is seen.
    pub angle: ViewingAngle,
    /// `--panel tearing`: the LCD line by line, as it is scanned.
    pub tearing: bool,
    /// `--light`; dark is the default.
    pub theme: Theme,
    /// Buttons that the keys for Undo and Help press.
    pub chords: Chords,
    /// `--keymap`, or the default.
    pub keymap: Keymap,
    /// Stores a key map that was changed; `None` if `--keymap` names one.
    pub keep_keymap: Option<KeepKeymap>,
    /// Look of the last window, where no option names another.
    pub remembered: Remembered,
    /// Stores the look of this window when it is closed.
    pub remember: Box<dyn Fn(&Remembered)>,
}
