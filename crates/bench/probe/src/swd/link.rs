//! The link to a debug port: it executes batches of operations on the wires.

use probe_protocol::swd::SwdEnd;

use crate::error::ProbeError;

/// Result of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchResult {
    pub end: SwdEnd,
    /// Number of transfers that were acknowledged with OK.
    pub transfers: u16,
    /// Words that were read.
    pub words: Vec<u32>,
}

/// Executes batches on the wires of a debug port.
pub trait SwdLink {
    /// Executes a batch of `probe_protocol::swd`.
    ///
    /// # Errors
    /// Returns an error if the probe fails. A failure of the port is part of the result.
    fn execute(&mut self, batch: &[u8]) -> Result<BatchResult, ProbeError>;

    /// Returns the current time in nanoseconds, counted from any fixed start.
    fn now_ns(&mut self) -> u64;
}
