//! The watched cell: the pixels that are written into it are recorded.

use super::{Memory, UNWRITTEN};
use crate::pixel::SIX_BITS;

/// A cell whose writes are recorded.
#[derive(Clone)]
pub(super) struct Watched {
    cell: usize,
    /// Number of pixels of the current write so far.
    pub(super) pixels: usize,
    hits: Vec<Hit>,
}

/// A pixel that was written into the watched cell.
#[derive(Clone)]
pub(crate) struct Hit {
    /// Index of the pixel in the write, from 0.
    pub(crate) pixel: usize,
    pub(crate) bytes: Vec<u8>,
    /// New contents of the cell; `cell_before` has the previous ones, if the cell had been written.
    pub(crate) cell: u32,
    pub(crate) cell_before: Option<u32>,
    /// Column and page in the host's directions.
    pub(crate) position: (u16, u16),
}

impl Memory {
    /// Records each write to `cell` for [`Memory::take_hits`]; `None` records nothing.
    pub(crate) fn watch(&mut self, cell: Option<usize>) {
        self.watched = cell.map(|cell| Watched { cell, pixels: 0, hits: Vec::new() });
    }

    /// Returns whether a cell is watched.
    pub(crate) fn is_watched(&self) -> bool {
        self.watched.is_some()
    }

    /// Returns the pixels that the last [`Memory::write`] wrote into the watched cell.
    pub(crate) fn take_hits(&mut self) -> Vec<Hit> {
        self.watched.as_mut().map_or_else(Vec::new, |watched| {
            watched.pixels = 0;
            core::mem::take(&mut watched.hits)
        })
    }

    /// Records the pixel of `now`, a run of pixels from cell `first` on, that is written into the
    /// watched cell.
    pub(super) fn record_hit<const N: usize>(
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
    pub(crate) fn record_cell_hit(
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
}
