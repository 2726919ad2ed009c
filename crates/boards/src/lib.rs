//! The machines that run a trace: firmware and virtual board joined.
//!
//! [`Board`] is what `--board` names, [`BoardFactory`] builds machines of it: [`native`] is
//! `firmware-core` compiled for the host, [`pico`] the flashed program on an emulated RP2040.
//! A [`heap_meter`] is handed in; this crate has none.
//! [`header`] checks a trace's header and writes it into the board's flash with the firmware's own
//! code. [`flash_file`], [`flash_files`] and [`game_text`] open a flash image and give its saved
//! games and logs as text; [`session`] prepares an interactive session.
//!
//! **Invariant:** apart from `analysis`, this is the only library that knows firmware and board.

mod board;
pub mod flash_file;
pub mod flash_files;
pub mod game_text;
pub mod header;
pub use hal_mock::heap_meter;
pub mod native;
pub mod pico;
pub mod session;
mod suggestion;

use std::sync::Arc;

use hal_mock::Machine;
use hal_mock::trace::Trace;

use hal_mock::setup::SetupError;
use rp2040_emulator::program::{Program, ProgramError};

use crate::heap_meter::HeapMeter;
use crate::pico::firmware::{self, FirmwareError};

pub use board::{Board, BoardNameError};

/// Why no machines of a board can be built.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// `serial` is planned.
    #[error("the board `serial` is not built yet; use `--board native` or `--board pico`")]
    SerialNotBuilt,
    /// `pico`: the firmware cannot be loaded.
    #[error(transparent)]
    Firmware(#[from] FirmwareError),
    /// `pico=FILE`: the file cannot be loaded.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// Builds machines of one kind.
#[derive(Clone, Debug)]
pub enum BoardFactory {
    /// See [`native`]. The meter counts what the firmware takes from the heap; without one
    /// `expect heap none` fails.
    Native(Option<HeapMeter>),
    /// See [`pico`]; all of them run this program.
    Pico(Arc<Program>),
}

/// [`native`], without a heap meter.
impl Default for BoardFactory {
    fn default() -> Self {
        Self::Native(None)
    }
}

impl BoardFactory {
    /// For `board`, whose program is read if it needs one.
    ///
    /// # Errors
    /// If the program cannot be had, or the board is not built yet.
    pub fn of(board: &Board) -> Result<Self, BoardError> {
        let program = match board {
            Board::Native => return Ok(Self::default()),
            Board::Pico(Some(file)) => Program::load(file)?,
            Board::Pico(None) => firmware::built()?,
            Board::Serial => return Err(BoardError::SerialNotBuilt),
        };
        Ok(Self::Pico(Arc::new(program)))
    }

    /// The same, with `meter` for machines that cannot tell by themselves whether their firmware
    /// uses a heap.
    #[must_use]
    pub fn with_heap_meter(self, meter: HeapMeter) -> Self {
        match self {
            Self::Native(_) => Self::Native(Some(meter)),
            Self::Pico(program) => Self::Pico(program),
        }
    }

    /// The board that a trace's header asks for, its power off. Settings that the header does
    /// not name come from `flash`, or are a factory-new board's.
    ///
    /// # Errors
    /// If the header asks for something that does not exist.
    pub fn build(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Box<dyn Machine>, SetupError> {
        match self {
            Self::Native(meter) => native::build_metered(trace, flash, *meter),
            Self::Pico(program) => pico::build(program, trace, flash),
        }
    }
}
