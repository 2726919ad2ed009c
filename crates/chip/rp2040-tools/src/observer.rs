//! An observer follows the run of a chip. The instruction trace sees every step; the profile takes
//! what the chip has recorded after each slice of a run at full speed.

use std::io;

use rp2040_emulator::chip::{Chip, Step};

/// Follows the run of a chip.
pub trait Observer {
    /// Whether the chip must be stepped for this observer.
    fn needs_steps(&self) -> bool {
        true
    }

    /// Called after the chip has executed this step, in a run that is stepped.
    ///
    /// # Errors
    /// If the observer's output cannot be written; the run ends.
    fn step(&mut self, chip: &Chip, step: &Step) -> io::Result<()>;

    /// Called after each slice of the run.
    fn after_slice(&mut self, _chip: &mut Chip) {}
}
