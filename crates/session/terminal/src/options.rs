//! What a session in the terminal is opened with.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use host::clock::Speed;
use live::keymap::Keymap;
use live::{Chords, Files, Services, Start};

/// How the LCD is to be shown: `--tty-graphics`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Graphics {
    /// As pixels where the terminal says that it can, otherwise in half blocks.
    #[default]
    Auto,
    /// In half blocks: two pixels a cell.
    Blocks,
    /// By kitty's graphics protocol.
    Kitty,
    /// As sixels.
    Sixel,
    /// By iTerm2's protocol for inline images.
    Iterm,
}

/// The options of a session.
pub struct TerminalOptions {
    /// What runs.
    pub start: Start,
    /// What is asked of the command.
    pub host: Box<dyn Services>,
    /// The middles of the six columns of buttons, in pixels of the panel.
    pub columns: [u32; 6],
    /// The session's files.
    pub files: Files,
    /// Ends the session when it is set, as Ctrl-C does.
    pub quit: Arc<AtomicBool>,
    /// Stops the process when it is set, with the terminal given back, as Ctrl-Z does.
    pub suspend: Arc<AtomicBool>,
    /// `--speed`.
    pub speed: Speed,
    /// What the keys for Undo and Help press.
    pub chords: Chords,
    /// `--keymap`, or the default.
    pub keymap: Keymap,
    /// `--console`: the pane has its room before the LCD.
    pub console: bool,
    /// `--tty-graphics`.
    pub graphics: Graphics,
}
