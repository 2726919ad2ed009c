//! The host is what surrounds the chip: it takes what the chip sends and supplies what its UARTs
//! receive. The caller of [`crate::run()`] implements it.

use std::io;

use rp2040_emulator::chip::Chip;
use virtual_time::{Instant, Nanos};

/// The virtual time between two collections of the chip's outputs, and between two checks for faults.
pub const SLICE: Nanos = Nanos::from_millis(1);

/// The surroundings of the chip. They are called after every [`SLICE`] of virtual time, and at the
/// moment that [`Host::next`] returns.
pub trait Host {
    /// Takes what the chip has sent since the last call.
    ///
    /// # Errors
    /// If an output cannot be written; the run ends.
    fn take(&mut self, chip: &mut Chip) -> io::Result<()>;

    /// The number of a UART and a byte that has arrived there by now. It is called until it returns
    /// `None`.
    fn give(&mut self, _: &Chip) -> Option<(usize, u8)> {
        None
    }

    /// When the next byte will have arrived, if one is being sent.
    fn next(&self) -> Option<Instant> {
        None
    }

    /// Core `core` has stopped at the BKPT of a semihosting call. An implementation that answers it returns `true`,
    /// and the program goes on behind the BKPT; otherwise the run ends there.
    ///
    /// # Errors
    /// If an output cannot be written; the run ends.
    fn semihosting(&mut self, _: &mut Chip, _core: u8) -> io::Result<bool> {
        Ok(false)
    }

    /// The chip has reached `now`. An implementation may wait for the wall clock here, or end the run.
    ///
    /// # Errors
    /// If an input cannot be read; the run ends.
    fn wait(&mut self, _now: Instant) -> io::Result<HostRequest> {
        Ok(HostRequest::Continue)
    }
}

/// What the host asks of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostRequest {
    /// The run goes on.
    Continue,
    /// The run ends here.
    End,
    /// The run ends here, because the host has what it waited for.
    Enough,
}
