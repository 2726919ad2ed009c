//! The host is what surrounds the chip: it takes what the chip sends and supplies what its UARTs
//! receive. The caller of [`crate::run()`] implements it.

use std::io;

use hal_mock::Nanos;
use rp2040_emulator::chip::Chip;

/// How often the chip's outputs are collected, and faults looked for.
pub const SLICE: Nanos = Nanos::from_millis(1);

/// What is around the chip. It is asked after every [`SLICE`], and when it asked for it.
pub trait Host {
    /// Takes what the chip has sent since the last call.
    ///
    /// # Errors
    /// It cannot be written; the run ends.
    fn take(&mut self, chip: &mut Chip) -> io::Result<()>;

    /// A byte that has come in whole by now, and the number of its UART. Asked until there is none.
    fn give(&mut self, _: &Chip) -> Option<(usize, u8)> {
        None
    }

    /// When the next byte will have come in, if one is on its way.
    fn next(&self) -> Option<Nanos> {
        None
    }

    /// The chip has come to `now`. This is the place to wait for the wall clock, or to end the run.
    ///
    /// # Errors
    /// What comes in cannot be read; the run ends.
    fn wait(&mut self, _now: Nanos) -> io::Result<HostRequest> {
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
}
