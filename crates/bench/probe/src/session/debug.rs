//! Batches on the board's debug port.

use probe_protocol::Order;

use super::{SILENCE, Session};
use crate::error::ProbeError;
use crate::swd::{BatchResult, SwdLink};

/// The batch that was ordered last, and its result.
#[derive(Default)]
pub(super) struct Batches {
    number: u8,
    result: Option<BatchResult>,
}

impl Batches {
    /// Stores the result of batch `number`. Results of earlier batches, which were given up, are
    /// ignored.
    pub(super) fn take(&mut self, number: u8, result: BatchResult) {
        if number == self.number {
            self.result = Some(result);
        }
    }
}

impl SwdLink for Session {
    fn execute(&mut self, batch: &[u8]) -> Result<BatchResult, ProbeError> {
        self.debug = Batches { number: self.debug.number.wrapping_add(1), result: None };
        let order = Order::Swd { number: self.debug.number, batch };
        while let Err(error) = self.endpoint.send(&order) {
            self.expect_full(error)?;
        }
        let begun = self.link.now();
        loop {
            self.pump()?;
            if let Some(result) = self.debug.result.take() {
                return Ok(result);
            }
            let waited = self.link.now().saturating_sub(begun);
            if waited > SILENCE {
                return Err(self.fail(ProbeError::Silent(waited)));
            }
        }
    }

    fn now_ns(&mut self) -> u64 {
        u64::try_from(self.link.now().as_nanos()).unwrap_or(u64::MAX)
    }
}
