//! Pixels of a frame that differ from the pixel above: one bit each, so that many are checked at
//! once. After a change, only the bits that may have changed are computed again.
//!
//! The module knows no font, no text and no colour; colours are in the frame.

use core::ops::Range;

use ili9341_model::{Frame, TILE, Tiles};

/// Number of zero bytes before the first row and after the last one, so that reads at the frame's
/// edge need no branch.
const PAD: usize = 8;

/// Number of pixel rows in the result of [`Edges::near`].
pub(super) const NEAR_ROWS: usize = 4;

/// Number of pixels in each of these rows.
pub(super) const NEAR_COLUMNS: usize = 2 * TILE;

/// Minimum number of valid bits in the result of [`Edges::from`].
pub(super) const WINDOW: usize = 57;

/// A frame and its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picture<'a> {
    pub frame: &'a Frame,
    pub edges: &'a Edges,
}

/// Pixels of a frame that differ from the pixel above. All pixels of the topmost row do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edges {
    width: usize,
    height: usize,
    /// Number of bytes in a row of pixels, at least [`PAD`].
    stride: usize,
    /// One byte per row of a tile, its lowest bit for the leftmost pixel; bits outside the frame
    /// are 0.
    rows: Vec<u8>,
    /// Like `rows`, for pixels that also differ from the pixel to the left. Pixels in the first
    /// column count as different.
    corners: Vec<u8>,
}

impl Edges {
    /// Returns the edges of a frame of one colour.
    pub(super) fn blank(width: usize, height: usize) -> Self {
        let stride = width.div_ceil(TILE).max(PAD);
        let mut edges = Self {
            width,
            height,
            stride,
            rows: vec![0; PAD + (height + NEAR_ROWS) * stride + PAD],
            corners: vec![0; PAD + (height + NEAR_ROWS) * stride + PAD],
        };
        if height > 0 {
            edges.corners[PAD] = u8::from(width > 0);
            (0..width).for_each(|x| edges.rows[PAD + x / TILE] |= 1 << (x % TILE));
        }
        edges
    }

    /// Returns the edges of `frame`.
    pub(super) fn of(frame: &Frame) -> Self {
        let mut edges = Self::blank(frame.width(), frame.height());
        let tiles = 0..frame.width().div_ceil(TILE);
        (0..frame.height()).for_each(|y| edges.find(frame, y, tiles.clone()));
        edges
    }

    /// Updates the edges to those of `frame`, which differs from the previous frame at most in the
    /// `changed` tiles.
    pub(super) fn update(&mut self, frame: &Frame, changed: &Tiles) {
        for (row, tiles) in changed.runs() {
            // The row below the tiles is compared with the changed pixels above it.
            for y in row * TILE..((row + 1) * TILE + 1).min(self.height) {
                self.find(frame, y, tiles.clone());
            }
        }
    }

    /// Computes the edges of one row of pixels, in a range of tile columns.
    fn find(&mut self, frame: &Frame, y: usize, tiles: Range<usize>) {
        let (pixels, width) = (frame.pixels(), self.width);
        let line = &pixels[y * width..][..width];
        let row = PAD + y * self.stride;
        if let Some(above) = y.checked_sub(1) {
            let columns = tiles.start * TILE..(tiles.end * TILE).min(width);
            let above = &pixels[above * width..][columns.clone()];
            let bytes = &mut self.rows[row + tiles.start..row + tiles.end];
            let ((lines, rest), (others, rest_above)) =
                (line[columns].as_chunks::<TILE>(), above.as_chunks::<TILE>());
            for (byte, (line, above)) in bytes.iter_mut().zip(lines.iter().zip(others)) {
                // Most of a picture is uniform, and comparing whole chunks is faster.
                *byte = if line == above { 0 } else { differing(line, above) };
            }
            if let (false, Some(byte)) = (rest.is_empty(), bytes.last_mut()) {
                *byte = differing(rest, rest_above);
            }
        }
        // The left neighbour of the first pixel after these tiles has changed.
        let tiles = tiles.start..(tiles.end + 1).min(self.width.div_ceil(TILE));
        let rows = &self.rows[row + tiles.start..row + tiles.end];
        let corners = &mut self.corners[row + tiles.start..row + tiles.end];
        for ((tile, byte), corner) in tiles.zip(rows).zip(corners) {
            *corner = if *byte == 0 { 0 } else { byte & unlike_left(line, tile * TILE) };
        }
    }

    /// Calls `push` for each pixel of `tiles`, or of the frame, that differs from the pixel to the
    /// left and from the one above; pixels at the frame's edge differ from what is outside.
    pub(super) fn corners(&self, tiles: Option<&Tiles>, mut push: impl FnMut(usize, usize)) {
        let (columns, rows) = (self.width.div_ceil(TILE), self.height.div_ceil(TILE));
        let all = || (0..rows).map(|row| (row, 0..columns)).collect();
        let runs: Vec<_> = tiles.map_or_else(all, |tiles| tiles.runs().collect());
        for (row, tiles) in runs {
            for y in row * TILE..((row + 1) * TILE).min(self.height) {
                for tile in tiles.clone().step_by(8) {
                    let wanted = low_bits((tiles.end - tile) * TILE);
                    let row = PAD + y * self.stride;
                    let mut found = eight_bytes(&self.corners, row + tile) & wanted;
                    while found != 0 {
                        push(tile * TILE + found.trailing_zeros() as usize, y);
                        found &= found - 1;
                    }
                }
            }
        }
    }

    /// Returns which pixels from `x` on in row `y` differ from those above: at least [`WINDOW`]
    /// bits, the lowest for `x`. Bits after the end of the row are arbitrary.
    #[inline]
    pub(super) fn from(&self, x: usize, y: usize) -> u64 {
        eight_bytes(&self.rows, PAD + y * self.stride + x / TILE) >> (x % TILE)
    }

    /// Returns the same for the pixels from [`TILE`] columns left of `x` on, in [`NEAR_ROWS`] rows
    /// from `y` on: sixteen bits per row, the first row lowest.
    #[inline]
    pub(super) fn near(&self, x: usize, y: usize) -> u64 {
        let rows = &self.rows[PAD + y * self.stride + x / TILE - 1..];
        let (first, rows) = rows.split_at(self.stride);
        let (second, rows) = rows.split_at(self.stride);
        let (third, fourth) = rows.split_at(self.stride);
        [first, second, third, fourth].iter().rev().fold(0, |near, row| {
            let row = row.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            near << NEAR_COLUMNS | u64::from((row >> (x % TILE)) as u16)
        })
    }

    /// Returns whether all pixels in these columns (at least one) and rows (all on the frame) equal
    /// those above them.
    pub(super) fn is_even(&self, columns: Range<usize>, rows: Range<usize>) -> bool {
        if columns.len() > WINDOW {
            let middle = columns.start + WINDOW;
            return self.is_even(columns.start..middle, rows.clone())
                && self.is_even(middle..columns.end, rows);
        }
        let wanted = low_bits(columns.len()) << (columns.start % TILE);
        let at = PAD + columns.start / TILE;
        rows.into_iter().all(|y| eight_bytes(&self.rows, at + y * self.stride) & wanted == 0)
    }
}

/// Returns eight bytes of `rows` from `at` on; zero beyond the end.
#[inline]
fn eight_bytes(rows: &[u8], at: usize) -> u64 {
    let bytes = rows.get(at..).and_then(|rows| rows.first_chunk());
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Returns a mask of the lowest `count` bits: at least one, at most all.
fn low_bits(count: usize) -> u64 {
    u64::MAX >> 64_usize.saturating_sub(count)
}

/// Returns a bit for each of at most eight pixels that differs from the one above, the lowest for
/// the first.
#[inline]
fn differing(line: &[u32], above: &[u32]) -> u8 {
    let pixels = line.iter().zip(above).enumerate();
    pixels.fold(0, |bits, (place, (pixel, above))| bits | u8::from(pixel != above) << place)
}

/// Returns a bit for each of at most eight pixels from `x` on that differs from the one to the
/// left; the first pixel of the line counts as different.
#[inline]
fn unlike_left(line: &[u32], x: usize) -> u8 {
    let Some(left) = x.checked_sub(1) else {
        let line = &line[..line.len().min(TILE)];
        return 1 | differing(&line[1..], line) << 1;
    };
    match line[left..].first_chunk::<{ TILE + 1 }>() {
        // The length is known at compile time, so that several pixels are compared at once.
        Some(line) => differing(&line[1..], line),
        None => differing(&line[x..], &line[left..]),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use virtual_time::Random;

    /// Returns the frame with some dots of a few colours on it.
    fn dotted(mut frame: Frame, dots: usize, random: &mut Random) -> Frame {
        for _ in 0..dots {
            let at = random.below(frame.pixels().len() as u64) as usize;
            frame.pixels_mut()[at] = random.below(3) as u32;
        }
        frame
    }

    /// Returns whether the pixel differs from the one above; true in the first row.
    fn differs(frame: &Frame, x: usize, y: usize) -> bool {
        y.checked_sub(1).is_none_or(|above| frame.pixel(x, above) != frame.pixel(x, y))
    }

    fn corners(frame: &Frame, tiles: Option<&Tiles>) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        Edges::of(frame).corners(tiles, |x, y| found.push((x, y)));
        found.sort_unstable_by_key(|(x, y)| (*y, *x));
        found
    }

    /// Returns the expected result of [`Edges::corners`], found pixel by pixel.
    fn expected_corners(frame: &Frame, tiles: &Tiles) -> Vec<(usize, usize)> {
        let places = (0..frame.height()).flat_map(|y| (0..frame.width()).map(move |x| (x, y)));
        let is_corner = |(x, y): &(usize, usize)| {
            let left = x.checked_sub(1).map(|left| frame.pixel(left, *y));
            left != Some(frame.pixel(*x, *y)) && differs(frame, *x, *y)
        };
        places.filter(|(x, y)| tiles.holds(*x, *y)).filter(is_corner).collect()
    }

    proptest! {
        #[test]
        fn a_corner_differs_from_its_left_and_its_upper_neighbour(
            width in 1..150_usize, height in 1..24_usize, dots in 0..24_usize, seed: u64,
        ) {
            let blank = Frame::filled(width, height, 0);
            let frame = dotted(blank.clone(), dots, &mut Random::new(seed));
            let all = Tiles::all(width, height).unwrap();
            prop_assert_eq!(corners(&frame, None), expected_corners(&frame, &all));
            let changed = Tiles::changed(&blank, &frame).unwrap();
            prop_assert_eq!(corners(&frame, Some(&changed)), expected_corners(&frame, &changed));
        }

        #[test]
        fn updated_edges_are_those_of_the_frame(
            width in 1..70_usize, height in 1..24_usize, dots in 0..12_usize, seed: u64,
        ) {
            let mut random = Random::new(seed);
            let mut edges = Edges::blank(width, height);
            let mut frame = Frame::filled(width, height, 2);
            prop_assert_eq!(&edges, &Edges::of(&frame));
            for _ in 0..3 {
                let next = dotted(frame.clone(), dots, &mut random);
                edges.update(&next, &Tiles::changed(&frame, &next).unwrap());
                prop_assert_eq!(&edges, &Edges::of(&next));
                frame = next;
            }
        }

        #[test]
        fn edges_mark_the_differing_pixels(
            width in 1..150_usize, height in 1..24_usize, dots in 0..24_usize, seed: u64,
        ) {
            let mut random = Random::new(seed);
            let frame = dotted(Frame::filled(width, height, 0), dots, &mut random);
            let edges = Edges::of(&frame);
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let row = edges.from(x, y);
                for (place, x) in (x..width.min(x + WINDOW)).enumerate() {
                    prop_assert_eq!(row >> place & 1 == 1, differs(&frame, x, y));
                }
                let near = edges.near(x, y);
                for (row, y) in (y..height.min(y + 4)).enumerate() {
                    for (place, x) in (0..16).map(|place| (place, (x + place).wrapping_sub(8))) {
                        let found = near >> (16 * row + place) & 1 == 1;
                        prop_assert!(x >= width || found == differs(&frame, x, y));
                    }
                }
            }
            let is_even_there = |columns: &Range<usize>, rows: &Range<usize>| {
                let mut places = rows.clone().flat_map(|y| columns.clone().map(move |x| (x, y)));
                !places.any(|(x, y)| differs(&frame, x, y))
            };
            let mut range = |end: usize| {
                let start = random.below(end as u64) as usize;
                start..start + 1 + random.below((end - start) as u64) as usize
            };
            let (columns, rows) = (range(width), range(height));
            prop_assert_eq!(edges.is_even(columns.clone(), rows.clone()), is_even_there(&columns, &rows));
            for (x, y) in (0..width).step_by(5).flat_map(|x| (0..height).map(move |y| (x, y))) {
                let is_even = edges.is_even(x..width, y..y + 1);
                prop_assert_eq!(is_even, is_even_there(&(x..width), &(y..y + 1)));
            }
        }
    }
}
