//! A set of square tiles of a picture: those that were written, those that have changed, those near
//! them. The module knows no memory and no panel.

use core::ops::Range;

use crate::frame::Frame;

/// Side length of a tile in pixels.
pub const TILE: usize = 8;

/// Maximum number of tiles in a row: one bit each.
const COLUMNS_MAX: usize = 64;

/// A set of tiles of a picture of at most 512 pixels a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles {
    columns: usize,
    /// One word per row of tiles; bit 0 is the leftmost tile.
    rows: Vec<u64>,
}

impl Tiles {
    /// Creates an empty set for a picture of this size; `None` if its rows are too long.
    pub fn none(width: usize, height: usize) -> Option<Self> {
        let (columns, rows) = (width.div_ceil(TILE), height.div_ceil(TILE));
        (columns <= COLUMNS_MAX).then(|| Self { columns, rows: vec![0; rows] })
    }

    /// Creates the set of all tiles of a picture of this size; `None` if its rows are too long.
    pub fn all(width: usize, height: usize) -> Option<Self> {
        let mut tiles = Self::none(width, height)?;
        let row = bits(0..tiles.columns);
        tiles.rows.fill(row);
        Some(tiles)
    }

    /// Creates a set of `columns` tiles a row, at most 64, with a word of bits for each row.
    pub(super) fn from_rows(columns: usize, rows: impl Iterator<Item = u64>) -> Self {
        Self { columns, rows: rows.collect() }
    }

    /// Returns the tiles in which a pixel of `now` differs from `then`; `None` if the frames have
    /// different sizes, or rows that are too long.
    pub fn changed(then: &Frame, now: &Frame) -> Option<Self> {
        let width = now.width();
        if (then.width(), then.height()) != (width, now.height()) {
            return None;
        }
        let mut tiles = Self::none(width, now.height())?;
        let rows = then.pixels().chunks_exact(width.max(1));
        for (y, (then, now)) in rows.zip(now.pixels().chunks_exact(width.max(1))).enumerate() {
            // Most rows of two consecutive frames are equal.
            if then != now {
                tiles.rows[y / TILE] |= differing(then, now);
            }
        }
        Some(tiles)
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| *row == 0)
    }

    /// Returns the number of tiles in the set.
    pub fn count(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Removes all tiles from the set.
    pub fn clear(&mut self) {
        self.rows.fill(0);
    }

    /// Adds the tiles with a pixel in these columns and rows, which must be inside the picture.
    pub fn choose(&mut self, columns: Range<usize>, rows: Range<usize>) {
        let (columns, rows) = (tiles_of(columns), tiles_of(rows));
        let row_bits = bits(columns);
        self.rows[rows].iter_mut().for_each(|row| *row |= row_bits);
    }

    /// Adds the tiles of `other`, a set for a picture of the same size.
    pub fn join(&mut self, other: &Self) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(row, other)| *row |= other);
    }

    /// Returns whether the tile of the pixel in column `x`, row `y` is in the set.
    pub fn holds(&self, x: usize, y: usize) -> bool {
        self.rows[y / TILE] >> (x / TILE) & 1 == 1
    }

    /// Returns whether the set has a tile with a pixel in these columns and rows, which must be
    /// inside the picture.
    #[inline]
    pub fn meets(&self, columns: Range<usize>, rows: Range<usize>) -> bool {
        let (columns, rows) = (tiles_of(columns), tiles_of(rows));
        let row_bits = bits(columns);
        self.rows[rows].iter().fold(0, |met, row| met | row & row_bits) != 0
    }

    /// Returns all tiles with a pixel at most `width` columns and `height` rows away from a tile of
    /// the set.
    #[must_use]
    pub fn grown(&self, width: usize, height: usize) -> Self {
        let (across, down) = (width.div_ceil(TILE), height.div_ceil(TILE));
        let all = bits(0..self.columns);
        let widened = |row: u64| {
            (1..=across.min(COLUMNS_MAX - 1)).fold(row, |wide, by| wide | row << by | row >> by)
                & all
        };
        let wide: Vec<u64> = self.rows.iter().map(|row| widened(*row)).collect();
        let near = |row: usize| row.saturating_sub(down)..(row + down + 1).min(wide.len());
        let rows = 0..wide.len();
        let rows = rows.map(|row| wide[near(row)].iter().fold(0, |all, row| all | row)).collect();
        Self { columns: self.columns, rows }
    }

    /// Copies the pixels of the tiles to another frame of the same size.
    pub fn copy(&self, from: &Frame, to: &mut Frame) {
        let (width, height) = (from.width(), from.height());
        for (row, columns) in self.runs() {
            let (left, right) = (columns.start * TILE, (columns.end * TILE).min(width));
            for y in row * TILE..((row + 1) * TILE).min(height) {
                let place = y * width + left..y * width + right;
                to.pixels_mut()[place.clone()].copy_from_slice(&from.pixels()[place]);
            }
        }
    }

    /// Returns the tiles of the set row by row: the row of tiles, and a range of adjacent tiles in
    /// it.
    pub fn runs(&self) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        self.rows.iter().enumerate().flat_map(|(row, bits)| {
            let mut left = *bits;
            core::iter::from_fn(move || {
                let first = left.trailing_zeros();
                let length = (left.checked_shr(first)?).trailing_ones();
                let end = first + length;
                left &= u64::MAX.checked_shl(end).unwrap_or(0);
                Some((row, first as usize..end as usize))
            })
        })
    }
}

/// Returns the tiles of a row of pixels in which two rows differ.
fn differing(then: &[u32], now: &[u32]) -> u64 {
    let ((then, then_rest), (now, now_rest)) = (then.as_chunks::<TILE>(), now.as_chunks::<TILE>());
    let whole = then.iter().zip(now).enumerate();
    let row = whole.fold(0, |row, (nth, (then, now))| row | u64::from(differ(then, now)) << nth);
    if then_rest == now_rest { row } else { row | 1 << then.len() }
}

/// Returns whether two lines of a tile differ: in a few instructions, without a branch.
fn differ(then: &[u32; TILE], now: &[u32; TILE]) -> bool {
    then.iter().zip(now).fold(0, |bits, (then, now)| bits | (then ^ now)) != 0
}

/// Returns the tiles of these pixels, at least one.
fn tiles_of(pixels: Range<usize>) -> Range<usize> {
    pixels.start / TILE..(pixels.end - 1) / TILE + 1
}

/// Returns a mask with a bit for each of these tiles.
fn bits(tiles: Range<usize>) -> u64 {
    match COLUMNS_MAX - tiles.len() {
        COLUMNS_MAX => 0,
        missing => u64::MAX >> missing << tiles.start,
    }
}
