//! `probe:emulated`: the flashed firmware and the probe's firmware, each on an emulated chip, with
//! their wires connected.
//!
//! The flash that a trace's header describes is in the board's flash, as on `pico`. Everything else
//! goes through the probe: its PIOs read the LCD's wires, its USB sends the observations, and the
//! host's side is that of a real probe.

mod wire_fault;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bench::{Bench, BenchError, BoardSetup};
use hal_mock::{
    BoardConfig, Machine,
    flash::{FlashChip, FlashImageError},
    setup::SetupError,
};
use probe::{LEAD, ProbeError, ProbeMachine, Session};
use trace::Trace;

pub use probe::{Cut, Link};
use rp2040_emulator::chip::RandomBits;
use rp2040_emulator::program::{Program, ProgramError};
pub use wire_fault::{WireFault, WireFaultError};

use crate::lcd_firmware::LcdFirmware;
use crate::probe::{expects_heap, heap_of_board};

/// Path of the probe's program built by `make firmware`, in Cargo's target folder.
pub const FIRMWARE: &str = "firmware/nudge-probe.elf";

/// Number of the session; there is only one host.
const SESSION: u32 = 1;

/// Reason why there is no emulated probe.
#[derive(Debug, thiserror::Error)]
pub enum EmulatedProbeError {
    /// The probe's firmware has not been built.
    #[error("there is no target/{FIRMWARE}; build it with `make firmware`")]
    NotBuilt,
    /// The file of the probe's firmware cannot be loaded.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The flash image of the trace is invalid.
    #[error(transparent)]
    Flash(FlashImageError),
    /// The seed cannot be stored.
    #[error("the seed cannot be stored: {0}")]
    Seed(#[source] Box<dyn Error + Send + Sync>),
    /// The bench of the two chips does not run.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// The session does not begin.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Returns the file built last by `make firmware`; `None` if there is none.
pub fn path() -> Option<PathBuf> {
    let folders = std::env::current_exe().unwrap_or_default();
    let beside = folders.ancestors().skip(1).take(4).map(|folder| folder.join(FIRMWARE));
    let here = Path::new("target").join(FIRMWARE);
    beside.chain([here]).find(|path| path.is_file())
}

/// Loads the probe's program built last by `make firmware`.
///
/// # Errors
/// If it has not been built, or cannot be loaded.
pub fn built() -> Result<Program, EmulatedProbeError> {
    let path = path().ok_or(EmulatedProbeError::NotBuilt)?;
    Ok(Program::load(&path)?)
}

/// Creates the bench of a board with the flash of `config`. A seed of `config` is stored in the
/// flash, as `firmware` stores it. The ring oscillator's random bits are
/// constant, so that presses do not change the random numbers.
///
/// # Errors
/// If one of the programs does not run, or the flash cannot be written.
pub fn bench(
    firmware: &dyn LcdFirmware,
    board: &Arc<Program>,
    probe: &Arc<Program>,
    config: &BoardConfig,
) -> Result<Bench, EmulatedProbeError> {
    let mut flash = config
        .flash
        .clone()
        .map_or_else(|| Ok(FlashChip::factory_new()), FlashChip::from_image)
        .map_err(EmulatedProbeError::Flash)?;
    if let Some(seed) = config.entropy {
        firmware.store_seed(&mut flash, seed).map_err(EmulatedProbeError::Seed)?;
    }
    let setup = BoardSetup { storage: flash.image().to_vec(), random_bits: RandomBits::Still };
    Ok(Bench::new(Arc::clone(board), Arc::clone(probe), setup)?)
}

/// Creates the cable to a probe that runs `probe`, connected to a factory-new board that runs
/// `board` by wires with these faults.
///
/// # Errors
/// As for [`bench()`].
pub fn cable(
    firmware: &dyn LcdFirmware,
    board: &Arc<Program>,
    probe: &Arc<Program>,
    faults: &[WireFault],
) -> Result<Box<dyn Link>, EmulatedProbeError> {
    let bench = bench(firmware, board, probe, &BoardConfig::default())?;
    for WireFault(fault) in faults {
        bench.at(0, *fault);
    }
    Ok(Box::new(bench.link()))
}

/// Builds the board that a trace's header describes, running `board`, which is `firmware`, behind a probe
/// that runs `probe`. Its power is off.
///
/// # Errors
/// If the header is wrong, or no session can be opened.
pub fn build(
    firmware: &dyn LcdFirmware,
    board: &Arc<Program>,
    probe: &Arc<Program>,
    trace: &Trace,
    flash: Option<Vec<u8>>,
) -> Result<Box<dyn Machine>, SetupError> {
    let config = firmware.board(trace, flash)?;
    let bench = bench(firmware, board, probe, &config).map_err(SetupError::new)?;
    let mut session = Session::open(Box::new(bench.link()), SESSION)
        .map_err(|it| SetupError::new(EmulatedProbeError::from(it)))?;
    let heap = expects_heap(trace).then(|| heap_of_board(&mut session, board));
    // As for a real board, the content of its flash is unknown until it is read.
    let config = BoardConfig { flash: None, ..config };
    let machine = ProbeMachine::new(session, config, LEAD);
    Ok(Box::new(match heap {
        Some(heap) => machine.with_heap(heap),
        None => machine,
    }))
}
