//! Options of a session in the terminal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::layout::Caps;
use host::clock::Speed;
use live::keymap::Keymap;
use live::{Chords, Files, Services, Start};

/// How the LCD is shown: `--tty-graphics`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Graphics {
    /// As pixels where the terminal reports that it can, otherwise in half blocks.
    #[default]
    Auto,
    /// In half blocks: two pixels a cell.
    Blocks,
    /// By kitty's graphics protocol.
    Kitty,
    Sixel,
    /// By iTerm2's protocol for inline images.
    Iterm,
}

/// The board that is shown.
#[derive(Clone, Debug)]
pub struct TerminalBoard {
    /// Width and height of the panel in pixels.
    pub panel: (usize, usize),
    /// Places of the buttons.
    pub buttons: Caps,
}

/// The options of a session.
pub struct TerminalOptions {
    pub start: Start,
    /// Services of the command.
    pub services: Box<dyn Services>,
    pub board: TerminalBoard,
    pub files: Files,
    /// Ends the session when it is set, as Ctrl-C does.
    pub quit: Arc<AtomicBool>,
    /// Suspends the process when it is set, as Ctrl-Z does. The terminal is restored first.
    pub suspend: Arc<AtomicBool>,
    /// `--speed`.
    pub speed: Speed,
    /// Buttons that the keys for Undo and Help press.
    pub chords: Chords,
    /// `--keymap`, or the default.
    pub keymap: Keymap,
    /// `--console`: the pane is laid out before the LCD.
    pub console: bool,
    /// `--tty-graphics`.
    pub graphics: Graphics,
}
