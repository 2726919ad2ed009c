//! The boards by their names: what `--board` asks for becomes something that builds machines.

use std::sync::Arc;

use hal_mock::Machine;
use hal_mock::trace::Trace;

use crate::native;
use crate::pico::{self, Program};
use crate::setup::{Board, SetupError};

/// Builds machines of one kind.
#[derive(Clone, Debug, Default)]
pub enum Maker {
    /// See [`native`].
    #[default]
    Native,
    /// See [`pico`]; all of them run this program.
    Pico(Arc<Program>),
}

impl Maker {
    /// For `board`, whose program is read if it needs one.
    ///
    /// # Errors
    /// If the program cannot be had, or the board is not built yet.
    pub fn of(board: &Board) -> Result<Self, SetupError> {
        let program = match board {
            Board::Native => return Ok(Self::Native),
            Board::Pico(Some(file)) => Program::read(file),
            Board::Pico(None) => Program::built(),
            Board::Serial => {
                return Err(SetupError::new(
                    "the board `serial` is not built yet; use `--board native` or `--board pico`",
                ));
            }
        };
        let program = program.map_err(|error| SetupError::new(error.to_string()))?;
        Ok(Self::Pico(Arc::new(program)))
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
            Self::Native => native::build(trace, flash),
            Self::Pico(program) => pico::build(program, trace, flash),
        }
    }
}
