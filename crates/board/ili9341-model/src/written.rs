//! Parts of the memory that were written since a given frame. The module knows no cell and no time.

use super::geometry::{COLUMNS, PAGES};
use super::tiles::{TILE, Tiles};

const TILES: (usize, usize) = (PAGES.div_ceil(TILE), COLUMNS.div_ceil(TILE));

/// Returns an empty set of the memory's tiles.
pub(super) fn none() -> Tiles {
    Tiles::from_rows(TILES.0, core::iter::repeat_n(0, TILES.1))
}

/// Returns the set of all the memory's tiles.
pub(super) fn all() -> Tiles {
    let row = u64::MAX >> (u64::BITS as usize - TILES.0);
    Tiles::from_rows(TILES.0, core::iter::repeat_n(row, TILES.1))
}

/// Maximum number of recent frames whose tiles are stored separately.
const RECENT: usize = 16;

/// For each tile of the memory, row by row as on the panel, the number of a frame after which no
/// frame has changed the tile; usually that of the last frame that may have changed it.
#[derive(Clone)]
pub(super) struct Written {
    by_tile: Vec<u64>,
    /// The most recent frames and the tiles that they may have changed, in order; older frames are
    /// in `by_tile`.
    recent: Vec<(u64, Tiles)>,
}

impl Written {
    pub(super) fn new() -> Self {
        Self { by_tile: vec![0; TILES.0 * TILES.1], recent: Vec::new() }
    }

    /// Records that the frame `number`, not earlier than the previous ones, may have changed
    /// `tiles`.
    pub(super) fn note(&mut self, number: u64, tiles: Tiles) {
        if self.recent.len() == RECENT {
            self.merge();
        }
        self.recent.push((number, tiles));
    }

    /// Merges the recent frames into `by_tile` under the number of the last of them, in one pass.
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

    /// Records that the frame `number` may have changed all tiles.
    pub(super) fn note_all(&mut self, number: u64) {
        self.by_tile.fill(number);
    }

    /// Returns the tiles that frames after `number` may have changed.
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
