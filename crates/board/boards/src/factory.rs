//! Builds the machines of a [`Board`].

use std::num::NonZero;
use std::sync::Arc;

use hal_mock::{Machine, setup::SetupError};
use rp2040_emulator::program::{Program, ProgramError};
use trace::{BoardParts, Trace};

use crate::board::{Board, ProbePort};
use crate::described::{self, DescribedBoard, DescribedError};
use crate::emulated_probe::{self, EmulatedProbeError};
use crate::header;
use crate::pico::Pico;
use crate::pico::firmware::{self, FirmwareError};
use crate::probe::{self, BoardSettings, NoProbes, ProbePool};
use crate::{native, pico};
use host::heap::HeapMeter;

/// Reason why no machines of a board can be built.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// `probe:emulated`: one of the two programs cannot be loaded.
    #[error(transparent)]
    EmulatedProbe(#[from] EmulatedProbeError),
    /// `probe:emulated` was requested for a window or a terminal.
    #[error(
        "the board `probe:emulated` is two emulated chips, slower than real time: it replays traces; play on \
         `--board pico`"
    )]
    NoSessions,
    /// `probe`: no probe can be used.
    #[error(transparent)]
    Probe(#[from] NoProbes),
    /// The subcommand needs boards in virtual time.
    #[error(
        "the board `{0}` is behind a probe: this needs boards that can be copied and taken back in time, \
         `--board native` or `--board pico`"
    )]
    NotVirtual(Board),
    /// `pico`: the firmware cannot be loaded.
    #[error(transparent)]
    Firmware(#[from] FirmwareError),
    /// The board of a board file cannot run.
    #[error(transparent)]
    Described(Box<DescribedError>),
    /// `pico=FILE`: the file cannot be loaded.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// Builds machines of one kind.
#[derive(Clone, Debug)]
pub enum BoardFactory {
    /// Machines of [`native`], or of the board that a trace's header names. The meter counts the
    /// firmware's heap allocations; without one, `expect heap none` fails.
    Native(Option<HeapMeter>),
    /// Machines of [`pico`], which all run this program.
    Pico(Arc<Program>),
    /// Machines of a board that a board file describes.
    Described(Arc<DescribedBoard>),
    /// Machines of [`probe`]; each is the board of one of these probes.
    Probe(Arc<ProbePool>, BoardSettings),
    /// Machines of [`emulated_probe`], with the board's program and the
    /// probe's.
    EmulatedProbe(Arc<Program>, Arc<Program>),
}

/// Returns the factory of [`native`] without a heap meter.
impl Default for BoardFactory {
    fn default() -> Self {
        Self::Native(None)
    }
}

impl BoardFactory {
    /// Returns the factory of `board`. Loads the program if the board runs one.
    ///
    /// # Errors
    /// If the program cannot be loaded, or there is no probe.
    pub fn of(board: &Board) -> Result<Self, BoardError> {
        let program = match board {
            Board::Native => return Ok(Self::default()),
            Board::Pico(Some(file)) => Program::load(file)?,
            Board::Pico(None) => firmware::built()?,
            Board::Described(file) => {
                return Ok(Self::Described(Arc::new(
                    DescribedBoard::load(file)
                        .map_err(|error| BoardError::Described(Box::new(error)))?,
                )));
            }
            Board::Probe(ProbePort::Emulated) => {
                let (board, probe) = (firmware::built()?, emulated_probe::built()?);
                return Ok(Self::EmulatedProbe(Arc::new(board), Arc::new(probe)));
            }
            Board::Probe(port) => {
                let pool = Arc::new(probe::pool(port)?);
                return Ok(Self::Probe(pool, BoardSettings::OfHeader { any_firmware: false }));
            }
        };
        Ok(Self::Pico(Arc::new(program)))
    }

    /// Sets `meter` for machines that cannot determine by themselves whether their firmware uses a
    /// heap.
    #[must_use]
    pub fn with_heap_meter(self, meter: HeapMeter) -> Self {
        match self {
            Self::Native(_) => Self::Native(Some(meter)),
            other => other,
        }
    }

    /// Lets a real board keep its own settings, for interactive use, instead of setting it up from
    /// a header.
    #[must_use]
    pub fn keeping_settings(self) -> Self {
        match self {
            Self::Probe(pool, _) => Self::Probe(pool, BoardSettings::SharedProbe),
            other => other,
        }
    }

    /// Lets a real board run a firmware that was built from other sources than this program's.
    #[must_use]
    pub fn with_any_firmware(self) -> Self {
        match self {
            Self::Probe(pool, BoardSettings::OfHeader { .. }) => {
                Self::Probe(pool, BoardSettings::OfHeader { any_firmware: true })
            }
            other => other,
        }
    }

    /// Builds the board that a trace's header describes, with its power off. Settings that the
    /// header does not name come from `flash`, or are those of a factory-new board.
    ///
    /// # Errors
    /// If the header is wrong; see [`HeaderErrorKind`](crate::header::HeaderErrorKind).
    pub fn build(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Box<dyn Machine>, SetupError> {
        match self {
            Self::Native(meter) => match described::of_header(trace)? {
                Some(board) => board.machine(trace, flash),
                None => native::build_metered(trace, flash, *meter),
            },
            Self::Pico(program) => pico::build(program, trace, flash),
            Self::Described(board) => board.machine(trace, flash),
            Self::Probe(pool, settings) => probe::build(pool, *settings, trace, flash.is_some()),
            Self::EmulatedProbe(board, probe) => emulated_probe::build(board, probe, trace, flash),
        }
    }

    /// Returns the factory for a trace: for the default board `native` and a trace whose header names
    /// a board file, that of the described board.
    ///
    /// # Errors
    /// If the described board cannot run.
    pub fn for_trace(&self, trace: &Trace) -> Result<Self, SetupError> {
        if let Self::Native(_) = self
            && let Some(board) = described::of_header(trace)?
        {
            return Ok(Self::Described(Arc::new(board)));
        }
        Ok(self.clone())
    }

    /// Builds the machine like [`build`](Self::build), if it is an emulated chip on a virtual board.
    ///
    /// # Errors
    /// As for [`build`](Self::build).
    pub fn build_pico(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Option<Pico>, SetupError> {
        Ok(match self {
            Self::Pico(program) => {
                Some(Pico::new(Arc::clone(program), header::board(trace, flash)?))
            }
            Self::Described(board) => board.pico(trace, flash)?,
            Self::Native(_) | Self::Probe(..) | Self::EmulatedProbe(..) => None,
        })
    }

    /// Returns the program that the machines run, if they are chips.
    pub fn program(&self) -> Option<&Arc<Program>> {
        match self {
            Self::Native(_) | Self::Probe(..) | Self::EmulatedProbe(..) => None,
            Self::Pico(program) => Some(program),
            Self::Described(board) => board.program(),
        }
    }

    /// Returns the parts of the board that the lines of a trace name; `None` if the header of the
    /// trace names the board.
    pub fn parts(&self) -> Option<BoardParts> {
        match self {
            Self::Native(_) => None,
            Self::Described(board) => Some(board.parts().clone()),
            Self::Pico(_) | Self::Probe(..) | Self::EmulatedProbe(..) => {
                Some(BoardParts::lcd_board())
            }
        }
    }

    /// Returns the maximum number of simultaneous machines; `None` if only memory limits it.
    pub fn at_once(&self) -> Option<NonZero<usize>> {
        match self {
            Self::Native(_) | Self::Pico(_) | Self::Described(_) | Self::EmulatedProbe(..) => None,
            Self::Probe(pool, _) => NonZero::new(pool.count()),
        }
    }
}
