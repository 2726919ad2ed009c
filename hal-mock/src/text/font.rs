//! A bitmap font prepared for reading: every glyph's rows of ink in a tree, and the places
//! in the cell where a glyph's first ink pixel may stand.
//!
//! It knows no frame layout and no line of text: it answers "which character is in this
//! cell?", and [`super::Reader`] asks.

use embedded_graphics::geometry::{OriginDimensions, Point};
use embedded_graphics::image::GetPixel;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::pixelcolor::BinaryColor;

use super::around::{Around, Candidate, REACH, bits};
use crate::Frame;
use crate::lcd::Tiles;

/// The widest glyph, in font pixels: a row of ink is one `u64`.
pub const MAX_GLYPH_WIDTH: u32 = 64;

/// A monospaced bitmap font as the reader knows it, at one magnification.
///
/// Of characters whose glyphs have the same pixels, the first in the list stands for all
/// of them; [`Font::twins`] names the others. Glyphs without ink (the space) and glyphs
/// without ground (a full block) are left out: the first is what stands between words, the
/// second cannot be told from a box.
#[derive(Clone, Debug)]
pub struct Font {
    name: String,
    /// The cell, in font pixels.
    columns: usize,
    rows: usize,
    /// From one cell's left edge to the next's, in panel pixels.
    pitch: usize,
    scale: usize,
    nodes: Vec<Node>,
    anchors: Vec<Anchor>,
    twins: Vec<(char, char)>,
    /// Of each character that is read, in order of the characters.
    ink: Vec<Ink>,
}

/// The glyphs that begin with the rows on the way from the root (node 0) to here.
#[derive(Clone, Debug, Default)]
struct Node {
    /// A bit for each child, which the child's row and others have: without it there is none of that row.
    marks: u64,
    /// The next row's ink (bit 0 is the leftmost column) and the node it leads to.
    children: Vec<(u64, usize)>,
    /// Below the last row: the character.
    character: Option<char>,
}

/// The ink of a glyph that is read.
#[derive(Clone, Copy, Debug)]
struct Ink {
    character: char,
    /// Panel pixels.
    pixels: usize,
}

/// Where the first ink pixel of some glyphs is: in the topmost row with ink, the leftmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Anchor {
    column: usize,
    row: usize,
    /// The node below `row` rows without ink.
    node: usize,
    /// How many ink pixels follow each other from it to the right, cut off at the cell's
    /// edge: bit n for n. The glyphs that begin here have one of these lengths.
    right: u64,
    /// The same downwards, lengths past 63 counted as 63.
    down: u64,
}

#[cfg(test)]
impl Anchor {
    /// Where in the tree a glyph that stands there is followed from, and from which row.
    pub(super) fn unread(self) -> (usize, usize) {
        (self.node, self.row)
    }
}

/// How far a colour goes on, in font pixels.
#[derive(Clone, Copy)]
struct Extent {
    length: usize,
    /// Whether it is a whole number of font pixels.
    whole: bool,
}

impl Extent {
    fn new(run: usize, scale: usize) -> Self {
        Self { length: run / scale, whole: run.is_multiple_of(scale) }
    }

    /// Whether a run of one of these lengths, cut off after `space` font pixels, looks so.
    fn is_one_of(self, lengths: u64, space: usize) -> bool {
        let length = self.length.min(space);
        lengths >> length.min(63) & 1 == 1 && (self.whole || self.length >= space)
    }
}

/// A character found in a cell, and the two colours it is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glyph {
    pub x: usize,
    pub y: usize,
    pub character: char,
    pub ink: u32,
    pub ground: u32,
}

impl Glyph {
    /// Row order of the cells, none twice. A cell and its ink leave no choice of ground and character.
    pub(super) fn put_in_order(glyphs: &mut Vec<Self>) {
        glyphs.sort_unstable_by_key(|glyph| (glyph.y, glyph.x, glyph.ink));
        glyphs.dedup();
    }
}

impl Font {
    /// Prepares the glyphs of `characters` in `font`, each pixel of which is `scale` × `scale`
    /// pixels on the panel.
    ///
    /// # Panics
    /// If `scale` is zero or a glyph is wider than [`MAX_GLYPH_WIDTH`]: fonts are part of the
    /// program, not of its input.
    pub fn from_mono(name: &str, font: &MonoFont<'_>, scale: u32, characters: &str) -> Self {
        let size = font.character_size;
        assert!(scale > 0, "font {name}: a magnification of at least 1");
        assert!(size.width <= MAX_GLYPH_WIDTH, "font {name}: glyphs up to {MAX_GLYPH_WIDTH} wide");
        let mut this = Self {
            name: name.to_owned(),
            columns: size.width as usize,
            rows: size.height as usize,
            pitch: (size.width + font.character_spacing) as usize * scale as usize,
            scale: scale as usize,
            nodes: vec![Node::default()],
            anchors: Vec::new(),
            twins: Vec::new(),
            ink: Vec::new(),
        };
        if size.width > 0 && font.image.size().width >= size.width {
            for character in characters.chars() {
                this.insert(character, &glyph_rows(font, character));
            }
        }
        this.anchors.sort_unstable();
        this.ink.sort_unstable_by_key(|ink| ink.character);
        this
    }

    /// The name given to it, for reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Characters that cannot be told apart, as (read, never read) pairs.
    pub fn twins(&self) -> &[(char, char)] {
        &self.twins
    }

    /// The width of a cell on the panel, in pixels, without the spacing to the next.
    pub fn cell_width(&self) -> usize {
        self.columns * self.scale
    }

    /// The height of a cell on the panel, in pixels.
    pub fn cell_height(&self) -> usize {
        self.rows * self.scale
    }

    /// From one cell's left edge to the next's, in panel pixels.
    pub fn pitch(&self) -> usize {
        self.pitch
    }

    /// Whether it ever reads `character`: the font has it, with ink, and no twin is read instead.
    pub fn reads(&self, character: char) -> bool {
        self.ink_place(character).is_ok()
    }

    /// The ink of a glyph that it reads, in panel pixels; 0 of any other.
    pub(super) fn ink_of(&self, character: char) -> usize {
        self.ink_place(character).map_or(0, |place| self.ink[place].pixels)
    }

    fn ink_place(&self, character: char) -> Result<usize, usize> {
        self.ink.binary_search_by_key(&character, |ink| ink.character)
    }

    fn insert(&mut self, character: char, rows: &[u64]) {
        let full = u64::MAX >> (64 - self.columns);
        let Some(first) = rows.iter().position(|&row| row != 0) else {
            return;
        };
        if rows.iter().all(|&row| row == full) {
            return;
        }
        let mut node = 0;
        let mut anchor_node = 0;
        for (row, &ink) in rows.iter().enumerate() {
            if row == first {
                anchor_node = node;
            }
            node = match self.nodes[node].children.iter().find(|child| child.0 == ink) {
                Some(&(_, next)) => next,
                None => {
                    let next = self.nodes.len();
                    self.nodes.push(Node::default());
                    self.nodes[node].children.push((ink, next));
                    self.nodes[node].marks |= mark(ink);
                    next
                }
            };
        }
        match self.nodes[node].character {
            Some(taken) if taken != character => self.twins.push((taken, character)),
            Some(_) => {}
            None => {
                self.nodes[node].character = Some(character);
                let pixels = rows.iter().map(|row| row.count_ones() as usize).sum::<usize>();
                self.ink.push(Ink { character, pixels: pixels * self.scale * self.scale });
            }
        }
        let column = rows[first].trailing_zeros() as usize;
        let right = 1 << (rows[first] >> column).trailing_ones().min(63);
        let below = rows[first..].iter().take_while(|&&row| row >> column & 1 == 1).count();
        let down = 1 << below.min(63);
        match self.anchors.iter_mut().find(|anchor| (anchor.column, anchor.row) == (column, first))
        {
            Some(anchor) => {
                anchor.right |= right;
                anchor.down |= down;
            }
            None => {
                self.anchors.push(Anchor { column, row: first, node: anchor_node, right, down });
            }
        }
    }

    /// Where the first ink pixel of its glyphs is.
    pub(super) fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    /// Whether a glyph's first ink pixel may be at `anchor` if its colour goes on so far to the right, in panel pixels.
    /// That and the same downwards is a test that nearly all pixels of pictures fail, and no glyph does.
    pub(super) fn fits_right(&self, anchor: Anchor, run: usize) -> bool {
        Extent::new(run, self.scale).is_one_of(anchor.right, self.columns - anchor.column)
    }

    /// The same downwards.
    pub(super) fn fits_down(&self, anchor: Anchor, run: usize) -> bool {
        Extent::new(run, self.scale).is_one_of(anchor.down, self.rows - anchor.row)
    }

    /// What a candidate's neighbours have to be if its colour goes on so far and it stands at `anchor`: facts of
    /// [`Around`].
    pub(super) fn needs(&self, anchor: Anchor, (right, down): (usize, usize)) -> u8 {
        let ends_right = right < self.cell_width() - anchor.column * self.scale;
        let ends_below = down < self.cell_height() - anchor.row * self.scale;
        let (across, below) = match (anchor.column > 0, anchor.row > 0) {
            (_, true) => (Around::RIGHT_AS_ABOVE, Around::BELOW_AS_ABOVE),
            (true, false) => (Around::RIGHT_AS_LEFT, Around::BELOW_AS_LEFT),
            (false, false) => (0, 0),
        };
        let both = if anchor.column > 0 && anchor.row > 0 { Around::LEFT_AS_ABOVE } else { 0 };
        both | if ends_right { across } else { 0 } | if ends_below { below } else { 0 }
    }

    /// The place in the tree below the candidate's row of pixels and the next one, with the number of rows above; `None` if no
    /// glyph at `anchor` has such rows. Of magnified and of wide cells, and where the ground is not what is above, nothing is known.
    pub(super) fn below_rows(&self, anchor: Anchor, around: &Around) -> Option<(usize, usize)> {
        let (mut node, mut row) = (anchor.node, anchor.row);
        if !self.is_narrow() || anchor.row == 0 {
            return Some((node, row));
        }
        for below in 0..2.min(self.rows - anchor.row) {
            let Some((ink, others)) = around.row(below, anchor.column, self.all_columns()) else {
                break;
            };
            node = if others == 0 { self.child(node, ink)? } else { return None };
            row += 1;
        }
        Some((node, row))
    }

    /// Whether a row of a cell is compared at once.
    fn is_narrow(&self) -> bool {
        self.scale == 1 && self.columns <= REACH
    }

    /// A bit for each column; a cell has some.
    fn all_columns(&self) -> u64 {
        u64::MAX >> (u64::BITS as usize - self.columns)
    }

    fn child(&self, node: usize, ink: u64) -> Option<usize> {
        let Node { marks, children, .. } = &self.nodes[node];
        if marks & mark(ink) == 0 {
            return None;
        }
        children.iter().find(|child| child.0 == ink).map(|child| child.1)
    }

    /// What is known of a candidate's rows of pixels if it stands at `anchor`.
    pub(super) fn first_rows(&self, anchor: Anchor) -> FirstRows {
        let is_known = self.is_narrow() && anchor.row > 0;
        let Node { marks, children, .. } = &self.nodes[anchor.node];
        let second = |first: u64, node: usize| {
            self.nodes[node].children.iter().map(move |(second, _)| pair_mark(first, *second))
        };
        let pairs = children.iter().flat_map(|(first, node)| second(*first, *node));
        FirstRows {
            cell: if is_known { self.all_columns() } else { 0 },
            column: anchor.column,
            marks: *marks,
            pairs: if anchor.row + 1 < self.rows {
                pairs.fold(0, |all, mark| all | mark)
            } else {
                u64::MAX
            },
        }
    }

    /// The glyph whose first ink pixel is the candidate, and stands at `anchor`, which it fits; `below` is where in the tree, and
    /// in which row, it has not been looked at.
    pub(super) fn glyph_at_anchor(
        &self,
        frame: &Frame,
        anchor: Anchor,
        candidate: Candidate,
        below: (usize, usize),
        changed: Option<&Tiles>,
    ) -> Option<Glyph> {
        let (x, y) = (candidate.x, candidate.y);
        let left = x.checked_sub(anchor.column * self.scale)?;
        let top = y.checked_sub(anchor.row * self.scale)?;
        if !self.fits(frame, left, top) {
            return None;
        }
        let (pixels, width) = (frame.pixels(), frame.width());
        let at = y * width + x;
        let ink = pixels[at];
        let ground = match (anchor.column > 0, anchor.row > 0) {
            (true, true) if pixels[at - 1] != pixels[at - width] => return None,
            (true, _) => pixels[at - 1],
            (false, true) => pixels[at - width],
            // Ink in the cell's very corner: the ground is whatever else the cell holds.
            (false, false) => (0..self.cell_height())
                .flat_map(|row| &pixels[at + row * width..at + row * width + self.cell_width()])
                .copied()
                .find(|&pixel| pixel != ink)?,
        };
        // What follows the ink to the right and downwards within the cell is ground, or this is a picture.
        let ends_right = x + candidate.right < left + self.cell_width();
        let ends_below = y + candidate.down < top + self.cell_height();
        if ground == ink
            || (ends_right && pixels[at + candidate.right] != ground)
            || (ends_below && pixels[at + candidate.down * width] != ground)
            || changed.is_some_and(|changed| !self.has_changed(changed, left, top))
        {
            return None;
        }
        let character = self.walk(frame, left, top, below, anchor.row, (ink, ground))?;
        Some(Glyph { x: left, y: top, character, ink, ground })
    }

    /// Whether the cell at `left`, `top`, its margin included, meets a tile that has changed.
    pub(super) fn has_changed(&self, changed: &Tiles, left: usize, top: usize) -> bool {
        changed.meets(
            left.saturating_sub(1)..left + self.cell_width(),
            top.saturating_sub(1)..top + self.cell_height(),
        )
    }

    /// The glyph in the cell whose top left corner is `left`, `top`, in these two colours.
    pub(super) fn glyph_in_cell(
        &self,
        frame: &Frame,
        left: usize,
        top: usize,
        (ink, ground): (u32, u32),
    ) -> Option<Glyph> {
        if !self.fits(frame, left, top) {
            return None;
        }
        let character = self.walk(frame, left, top, (0, 0), 0, (ink, ground))?;
        Some(Glyph { x: left, y: top, character, ink, ground })
    }

    /// Whether the cell at `left`, `top` is on the frame and nothing but `ground`.
    pub(super) fn is_blank(&self, frame: &Frame, left: usize, top: usize, ground: u32) -> bool {
        self.fits(frame, left, top) && self.is_flat(frame, left, top, self.cell_height(), ground)
    }

    fn fits(&self, frame: &Frame, left: usize, top: usize) -> bool {
        left + self.cell_width() <= frame.width() && top + self.cell_height() <= frame.height()
    }

    fn is_flat(&self, frame: &Frame, left: usize, top: usize, height: usize, ground: u32) -> bool {
        let (pixels, width) = (frame.pixels(), frame.width());
        (top..top + height).all(|y| {
            let row = &pixels[y * width + left..][..self.cell_width()];
            is_all(row, ground)
        })
    }

    /// Follows the tree from `node`, which is below the first `first_row` rows, and then makes sure
    /// of what it skipped: the `blank` rows above, and every pixel of a magnified one.
    fn walk(
        &self,
        frame: &Frame,
        left: usize,
        top: usize,
        (mut node, first_row): (usize, usize),
        blank: usize,
        (ink, ground): (u32, u32),
    ) -> Option<char> {
        let (pixels, width) = (frame.pixels(), frame.width());
        for row in first_row..self.rows {
            let start = (top + row * self.scale) * width + left;
            // Beyond the cell is whatever is there.
            if self.is_narrow()
                && let Some(line) = pixels[start..].first_chunk::<REACH>()
            {
                let [ink, others] = bits(line, ink, ground).map(|bits| bits & self.all_columns());
                node = if others == 0 { self.child(node, ink)? } else { return None };
                continue;
            }
            let line = &pixels[start..start + self.cell_width()];
            let bits = match self.scale {
                1 => ink_of(line.iter(), ink, ground),
                scale => ink_of(line.iter().step_by(scale), ink, ground),
            }?;
            node = self.child(node, bits)?;
        }
        let character = self.nodes[node].character?;
        let above_is_flat = self.is_flat(frame, left, top, blank * self.scale, ground);
        (above_is_flat && self.is_magnified(frame, left, top)).then_some(character)
    }

    /// Whether each `scale` × `scale` square of the cell is of one colour.
    fn is_magnified(&self, frame: &Frame, left: usize, top: usize) -> bool {
        let (pixels, width) = (frame.pixels(), frame.width());
        self.scale == 1
            || (0..self.cell_height()).all(|y| {
                let first = (top + y - y % self.scale) * width + left;
                let this = (top + y) * width + left;
                (0..self.cell_width())
                    .all(|x| pixels[this + x] == pixels[first + x - x % self.scale])
            })
    }
}

/// The row of a cell with a glyph's first ink pixel, and the next one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FirstRows {
    /// A bit for each column; none if nothing is known: of magnified and of wide cells, and where the ground is not
    /// what is above.
    cell: u64,
    /// The column of that pixel.
    column: usize,
    /// Of the rows that glyphs have there.
    marks: u64,
    /// Of those and the rows below them; all of a cell that ends there.
    pairs: u64,
}

impl FirstRows {
    /// Whether what surrounds a candidate may be a glyph's rows.
    #[inline]
    pub(super) fn may_be(&self, around: &Around) -> bool {
        if self.cell == 0 {
            return true;
        }
        let Some((first, others)) = around.row(0, self.column, self.cell) else { return true };
        if others != 0 || self.marks & mark(first) == 0 {
            return false;
        }
        let Some((second, others)) = around.row(1, self.column, self.cell) else { return true };
        self.pairs == u64::MAX || others == 0 && self.pairs & pair_mark(first, second) != 0
    }
}

/// One of 64 bits for a row of ink: rows that differ have often different ones.
#[inline]
fn mark(ink: u64) -> u64 {
    1 << (ink.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58)
}

/// The same for a row and the one below it.
#[inline]
fn pair_mark(first: u64, second: u64) -> u64 {
    mark(first ^ second << REACH)
}

/// Whether all pixels are of this colour: without a branch for each.
fn is_all(pixels: &[u32], colour: u32) -> bool {
    let (chunks, rest) = pixels.as_chunks::<4>();
    let mut others = [0; 4];
    for chunk in chunks {
        for (others, pixel) in others.iter_mut().zip(chunk) {
            *others |= pixel ^ colour;
        }
    }
    others.iter().fold(0, |all, others| all | others) == 0
        && rest.iter().all(|pixel| *pixel == colour)
}

/// The ink of a row of pixels, bit 0 for the first; `None` if one of them is neither ink nor ground.
fn ink_of<'a>(row: impl Iterator<Item = &'a u32>, ink: u32, ground: u32) -> Option<u64> {
    let mut bits = 0;
    for (column, pixel) in row.enumerate() {
        if *pixel == ink {
            bits |= 1 << column;
        } else if *pixel != ground {
            return None;
        }
    }
    Some(bits)
}

/// The ink of one glyph, row by row; bit 0 is the leftmost column.
fn glyph_rows(font: &MonoFont<'_>, character: char) -> Vec<u64> {
    let size = font.character_size;
    let glyphs_in_a_row = (font.image.size().width / size.width) as usize;
    let index = font.glyph_mapping.index(character);
    let left = (index % glyphs_in_a_row * size.width as usize) as i32;
    let top = (index / glyphs_in_a_row * size.height as usize) as i32;
    (0..size.height as i32)
        .map(|row| {
            (0..size.width as i32)
                .filter(|column| {
                    font.image.pixel(Point::new(left + column, top + row)) == Some(BinaryColor::On)
                })
                .fold(0, |ink, column| ink | 1 << column)
        })
        .collect()
}
