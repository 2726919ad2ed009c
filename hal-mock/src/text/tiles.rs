//! A frame in square tiles, of which some are chosen: those that have changed, and what is near them.
//! It knows no text.

use core::ops::Range;

use crate::Frame;

/// The side of a tile, in pixels.
pub(super) const TILE: usize = 16;

/// Some tiles of a frame.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    columns: usize,
    rows: usize,
    /// By tile, row by row.
    chosen: Vec<bool>,
}

impl Tiles {
    fn none(frame: &Frame) -> Self {
        let (columns, rows) = (frame.width().div_ceil(TILE), frame.height().div_ceil(TILE));
        Self { columns, rows, chosen: vec![false; columns * rows] }
    }

    /// All tiles of `frame`.
    pub(super) fn all(frame: &Frame) -> Self {
        let mut tiles = Self::none(frame);
        tiles.chosen.fill(true);
        tiles
    }

    /// The tiles in which some pixel of `now` is not that of `then`; `None` if the frames have
    /// different sizes.
    pub(super) fn changed(then: &Frame, now: &Frame) -> Option<Self> {
        let width = now.width();
        if (then.width(), then.height()) != (width, now.height()) {
            return None;
        }
        let mut tiles = Self::none(now);
        if width == 0 {
            return Some(tiles);
        }
        let rows = then.pixels().chunks_exact(width).zip(now.pixels().chunks_exact(width));
        for (y, (then, now)) in rows.enumerate() {
            // Most rows of two frames that follow each other are equal.
            if then == now {
                continue;
            }
            let chosen = &mut tiles.chosen[y / TILE * tiles.columns..][..tiles.columns];
            for (chosen, (then, now)) in
                chosen.iter_mut().zip(then.chunks(TILE).zip(now.chunks(TILE)))
            {
                *chosen |= then != now;
            }
        }
        Some(tiles)
    }

    /// Whether no tile is chosen.
    pub(super) fn is_empty(&self) -> bool {
        !self.chosen.contains(&true)
    }

    /// Whether the tile of the pixel in column `x`, row `y` is chosen.
    pub(super) fn holds(&self, x: usize, y: usize) -> bool {
        self.chosen[y / TILE * self.columns + x / TILE]
    }

    /// Whether a tile is chosen that has a pixel in these columns and rows, which are not empty and lie on
    /// the frame.
    pub(super) fn meets(&self, columns: Range<usize>, rows: Range<usize>) -> bool {
        (rows.start / TILE..=(rows.end - 1) / TILE).any(|row| {
            let chosen = &self.chosen[row * self.columns..][..self.columns];
            chosen[columns.start / TILE..=(columns.end - 1) / TILE].contains(&true)
        })
    }

    /// All tiles with a pixel that is at most so many columns and rows away from a chosen tile.
    pub(super) fn grown(&self, width: usize, height: usize) -> Self {
        let (across, down) = (width.div_ceil(TILE), height.div_ceil(TILE));
        let mut grown = Self { chosen: vec![false; self.chosen.len()], ..*self };
        for at in (0..self.chosen.len()).filter(|at| self.chosen[*at]) {
            let (column, row) = (at % self.columns, at / self.columns);
            let last = (column + across).min(self.columns - 1);
            for row in row.saturating_sub(down)..=(row + down).min(self.rows - 1) {
                let line = &mut grown.chosen[row * self.columns..][..self.columns];
                line[column.saturating_sub(across)..=last].fill(true);
            }
        }
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_a_change_is_at_most_so_far_from_its_tile() {
        // 5 by 4 tiles; the last ones are no whole ones.
        let then = Frame::filled(70, 60, 0);
        for (x, y) in [(0, 0), (69, 59), (40, 20)] {
            let mut now = then.clone();
            now.pixels_mut()[y * 70 + x] = 1;
            let changed = Tiles::changed(&then, &now).unwrap();
            for (width, height) in [(0, 0), (6, 10), (16, 16), (17, 33)] {
                let grown = changed.grown(width, height);
                for (column, row) in (0..4).flat_map(|row| (0..5).map(move |column| (column, row)))
                {
                    let across = (x / TILE).abs_diff(column) <= width.div_ceil(TILE);
                    let down = (y / TILE).abs_diff(row) <= height.div_ceil(TILE);
                    let holds = grown.holds(column * TILE, row * TILE);
                    assert_eq!(
                        holds,
                        across && down,
                        "{x},{y} by {width},{height}: {column},{row}"
                    );
                }
            }
        }
        assert!(Tiles::changed(&then, &then).is_some_and(|tiles| tiles.is_empty()));
        assert!(Tiles::changed(&then, &Frame::filled(60, 70, 0)).is_none());
    }
}
