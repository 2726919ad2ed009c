//! Which parts of the memory were written since some frame. It knows no cell and no moment.

use super::geometry::{COLUMNS, PAGES};
use super::tiles::{TILE, Tiles};

const TILES: (usize, usize) = (PAGES.div_ceil(TILE), COLUMNS.div_ceil(TILE));

/// None of the memory's tiles.
pub(super) fn none() -> Tiles {
    Tiles::from_rows(TILES.0, core::iter::repeat_n(0, TILES.1))
}

/// All of them.
pub(super) fn all() -> Tiles {
    let row = u64::MAX >> (u64::BITS as usize - TILES.0);
    Tiles::from_rows(TILES.0, core::iter::repeat_n(row, TILES.1))
}

/// Frames whose tiles are known one by one.
const RECENT: usize = 16;

/// For each tile of the memory, a row of them a line of tiles on the glass, the number of a frame behind which none
/// has changed it; mostly that of the last one that may have.
#[derive(Clone)]
pub(super) struct Written {
    by_tile: Vec<u64>,
    /// The last frames and what they may have changed, in order; the others are in `by_tile`.
    recent: Vec<(u64, Tiles)>,
}

impl Written {
    pub(super) fn new() -> Self {
        Self { by_tile: vec![0; TILES.0 * TILES.1], recent: Vec::new() }
    }

    /// The frame of this number, which is no earlier one than those before, may have changed these tiles.
    pub(super) fn note(&mut self, number: u64, tiles: Tiles) {
        if self.recent.len() == RECENT {
            self.merge();
        }
        self.recent.push((number, tiles));
    }

    /// Notes what the recent frames may have changed under the number of the last of them: once for all of them.
    fn merge(&mut self) {
        let mut all = none();
        let mut last = 0;
        for (number, tiles) in self.recent.drain(..) {
            all.join(&tiles);
            last = number;
        }
        for (row, columns) in all.runs() {
            self.by_tile[row * TILES.0..][columns].fill(last);
        }
    }

    /// The frame of this number may have changed all.
    pub(super) fn note_all(&mut self, number: u64) {
        self.by_tile.fill(number);
    }

    /// The tiles that a frame behind the one of this number may have changed.
    pub(super) fn since(&self, number: u64) -> Tiles {
        let rows = self.by_tile.chunks_exact(TILES.0).map(|row| {
            let later = row.iter().enumerate();
            later.fold(0, |row, (nth, frame)| row | u64::from(*frame > number) << nth)
        });
        let mut tiles = Tiles::from_rows(TILES.0, rows);
        for (_, changed) in self.recent.iter().filter(|(frame, _)| *frame > number) {
            tiles.join(changed);
        }
        tiles
    }
}
