//! Prepares a font for reading.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use embedded_graphics::geometry::OriginDimensions;
use embedded_graphics::mono_font::MonoFont;

use super::super::proportional::{BoxGlyphs, Proportional, Shape};
use super::super::rows::glyph_rows;
use super::super::tree::{ROOT, Tree};
use super::{Anchor, AtEdges, Font, Ink, MAX_GLYPH_WIDTH, length_bit};

impl Font {
    /// Prepares the glyphs of `characters` in `font`; each font pixel is `scale` × `scale` pixels
    /// on the panel.
    ///
    /// # Panics
    /// If `scale` is zero or a glyph is wider than [`MAX_GLYPH_WIDTH`]: fonts are part of the
    /// program, not of its input.
    pub fn from_mono(name: &str, font: &MonoFont<'_>, scale: u32, characters: &str) -> Self {
        let size = font.character_size;
        let has_glyphs = size.width > 0 && font.image.size().width >= size.width;
        let characters = if has_glyphs { characters } else { "" };
        let glyphs = characters.chars().map(|character| (character, glyph_rows(font, character)));
        Self::from_rows(name, (size.width, size.height), font.character_spacing, scale, glyphs)
    }

    /// Prepares these glyphs, in cells of `columns` × `rows` font pixels with `spacing` font pixels
    /// between them: the rows of each from the top, with the leftmost pixel as bit 0. Each font
    /// pixel is `scale` × `scale` pixels on the panel.
    ///
    /// # Panics
    /// If `scale` is zero or a cell is wider than [`MAX_GLYPH_WIDTH`].
    pub fn from_rows(
        name: &str,
        (columns, rows): (u32, u32),
        spacing: u32,
        scale: u32,
        given: impl Iterator<Item = (char, Vec<u64>)>,
    ) -> Self {
        assert!(scale > 0, "font {name}: a magnification of at least 1");
        assert!(columns <= MAX_GLYPH_WIDTH, "font {name}: glyphs up to {MAX_GLYPH_WIDTH} wide");
        let mut known: HashMap<Vec<u64>, char> = HashMap::new();
        let mut glyphs: Vec<(Vec<u64>, char)> = Vec::new();
        let mut twins = Vec::new();
        let full = u64::MAX.checked_shr(u64::BITS - columns).unwrap_or(0);
        for (character, rows) in given {
            if rows.iter().all(|row| *row == 0) || rows.iter().all(|row| *row == full) {
                continue;
            }
            match known.entry(rows) {
                Entry::Occupied(taken) if *taken.get() != character => {
                    twins.push((*taken.get(), character));
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(free) => {
                    glyphs.push((free.key().clone(), character));
                    free.insert(character);
                }
            }
        }
        let tree =
            Tree::of(glyphs.iter().map(|(rows, letter)| (rows.as_slice(), *letter)).collect());
        let mut this = Self {
            name: name.to_owned(),
            columns: columns as usize,
            rows: rows as usize,
            pitch: (columns + spacing) as usize * scale as usize,
            scale: scale as usize,
            tree,
            anchors: Vec::new(),
            twins,
            ink: Vec::new(),
            proportional: None,
            boxes: Vec::new(),
        };
        glyphs.iter().for_each(|(rows, character)| this.add(*character, rows));
        this.anchors.sort_unstable();
        this.ink.sort_unstable_by_key(|ink| ink.character);
        this
    }

    /// Prepares a proportional font: its glyphs have different widths. Each font pixel is `scale` ×
    /// `scale` pixels on the panel. Glyphs without an advance width are left out, and of several
    /// glyphs of one character all but the first.
    ///
    /// # Panics
    /// If `scale` is zero.
    pub fn from_shapes(name: &str, scale: u32, shapes: &[Shape]) -> Self {
        let of = Proportional::of(shapes);
        let widest = of.glyphs.iter().map(|glyph| glyph.advance).max().unwrap_or_default();
        let size = (widest.clamp(1, MAX_GLYPH_WIDTH as isize) as u32, of.core.len() as u32);
        let mut this = Self::from_rows(name, size, 0, scale, core::iter::empty());
        this.ink.extend(of.glyphs.iter().map(|glyph| Ink {
            character: glyph.character,
            pixels: glyph.pixels * this.scale * this.scale,
            rows: 0,
            at_edges: AtEdges::default(),
        }));
        this.ink.sort_unstable_by_key(|ink| ink.character);
        let part = |BoxGlyphs { size, glyphs }: &BoxGlyphs| {
            Self::from_rows(name, *size, 0, scale, glyphs.iter().cloned())
        };
        this.boxes = of.boxes.iter().map(part).collect();
        this.proportional = Some(Box::new(of));
        this
    }

    /// Adds the ink and the anchor of a glyph, which must have ink.
    fn add(&mut self, character: char, rows: &[u64]) {
        let pixels = rows.iter().map(|row| row.count_ones() as usize).sum::<usize>();
        self.ink.push(Ink {
            character,
            pixels: pixels * self.scale * self.scale,
            rows: rows.iter().filter(|row| **row != 0).count() * self.scale,
            at_edges: AtEdges::of(rows, self.columns),
        });
        let blank = rows.iter().take_while(|row| **row == 0);
        let first = blank.clone().count();
        let node = blank.fold(ROOT, |node, row| self.tree.child(node, *row).unwrap_or(ROOT));
        let column = rows[first].trailing_zeros() as usize;
        let right = length_bit((rows[first] >> column).trailing_ones() as usize);
        let below = rows[first..].iter().take_while(|&&row| row >> column & 1 == 1).count();
        let down = length_bit(below);
        match self.anchors.iter_mut().find(|anchor| (anchor.column, anchor.row) == (column, first))
        {
            Some(anchor) => {
                anchor.right |= right;
                anchor.down |= down;
            }
            None => {
                self.anchors.push(Anchor { column, row: first, node, right, down });
            }
        }
    }
}

impl AtEdges {
    /// Returns the edges of a glyph of `columns` columns with these rows of ink.
    fn of(rows: &[u64], columns: usize) -> Self {
        let all = rows.iter().fold(0, |all, row| all | row);
        let has_ink = |row: Option<&u64>| row.is_some_and(|row| *row != 0);
        Self {
            left: all & 1 != 0,
            right: all >> (columns - 1) & 1 != 0,
            top: has_ink(rows.first()),
            bottom: has_ink(rows.last()),
        }
    }
}
