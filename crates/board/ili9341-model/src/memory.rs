//! The frame memory (18 bits a cell) and its address counter.
//!
//! Pixels are written through a window, along columns first, then pages (datasheet 9.3), rotated
//! and mirrored by MADCTL. Pixels outside the memory are dropped. Previous contents of cells are
//! saved in [`Frames`](crate::frames::Frames). The module knows neither commands nor time.
//!
//! `pixels` receives bytes, `rows` writes pixels into the cells, `watched` records those of one cell.

mod pixels;
mod rows;
mod watched;

use super::geometry::{Layout, Mapping, Window};
use super::pixel::SIX_BITS;
use virtual_time::Random;
pub(super) use watched::Hit;
use watched::Watched;

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

    /// Returns column and page of the next pixel, in the host's directions.
    pub(super) fn counter(&self) -> (u16, u16) {
        (self.column, self.page)
    }

    /// Returns the window of the last RAMWR.
    pub(super) fn window(&self) -> Window {
        self.window
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
