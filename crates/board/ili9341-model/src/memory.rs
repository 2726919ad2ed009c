//! The frame memory (18 bits a cell) and its address counter.
//!
//! Pixels are written through a window, along columns first, then pages (datasheet 9.3), rotated
//! and mirrored by MADCTL. Pixels outside the memory are dropped. Previous contents of cells are
//! saved in [`Frames`]. The module knows neither commands nor time.

use super::frames::Frames;
use super::geometry::{Area, Layout, Mapping, Window};
use super::pixel::{PixelFormat, SIX_BITS};
use virtual_time::Random;

/// Marks a cell that has not been written since power-on.
const UNWRITTEN: u32 = 1 << 24;

/// The cells, the address counter and the bytes of an incomplete pixel.
#[derive(Clone)]
pub(super) struct Memory {
    /// Cells line by line, each colour in the upper six bits of its byte: `0x00RRGGBB`.
    cells: Vec<u32>,
    layout: Layout,
    /// Whether there has been no power yet.
    is_new: bool,
    /// Generator of the power-on noise, until the noise is in the cells.
    noise: Option<Random>,
    mapping: Mapping,
    window: Window,
    column: u16,
    page: u16,
    /// Whether the window's last pixel has been written.
    full: bool,
    /// Set when a pixel came after the window was full; cleared by the caller that records it.
    pub(super) overrun: bool,
    /// IFCTL's WEMODE: continue at the window's start when the window is full, or ignore further
    /// pixels.
    pub(super) wraps: bool,
    partial: [u8; 2],
    partial_bytes: usize,
    /// Red of the second pixel of a pair of twelve bits, after the first one.
    half: Option<u8>,
    watched: Option<Watched>,
}

/// A cell whose writes are recorded.
#[derive(Clone)]
struct Watched {
    cell: usize,
    /// Number of pixels of the current write so far.
    pixels: usize,
    hits: Vec<Hit>,
}

/// A pixel that was written into the watched cell.
#[derive(Clone)]
pub(super) struct Hit {
    /// Index of the pixel in the write, from 0.
    pub(super) pixel: usize,
    pub(super) bytes: Vec<u8>,
    /// New contents of the cell; `cell_before` has the previous ones, if the cell had been written.
    pub(super) cell: u32,
    pub(super) cell_before: Option<u32>,
    /// Column and page in the host's directions.
    pub(super) position: (u16, u16),
}

impl Memory {
    pub(super) fn new(layout: Layout) -> Self {
        Self {
            cells: vec![UNWRITTEN; layout.cells()],
            layout,
            is_new: true,
            noise: None,
            mapping: Mapping::new(&layout, false, false, false),
            window: Window { columns: (0, 0), pages: (0, 0) },
            column: 0,
            page: 0,
            full: false,
            overrun: false,
            wraps: true,
            partial: [0; 2],
            partial_bytes: 0,
            half: None,
            watched: None,
        }
    }

    /// Fills the cells with noise at power-on (8.2.22). The noise is written into them only when it
    /// may become visible; usually all cells have been written by then.
    pub(super) fn power_on(&mut self, noise: Random) {
        if !core::mem::take(&mut self.is_new) {
            self.cells.fill(UNWRITTEN);
        }
        self.noise = Some(noise);
    }

    /// Writes the noise into the cells that have not been written, unless that is done.
    pub(super) fn settle(&mut self) {
        let Some(noise) = self.noise.take() else { return };
        if self.is_all_written() {
            return;
        }
        for (index, cell) in self.cells.iter_mut().enumerate() {
            if *cell & UNWRITTEN != 0 {
                *cell = UNWRITTEN | noise_in(&self.layout, &noise, index);
            }
        }
    }

    /// Returns the contents of a cell, six bits a colour.
    fn held(&self, index: usize) -> u32 {
        match &self.noise {
            Some(noise) if self.cells[index] & UNWRITTEN != 0 => {
                noise_in(&self.layout, noise, index)
            }
            _ => self.cells[index] & SIX_BITS,
        }
    }

    /// Returns whether every cell has been written since power-on.
    pub(super) fn is_all_written(&self) -> bool {
        // A fold needs no branch per cell.
        self.cells.iter().fold(0, |all, cell| all | cell) & UNWRITTEN == 0
    }

    /// Returns the first and the last column, and the first and the last page, that have been written
    /// since power-on, if all cells between them have been written as well.
    pub(super) fn written_area(&self) -> Option<[(usize, usize); 2]> {
        let length = self.layout.line();
        let mut area: Option<[(usize, usize); 2]> = None;
        let mut count = 0;
        for (row, cells) in self.cells.chunks(length).enumerate() {
            let is_written = |cell: &u32| *cell & UNWRITTEN == 0;
            let Some(first) = cells.iter().position(is_written) else { continue };
            let last = cells.iter().rposition(is_written).unwrap_or(first);
            count += cells.iter().filter(|cell| is_written(cell)).count();
            let [places, rows] = area.get_or_insert([(first, last), (row, row)]);
            *places = (places.0.min(first), places.1.max(last));
            rows.1 = row;
        }
        let [places, rows] = area?;
        let is_full = count == (places.1 - places.0 + 1) * (rows.1 - rows.0 + 1);
        let is_landscape = self.layout.module.mounting.is_landscape;
        is_full.then_some(if is_landscape { [rows, places] } else { [places, rows] })
    }

    /// Returns all cells, line by line, without noise until [`settle`](Self::settle) writes it.
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Returns the contents of a cell as `0x00RRGGBB`, six bits a colour; `None` outside.
    pub(super) fn cell(&self, column: usize, page: usize) -> Option<u32> {
        self.index(column, page).map(|index| self.held(index))
    }

    /// Returns the index of a cell; `None` outside.
    pub(super) fn index(&self, column: usize, page: usize) -> Option<usize> {
        let exists = column < self.layout.columns && page < self.layout.pages;
        exists.then(|| self.layout.cell(column, page))
    }

    /// Returns the mapping of the host's directions.
    pub(super) fn mapping(&self) -> Mapping {
        self.mapping
    }

    /// Sets the mapping of the host's directions; returns whether it has changed.
    pub(super) fn set_mapping(&mut self, mapping: Mapping) -> bool {
        let turned = mapping != self.mapping;
        self.mapping = mapping;
        turned
    }

    /// Moves the counter to the window's start, for RAMWR and RAMRD.
    pub(super) fn rewind(&mut self, window: Window) {
        self.window = window;
        (self.column, self.page) = (window.columns.0, window.pages.0);
        self.full = false;
    }

    /// Records each write to `cell` for [`Memory::take_hits`]; `None` records nothing.
    pub(super) fn watch(&mut self, cell: Option<usize>) {
        self.watched = cell.map(|cell| Watched { cell, pixels: 0, hits: Vec::new() });
    }

    /// Returns whether a cell is watched.
    pub(super) fn is_watched(&self) -> bool {
        self.watched.is_some()
    }

    /// Returns the pixels that the last [`Memory::write`] wrote into the watched cell.
    pub(super) fn take_hits(&mut self) -> Vec<Hit> {
        self.watched.as_mut().map_or_else(Vec::new, |watched| {
            watched.pixels = 0;
            core::mem::take(&mut watched.hits)
        })
    }

    /// Returns column and page of the next pixel, in the host's directions.
    pub(super) fn counter(&self) -> (u16, u16) {
        (self.column, self.page)
    }

    /// Returns the window of the last RAMWR.
    pub(super) fn window(&self) -> Window {
        self.window
    }

    /// Records the pixel of `now`, a run of pixels from cell `first` on, that is written into the
    /// watched cell.
    fn record_hit<const N: usize>(
        &mut self,
        now: &[[u8; N]],
        first: usize,
        cell: impl Fn([u8; N]) -> u32,
    ) {
        let Some(watched) = &mut self.watched else { return };
        let (away, step) = (watched.cell as isize - first as isize, self.mapping.column_step);
        if away % step != 0 {
            return;
        }
        let nth = usize::try_from(away / step).unwrap_or(usize::MAX);
        if let Some(pixel) = now.get(nth) {
            let before = self.cells[watched.cell];
            watched.hits.push(Hit {
                pixel: watched.pixels + nth,
                bytes: pixel.to_vec(),
                cell: cell(*pixel),
                cell_before: (before & UNWRITTEN == 0).then_some(before & SIX_BITS),
                position: (self.column + nth as u16, self.page),
            });
        }
    }

    /// Records a write to `cell` if it is the watched one.
    pub(super) fn record_cell_hit(
        &mut self,
        cell: Option<usize>,
        pixel: usize,
        bytes: &[u8],
        colour: u32,
        position: (u16, u16),
    ) {
        let Some(watched) = self.watched.as_mut().filter(|watched| Some(watched.cell) == cell)
        else {
            return;
        };
        let before = self.cells[watched.cell];
        watched.hits.push(Hit {
            pixel,
            bytes: bytes.to_vec(),
            cell: colour,
            cell_before: (before & UNWRITTEN == 0).then_some(before & SIX_BITS),
            position,
        });
    }

    /// Returns the bytes of the incomplete pixel.
    pub(super) fn partial(&self) -> &[u8] {
        &self.partial[..self.partial_bytes]
    }

    /// Returns whether the next byte is the second of a pair of pixels of twelve bits.
    pub(super) fn has_half(&self) -> bool {
        self.half.is_some()
    }

    /// Drops the first half of the second pixel of a pair.
    pub(super) fn forget_half(&mut self) {
        self.half = None;
    }

    pub(super) fn forget_partial(&mut self) {
        self.half = None;
        self.partial_bytes = 0;
    }

    /// Receives pixel bytes, split anywhere.
    pub(super) fn write(&mut self, bytes: &[u8], format: PixelFormat, frames: &mut Frames) {
        match format {
            PixelFormat::Bits16(expansion) => {
                self.write_as::<2>(bytes, frames, move |pixel| expansion.cell(pixel));
            }
            PixelFormat::Bits18 => {
                self.write_as::<3>(bytes, frames, |[red, green, blue]| {
                    u32::from_be_bytes([0, red, green, blue]) & SIX_BITS
                });
            }
            PixelFormat::Bits12 => self.write_twelve_bits(bytes, frames),
        }
    }

    #[inline(always)]
    fn write_as<const N: usize>(
        &mut self,
        mut bytes: &[u8],
        frames: &mut Frames,
        cell: impl Fn([u8; N]) -> u32 + Copy,
    ) {
        if self.partial_bytes > 0 {
            let mut pixel = [0; N];
            let held = self.partial_bytes.min(N - 1);
            let (first, missing) = pixel.split_at_mut(held);
            first.copy_from_slice(&self.partial[..held]);
            if bytes.len() < missing.len() {
                self.keep(bytes);
                return;
            }
            let (now, later) = bytes.split_at(missing.len());
            missing.copy_from_slice(now);
            self.put(&[pixel], frames, cell);
            bytes = later;
            self.partial_bytes = 0;
        }
        let (pixels, rest) = bytes.as_chunks::<N>();
        self.put(pixels, frames, cell);
        self.keep(rest);
    }

    /// Receives pixels of twelve bits: two in three bytes. The first of a pair is complete with the
    /// upper half of the second byte.
    fn write_twelve_bits(&mut self, bytes: &[u8], frames: &mut Frames) {
        for byte in bytes {
            let (upper, lower) = (byte & 0xF0, byte << 4);
            match (self.half.take(), &self.partial[..self.partial_bytes]) {
                (Some(red), _) => self.put(&[[red, upper, lower]], frames, twelve_bits),
                (None, [first]) => {
                    let pixel = [first & 0xF0, first << 4, upper];
                    self.partial_bytes = 0;
                    self.put(&[pixel], frames, twelve_bits);
                    self.half = Some(lower);
                }
                _ => self.keep(&[*byte]),
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if let Some(place) = self.partial.get_mut(self.partial_bytes) {
                *place = *byte;
                self.partial_bytes += 1;
            }
        }
    }

    /// Writes whole pixels at the counter, one run along the window's row at a time.
    #[inline(always)]
    fn put<const N: usize>(
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
    pub(super) fn replace_cells(
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

    /// Reads the cell at the counter and advances the counter; `None` outside the memory.
    pub(super) fn read(&mut self) -> Option<u32> {
        let (column, page) = (self.column, self.page);
        self.full = false;
        self.advance(1);
        (column < self.mapping.width && page < self.mapping.height)
            .then(|| self.held(self.mapping.cell(column, page)))
    }

    /// Returns whether the window accepts another pixel.
    fn accepts_pixel(&mut self) -> bool {
        if self.full {
            self.overrun = true;
            if !self.wraps {
                return false;
            }
            self.full = false;
        }
        true
    }

    /// Advances the counter by `run` pixels, at most to the row's end.
    fn advance(&mut self, run: usize) {
        if usize::from(self.window.columns.1.saturating_sub(self.column)) >= run {
            self.column += run as u16;
            return;
        }
        self.column = self.window.columns.0;
        if self.page < self.window.pages.1 {
            self.page += 1;
        } else {
            self.page = self.window.pages.0;
            self.full = true;
        }
    }
}

/// Returns the cell of a pixel with four bits a colour in the upper halves of its bytes, which are
/// repeated.
fn twelve_bits(pixel: [u8; 3]) -> u32 {
    let [red, green, blue] = pixel.map(|colour| colour | colour >> 4);
    u32::from_be_bytes([0, red, green, blue]) & SIX_BITS
}

/// Returns the noise in a cell after power-on; two cells share a number of `noise`.
fn noise_in(layout: &Layout, noise: &Random, cell: usize) -> u32 {
    let number = noise.nth(cell as u64 / 2);
    let colour = (number >> (32 * (cell % 2))) as u32 & SIX_BITS;
    match layout.is_one_bit {
        true if colour & 0x04 == 0 => 0,
        true => SIX_BITS,
        false => colour,
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
