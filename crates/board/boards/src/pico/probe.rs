//! An observer of the chip of a [`Pico`](super::Pico) while it runs.

use rp2040_emulator::chip::{Chip, Halt};

/// Looks on at every run of a chip, from each power-on to the power's end. It must not change what the
/// chip does.
pub trait Probe {
    /// `chip` has been powered on and has not run yet.
    fn attach(&mut self, chip: &mut Chip);

    /// As [`Chip::run`], which it calls or repeats in steps.
    fn run(&mut self, chip: &mut Chip, until_ns: u64) -> Halt {
        chip.run(until_ns)
    }

    /// `chip` is about to lose its power, or to be dropped.
    fn detach(&mut self, chip: &Chip);
}
