//! An observer sees every step of the chip. The instruction trace, the profile and the coverage
//! are observers.

use std::io;

use rp2040_emulator::chip::{Chip, Step};

/// Sees every step of the chip.
pub trait Observer {
    /// Called after the chip has executed this step.
    ///
    /// # Errors
    /// If the observer's output cannot be written; the run ends.
    fn step(&mut self, chip: &Chip, step: &Step) -> io::Result<()>;
}
