//! Counts and locates the changed pixels of a frame, given the tiles that may have changed.

use core::ops::Range;

use ili9341_model::{
    TILE, Tiles,
    frame::{Frame, Region},
};

/// Returns the number of pixels that differ, and the smallest region around them; `None` if none
/// does. The frames have the same size and are equal outside `tiles`.
pub(super) fn changed_in(before: &Frame, frame: &Frame, tiles: &Tiles) -> Option<(usize, Region)> {
    let (width, height) = (frame.width(), frame.height());
    let (mut count, mut left, mut right) = (0, usize::MAX, 0);
    let mut rows: Option<(usize, usize)> = None;
    for (row, columns) in tiles.runs() {
        for column in columns {
            let x = column * TILE;
            let place = Range { start: x, end: (x + TILE).min(width) };
            let tile = Changed::of(before, frame, place, lines(row, height));
            if let Some((first, last)) = tile.columns() {
                count += tile.count();
                (left, right) = (left.min(x + first), right.max(x + last));
                rows = Some((rows.map_or(row, |(first, _)| first), row));
            }
        }
    }
    let (first, last) = rows?;
    let differs = |row: usize, y: usize| {
        tiles.runs().filter(|(other, _)| *other == row).any(|(_, columns)| {
            let place =
                y * width + columns.start * TILE..y * width + (columns.end * TILE).min(width);
            before.pixels()[place.clone()] != frame.pixels()[place]
        })
    };
    let top = lines(first, height).find(|y| differs(first, *y))?;
    let bottom = lines(last, height).rfind(|y| differs(last, *y))?;
    let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
    let (width, height) = (side(right - left + 1), side(bottom - top + 1));
    Some((count, Region { x: side(left), y: side(top), width, height }))
}

/// Returns the pixel rows of a row of tiles.
fn lines(row: usize, height: usize) -> Range<usize> {
    row * TILE..((row + 1) * TILE).min(height)
}

/// Changed pixels of a tile, column by column.
#[derive(Default)]
struct Changed {
    /// Number of changed pixels in each column.
    counts: [u32; TILE],
}

impl Changed {
    fn of(before: &Frame, frame: &Frame, columns: Range<usize>, lines: Range<usize>) -> Self {
        let (before, pixels, width) = (before.pixels(), frame.pixels(), frame.width());
        let mut changed = Self::default();
        if columns.len() == TILE {
            // In the usual case the loops have a length known at compile time.
            for at in lines.map(|y| y * width + columns.start) {
                let (was, is) = (before[at..].first_chunk(), pixels[at..].first_chunk());
                if let Some((was, is)) = was.zip(is) {
                    changed.add::<TILE>(was, is);
                }
            }
        } else {
            for (at, x) in lines.flat_map(|y| columns.clone().map(move |x| (y * width + x, x))) {
                changed.counts[x - columns.start] += u32::from(before[at] != pixels[at]);
            }
        }
        changed
    }

    #[inline(always)]
    fn add<const N: usize>(&mut self, was: &[u32; N], is: &[u32; N]) {
        for (count, (was, is)) in self.counts.iter_mut().zip(was.iter().zip(is)) {
            *count += u32::from(was != is);
        }
    }

    fn count(&self) -> usize {
        self.counts.iter().map(|count| *count as usize).sum()
    }

    /// Returns the first and the last column with a difference.
    fn columns(&self) -> Option<(usize, usize)> {
        let differs = |count: &u32| *count > 0;
        let first = self.counts.iter().position(differs)?;
        Some((first, self.counts.iter().rposition(differs)?))
    }
}
