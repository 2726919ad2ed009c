//! Builds the machines of a [`Board`].

use std::num::NonZero;
use std::sync::Arc;

use hal_mock::{Machine, setup::SetupError};
use rp2040_emulator::program::{Program, ProgramError};
use trace::{BoardParts, Trace};

use crate::board::{Board, ProbePort};
use crate::described::{self, DescribedBoard, DescribedError};
use crate::emulated_probe::{self, EmulatedProbeError};
use crate::lcd_firmware::LcdFirmware;
use crate::pico;
use crate::pico::Pico;
use crate::pico::firmware::FirmwareError;
use crate::probe::{self, BoardSettings, NoProbes, ProbePool};
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
         `native` or `pico`"
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

/// Builds machines of one kind. All but those of a board file have the LCD board, whose firmware the
/// application passes.
#[derive(Clone, Debug)]
pub enum BoardFactory {
    /// Machines that run this firmware, or of the board that a trace's header names. The meter counts the
    /// firmware's heap allocations; without one, `expect heap none` fails.
    Native(&'static dyn LcdFirmware, Option<HeapMeter>),
    /// Machines of [`pico`], which all run this program, with the settings of the firmware.
    Pico(&'static dyn LcdFirmware, Arc<Program>),
    /// Machines of a board that a board file describes.
    Described(Arc<DescribedBoard>),
    /// Machines of [`probe`]; each is the board of one of these probes.
    Probe(&'static dyn LcdFirmware, Arc<ProbePool>, BoardSettings),
    /// Machines of [`emulated_probe`], with the board's program and the
    /// probe's.
    EmulatedProbe(&'static dyn LcdFirmware, Arc<Program>, Arc<Program>),
}

impl BoardFactory {
    /// Returns the factory of `board`, whose LCD board has this firmware. Loads the program if the board
    /// runs one.
    ///
    /// # Errors
    /// If the program cannot be loaded, or there is no probe.
    pub fn of(board: &Board, firmware: &'static dyn LcdFirmware) -> Result<Self, BoardError> {
        let program = match board {
            Board::Native => return Ok(Self::Native(firmware, None)),
            Board::Pico(Some(file)) => Program::load(file)?,
            Board::Pico(None) => pico::firmware::built()?,
            Board::Described(file) => {
                let board = DescribedBoard::load(file)
                    .map_err(|error| BoardError::Described(Box::new(error)))?;
                return Ok(Self::Described(Arc::new(board.with_lcd_settings(firmware.settings()))));
            }
            Board::Probe(ProbePort::Emulated) => {
                let (board, probe) = (pico::firmware::built()?, emulated_probe::built()?);
                return Ok(Self::EmulatedProbe(firmware, Arc::new(board), Arc::new(probe)));
            }
            Board::Probe(port) => {
                let pool = Arc::new(probe::pool(port)?);
                let settings = BoardSettings::OfHeader { any_firmware: false };
                return Ok(Self::Probe(firmware, pool, settings));
            }
        };
        Ok(Self::Pico(firmware, Arc::new(program)))
    }

    /// Sets `meter` for machines that cannot determine by themselves whether their firmware uses a
    /// heap.
    #[must_use]
    pub fn with_heap_meter(self, meter: HeapMeter) -> Self {
        match self {
            Self::Native(firmware, _) => Self::Native(firmware, Some(meter)),
            other => other,
        }
    }

    /// Lets a real board keep its own settings, for interactive use, instead of setting it up from
    /// a header.
    #[must_use]
    pub fn keeping_settings(self) -> Self {
        match self {
            Self::Probe(firmware, pool, _) => {
                Self::Probe(firmware, pool, BoardSettings::SharedProbe)
            }
            other => other,
        }
    }

    /// Lets a real board run a firmware that was built from other sources than this program's.
    #[must_use]
    pub fn with_any_firmware(self) -> Self {
        match self {
            Self::Probe(firmware, pool, BoardSettings::OfHeader { .. }) => {
                Self::Probe(firmware, pool, BoardSettings::OfHeader { any_firmware: true })
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
            Self::Native(firmware, meter) => match described::of_header(trace, *firmware)? {
                Some(board) => board.machine(trace, flash),
                None => {
                    let meter = meter.filter(|_| probe::expects_heap(trace));
                    Ok(firmware.machine(firmware.board(trace, flash)?, meter))
                }
            },
            Self::Pico(firmware, program) => pico::build(*firmware, program, trace, flash),
            Self::Described(board) => board.machine(trace, flash),
            Self::Probe(firmware, pool, settings) => {
                probe::build(*firmware, pool, *settings, trace, flash.is_some())
            }
            Self::EmulatedProbe(firmware, board, probe) => {
                emulated_probe::build(*firmware, board, probe, trace, flash)
            }
        }
    }

    /// Returns the factory for a trace: for the default board `native` and a trace whose header names
    /// a board file, that of the described board.
    ///
    /// # Errors
    /// If the described board cannot run.
    pub fn for_trace(&self, trace: &Trace) -> Result<Self, SetupError> {
        if let Self::Native(firmware, _) = self
            && let Some(board) = described::of_header(trace, *firmware)?
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
            Self::Pico(firmware, program) => {
                Some(Pico::new(Arc::clone(program), firmware.board(trace, flash)?))
            }
            Self::Described(board) => board.pico(trace, flash)?,
            Self::Native(..) | Self::Probe(..) | Self::EmulatedProbe(..) => None,
        })
    }

    /// Returns the program that the machines run, if they are chips.
    pub fn program(&self) -> Option<&Arc<Program>> {
        match self {
            Self::Native(..) | Self::Probe(..) | Self::EmulatedProbe(..) => None,
            Self::Pico(_, program) => Some(program),
            Self::Described(board) => board.program(),
        }
    }

    /// Returns the parts of the board that the lines of a trace name; `None` if the header of the
    /// trace names the board.
    pub fn parts(&self) -> Option<BoardParts> {
        match self {
            Self::Native(..) => None,
            Self::Described(board) => Some(board.parts().clone()),
            Self::Pico(..) | Self::Probe(..) | Self::EmulatedProbe(..) => {
                Some(BoardParts::lcd_board())
            }
        }
    }

    /// Returns the maximum number of simultaneous machines; `None` if only memory limits it.
    pub fn at_once(&self) -> Option<NonZero<usize>> {
        match self {
            Self::Native(..) | Self::Pico(..) | Self::Described(_) | Self::EmulatedProbe(..) => {
                None
            }
            Self::Probe(_, pool, _) => NonZero::new(pool.count()),
        }
    }
}
