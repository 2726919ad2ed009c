//! A debugger of the chip of a [`Pico`](super::Pico).

use rp2040_emulator::chip::{Chip, Halt};

/// A debugger, which a machine and its copies share. It may stop the chip: then the machine's steps
/// end without time passing.
pub trait ChipDebugger: Send + Sync {
    /// Like [`Chip::run`]. While the chip is stopped, answers the debugger and runs nothing.
    fn run(&self, chip: &mut Chip, until_ns: u64) -> Halt;

    /// Returns whether the chip is stopped.
    fn is_stopped(&self) -> bool;
}
