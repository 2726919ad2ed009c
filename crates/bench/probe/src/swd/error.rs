//! Failures of a board's debug port. Each message states the fact and the next step.

use crate::error::ProbeError;

/// A failure of a board's debug port.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwdError {
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The board has no power, so its port cannot answer.
    #[error("the board's power is off, so its debug port cannot answer")]
    NoPower,
    /// Nothing answers on SWDIO.
    #[error(
        "the board's debug port does not answer: SWCLK or SWDIO is not connected (docs/hil.md has the wires), or the board has no \
         power"
    )]
    NoAnswer,
    /// The port answers, and then its bits are wrong.
    #[error(
        "the board's debug port answers with errors: SWCLK or SWDIO has a poor contact, or no ground wire beside it"
    )]
    Garbled,
    /// The chip at the port is not an RP2040.
    #[error("the chip at the board's debug port is no RP2040: its DPIDR is {0:#010x}")]
    OtherChip(u32),
    /// The debug domain has not acknowledged its power-up request.
    #[error("the board's debug port has not powered its debug domain up: CTRL/STAT is {0:#010x}")]
    NotPoweredUp(u32),
    /// The port was busy for too long.
    #[error("the board's debug port was busy for too long: its bus or its clock is stopped")]
    Busy,
    /// An access has failed on the chip's bus.
    #[error("the chip has no memory at {0:#010x}, or refuses the access")]
    Bus(u32),
    /// A core has not halted in time.
    #[error("core 0 has not halted within {0} ms")]
    NotHalted(u64),
    /// A function that was called in the chip has not returned.
    #[error("a function in the chip has not returned within {} ms: core 0 is at {pc:#010x}", .ms)]
    NotReturned {
        pc: u32,
        /// Limit in milliseconds.
        ms: u64,
    },
    /// The boot ROM does not have a function.
    #[error("the chip's boot ROM has no function `{0}`: it is no RP2040's")]
    NoFunction(&'static str),
    /// The program has bytes at an address that is not in the flash.
    #[error("the program has bytes at {0:#010x}, which is not in the board's flash of 2 MiB")]
    OutsideFlash(u32),
    /// The flash differs from the program after it was written.
    #[error(
        "the flash has other bytes at {0:#010x} than were written: the flash chip is worn out, or the board has lost its power"
    )]
    NotWritten(u32),
}
