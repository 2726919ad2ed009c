//! Glyphs that may begin at a pixel: a table by the pixel's surroundings for all fonts, so that
//! each pixel is looked up once and not once per font.
//!
//! The module knows edges and no colour. It excludes no actual glyph; the remaining candidates are
//! read pixel by pixel.

use super::edges::{Edges, NEAR_COLUMNS, NEAR_ROWS};
use super::font::{Anchor, Font};
use ili9341_model::TILE;

/// Number of distinguished kinds of surroundings, as a power of two.
const KIND_BITS: u32 = 13;

/// Pixels that determine the kind: the 16 that, chosen one after the other, best separate glyphs
/// from each other and from the game's pictures.
pub(super) const CELL_PIXELS: u64 =
    pixels(&[&[-2, 1, 2, 4, 5], &[1, 2], &[-2, 0, 1, 2, 3], &[-2, 0, 1, 4]]);

/// The same for boxes of ink. They begin in their first row, which is compared with an unknown one,
/// and what is beside a narrow box is unknown too.
pub(super) const BOX_PIXELS: u64 = pixels(&[&[], &[-1, 0, 1, 2], &[-1, 0, 1, 2], &[0, 1]]);

/// A font, and a position in its cell of a glyph's first ink pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Start {
    pub font: usize,
    pub anchor: Anchor,
}

/// Table of the starts of glyphs of a set of fonts. `PIXELS` determine the kind of surroundings.
#[derive(Clone, Debug)]
pub(super) struct Starts<const PIXELS: u64> {
    /// Starts, grouped by the kind of their surroundings.
    table: Vec<(Pattern, Start)>,
    /// Index in `table` of the first start of each kind, and at the end the table's length.
    begins: Vec<u32>,
    /// Largest width and largest height of a cell, in panel pixels.
    largest: (usize, usize),
}

impl<const PIXELS: u64> Starts<PIXELS> {
    pub(super) fn of(fonts: &[&Font]) -> Self {
        let widest = fonts.iter().map(|font| font.cell_width()).max().unwrap_or_default();
        let highest = fonts.iter().map(|font| font.cell_height()).max().unwrap_or_default();
        let mut places = Vec::new();
        for (font, of) in fonts.iter().enumerate() {
            for &anchor in of.anchors() {
                let start = Start { font, anchor };
                for rows in of.first_rows(anchor, NEAR_ROWS) {
                    let pattern =
                        Pattern::new(|column, row| of.differs(anchor, &rows, column, row));
                    places.extend(pattern.kinds(PIXELS).map(|kind| (kind, pattern, start)));
                }
            }
        }
        places.sort_unstable();
        places.dedup();
        let mut begins = vec![0; (1 << KIND_BITS) + 1];
        places.iter().for_each(|place| begins[place.0 + 1] += 1);
        for kind in 0..1 << KIND_BITS {
            begins[kind + 1] += begins[kind];
        }
        let table = places.into_iter().map(|(_, pattern, start)| (pattern, start)).collect();
        Self { table, begins, largest: (widest, highest) }
    }

    /// Returns the largest width and the largest height of a cell, in panel pixels.
    pub(super) fn largest_cell(&self) -> (usize, usize) {
        self.largest
    }

    /// Returns all possible starts of a glyph whose first ink pixel is at `x`, `y`.
    #[inline]
    pub(super) fn at(&self, edges: &Edges, x: usize, y: usize) -> impl Iterator<Item = &Start> {
        self.within(edges.near(x, y))
    }

    /// Returns the starts with these surroundings.
    #[inline]
    fn within(&self, around: u64) -> impl Iterator<Item = &Start> {
        let kind = kind(around, PIXELS);
        let here = self.begins[kind] as usize..self.begins[kind + 1] as usize;
        let fits =
            move |(pattern, _): &&(Pattern, Start)| around & pattern.known == pattern.differs;
        self.table[here].iter().filter(fits).map(|(_, start)| start)
    }
}

/// Edges near the first ink pixel of a glyph, in the layout of [`Edges::near`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pattern {
    differs: u64,
    /// Mask of the bits that the glyph determines.
    known: u64,
}

impl Pattern {
    /// Creates the pattern. `differs` returns whether the pixel in that column and row, relative to
    /// the first ink pixel, is an edge; `None` if the glyph does not determine it.
    fn new(differs: impl Fn(isize, usize) -> Option<bool>) -> Self {
        let mut this = Self { differs: 0, known: 0 };
        let places = (0..NEAR_ROWS).flat_map(|row| (0..NEAR_COLUMNS).map(move |x| (x, row)));
        for (column, row) in places.map(|(x, row)| (x as isize - TILE as isize, row)) {
            if let Some(differs) = differs(column, row) {
                this.known |= pixel(column, row);
                this.differs |= if differs { pixel(column, row) } else { 0 };
            }
        }
        this
    }

    /// Returns the kinds of surroundings that match the pattern, for any values of the bits that
    /// the glyph does not determine.
    fn kinds(self, pixels: u64) -> impl Iterator<Item = usize> {
        let open = pixels & !self.known;
        // Iterates over all subsets of the undetermined bits, from all of them down to none.
        let next = move |part: &u64| (*part > 0).then(|| (part - 1) & open);
        core::iter::successors(Some(open), next).map(move |part| kind(self.differs | part, pixels))
    }
}

/// Returns the kind of surroundings; other surroundings may have the same kind.
#[inline]
fn kind(around: u64, pixels: u64) -> usize {
    ((around & pixels).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - KIND_BITS)) as usize
}

/// Returns the bit in [`Edges::near`] of the pixel `column` columns to the right and `row` rows
/// below.
const fn pixel(column: isize, row: usize) -> u64 {
    1 << (row * NEAR_COLUMNS + (column + TILE as isize) as usize)
}

/// Returns the bits of pixels in the given columns of each row.
const fn pixels(rows: &[&[isize]; NEAR_ROWS]) -> u64 {
    let (mut bits, mut row) = (0, 0);
    while row < NEAR_ROWS {
        let mut nth = 0;
        while nth < rows[row].len() {
            bits |= pixel(rows[row][nth], row);
            nth += 1;
        }
        row += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use embedded_graphics::mono_font::ascii;
    use proptest::prelude::*;

    use super::*;

    /// Returns narrow and wide fonts, and fonts with ink in the topmost row of their cells.
    fn fonts() -> [Font; 4] {
        let fonts = [
            (&ascii::FONT_6X10, 1),
            (&ascii::FONT_9X15, 2),
            (&ascii::FONT_10X20, 6),
            (&ascii::FONT_4X6, 1),
        ];
        fonts.map(|(font, scale)| Font::from_mono("", font, scale, "AHijz,-08|M_"))
    }

    /// Returns all patterns of all starts.
    fn patterns(fonts: &[Font]) -> Vec<(Pattern, Start)> {
        let mut patterns = Vec::new();
        for (font, of) in fonts.iter().enumerate() {
            for &anchor in of.anchors() {
                patterns.extend(of.first_rows(anchor, NEAR_ROWS).iter().map(|rows| {
                    let differs = |column, row| of.differs(anchor, rows, column, row);
                    (Pattern::new(differs), Start { font, anchor })
                }));
            }
        }
        patterns
    }

    proptest! {
        #[test]
        fn the_table_returns_the_starts_of_each_font(which: prop::sample::Index, noise: u64, dots: u64, more: u64) {
            let fonts = fonts();
            let all = patterns(&fonts);
            let (pattern, _) = all[which.index(all.len())];
            // The surroundings of a glyph, complete and with some wrong pixels.
            for around in [0, dots & more & noise].map(|wrong| (noise & !pattern.known | pattern.differs) ^ wrong) {
                let fits = |(pattern, _): &&(Pattern, Start)| around & pattern.known == pattern.differs;
                let mut expected: Vec<Start> = all.iter().filter(fits).map(|(_, start)| *start).collect();
                let starts = Starts::<CELL_PIXELS>::of(&fonts.each_ref());
                let mut found: Vec<Start> = starts.within(around).copied().collect();
                expected.sort_unstable();
                expected.dedup();
                found.sort_unstable();
                prop_assert_eq!(&found, &expected);
                let starts = Starts::<BOX_PIXELS>::of(&fonts.each_ref());
                let mut found: Vec<Start> = starts.within(around).copied().collect();
                found.sort_unstable();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
