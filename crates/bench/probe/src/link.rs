//! A link to a probe: a stream of bytes with a clock. A serial port has the wall clock, an emulated
//! probe a virtual one; no code in this crate reads another clock.

use std::time::Duration;

/// The error for a link that is cut: a cable was pulled, or a port has disappeared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Cut(pub String);

/// A link to a probe.
pub trait Link {
    /// Returns the time of the link's clock, counted from any fixed start.
    fn now(&mut self) -> Duration;

    /// Writes a prefix of `bytes` and returns its length.
    ///
    /// # Errors
    /// Returns an error if the link is cut.
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Cut>;

    /// Reads received bytes, waiting at most `wait` for the first. Returns their number, 0 if none
    /// came.
    ///
    /// # Errors
    /// Returns an error if the link is cut.
    fn read(&mut self, into: &mut [u8], wait: Duration) -> Result<usize, Cut>;

    /// Tries for at most `wait` to connect again after a cut.
    ///
    /// # Errors
    /// Returns an error if the link is still cut.
    fn reconnect(&mut self, wait: Duration) -> Result<(), Cut>;
}
