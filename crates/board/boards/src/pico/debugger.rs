//! A debugger of the chip of a [`Pico`](super::Pico).

use std::sync::Arc;

use hal_mock::{Machine, setup::SetupError};
use rp2040_emulator::chip::{Chip, Halt};
use rp2040_emulator::program::Program;
use trace::Trace;

use super::Pico;
use crate::header;

/// A debugger, which a machine and its copies share. It may stop the chip: then the machine's steps
/// end without time passing.
pub trait ChipDebugger: Send + Sync {
    /// Like [`Chip::run`]. While the chip is stopped, answers the debugger and runs nothing.
    fn run(&self, chip: &mut Chip, until_ns: u64) -> Halt;

    /// Returns whether the chip is stopped.
    fn is_stopped(&self) -> bool;
}

/// Like [`build`](super::build), with a debugger of the chip.
///
/// # Errors
/// As for [`build`](super::build).
pub fn build_debugged(
    program: &Arc<Program>,
    trace: &Trace,
    flash: Option<Vec<u8>>,
    debugger: Arc<dyn ChipDebugger>,
) -> Result<Box<dyn Machine>, SetupError> {
    let mut pico = Pico::new(Arc::clone(program), header::board(trace, flash)?);
    pico.debugger = Some(debugger);
    Ok(Box::new(pico))
}
