//! Where the pixels of a frame differ from those above them: a bit for each pixel, so that many are asked at once, and only
//! those are found again that may have changed.
//!
//! It knows no font and no text, and no colour: those are in the frame.

use core::ops::Range;

use ili9341_model::{Frame, TILE, Tiles};

/// Bytes in front of the first row and behind the last one, so that what is asked at the frame's edge needs no branch.
const PAD: usize = 8;

/// Rows of pixels that [`Edges::near`] says something about.
pub(super) const NEAR_ROWS: usize = 4;

/// Pixels in each of them.
pub(super) const NEAR_COLUMNS: usize = 2 * TILE;

/// Pixels that are asked at once from any place on.
pub(super) const WINDOW: usize = 57;

/// A frame, and where its pixels differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picture<'a> {
    pub frame: &'a Frame,
    pub edges: &'a Edges,
}

/// Which pixels of a frame differ from those above them. All in the topmost row do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edges {
    width: usize,
    height: usize,
    /// Bytes in a row of pixels, at least [`PAD`].
    stride: usize,
    /// A byte for the row of a tile, its lowest bit for the leftmost pixel; none of the bits beyond the frame is set.
    rows: Vec<u8>,
    /// As these: those of them that differ from the ones to the left of them, too. There is nothing left of the first column.
    corners: Vec<u8>,
}

impl Edges {
    /// Those of a frame of one colour.
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

    /// Those of `frame`.
    pub(super) fn of(frame: &Frame) -> Self {
        let mut edges = Self::blank(frame.width(), frame.height());
        let tiles = 0..frame.width().div_ceil(TILE);
        (0..frame.height()).for_each(|y| edges.find(frame, y, tiles.clone()));
        edges
    }

    /// Makes them those of `frame`, which differs from the one whose they are in the tiles that have `changed` at most.
    pub(super) fn update(&mut self, frame: &Frame, changed: &Tiles) {
        for (row, tiles) in changed.runs() {
            // What is above the pixels below has changed.
            for y in row * TILE..((row + 1) * TILE + 1).min(self.height) {
                self.find(frame, y, tiles.clone());
            }
        }
    }

    /// Finds those of a row of pixels, in some columns of tiles.
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
                // Most of a picture is flat, which is seen faster.
                *byte = if line == above { 0 } else { differing(line, above) };
            }
            if let (false, Some(byte)) = (rest.is_empty(), bytes.last_mut()) {
                *byte = differing(rest, rest_above);
            }
        }
        // What is left of the first pixel behind them has changed.
        let tiles = tiles.start..(tiles.end + 1).min(self.width.div_ceil(TILE));
        let rows = &self.rows[row + tiles.start..row + tiles.end];
        let corners = &mut self.corners[row + tiles.start..row + tiles.end];
        for ((tile, byte), corner) in tiles.zip(rows).zip(corners) {
            *corner = if *byte == 0 { 0 } else { byte & unlike_left(line, tile * TILE) };
        }
    }

    /// Hands over the pixels of `tiles`, or all, that differ from the ones to the left and above; there is nothing of their
    /// colour beyond the frame's edge.
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

    /// Which pixels from `x` on in row `y` differ from those above: at least [`WINDOW`] bits, the lowest for `x`. Beyond the end of
    /// the row is whatever is there.
    #[inline]
    pub(super) fn from(&self, x: usize, y: usize) -> u64 {
        eight_bytes(&self.rows, PAD + y * self.stride + x / TILE) >> (x % TILE)
    }

    /// The same from a tile's width left of `x` on, in rows from `y` on: sixteen bits each, the lowest for the first row.
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

    /// Whether all pixels in these columns, which are not none, and rows, which lie on the frame, are the same as those above them.
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

/// Eight bytes of `rows` from `at` on; none beyond the end.
#[inline]
fn eight_bytes(rows: &[u8], at: usize) -> u64 {
    let bytes = rows.get(at..).and_then(|rows| rows.first_chunk());
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// So many bits, one or more, and at most all.
fn low_bits(count: usize) -> u64 {
    u64::MAX >> 64_usize.saturating_sub(count)
}

/// A bit for each pixel of at most eight that differs from the one above, the lowest for the first.
#[inline]
fn differing(line: &[u32], above: &[u32]) -> u8 {
    let pixels = line.iter().zip(above).enumerate();
    pixels.fold(0, |bits, (place, (pixel, above))| bits | u8::from(pixel != above) << place)
}

/// The same of those from `x` on that differ from the one to the left; the first of the line has none.
#[inline]
fn unlike_left(line: &[u32], x: usize) -> u8 {
    let Some(left) = x.checked_sub(1) else {
        let line = &line[..line.len().min(TILE)];
        return 1 | differing(&line[1..], line) << 1;
    };
    match line[left..].first_chunk::<{ TILE + 1 }>() {
        // Of a known length, several at once.
        Some(line) => differing(&line[1..], line),
        None => differing(&line[x..], &line[left..]),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use virtual_time::Random;

    /// A frame with some dots on it, of a few colours.
    fn dotted(mut frame: Frame, dots: usize, random: &mut Random) -> Frame {
        for _ in 0..dots {
            let at = random.below(frame.pixels().len() as u64) as usize;
            frame.pixels_mut()[at] = random.below(3) as u32;
        }
        frame
    }

    /// Whether the pixel is not the one above it, which there may be none of.
    fn differs(frame: &Frame, x: usize, y: usize) -> bool {
        y.checked_sub(1).is_none_or(|above| frame.pixel(x, above) != frame.pixel(x, y))
    }

    fn corners(frame: &Frame, tiles: Option<&Tiles>) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        Edges::of(frame).corners(tiles, |x, y| found.push((x, y)));
        found.sort_unstable_by_key(|(x, y)| (*y, *x));
        found
    }

    /// What [`Edges::corners`] says it finds, pixel by pixel.
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
        fn edges_that_are_updated_are_those_of_the_frame(
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
        fn edges_say_what_differs(
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
