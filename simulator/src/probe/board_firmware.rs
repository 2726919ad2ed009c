//! `nudge probe flash-board`: writes the board's firmware through the probe and the board's debug
//! port.

use std::io::{self, Write};
use std::path::PathBuf;

use boards::pico::firmware::{self, FirmwareError};
use boards::probe::{FlashedBoard, NoProbes, SwdError, flash_boards, program_sectors};
use host::Exit;
use rp2040_emulator::program::{Program, ProgramError};

use super::pool;
use crate::cli::ProbeFlashBoardArgs;

/// The probe's USB name, which its firmware contains.
const PROBE_MARK: &[u8] = b"nudge probe";

/// Reasons why a file is not written to a board.
#[derive(Debug, thiserror::Error)]
pub enum BoardFirmwareError {
    #[error(transparent)]
    NotBuilt(#[from] FirmwareError),
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The file is the probe's firmware.
    #[error(
        "{}: this is the probe's firmware, which would drive wires that the probe drives as well; `make firmware` builds \
         nudge-pico.elf", .0.display()
    )]
    IsProbe(PathBuf),
    /// The program is not in the flash of a Pico.
    #[error(transparent)]
    Place(SwdError),
}

/// Errors before any board is written.
#[derive(Debug)]
pub enum FlashBoardError {
    Probes(NoProbes),
    Program(BoardFirmwareError),
    Output(io::Error),
}

impl From<io::Error> for FlashBoardError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

fn program(file: Option<&PathBuf>) -> Result<Program, BoardFirmwareError> {
    let Some(file) = file else { return Ok(firmware::built()?) };
    let program = Program::load(file)?;
    let has_mark = |bytes: &Vec<u8>| bytes.windows(PROBE_MARK.len()).any(|it| it == PROBE_MARK);
    match program.image().segments.iter().any(|part| has_mark(&part.bytes)) {
        true => Err(BoardFirmwareError::IsProbe(file.clone())),
        false => Ok(program),
    }
}

/// Writes the program to the board of each probe.
pub fn flash(
    args: &ProbeFlashBoardArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, FlashBoardError> {
    let program = program(args.file.as_ref()).map_err(FlashBoardError::Program)?;
    let sectors = program_sectors(program.image())
        .map_err(|error| FlashBoardError::Program(BoardFirmwareError::Place(error)))?;
    let pool = pool(&super::port_of(&args.port)).map_err(FlashBoardError::Probes)?;
    let mut exit = Exit::Passed;
    for (port, written) in flash_boards(&pool, &sectors, &mut |_, _| {}) {
        let FlashedBoard { flashed, boot } = match written {
            Ok(written) => written,
            Err(error) => {
                writeln!(err, "nudge: {error}")?;
                exit = exit.max(Exit::Usage);
                continue;
            }
        };
        let (port, all) = (port.display(), flashed.sectors);
        writeln!(out, "{port}: {} of {all} sectors differed and are written", flashed.written)?;
        match boot {
            Some(boot) => writeln!(out, "  board: {boot}")?,
            None => {
                writeln!(err, "nudge: {port}: the board has written no `boot` line after it")?;
                exit = exit.max(Exit::Failed);
            }
        }
    }
    Ok(exit)
}
