//! `probe:emulated`: the flashed firmware and the probe's, each on an emulated chip, wire to wire.
//!
//! What a trace's header says of the flash is in the board's flash, as on `pico`. All else goes through the probe: its PIOs read
//! the LCD's wires, its USB carries what it saw, and the host's side is the one of a real probe.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bench::{Bench, BenchError, BoardSetup};
use firmware_core::entropy::STREAM;
use firmware_core::storage::{self, ChanceSource, Settings, StorageError, Stored};
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

use crate::header;

/// Where `make firmware` puts the probe's program, in Cargo's target folder.
pub const FIRMWARE: &str = "firmware/nudge-probe.elf";

/// The session's number: one host.
const SESSION: u32 = 1;

/// Why there is no emulated probe.
#[derive(Debug, thiserror::Error)]
pub enum EmulatedProbeError {
    /// The probe's firmware has not been built.
    #[error("there is no target/{FIRMWARE}; build it with `make firmware`")]
    NotBuilt,
    /// Its file cannot be loaded.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The flash of the trace is none.
    #[error(transparent)]
    Flash(FlashImageError),
    /// The seed cannot be stored.
    #[error("the seed cannot be stored: {0}")]
    Seed(#[from] StorageError),
    /// It does not run.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// The session does not begin.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// The file that `make firmware` has built last; `None` if there is none.
pub fn path() -> Option<PathBuf> {
    let folders = std::env::current_exe().unwrap_or_default();
    let beside = folders.ancestors().skip(1).take(4).map(|folder| folder.join(FIRMWARE));
    let here = Path::new("target").join(FIRMWARE);
    beside.chain([here]).find(|path| path.is_file())
}

/// The probe's program that `make firmware` has built last.
///
/// # Errors
/// If it has not been built, or cannot be loaded.
pub fn built() -> Result<Program, EmulatedProbeError> {
    let path = path().ok_or(EmulatedProbeError::NotBuilt)?;
    Ok(Program::load(&path)?)
}

/// The bench of a board with the flash of `config`. Its ring oscillator stands still: a seed of `config` is stored in the flash,
/// as the console's `seed` stores it on a real board, so that no press can stir it.
///
/// # Errors
/// If one of the programs does not run, or the flash cannot be written.
pub fn bench(
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
        let Stored { settings, .. } = storage::start(&mut flash);
        let seeded = Settings { chance: ChanceSource::Seeded, seed: seed ^ STREAM, ..settings };
        storage::save(&mut flash, &seeded)?;
    }
    let setup = BoardSetup { storage: flash.image().to_vec(), random_bits: RandomBits::Still };
    Ok(Bench::new(Arc::clone(board), Arc::clone(probe), setup)?)
}

/// The cable to a probe with `probe` on it, behind which is a factory-new board with `board` on it.
///
/// # Errors
/// As [`bench()`].
pub fn cable(
    board: &Arc<Program>,
    probe: &Arc<Program>,
) -> Result<Box<dyn Link>, EmulatedProbeError> {
    Ok(Box::new(bench(board, probe, &BoardConfig::default())?.link()))
}

/// The board that a trace's header describes, with `board` on it, behind a probe with `probe` on it; its power is off.
///
/// # Errors
/// If the header is wrong, or there is no session.
pub fn build(
    board: &Arc<Program>,
    probe: &Arc<Program>,
    trace: &Trace,
    flash: Option<Vec<u8>>,
) -> Result<Box<dyn Machine>, SetupError> {
    let config = header::board(trace, flash)?;
    let bench = bench(board, probe, &config).map_err(SetupError::new)?;
    let session = Session::open(Box::new(bench.link()), SESSION)
        .map_err(|it| SetupError::new(EmulatedProbeError::from(it)))?;
    // As on a real board, what its flash holds from now on is not known.
    let config = BoardConfig { flash: None, flash_reader: None, ..config };
    Ok(Box::new(ProbeMachine::new(session, config, LEAD)))
}
