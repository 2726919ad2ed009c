//! A proportional font prepared for reading: its glyphs as columns of ink with their own advance
//! widths, and the boxes of ink by which a line is found.
//!
//! The module knows no frame and no line of text. [`super::spaced`] joins the glyphs to lines.

use core::cmp::Ordering;
use core::ops::Range;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::rows::CharacterRows;
use super::stroke::is_stroke;

/// Maximum height of a proportional font, in font pixels: a column of ink is one `u128`.
pub const MAX_ROWS: u32 = 128;

/// Number of parts of a glyph if the boxes of glyphs overlap: its upper third, its upper two
/// thirds, and all of it.
const PARTS: usize = 3;

/// Minimum number of rows of a part.
const PART_ROWS_MIN: usize = 3;

/// The character of the first part in the box fonts: the first one for private use.
const FIRST_PART: u32 = 0xF_0000;

/// A glyph of a proportional font.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    pub character: char,
    /// Ink by rows from the font's topmost row; bit 0 is the column `left`.
    pub rows: Vec<u64>,
    /// Distance from the pen's position to the first column of `rows`, in font pixels.
    pub left: i32,
    /// Distance from the pen's position to that of the next glyph, in font pixels.
    pub advance: u32,
}

/// Glyphs of different advance widths.
#[derive(Clone, Debug)]
pub(super) struct Proportional {
    /// Glyphs with ink, in the order of the font.
    pub glyphs: Vec<Inked>,
    /// Indices into `glyphs`, in order of the characters.
    by_character: Vec<usize>,
    /// Advance width of a space; `None` if the font has none.
    pub space: Option<isize>,
    /// Number of rows of the font.
    pub rows: usize,
    /// Rows of the letters and digits: the height of a line's cells.
    pub core: Range<usize>,
    /// Parts of glyphs by which a line's first glyph is found. Their characters number them.
    pub boxes: Vec<BoxGlyphs>,
    /// The parts with the same ink by this number.
    alike: Vec<Vec<Part>>,
    /// The glyphs as they follow each other to the right, and mirrored, to the left.
    pub strips: [Strips; 2],
}

/// A glyph with ink.
#[derive(Clone, Debug)]
pub(super) struct Inked {
    pub character: char,
    pub left: isize,
    pub advance: isize,
    /// Columns of ink; bit n is row n of the font. The first and the last one have ink.
    pub columns: Vec<u128>,
    /// Number of font pixels of ink.
    pub pixels: usize,
    pub kind: Kind,
    /// Whether pictures contain the glyph by accident.
    pub is_stroke: bool,
}

impl Inked {
    /// Returns the glyph without columns that have no ink; `None` if it has none at all.
    fn of(shape: &Shape) -> Option<Self> {
        let all = shape.rows.iter().fold(0, |all, row| all | row);
        let columns: Vec<u128> = (all.trailing_zeros()..u64::BITS - all.leading_zeros())
            .map(|column| {
                let rows = shape.rows.iter().take(MAX_ROWS as usize).enumerate();
                rows.fold(0, |ink, (row, bits)| ink | u128::from(bits >> column & 1) << row)
            })
            .collect();
        let first = columns.first()?;
        let is_even = columns.iter().all(|column| column == first);
        let height = u128::BITS - first.leading_zeros() - first.trailing_zeros();
        let is_rectangle = is_even && height == first.count_ones();
        Some(Self {
            character: shape.character,
            left: shape.left as isize + all.trailing_zeros() as isize,
            advance: shape.advance as isize,
            pixels: columns.iter().map(|column| column.count_ones() as usize).sum(),
            kind: Kind::of(shape.character),
            is_stroke: is_rectangle || is_stroke(shape.character),
            columns,
        })
    }

    /// Returns the rows from the topmost to the lowest one with ink.
    pub(super) fn ink_rows(&self) -> Range<usize> {
        let all = self.columns.iter().fold(0, |all, column| all | column);
        all.trailing_zeros() as usize..(u128::BITS - all.leading_zeros()) as usize
    }

    /// Returns the ink in these rows without blank rows and columns at its sides, with its first
    /// row and its first column. Bit 0 is that column.
    fn part(&self, rows: Range<usize>) -> (usize, usize, Vec<u64>) {
        let row = |row: usize| {
            let columns = self.columns.iter().enumerate();
            columns.fold(0, |ink, (nth, column)| ink | ((column >> row & 1) as u64) << nth)
        };
        let mut first = rows.start;
        let mut ink: Vec<u64> = rows.map(row).collect();
        while ink.last() == Some(&0) {
            ink.pop();
        }
        let blank = ink.iter().take_while(|row| **row == 0).count();
        ink.drain(..blank);
        first += blank;
        let left = ink.iter().fold(0, |all, row| all | row).trailing_zeros() % u64::BITS;
        ink.iter_mut().for_each(|row| *row >>= left);
        (first, left as usize, ink)
    }
}

/// Parts of glyphs whose boxes of ink have the same size.
#[derive(Clone, Debug)]
pub(super) struct BoxGlyphs {
    /// Columns and rows.
    pub size: (u32, u32),
    /// The number of each part, as a character, and its rows of ink.
    pub glyphs: Vec<CharacterRows>,
}

/// A part of a glyph by which the glyph is found: all of its ink, or its upper rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Index of the glyph.
    pub glyph: usize,
    /// First row and first column of the part, from the font's first row and the glyph's first
    /// column.
    pub row: usize,
    pub column: usize,
}

/// The kind of a character: words rarely change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Lower,
    Upper,
    Digit,
    Other,
    /// No character beside it in the word.
    Blank,
}

impl Kind {
    fn of(character: char) -> Self {
        match character {
            _ if character.is_lowercase() => Self::Lower,
            _ if character.is_uppercase() => Self::Upper,
            _ if character.is_numeric() => Self::Digit,
            _ => Self::Other,
        }
    }

    /// Returns whether the two differ within a word.
    pub(super) fn differs(self, other: Self) -> bool {
        self != other && self != Self::Blank && other != Self::Blank
    }
}

/// The glyphs in one direction of reading.
#[derive(Clone, Debug)]
pub(super) struct Strips {
    /// The strip of each glyph of [`Proportional::glyphs`].
    pub all: Vec<Strip>,
    /// Maximum number of columns that a glyph reaches back from its pen position.
    pub back: isize,
}

/// The columns of a glyph in one direction of reading.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    pub left: isize,
    pub advance: isize,
    pub columns: Vec<u128>,
}

impl Strips {
    fn of(glyphs: &[Inked], strip: impl Fn(&Inked) -> Strip) -> Self {
        let all: Vec<Strip> = glyphs.iter().map(strip).collect();
        let back = all.iter().map(|strip| -strip.left).max().unwrap_or_default().max(0);
        Self { all, back }
    }
}

impl Proportional {
    pub(super) fn of(shapes: &[Shape]) -> Self {
        let mut glyphs: Vec<Inked> = Vec::with_capacity(shapes.len());
        let mut known = HashSet::new();
        for shape in shapes.iter().filter(|shape| shape.advance > 0) {
            if let Some(glyph) = Inked::of(shape)
                && known.insert(shape.character)
            {
                glyphs.push(glyph);
            }
        }
        let space = shapes.iter().find(|shape| shape.character == ' ' && shape.advance > 0);
        let mut by_character: Vec<usize> = (0..glyphs.len()).collect();
        by_character.sort_unstable_by_key(|nth| glyphs[*nth].character);
        let core = core_rows(&glyphs);
        let ahead = |glyph: &Inked| Strip {
            left: glyph.left,
            advance: glyph.advance,
            columns: glyph.columns.clone(),
        };
        let mirrored = |glyph: &Inked| Strip {
            left: glyph.advance - glyph.left - glyph.columns.len() as isize,
            advance: glyph.advance,
            columns: glyph.columns.iter().rev().copied().collect(),
        };
        let strips = [Strips::of(&glyphs, ahead), Strips::of(&glyphs, mirrored)];
        // Where ink leaves its cell, the boxes of whole glyphs overlap.
        let count = if strips.iter().all(|strips| strips.back == 0) { 1 } else { PARTS };
        let (boxes, alike) = boxes(&glyphs, &core, count);
        Self {
            by_character,
            space: space.map(|space| space.advance as isize),
            rows: shapes.iter().map(|shape| shape.rows.len()).max().unwrap_or_default(),
            core,
            boxes,
            alike,
            strips,
            glyphs,
        }
    }

    /// Returns the glyph of a character.
    pub(super) fn glyph(&self, character: char) -> Option<&Inked> {
        let of = |nth: &usize| self.glyphs[*nth].character.cmp(&character);
        let place = self.by_character.binary_search_by(|nth| -> Ordering { of(nth) }).ok()?;
        Some(&self.glyphs[self.by_character[place]])
    }

    /// Returns the parts of glyphs with the ink that a box font has read as `character`.
    pub(super) fn alike(&self, character: char) -> &[Part] {
        let number = u32::from(character).checked_sub(FIRST_PART);
        number.and_then(|number| self.alike.get(number as usize)).map_or(&[], Vec::as_slice)
    }

    /// Returns a bit for each row of the letters and digits.
    pub(super) fn core_bits(&self) -> u128 {
        bits(&self.core)
    }
}

/// Returns a bit for each of these rows.
fn bits(rows: &Range<usize>) -> u128 {
    let below = |row: usize| u128::MAX.checked_shl(row as u32).unwrap_or(0);
    below(rows.start) & !below(rows.end)
}

/// Returns the rows of the letters and digits of ASCII; without any, those of all glyphs.
fn core_rows(glyphs: &[Inked]) -> Range<usize> {
    let around = |all: &mut dyn Iterator<Item = &Inked>| {
        all.map(Inked::ink_rows)
            .reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))
    };
    let is_letter = |glyph: &&Inked| glyph.character.is_ascii_alphanumeric();
    around(&mut glyphs.iter().filter(is_letter))
        .or_else(|| around(&mut glyphs.iter()))
        .unwrap_or(0..0)
}

/// Returns the parts of glyphs by the sizes of their boxes, and by their numbers. Glyphs that are
/// strokes or have ink outside of the `core` rows are left out; each other one has `count` parts.
fn boxes(glyphs: &[Inked], core: &Range<usize>, count: usize) -> (Vec<BoxGlyphs>, Vec<Vec<Part>>) {
    let mut sizes: BTreeMap<(u32, u32), Vec<CharacterRows>> = BTreeMap::new();
    let mut alike: Vec<Vec<Part>> = Vec::new();
    let mut numbers: HashMap<Vec<u64>, usize> = HashMap::new();
    for (nth, glyph) in glyphs.iter().enumerate() {
        let rows = glyph.ink_rows();
        if glyph.is_stroke || rows.start < core.start || rows.end > core.end {
            continue;
        }
        // Each part begins at the top: below it, ink would have ink above, and nothing would show
        // where it begins.
        for nth_part in 1..=count {
            let height = (rows.len() * nth_part).div_ceil(count).max(PART_ROWS_MIN);
            let (row, column, ink) = glyph.part(rows.start..(rows.start + height).min(rows.end));
            let all = ink.iter().fold(0, |all, row| all | row);
            // A rectangle may be anything.
            if ink.iter().all(|row| *row == all && row.count_ones() == row.trailing_ones()) {
                continue;
            }
            let size = (u64::BITS - all.leading_zeros(), ink.len() as u32);
            let part = Part { glyph: nth, row, column };
            match numbers.entry(ink) {
                Entry::Occupied(number) => {
                    let known = &mut alike[*number.get()];
                    // Low glyphs have equal parts.
                    if known.last().is_none_or(|known| known.glyph != nth) {
                        known.push(part);
                    }
                }
                Entry::Vacant(free) => {
                    let Some(name) = char::from_u32(FIRST_PART + alike.len() as u32) else { break };
                    sizes.entry(size).or_default().push((name, free.key().clone()));
                    free.insert(alike.len());
                    alike.push(vec![part]);
                }
            }
        }
    }
    let boxes = sizes.into_iter().map(|(size, glyphs)| BoxGlyphs { size, glyphs });
    (boxes.collect(), alike)
}
