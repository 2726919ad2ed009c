//! A line to a probe: a stream of bytes with a clock. A serial port has the wall clock, an emulated probe a
//! virtual one; nothing in this crate reads another.

use std::time::Duration;

/// The line is cut: a cable was pulled, a port is gone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Cut(pub String);

/// A line to a probe.
pub trait Link {
    /// The line's clock, since any moment before.
    fn now(&mut self) -> Duration;

    /// Writes the first of `bytes`: how many.
    ///
    /// # Errors
    /// If the line is cut.
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Cut>;

    /// Reads what has come, and waits at most so long for the first byte: how many, 0 if none came.
    ///
    /// # Errors
    /// If the line is cut.
    fn read(&mut self, into: &mut [u8], wait: Duration) -> Result<usize, Cut>;

    /// Tries to connect again after a cut, and takes at most so long for it.
    ///
    /// # Errors
    /// If the line is still cut.
    fn reconnect(&mut self, wait: Duration) -> Result<(), Cut>;
}
