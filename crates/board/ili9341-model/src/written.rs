//! Parts of the memory that were written since a given frame. The module knows no cell and no time.

use super::geometry::Layout;
use super::tiles::{TILE, Tiles};

/// Number of tiles in a row, and of rows, of a memory.
fn count(layout: &Layout) -> (usize, usize) {
    (layout.line().div_ceil(TILE), layout.lines().div_ceil(TILE))
}

fn none((columns, rows): (usize, usize)) -> Tiles {
    Tiles::from_rows(columns, core::iter::repeat_n(0, rows))
}

/// Returns the set of all the memory's tiles.
pub(super) fn all(layout: &Layout) -> Tiles {
    let (columns, rows) = count(layout);
    let row = u64::MAX >> (u64::BITS as usize - columns);
    Tiles::from_rows(columns, core::iter::repeat_n(row, rows))
}

/// Maximum number of recent frames whose tiles are stored separately.
const RECENT: usize = 16;

/// For each tile of the memory, row by row as on the panel, the number of a frame after which no
/// frame has changed the tile; usually that of the last frame that may have changed it.
#[derive(Clone)]
pub(super) struct Written {
    /// Number of tiles in a row, and of rows.
    size: (usize, usize),
    by_tile: Vec<u64>,
    /// The most recent frames and the tiles that they may have changed, in order; older frames are
    /// in `by_tile`.
    recent: Vec<(u64, Tiles)>,
}

impl Written {
    pub(super) fn new(layout: &Layout) -> Self {
        let size = count(layout);
        Self { size, by_tile: vec![0; size.0 * size.1], recent: Vec::new() }
    }

    /// Returns an empty set of the memory's tiles.
    pub(super) fn none(&self) -> Tiles {
        none(self.size)
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
        let mut all = none(self.size);
        let mut last = 0;
        for (number, tiles) in self.recent.drain(..) {
            all.join(&tiles);
            last = number;
        }
        for (row, columns) in all.runs() {
            self.by_tile[row * self.size.0..][columns].fill(last);
        }
    }

    /// Records that the frame `number` may have changed all tiles.
    pub(super) fn note_all(&mut self, number: u64) {
        self.by_tile.fill(number);
    }

    /// Returns the tiles that frames after `number` may have changed.
    pub(super) fn since(&self, number: u64) -> Tiles {
        let rows = self.by_tile.chunks_exact(self.size.0).map(|row| {
            let later = row.iter().enumerate();
            later.fold(0, |row, (nth, frame)| row | u64::from(*frame > number) << nth)
        });
        let mut tiles = Tiles::from_rows(self.size.0, rows);
        for (_, changed) in self.recent.iter().filter(|(frame, _)| *frame > number) {
            tiles.join(changed);
        }
        tiles
    }
}
