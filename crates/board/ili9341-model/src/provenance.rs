//! Origin of a pixel: the last writes to one cell of the memory, each with its SPI transfer, the
//! window, and the previous contents.
//!
//! [`Ili9341::watch_cell`] selects the cell before anything is sent; from then on at most
//! [`WATCHED_WRITES_MAX`] writes are stored, independently of the run time. [`Ili9341::cell_at`] returns
//! the cell at a position of the panel. The module knows no firmware and no screen.

use panel_tables::Family;

use super::Ili9341;
use super::memory::Hit;
use super::pixel::PixelFormat;
use super::transfer::{PixelWrite, Provenance, Transfer, WATCHED_WRITES_MAX, begins};
use virtual_time::Instant;

impl Ili9341 {
    /// Records the writes to the memory's cell at `column` and `page` (0 to 239 and 0 to 319 of the
    /// ILI9341) that end by `until`, in place of a previously watched cell. Returns whether such a cell exists.
    pub fn watch_cell(&mut self, column: usize, page: usize, until: Instant) -> bool {
        let cell = self.memory.index(column, page);
        let there = cell.is_some();
        self.memory.watch(cell);
        self.provenance = there.then(|| Provenance { until, ..Provenance::default() });
        there
    }

    /// Returns the last writes to the watched cell since power-on, the latest last; at most
    /// [`WATCHED_WRITES_MAX`].
    pub fn watched_writes(&self) -> Vec<PixelWrite> {
        self.provenance.iter().flat_map(|known| known.writes.iter().cloned()).collect()
    }

    /// Returns the number of writes since power-on, stored or not.
    pub fn watched_count(&self) -> u64 {
        self.provenance.as_ref().map_or(0, |known| known.count)
    }

    /// Returns column and page of the cell that the panel currently shows at `x` and `y`; `None` outside the panel and where it shows no memory. A dark panel counts as
    /// one that shows the whole memory.
    pub fn cell_at(&self, x: usize, y: usize) -> Option<(usize, usize)> {
        let layout = &self.registers.layout;
        let (width, height) = layout.size();
        if x >= width || y >= height {
            return None;
        }
        match self.registers.display_settings(true) {
            Some(glass) => glass.cell_at(layout, x, y),
            None => Some(layout.place(x, y)),
        }
    }

    /// Drops all records at power-on, when the memory contains noise.
    pub(super) fn forget_provenance(&mut self) {
        self.transfer = Transfer::default();
        self.opened = self.transfer;
        if let Some(known) = &mut self.provenance {
            *known = Provenance { until: known.until, ..Provenance::default() };
        }
    }

    /// Records pixels written by a transfer of `length` bytes; `partial` bytes of the first pixel
    /// had come before.
    #[inline]
    pub(super) fn note_hits(
        &mut self,
        start: Instant,
        end: Instant,
        length: usize,
        partial: usize,
    ) {
        if self.memory.is_watched() {
            self.keep_hits(start, end, length, partial);
        }
    }

    #[cold]
    fn keep_hits(&mut self, start: Instant, end: Instant, length: usize, partial: usize) {
        let (madctl, format) = (self.registers.madctl, self.registers.pixel_format());
        for hit in self.memory.take_hits() {
            let Hit { pixel, bytes, cell, cell_before, position } = hit;
            let (begin, size) = match format {
                // Two pixels share the second of three bytes.
                PixelFormat::Bits12 => ((pixel + usize::from(partial == 2)) * 3 / 2, 2),
                _ => (pixel * bytes.len(), bytes.len()),
            };
            let first = begin as i64 - partial as i64;
            let over = usize::try_from(first + size as i64).unwrap_or(0);
            let at = begins(start, end, over, length);
            let Some(known) = self.provenance.as_mut().filter(|known| at <= known.until) else {
                continue;
            };
            known.count += 1;
            if known.writes.len() == WATCHED_WRITES_MAX {
                known.writes.pop_front();
            }
            let (columns, pages) = match self.registers.table.family {
                Family::Pages => (self.registers.one_bit.columns, self.registers.one_bit.pages),
                Family::Dcs => (self.memory.window().columns, self.memory.window().pages),
            };
            known.writes.push_back(PixelWrite {
                at,
                transfer: self.transfer,
                first_byte: first,
                bytes,
                cell,
                cell_before,
                opened: self.opened,
                columns,
                pages,
                position,
                madctl,
            });
        }
    }
}
