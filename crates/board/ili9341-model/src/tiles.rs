//! A picture in square tiles, of which some are chosen: those that were written, those that have
//! changed, those near them. It knows no memory and no glass.

use core::ops::Range;

use crate::frame::Frame;

/// The side of a tile, in pixels.
pub const TILE: usize = 8;

/// The most tiles that stand beside each other: a bit each.
const COLUMNS_MAX: usize = 64;

/// Some tiles of a picture of at most 512 pixels a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles {
    columns: usize,
    /// A row of tiles each; bit 0 is the leftmost.
    rows: Vec<u64>,
}

impl Tiles {
    /// No tile of a picture of this size; `None` if its rows are too long.
    pub fn none(width: usize, height: usize) -> Option<Self> {
        let (columns, rows) = (width.div_ceil(TILE), height.div_ceil(TILE));
        (columns <= COLUMNS_MAX).then(|| Self { columns, rows: vec![0; rows] })
    }

    /// All tiles of a picture of this size; `None` if its rows are too long.
    pub fn all(width: usize, height: usize) -> Option<Self> {
        let mut tiles = Self::none(width, height)?;
        let row = bits(0..tiles.columns);
        tiles.rows.fill(row);
        Some(tiles)
    }

    /// So many tiles a row, at most 64, and in each row those of its bits.
    pub(super) fn from_rows(columns: usize, rows: impl Iterator<Item = u64>) -> Self {
        Self { columns, rows: rows.collect() }
    }

    /// The tiles in which some pixel of `now` is not that of `then`; `None` if the frames have
    /// different sizes, or too long rows.
    pub fn changed(then: &Frame, now: &Frame) -> Option<Self> {
        let width = now.width();
        if (then.width(), then.height()) != (width, now.height()) {
            return None;
        }
        let mut tiles = Self::none(width, now.height())?;
        let rows = then.pixels().chunks_exact(width.max(1));
        for (y, (then, now)) in rows.zip(now.pixels().chunks_exact(width.max(1))).enumerate() {
            // Most rows of two frames that follow each other are equal.
            if then != now {
                tiles.rows[y / TILE] |= differing(then, now);
            }
        }
        Some(tiles)
    }

    /// Whether no tile is chosen.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| *row == 0)
    }

    /// How many tiles are chosen.
    pub fn count(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Chooses no tile any more.
    pub fn clear(&mut self) {
        self.rows.fill(0);
    }

    /// Chooses the tiles, which lie on the picture, with a pixel in these columns and rows.
    pub fn choose(&mut self, columns: Range<usize>, rows: Range<usize>) {
        let (columns, rows) = (tiles_of(columns), tiles_of(rows));
        let row_bits = bits(columns);
        self.rows[rows].iter_mut().for_each(|row| *row |= row_bits);
    }

    /// Chooses those of `other` too, a picture of the same size.
    pub fn join(&mut self, other: &Self) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(row, other)| *row |= other);
    }

    /// Whether the tile of the pixel in column `x`, row `y` is chosen.
    pub fn holds(&self, x: usize, y: usize) -> bool {
        self.rows[y / TILE] >> (x / TILE) & 1 == 1
    }

    /// Whether a tile is chosen that has a pixel in these columns and rows, which lie on the picture.
    #[inline]
    pub fn meets(&self, columns: Range<usize>, rows: Range<usize>) -> bool {
        let (columns, rows) = (tiles_of(columns), tiles_of(rows));
        let row_bits = bits(columns);
        self.rows[rows].iter().fold(0, |met, row| met | row & row_bits) != 0
    }

    /// All tiles with a pixel that is at most so many columns and rows away from a chosen tile.
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

    /// Copies what `from` shows in them to another frame, which is as large.
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

    /// The chosen tiles, row by row: which row of tiles, and those beside each other in it.
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

/// The tiles of a row of pixels in which two of them differ.
fn differing(then: &[u32], now: &[u32]) -> u64 {
    let ((then, then_rest), (now, now_rest)) = (then.as_chunks::<TILE>(), now.as_chunks::<TILE>());
    let whole = then.iter().zip(now).enumerate();
    let row = whole.fold(0, |row, (nth, (then, now))| row | u64::from(differ(then, now)) << nth);
    if then_rest == now_rest { row } else { row | 1 << then.len() }
}

/// Whether two lines of a tile differ: in a few instructions, and without a branch.
fn differ(then: &[u32; TILE], now: &[u32; TILE]) -> bool {
    then.iter().zip(now).fold(0, |bits, (then, now)| bits | (then ^ now)) != 0
}

/// The tiles that these pixels, which are not none, stand in.
fn tiles_of(pixels: Range<usize>) -> Range<usize> {
    pixels.start / TILE..(pixels.end - 1) / TILE + 1
}

/// A bit for each of these tiles.
fn bits(tiles: Range<usize>) -> u64 {
    match COLUMNS_MAX - tiles.len() {
        COLUMNS_MAX => 0,
        missing => u64::MAX >> missing << tiles.start,
    }
}
