//! A transfer, and its outcome.

use crate::cpu::bus::Width;

/// A read and a write of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct Transfer {
    pub(in crate::chip) channel: usize,
    /// Cycle in which the transfer takes place.
    pub(in crate::chip) cycle: u64,
    /// Source address, aligned to `width`.
    pub(in crate::chip) read: u32,
    /// Destination address, aligned to `width`.
    pub(in crate::chip) write: u32,
    pub(in crate::chip) width: Width,
    /// Whether the transfer has waited for the flash.
    pub(in crate::chip) has_waited: bool,
}

/// The outcome of a transfer on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) enum TransferOutcome {
    Done,
    ReadError,
    WriteError,
}

/// Returns `value` with its bytes in reverse order.
pub(super) fn swapped(value: u32, width: Width) -> u32 {
    match width {
        Width::Byte => value,
        Width::Half => (value as u16).swap_bytes().into(),
        Width::Word => value.swap_bytes(),
    }
}
