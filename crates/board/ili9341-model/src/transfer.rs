//! Transfers on the wire, when each byte of one begins, and the pixels that they carried into the
//! watched cell.

use std::collections::VecDeque;

use virtual_time::{Instant, Nanos};

/// Writes that are remembered of the watched cell: the last ones.
pub const WRITES_KEPT: usize = 8;

/// A transfer on the LCD's SPI: bytes that were clocked in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfer {
    /// Its number since the power came; the first is 1.
    pub number: u64,
    /// Its first clock.
    pub start: Instant,
    /// Its last clock.
    pub end: Instant,
    /// How many bytes it has.
    pub bytes: usize,
}

/// A pixel that was written into the watched cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PixelWrite {
    /// When its last byte had come.
    pub at: Instant,
    /// The transfer that brought its last byte.
    pub transfer: Transfer,
    /// Its first byte in that transfer, from 0; negative if it began in the one before.
    pub first_byte: i64,
    /// Its bytes: two in RGB565, three in RGB666.
    pub bytes: Vec<u8>,
    /// What the cell holds now, and held before: `0x00RRGGBB`, six bits a colour.
    pub cell: u32,
    /// `None` if nothing had been written there since the power came.
    pub cell_before: Option<u32>,
    /// The transfer that brought the RAMWR (or RAMWRC) before it.
    pub opened: Transfer,
    /// CASET: first and last column of the window, in the host's directions.
    pub columns: (u16, u16),
    /// PASET: first and last page of the window.
    pub pages: (u16, u16),
    /// Where the address counter stood: the host's column and page.
    pub position: (u16, u16),
    /// MADCTL's argument.
    pub madctl: u8,
}

/// The cell that is watched, and what is known of it.
#[derive(Clone, Default)]
pub(super) struct Provenance {
    pub(super) until: Instant,
    pub(super) writes: VecDeque<PixelWrite>,
    pub(super) count: u64,
}

/// A byte of a transfer whose clocks are evenly spread.
#[derive(Clone, Copy)]
pub(super) struct Byte {
    pub(super) start: Instant,
    pub(super) end: Instant,
    pub(super) index: usize,
    /// Bytes of the transfer.
    pub(super) count: usize,
}

impl Byte {
    /// Its first clock.
    pub(super) fn begins(self) -> Instant {
        begins(self.start, self.end, self.index, self.count)
    }

    /// Its last clock.
    pub(super) fn ends(self) -> Instant {
        begins(self.start, self.end, self.index + 1, self.count)
    }
}

/// When byte `index` of `count` begins.
pub(super) fn begins(start: Instant, end: Instant, index: usize, count: usize) -> Instant {
    if index == 0 {
        return start;
    }
    if index == count {
        return end;
    }
    let (span, index, count) = (end.saturating_since(start).0, index as u64, count.max(1) as u64);
    let until_then = match span.checked_mul(index) {
        Some(spans) => spans / count,
        // The same, in smaller products.
        None => span / count * index + span % count * index / count,
    };
    start.saturating_add(Nanos(until_then))
}
