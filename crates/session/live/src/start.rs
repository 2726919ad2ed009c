//! What runs in a session: its machine, and all that is told of it.

use hal_mock::{Machine, setup::SetupError};
use reading::text::Reader;
use trace::HeaderEntry;

use super::input_log::InputLog;
use super::separate_process::SeparateProcess;

/// Builds machines that are alike, on the thread that will run them.
pub type MachineFactory = Box<dyn Fn() -> Result<Box<dyn Machine>, SetupError> + Send>;

/// Where a machine runs.
pub enum Engine {
    /// On a thread of this process.
    Here(MachineFactory),
    /// In a process of its own.
    SeparateProcess(SeparateProcess),
}

/// What runs in a session.
pub struct Start {
    /// Runs the machine: the board, its seed, and what its flash holds.
    pub machine: Engine,
    /// Reads text on its LCD.
    pub reader: Reader,
    /// The board, as `--board` names it: the studio runs the same one.
    pub board: String,
    /// What runs, in a few words: the board, the game, the seed, the program; and the files.
    pub identity: [String; 2],
    /// The header of its trace: what a replay needs to build the same machine.
    pub header: Vec<HeaderEntry>,
    /// What the flash holds at the beginning, if a header cannot say it.
    pub image: Option<Vec<u8>>,
    /// What is done at once when the session begins.
    pub before: Option<InputLog>,
}
