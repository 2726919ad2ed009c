//! What a bench is made of, and why it cannot be used.

use rp2040_emulator::chip::{BootError, RandomBits};
use rp2040_emulator::program::FLASH_SIZE;

/// The probe's firmware answers the host's enumeration within this time.
pub(crate) const ENUMERATION_NS: u64 = 1_000_000_000;

/// Why a bench cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    /// The board's program does not start.
    #[error("the board's program: {0}")]
    Board(BootError),
    /// The probe's program does not start.
    #[error("the probe's program: {0}")]
    Probe(BootError),
    /// The storage is larger than the flash.
    #[error("the board's storage is larger than its flash of {FLASH_SIZE} bytes")]
    Storage,
    /// The probe's program is no USB device with a serial port.
    #[error("the probe's program has not shown a serial port within {ENUMERATION_NS} ns")]
    NoPort,
    /// The probe's program has crashed.
    #[error("the probe's program has crashed: {0}")]
    Crashed(String),
}

/// What the board is like beside its program.
#[derive(Clone, Debug)]
pub struct BoardSetup {
    /// The last bytes of its flash.
    pub storage: Vec<u8>,
    /// What its ring oscillator says.
    pub random_bits: RandomBits,
}
