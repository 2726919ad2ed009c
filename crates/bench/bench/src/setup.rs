//! Configuration of a bench, and the errors that make one unusable.

use rp2040_emulator::chip::{BootError, RandomBits};
use rp2040_emulator::program::FLASH_SIZE;

/// Limit of the time in which the probe's firmware must complete the host's enumeration, in
/// nanoseconds.
pub(crate) const ENUMERATION_NS: u64 = 1_000_000_000;

/// A reason why a bench cannot be used.
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
    /// The probe's program is not a USB device with a serial port.
    #[error("the probe's program has not shown a serial port within {ENUMERATION_NS} ns")]
    NoPort,
    /// The probe's program has crashed. The text is the chip's explanation of the fault.
    #[error("the probe's program has crashed: {0}")]
    Crashed(String),
}

/// State of the board apart from its program.
#[derive(Clone, Debug)]
pub struct BoardSetup {
    /// Contents of the last bytes of the flash.
    pub storage: Vec<u8>,
    /// Source of the ring oscillator's random bits.
    pub random_bits: RandomBits,
}
