//! Start of a session: its machine, and how it is described.

use std::sync::Arc;

use hal_mock::{Machine, setup::SetupError};
use reading::text::Reader;
use trace::{BoardParts, HeaderEntry};

use super::debugger::Debugger;
use super::input_log::InputLog;
use super::separate_process::SeparateProcess;

/// Builds equal machines, on the thread that will run them.
pub type MachineFactory = Box<dyn Fn() -> Result<Box<dyn Machine>, SetupError> + Send>;

/// Place where a machine runs.
pub enum Engine {
    /// A thread of this process.
    Here(MachineFactory),
    /// A process of its own.
    SeparateProcess(SeparateProcess),
}

/// Components of a session that is to be started.
pub struct Start {
    /// Machine: the board, its seed, and the content of its flash.
    pub machine: Engine,
    /// Reader of text on the LCD.
    pub reader: Reader,
    /// Board, as `--board` names it: the studio runs the same one.
    pub board: String,
    /// Identity in a few words: the board, the game, the seed, the program; and the files.
    pub identity: [String; 2],
    /// Parts of the board, which the recording names.
    pub parts: BoardParts,
    /// Header of the session's trace: a replay builds the same machine from it.
    pub header: Vec<HeaderEntry>,
    /// Initial content of the flash, if a header cannot name it.
    pub image: Option<Vec<u8>>,
    /// Inputs that are given at once when the session begins.
    pub before: Option<InputLog>,
    /// Debugger of the firmware. The machines that the engine builds have it.
    pub debugger: Option<Arc<dyn Debugger>>,
}
