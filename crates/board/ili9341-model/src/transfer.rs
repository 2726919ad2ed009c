//! Transfers on the wire, the start time of each of their bytes, and the pixels that they wrote
//! into the watched cell.

use std::collections::VecDeque;

use virtual_time::{Instant, Nanos};

/// Number of recent writes to the watched cell that are stored.
pub const WATCHED_WRITES_MAX: usize = 8;

/// A transfer on the LCD's SPI: consecutively clocked bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfer {
    /// Number of the transfer since power-on; the first is 1.
    pub number: u64,
    /// Time of the first clock.
    pub start: Instant,
    /// Time of the last clock.
    pub end: Instant,
    /// Number of bytes.
    pub bytes: usize,
}

/// A pixel that was written into the watched cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PixelWrite {
    /// Time at which the last byte had arrived.
    pub at: Instant,
    /// Transfer of the last byte.
    pub transfer: Transfer,
    /// Index of the first byte in that transfer, from 0; negative if the pixel began in the
    /// previous one.
    pub first_byte: i64,
    /// Bytes of the pixel: two in RGB565, three in RGB666; in RGB444 three, each with a colour in
    /// its upper half; of a controller with pages one, eight lines of a column.
    pub bytes: Vec<u8>,
    /// New contents of the cell: `0x00RRGGBB`, six bits a colour.
    pub cell: u32,
    /// Previous contents of the cell; `None` if it had not been written since power-on.
    pub cell_before: Option<u32>,
    /// Transfer of the preceding RAMWR (or RAMWRC).
    pub opened: Transfer,
    /// CASET: first and last column of the window, in the host's directions.
    pub columns: (u16, u16),
    /// PASET: first and last page of the window.
    pub pages: (u16, u16),
    /// Address counter: the host's column and page.
    pub position: (u16, u16),
    /// Argument of MADCTL.
    pub madctl: u8,
}

/// The watched cell, and its recorded writes.
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
    /// Number of bytes of the transfer.
    pub(super) count: usize,
}

impl Byte {
    /// Returns the time of the byte's first clock.
    pub(super) fn begins(self) -> Instant {
        begins(self.start, self.end, self.index, self.count)
    }

    /// Returns the time of the byte's last clock.
    pub(super) fn ends(self) -> Instant {
        begins(self.start, self.end, self.index + 1, self.count)
    }
}

/// Returns when byte `index` of `count` begins.
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
        // The same value, in smaller products.
        None => span / count * index + span % count * index / count,
    };
    start.saturating_add(Nanos(until_then))
}
