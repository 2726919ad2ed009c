//! Where a pixel came from: the last writes to one cell of the memory, each with the SPI
//! transfer that carried it, the window that it went through and what was there before.
//!
//! [`Ili9341::watch_cell`] names the cell before anything is sent; from then on at most
//! [`WRITES_KEPT`] writes are kept, however long the board runs. [`Ili9341::cell_at`] says which
//! cell stands at a place of the glass. It knows no firmware and no screen.

use std::collections::VecDeque;

use super::Ili9341;
use super::memory::{COLUMNS, Hit, PAGES};
use virtual_time::Nanos;

/// Writes that are remembered of the watched cell: the last ones.
pub const WRITES_KEPT: usize = 8;

/// A transfer on the LCD's SPI: bytes that were clocked in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfer {
    /// Its number since the power came; the first is 1.
    pub number: u64,
    /// Its first clock.
    pub start: Nanos,
    /// Its last clock.
    pub end: Nanos,
    /// How many bytes it has.
    pub bytes: usize,
}

/// A pixel that was written into the watched cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PixelWrite {
    /// When its last byte had come.
    pub at: Nanos,
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
#[derive(Default)]
pub(super) struct Provenance {
    until: Nanos,
    writes: VecDeque<PixelWrite>,
    count: u64,
}

impl Ili9341 {
    /// Remembers the writes to the memory's cell at `column` (0 to 239) and `page` (0 to 319)
    /// that are over by `until`, from now on and instead of another; whether there is such a
    /// cell.
    pub fn watch_cell(&mut self, column: usize, page: usize, until: Nanos) -> bool {
        let there = column < COLUMNS && page < PAGES;
        self.memory.watch(there.then_some(column * PAGES + page));
        self.provenance = there.then(|| Provenance { until, ..Provenance::default() });
        there
    }

    /// The last writes to the watched cell since the power came, the latest last; at most
    /// [`WRITES_KEPT`].
    pub fn watched_writes(&self) -> Vec<PixelWrite> {
        self.provenance.iter().flat_map(|known| known.writes.iter().cloned()).collect()
    }

    /// How many there were since the power came, kept or not.
    pub fn watched_count(&self) -> u64 {
        self.provenance.as_ref().map_or(0, |known| known.count)
    }

    /// Column and page of the cell that the glass shows at `x` (0 to 319) and `y` (0 to 239) now;
    /// `None` outside the glass and where it shows no memory. A dark panel is taken for one that
    /// shows all of it.
    pub fn cell_at(&self, x: usize, y: usize) -> Option<(usize, usize)> {
        if x >= PAGES || y >= COLUMNS {
            return None;
        }
        match self.registers.glass(true) {
            Some(glass) => glass.cell_at(x, y),
            None => Some((y, x)),
        }
    }

    /// The power comes: what was known is noise now.
    pub(super) fn forget_provenance(&mut self) {
        self.transfer = Transfer::default();
        self.opened = self.transfer;
        if let Some(known) = &mut self.provenance {
            *known = Provenance { until: known.until, ..Provenance::default() };
        }
    }

    /// Pixels of `length` bytes have been written; `partial` bytes of the first had come before.
    pub(super) fn note_hits(&mut self, start: Nanos, end: Nanos, length: usize, partial: usize) {
        let madctl = self.registers.madctl;
        for hit in self.memory.take_hits() {
            let Hit { pixel, bytes, cell, cell_before, position } = hit;
            let size = bytes.len();
            let first = (pixel * size) as i64 - partial as i64;
            let over = usize::try_from(first + size as i64).unwrap_or(0);
            let at = super::decode::begins(start, end, over, length);
            let Some(known) = self.provenance.as_mut().filter(|known| at <= known.until) else {
                continue;
            };
            known.count += 1;
            if known.writes.len() == WRITES_KEPT {
                known.writes.pop_front();
            }
            let window = self.memory.window();
            known.writes.push_back(PixelWrite {
                at,
                transfer: self.transfer,
                first_byte: first,
                bytes,
                cell,
                cell_before,
                opened: self.opened,
                columns: window.columns,
                pages: window.pages,
                position,
                madctl,
            });
        }
    }
}
