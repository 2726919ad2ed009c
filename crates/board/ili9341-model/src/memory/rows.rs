//! Writes whole pixels into the rows of a window, and the previous contents of the cells into the log
//! of the frames.

use super::Memory;
use crate::frames::Frames;
use crate::geometry::{Area, Window};

impl Memory {
    /// Writes whole pixels at the counter, one run along the window's row at a time.
    #[inline(always)]
    pub(super) fn put<const N: usize>(
        &mut self,
        mut pixels: &[[u8; N]],
        frames: &mut Frames,
        cell: impl Fn([u8; N]) -> u32 + Copy,
    ) {
        let mapping = self.mapping;
        loop {
            // Whole rows first; then the rest of a row, or the beginning of the next.
            pixels = self.put_rows(pixels, frames, cell);
            if pixels.is_empty() || !self.accepts_pixel() {
                return;
            }
            let to_row_end = usize::from(self.window.columns.1.saturating_sub(self.column)) + 1;
            let run = pixels.len().min(to_row_end);
            let (now, later) = pixels.split_at(run);
            pixels = later;
            let exist = usize::from(mapping.width.saturating_sub(self.column));
            let now = &now[..run.min(exist)];
            if self.page < mapping.height && !now.is_empty() {
                let first = mapping.cell(self.column, self.page);
                if self.watched.is_some() {
                    self.record_hit(now, first, cell);
                }
                let (length, rows) =
                    if mapping.column_step.abs() == 1 { (now.len(), 1) } else { (1, now.len()) };
                let area = Area { first, step: mapping.column_step, length, rows };
                match mapping.column_step {
                    1 => self.replace_long_rows(area, frames, now, cell),
                    -1 => {
                        let area = Area { first: first + 1 - length, ..area };
                        self.replace(area, frames, now.iter().rev().copied(), cell);
                    }
                    _ => self.replace(area, frames, now.iter().copied(), cell),
                }
            }
            self.advance(run);
            if let Some(watched) = &mut self.watched {
                watched.pixels += run;
            }
        }
    }

    /// Writes whole rows of a window inside the memory, left to right, which covers nearly all
    /// pixels. Returns the remaining pixels.
    #[inline(always)]
    fn put_rows<'a, const N: usize>(
        &mut self,
        pixels: &'a [[u8; N]],
        frames: &mut Frames,
        cell: impl Fn([u8; N]) -> u32,
    ) -> &'a [[u8; N]] {
        let (Window { columns, pages }, mapping) = (self.window, self.mapping);
        let is_usual = mapping.column_step == 1
            && self.column == columns.0
            && columns.0 <= columns.1
            && columns.1 < mapping.width
            && self.page <= pages.1
            && pages.1 < mapping.height
            && !self.full
            && self.watched.is_none();
        if !is_usual {
            return pixels;
        }
        let width = usize::from(columns.1 - columns.0) + 1;
        let rows = (pixels.len() / width).min(usize::from(pages.1 - self.page) + 1);
        if rows == 0 {
            return pixels;
        }
        let (now, later) = pixels.split_at(rows * width);
        let first = mapping.cell(self.column, self.page);
        let area = Area { first, step: mapping.page_step, length: width, rows };
        match width {
            // With few pixels in a row, loops of constant length are faster.
            1 => self.replace_rows::<1, N>(area, frames, now, cell),
            2 => self.replace_rows::<2, N>(area, frames, now, cell),
            3 => self.replace_rows::<3, N>(area, frames, now, cell),
            4 => self.replace_rows::<4, N>(area, frames, now, cell),
            5 => self.replace_rows::<5, N>(area, frames, now, cell),
            _ => self.replace_long_rows(area, frames, now, cell),
        }
        // The last row is advanced in the usual way: the window may be full after it.
        self.page += rows as u16 - 1;
        self.advance(width);
        later
    }

    /// Writes `pixels`, as many as `area` has cells, into the rows of `area`, and their previous
    /// contents into the log of `frames`.
    fn replace<const N: usize>(
        &mut self,
        area: Area,
        frames: &mut Frames,
        pixels: impl Iterator<Item = [u8; N]>,
        cell: impl Fn([u8; N]) -> u32,
    ) {
        self.replace_cells(area, frames, pixels.map(cell));
    }

    /// Writes `values` into the rows of `area`, and their previous contents into the log of
    /// `frames`.
    pub(crate) fn replace_cells(
        &mut self,
        area: Area,
        frames: &mut Frames,
        values: impl Iterator<Item = u32>,
    ) {
        let mut log = frames.log(area, &self.cells).into_iter().flatten();
        for (at, value) in area.rows().flatten().zip(values) {
            let before = core::mem::replace(&mut self.cells[at], value);
            if let Some(place) = log.next() {
                *place = before;
            }
        }
    }

    /// Does the same as [`replace`](Self::replace) for rows from left to right.
    #[inline(always)]
    fn replace_long_rows<const N: usize>(
        &mut self,
        area: Area,
        frames: &mut Frames,
        pixels: &[[u8; N]],
        cell: impl Fn([u8; N]) -> u32,
    ) {
        let mut log = frames.log(area, &self.cells).map(|log| log.chunks_exact_mut(area.length));
        for (places, pixels) in area.rows().zip(pixels.chunks_exact(area.length)) {
            let cells = &mut self.cells[places];
            if let Some(saved) = log.as_mut().and_then(Iterator::next) {
                put_row(cells, saved, pixels, &cell);
            } else {
                for (place, pixel) in cells.iter_mut().zip(pixels) {
                    *place = cell(*pixel);
                }
            }
        }
    }

    /// Does the same as [`replace`](Self::replace) for several rows of `LENGTH` pixels each.
    #[inline(always)]
    fn replace_rows<const LENGTH: usize, const N: usize>(
        &mut self,
        area: Area,
        frames: &mut Frames,
        pixels: &[[u8; N]],
        cell: impl Fn([u8; N]) -> u32,
    ) {
        let rows = pixels.as_chunks::<LENGTH>().0;
        let Some(first) = rows.first() else { return };
        let log = frames.log(area, &self.cells);
        // Most narrow windows are edges of shapes: all rows are equal.
        let (above, below) = (&rows[..rows.len() - 1], &rows[1..]);
        if above.as_flattened().as_flattened() == below.as_flattened().as_flattened() {
            let row = first.map(cell);
            put_narrow_rows(&mut self.cells, area, log, core::iter::repeat_n(row, rows.len()));
        } else {
            let mut known = (first, first.map(&cell));
            let rows = rows.iter().map(|row| {
                if row != known.0 {
                    known = (row, row.map(&cell));
                }
                known.1
            });
            put_narrow_rows(&mut self.cells, area, log, rows);
        }
    }
}

/// Writes `pixels` into `cells`, and the previous contents into `saved`; all three have the same
/// length.
#[inline]
fn put_row<const N: usize>(
    cells: &mut [u32],
    saved: &mut [u32],
    pixels: &[[u8; N]],
    cell: impl Fn([u8; N]) -> u32,
) {
    for ((place, pixel), saved) in cells.iter_mut().zip(pixels).zip(saved) {
        *saved = core::mem::replace(place, cell(*pixel));
    }
}

/// Writes `rows` into the rows of `area`, and the previous contents into the `log`.
#[inline(always)]
fn put_narrow_rows<const LENGTH: usize>(
    cells: &mut [u32],
    area: Area,
    log: Option<&mut [u32]>,
    rows: impl Iterator<Item = [u32; LENGTH]>,
) {
    let mut first = area.first;
    let mut put = |row: [u32; LENGTH], saved: Option<&mut [u32; LENGTH]>| {
        let cells = cells.get_mut(first..).and_then(<[u32]>::first_chunk_mut::<LENGTH>);
        first = first.wrapping_add_signed(area.step);
        let Some(cells) = cells else { return };
        if let Some(saved) = saved {
            *saved = *cells;
        }
        *cells = row;
    };
    match log {
        Some(log) => {
            for (row, saved) in rows.zip(log.as_chunks_mut::<LENGTH>().0) {
                put(row, Some(saved));
            }
        }
        None => {
            for row in rows {
                put(row, None);
            }
        }
    }
}
