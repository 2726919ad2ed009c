//! `probe:emulated`: the flashed firmware and the probe's, each on an emulated chip, wire to wire.
//!
//! What a trace's header says of the flash is in the board's flash, as on `pico`. All else goes through the probe: its PIOs read
//! the LCD's wires, its USB carries what it saw, and the host's side is the one of a real probe.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bench::{Bench, BenchError, BoardSetup};
use hal_mock::setup::SetupError;
use hal_mock::trace::Trace;
use hal_mock::{BoardConfig, Machine, VirtualBoard};
use probe::{LEAD, ProbeError, ProbeMachine, Session};
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

/// The bench of a board with `config`.
///
/// # Errors
/// If one of the programs does not run.
pub fn bench(
    board: &Arc<Program>,
    probe: &Arc<Program>,
    config: &BoardConfig,
) -> Result<Bench, BenchError> {
    let virtual_board = VirtualBoard::new(config.clone());
    let setup = BoardSetup {
        storage: virtual_board.with_flash(|flash| flash.image().to_vec()),
        random_bits: Box::new(move || {
            // The bits of each power-on, as the boards without a probe have them.
            virtual_board.power_off();
            virtual_board.power_on();
            match virtual_board.entropy_seed() {
                Some(seed) => RandomBits::Seeded(seed),
                None => RandomBits::Still,
            }
        }),
    };
    Bench::new(Arc::clone(board), Arc::clone(probe), setup)
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
    let bench =
        bench(board, probe, &config).map_err(|it| SetupError::new(EmulatedProbeError::from(it)))?;
    let session = Session::open(Box::new(bench.link()), SESSION)
        .map_err(|it| SetupError::new(EmulatedProbeError::from(it)))?;
    Ok(Box::new(ProbeMachine::new(session, config, LEAD)))
}
