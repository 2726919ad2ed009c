//! An observer of the chip of a [`Pico`](super::Pico) while it runs.

use rp2040_emulator::chip::{Chip, Halt};

/// Observes every run of a chip, from each power-on to the end of the power. It must not change the
/// chip's behaviour.
pub trait Probe {
    /// Called when `chip` has been powered on and has not run yet.
    fn attach(&mut self, chip: &mut Chip);

    /// Like [`Chip::run`], which it calls or repeats in steps.
    fn run(&mut self, chip: &mut Chip, until_ns: u64) -> Halt {
        chip.run(until_ns)
    }

    /// Called when `chip` is about to lose its power, or to be dropped.
    fn detach(&mut self, chip: &Chip);
}
