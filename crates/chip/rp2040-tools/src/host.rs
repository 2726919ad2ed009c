//! The host is everything around the chip: it takes the chip's outputs and supplies the input of
//! its UARTs. The caller of [`crate::run()`] implements it.

use std::io;

use rp2040_emulator::chip::Chip;
use virtual_time::{Instant, Nanos};

/// Virtual time between two collections of the chip's outputs, and between two checks for faults.
pub const SLICE: Nanos = Nanos::from_millis(1);

/// The surroundings of the chip. Its methods are called after every [`SLICE`] of virtual time, and
/// at the time that [`Host::next`] returns.
pub trait Host {
    /// Takes the chip's outputs since the last call.
    ///
    /// # Errors
    /// If an output cannot be written; the run ends.
    fn take(&mut self, chip: &mut Chip) -> io::Result<()>;

    /// Returns the number of a UART and a byte that has arrived there by now. Called repeatedly
    /// until it returns `None`.
    fn give(&mut self, _: &Chip) -> Option<(usize, u8)> {
        None
    }

    /// Returns the time at which the next byte will have arrived, if one is being sent.
    fn next(&self) -> Option<Instant> {
        None
    }

    /// Handles a semihosting call: core `core` has stopped at its BKPT. An implementation that
    /// answers the call returns `true`, and the program continues after the BKPT; otherwise the run
    /// ends there.
    ///
    /// # Errors
    /// If an output cannot be written; the run ends.
    fn semihosting(&mut self, _: &mut Chip, _core: u8) -> io::Result<bool> {
        Ok(false)
    }

    /// Returns whether core 0, which has stopped at BKPT `number`, has only returned from its `main`,
    /// and the run lasts as long as core 1 is active.
    fn goes_on_without_core_0(&self, _: &Chip, _number: u8) -> bool {
        false
    }

    /// Called when the chip has reached `now`. An implementation may wait for the wall clock here,
    /// or end the run.
    ///
    /// # Errors
    /// If an input cannot be read; the run ends.
    fn wait(&mut self, _now: Instant) -> io::Result<HostRequest> {
        Ok(HostRequest::Continue)
    }
}

/// The host's request to the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostRequest {
    /// Continue the run.
    Continue,
    /// End the run.
    End,
    /// End the run, because the host has what it waited for.
    Enough,
}
