//! Which glyphs of which fonts may begin at a pixel: a table by what surrounds it, so that a pixel is asked about once
//! and not by each font.
//!
//! It knows where pixels differ and no colour, and it excludes nothing that a glyph is: what is left is read pixel by pixel.

use super::edges::Edges;
use super::font::{Anchor, Font};
use crate::lcd::TILE;

/// As many kinds of surroundings are told apart at once.
const KINDS: usize = 1 << 14;

/// Rows of pixels that are known of the surroundings of a pixel, itself in the first one.
const ROWS: usize = 4;

/// Pixels that are known in each row.
const COLUMNS: usize = 2 * TILE;

/// A font, and a place in its cell where a glyph's first ink pixel stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Start {
    pub font: usize,
    pub anchor: Anchor,
}

/// The places where glyphs of a set of fonts begin.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    /// By the kind of the surroundings.
    table: Vec<(Pattern, Start)>,
    /// Where those of a kind begin, and behind all of them the end.
    begins: Vec<u32>,
    /// The widest and the highest cell, in panel pixels.
    largest: (usize, usize),
}

impl Starts {
    pub(super) fn of(fonts: &[Font]) -> Self {
        let widest = fonts.iter().map(Font::cell_width).max().unwrap_or_default();
        let highest = fonts.iter().map(Font::cell_height).max().unwrap_or_default();
        let mut places = Vec::new();
        for (font, of) in fonts.iter().enumerate() {
            for &anchor in of.anchors() {
                let start = Start { font, anchor };
                for rows in of.first_rows(anchor, ROWS) {
                    let pattern =
                        Pattern::new(|column, row| of.differs(anchor, &rows, column, row));
                    places.extend(pattern.kinds().map(|kind| (kind, pattern, start)));
                }
            }
        }
        places.sort_unstable();
        places.dedup();
        let mut begins = vec![0; KINDS + 1];
        places.iter().for_each(|place| begins[place.0 + 1] += 1);
        for kind in 0..KINDS {
            begins[kind + 1] += begins[kind];
        }
        let table = places.into_iter().map(|(_, pattern, start)| (pattern, start)).collect();
        Self { table, begins, largest: (widest, highest) }
    }

    /// The widest and the highest cell, in panel pixels.
    pub(super) fn largest_cell(&self) -> (usize, usize) {
        self.largest
    }

    /// The places where a glyph may begin whose first ink pixel is that at `x`, `y`: a glyph that does begins at one of them.
    #[inline]
    pub(super) fn at(&self, edges: &Edges, x: usize, y: usize) -> impl Iterator<Item = &Start> {
        self.within(edges.near(x, y))
    }

    /// The places that have these surroundings.
    #[inline]
    fn within(&self, around: u64) -> impl Iterator<Item = &Start> {
        let kind = kind(around);
        let here = self.begins[kind] as usize..self.begins[kind + 1] as usize;
        let fits =
            move |(pattern, _): &&(Pattern, Start)| around & pattern.known == pattern.differs;
        self.table[here].iter().filter(fits).map(|(_, start)| start)
    }
}

/// Which pixels near the first ink pixel of a glyph differ from those above them, as [`Edges::near`] says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pattern {
    differs: u64,
    /// The bits that the glyph decides.
    known: u64,
}

impl Pattern {
    /// `differs` says it of a pixel so many columns to the right and rows below the first ink pixel, if the glyph decides it.
    fn new(differs: impl Fn(isize, usize) -> Option<bool>) -> Self {
        let mut this = Self { differs: 0, known: 0 };
        for (row, place) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |place| (row, place))) {
            if let Some(differs) = differs(place as isize - TILE as isize, row) {
                this.known |= 1 << (row * COLUMNS + place);
                this.differs |= u64::from(differs) << (row * COLUMNS + place);
            }
        }
        this
    }

    /// The kinds of surroundings that it is found in, whatever is where the glyph decides nothing.
    fn kinds(self) -> impl Iterator<Item = usize> {
        let (kind, open) = (kind(self.differs), !kind(self.known) & (KINDS - 1));
        // Each part of the bits that are open, from all of them down to none.
        let next = move |part: &usize| (*part > 0).then(|| (part - 1) & open);
        core::iter::successors(Some(open), next).map(move |part| kind | part)
    }
}

/// The pixels that tell most glyphs and pictures apart: six to the right, four and four in the next two rows.
#[inline]
fn kind(around: u64) -> usize {
    let bits = |row: usize, before: usize, count: usize| {
        let first = row * COLUMNS + TILE - before;
        (around >> first & ((1 << count) - 1)) as usize
    };
    (around >> (TILE + 1) & 0x3F) as usize | bits(1, 1, 4) << 6 | bits(2, 2, 4) << 10
}

#[cfg(test)]
mod tests {
    use embedded_graphics::mono_font::ascii;
    use proptest::prelude::*;

    use super::*;

    /// Narrow and wide ones, and those that have ink in the topmost row of their cells.
    fn fonts() -> [Font; 4] {
        let fonts = [
            (&ascii::FONT_6X10, 1),
            (&ascii::FONT_9X15, 2),
            (&ascii::FONT_10X20, 6),
            (&ascii::FONT_4X6, 1),
        ];
        fonts.map(|(font, scale)| Font::from_mono("", font, scale, "AHijz,-08|M_"))
    }

    /// All patterns of all places, one after the other.
    fn patterns(fonts: &[Font]) -> Vec<(Pattern, Start)> {
        let mut patterns = Vec::new();
        for (font, of) in fonts.iter().enumerate() {
            for &anchor in of.anchors() {
                patterns.extend(of.first_rows(anchor, ROWS).iter().map(|rows| {
                    let differs = |column, row| of.differs(anchor, rows, column, row);
                    (Pattern::new(differs), Start { font, anchor })
                }));
            }
        }
        patterns
    }

    proptest! {
        #[test]
        fn the_table_says_what_each_font_says(which: prop::sample::Index, noise: u64, dots: u64, more: u64) {
            let fonts = fonts();
            let all = patterns(&fonts);
            let (pattern, _) = all[which.index(all.len())];
            // A glyph among anything, whole and with some pixels that are wrong.
            for around in [0, dots & more & noise].map(|wrong| (noise & !pattern.known | pattern.differs) ^ wrong) {
                let fits = |(pattern, _): &&(Pattern, Start)| around & pattern.known == pattern.differs;
                let mut expected: Vec<Start> = all.iter().filter(fits).map(|(_, start)| *start).collect();
                let mut found: Vec<Start> = Starts::of(&fonts).within(around).copied().collect();
                expected.sort_unstable();
                expected.dedup();
                found.sort_unstable();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
