//! What a session in the window is opened with.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hal_mock::Machine;
use hal_mock::setup::SetupError;
use hal_mock::trace::HeaderEntry;
use wall_clock::Speed;

use super::kept_flash::KeptFlash;
use crate::face::{Panel, Scale};
use crate::keymap::Keymap;
use crate::live::Chord;

/// Builds the machine, on the thread that will run it.
pub type MachineFactory = Box<dyn FnOnce() -> Result<Box<dyn Machine>, SetupError> + Send>;

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
    /// Builds the machine: the board, its seed, and what its flash holds.
    pub machine: MachineFactory,
    /// The panel and the columns of cups that the firmware draws on it.
    pub panel: Panel,
    /// `--record`: a file that does not exist yet.
    pub record: Option<PathBuf>,
    /// The recorded trace's header: what a replay needs to build the same machine.
    pub header: Vec<HeaderEntry>,
    /// The name and content of a flash file that is written beside the recording.
    pub flash_beside: Option<(String, Vec<u8>)>,
    /// Where the flash goes.
    pub flash: FlashChoice,
    /// Ends the session when it is set, as the closing of the window does.
    pub quit: Arc<AtomicBool>,
    /// `--scale`; `None` = what fits on the screen.
    pub scale: Option<Scale>,
    /// `--speed`.
    pub speed: Speed,
    /// `--mute`.
    pub mute: bool,
    /// What the keys for Undo and Help press.
    pub chords: Chords,
    /// `--keymap`, or the default.
    pub keymap: Keymap,
}
