//! Your firmware on a virtual LCD board.
//!
//! An application is a board file, and a firmware that gets the parts of the board as types of
//! embedded-hal. Its `main` is one line, as in `examples/thermostat`:
//!
//! ```ignore
//! nudge::main(nudge::board!("thermostat.board.toml"), Thermostat::new)
//! ```
//!
//! [`main()`] is the command `nudge` for this firmware: `run` opens the window, `replay` judges traces.
//! A firmware is polled ([`Firmware`]), blocks ([`blocking`]) or is asynchronous ([`executor`]). It runs
//! in virtual time, and is deterministic as long as it gets everything from its pins. [`test!`] makes a
//! folder of traces a test.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use board_file::BoardFile;
use boards::identity::FirmwareIdentity;
use boards::{DescribedBoard, LinkedFirmware};
use firmware_process::FirmwareProgram;
use hal_mock::setup::SetupError;
use hal_mock::{BoardConfig, Machine};
use host::heap::HEAP_METER;
use reading::text::Reader;
use trace::{BoardParts, Trace};

pub use linked::*;

/// A board file that is compiled into the application. [`board!`](crate::board!) makes it.
///
/// `FIRMWARE_ONLY` is true in a build of `run --watch`: [`main()`] then links no command, but the process
/// that the running command starts.
#[derive(Clone, Debug)]
pub struct Board<const FIRMWARE_ONLY: bool = false> {
    path: PathBuf,
    text: &'static str,
}

impl Board {
    /// Returns the board file at `path`, which had this text when the application was compiled. The file
    /// is read again at each start if it is still there.
    pub fn new(path: impl Into<PathBuf>, text: &'static str) -> Self {
        Self::of(path, text)
    }
}

impl<const FIRMWARE_ONLY: bool> Board<FIRMWARE_ONLY> {
    #[doc(hidden)]
    pub fn of(path: impl Into<PathBuf>, text: &'static str) -> Self {
        Self { path: path.into(), text }
    }

    /// Returns the board with its firmware.
    ///
    /// # Errors
    /// If the board file, or a file that it names, has errors.
    #[doc(hidden)]
    pub fn with_firmware<Form>(
        &self,
        firmware: impl IntoApplication<Form>,
    ) -> Result<DescribedBoard, Box<boards::DescribedError>> {
        let firmware = firmware.into_application();
        let current = match board_file::read(&self.path) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(_) => None,
        };
        let text = current.as_deref().unwrap_or(self.text);
        Ok(DescribedBoard::linked(&self.path, text, Arc::new(OnBoards(firmware)))?)
    }
}

/// The firmware of an application, on boards.
struct OnBoards(Application);

impl fmt::Debug for OnBoards {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl LinkedFirmware for OnBoards {
    fn machine(&self, file: &Arc<BoardFile>, config: BoardConfig) -> Box<dyn Machine> {
        let machine = LinkedMachine::new(Arc::clone(file), self.0.clone(), config);
        Box::new(machine.with_heap_meter(HEAP_METER))
    }
}

/// Runs the command `nudge` with the arguments of this program. Its board `native` is `board`, which runs
/// `firmware`.
///
/// `firmware` is called at each power-on, perhaps on several threads: for each trace of a suite, and when
/// a session goes back in time. The exit code is that of `nudge`; 2 if the board file has an error.
pub fn main<const FIRMWARE_ONLY: bool, Form>(
    board: Board<FIRMWARE_ONLY>,
    firmware: impl IntoApplication<Form>,
) -> ExitCode
where
    Board<FIRMWARE_ONLY>: Program,
{
    match board.with_firmware(firmware) {
        Ok(described) => board.run(described),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// The program that an application becomes. The choice is made by types, so that a program without the
/// command does not link it.
#[doc(hidden)]
pub trait Program {
    /// Runs the program.
    fn run(&self, board: DescribedBoard) -> ExitCode;
}

/// The command.
impl Program for Board<false> {
    fn run(&self, board: DescribedBoard) -> ExitCode {
        ::simulator::main_of(board, None)
    }
}

/// The firmware alone.
impl Program for Board<true> {
    fn run(&self, board: DescribedBoard) -> ExitCode {
        firmware_process::main(Arc::new(OnlyFirmware(board)))
    }
}

/// The board of a program that is its firmware and nothing else.
struct OnlyFirmware(DescribedBoard);

impl FirmwareProgram for OnlyFirmware {
    fn machine(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Box<dyn Machine>, SetupError> {
        // The board always has a linked firmware.
        self.0
            .linked_machine(trace, flash)?
            .ok_or_else(|| SetupError::new(boards::DescribedError::NoProgram))
    }

    fn parts(&self) -> Option<BoardParts> {
        Some(self.0.parts().clone())
    }

    fn reader(&self) -> Reader {
        Reader::new(firmware_board::native::fonts())
    }

    fn name(&self) -> String {
        match FirmwareIdentity::described(&self.0) {
            Ok(identity) => identity.name(|path| path.display().to_string()),
            Err(_) => "native".to_owned(),
        }
    }
}

/// Names a board file, whose path is relative to the package's folder, and compiles it in.
#[macro_export]
macro_rules! board {
    ($path:literal) => {
        $crate::Board::<{ ::core::option_env!("NUDGE_FIRMWARE_ONLY").is_some() }>::of(
            ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", $path),
            ::core::include_str!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", $path)),
        )
    };
}

/// Replays the traces of a folder, whose path is relative to the package's folder, and fails with their
/// report unless all pass. The application is the package's binary `sim`, or the one that is named. For
/// tests in the folder `tests` of the package:
///
/// ```ignore
/// #[test]
/// fn traces() {
///     nudge::test!("traces");
/// }
/// ```
#[macro_export]
macro_rules! test {
    ($folder:literal) => {
        $crate::replay(
            ::core::env!("CARGO_BIN_EXE_sim"),
            ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", $folder),
        )
    };
    ($folder:literal, $binary:literal) => {
        $crate::replay(
            ::core::env!(::core::concat!("CARGO_BIN_EXE_", $binary)),
            ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", $folder),
        )
    };
}

/// Replays the traces in `folder` by the application at `program`.
///
/// # Panics
/// With the report, unless all traces pass; also if there is none.
#[doc(hidden)]
pub fn replay(program: impl AsRef<Path>, folder: impl AsRef<Path>) {
    let program = program.as_ref();
    let replayed = Command::new(program).arg("replay").arg(folder.as_ref()).output();
    let output = match replayed {
        Ok(output) => output,
        Err(error) => panic!("{}: {error}", program.display()),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    print!("{out}");
    assert!(output.status.success(), "{out}{err}");
}
