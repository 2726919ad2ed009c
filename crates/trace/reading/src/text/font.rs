//! A bitmap font prepared for reading: every glyph's rows of ink in a tree ([`Tree`]), and the
//! possible positions in the cell of a glyph's first ink pixel.
//!
//! The module knows no frame layout and no line of text: it finds the character in a given cell,
//! for [`super::Reader`].

mod prepare;

use super::edges::{Picture, WINDOW};
use super::proportional::Proportional;
use super::tree::{ROOT, Tree};
use ili9341_model::{Frame, Tiles};

/// Maximum width of a glyph, in font pixels: a row of ink is one `u64`.
pub const MAX_GLYPH_WIDTH: u32 = 64;

/// A bitmap font prepared for the reader, at one magnification.
///
/// If several characters have the same pixels, only the first in the list is read; [`Font::twins`]
/// returns the others. Glyphs without ink (the space) and glyphs without background (a full block)
/// are left out: the first separate words, the second cannot be distinguished from a box. In a
/// proportional font ([`Font::from_shapes`]) characters with the same pixels are distinguished by
/// their neighbours (`spaced`).
#[derive(Clone, Debug)]
pub struct Font {
    name: String,
    /// Size of the cell, in font pixels.
    columns: usize,
    rows: usize,
    /// Distance from one cell's left edge to the next cell's, in panel pixels.
    pitch: usize,
    scale: usize,
    tree: Tree,
    anchors: Vec<Anchor>,
    twins: Vec<(char, char)>,
    /// Ink of each readable character, in order of the characters.
    ink: Vec<Ink>,
    /// Glyphs of different widths; the fields for cells of one width are then unused.
    proportional: Option<Box<Proportional>>,
    /// Fonts of the parts of these glyphs, by which a line is found.
    boxes: Vec<Font>,
}

/// The ink of a readable glyph.
#[derive(Clone, Copy, Debug)]
struct Ink {
    character: char,
    /// Number of panel pixels.
    pixels: usize,
    /// Number of rows of panel pixels with ink; 0 in a proportional font.
    rows: usize,
    at_edges: AtEdges,
}

/// Edges of its cell at which a glyph has ink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AtEdges {
    pub left: bool,
    pub right: bool,
    pub top: bool,
    pub bottom: bool,
}

/// Position in the cell of the first ink pixel of some glyphs: the leftmost in the topmost row with
/// ink.
///
/// It also finds other glyphs that have ink at this position in their topmost row, none directly to
/// the left of it, and equally long strokes to the right and downwards, although their first ink
/// pixel is further to the left: that pixel may touch something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Anchor {
    column: usize,
    row: usize,
    /// Node of the tree after `row` rows without ink.
    node: usize,
    /// Possible lengths of the ink stroke from here to the right, limited by the cell's edge: bit n
    /// for length n.
    right: u64,
    /// Possible lengths of the ink stroke downwards; lengths above 63 count as 63.
    down: u64,
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
    /// Returns the sort key for row order of the cells.
    pub(super) fn order(&self) -> (usize, usize, u32) {
        (self.y, self.x, self.ink)
    }

    /// Sorts into row order of the cells and removes duplicates. A cell and its ink determine
    /// background and character.
    pub(super) fn put_in_order(glyphs: &mut Vec<Self>) {
        glyphs.sort_unstable_by_key(Self::order);
        glyphs.dedup();
    }
}

impl Font {
    /// Returns the fonts of the parts of a proportional font's glyphs. Their characters number the
    /// parts.
    pub(super) fn boxes(&self) -> &[Self] {
        &self.boxes
    }

    /// Returns the glyphs of a proportional font; `None` for a monospaced one.
    pub(super) fn proportional(&self) -> Option<&Proportional> {
        self.proportional.as_deref()
    }

    /// Returns the number of panel pixels of a font pixel, in each direction.
    pub(super) fn scale(&self) -> usize {
        self.scale
    }

    /// Returns the name of the font, for reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns pairs of characters with identical glyphs, as (read, never read).
    pub fn twins(&self) -> &[(char, char)] {
        &self.twins
    }

    /// Returns the width of a cell on the panel, in pixels, without the spacing to the next.
    pub fn cell_width(&self) -> usize {
        self.columns * self.scale
    }

    /// Returns the height of a cell on the panel, in pixels.
    pub fn cell_height(&self) -> usize {
        self.rows * self.scale
    }

    /// Returns the distance from one cell's left edge to the next cell's, in panel pixels.
    pub fn pitch(&self) -> usize {
        self.pitch
    }

    /// Returns the height of the ink of capitals on the panel, in pixels; `None` if the font reads no
    /// `H`, or is proportional.
    pub fn capital_height(&self) -> Option<usize> {
        let place = self.ink_place('H').ok()?;
        Some(self.ink[place].rows).filter(|rows| *rows > 0)
    }

    /// Returns whether `character` can be read: the font has it, with ink, and no twin is read
    /// instead.
    pub fn reads(&self, character: char) -> bool {
        self.ink_place(character).is_ok()
    }

    /// Returns the amount of ink of a readable glyph, in panel pixels; 0 for any other.
    pub(super) fn ink_of(&self, character: char) -> usize {
        self.ink_place(character).map_or(0, |place| self.ink[place].pixels)
    }

    /// Returns the edges of its cell at which a readable glyph has ink.
    pub(super) fn at_edges(&self, character: char) -> AtEdges {
        self.ink_place(character).map_or(AtEdges::default(), |place| self.ink[place].at_edges)
    }

    fn ink_place(&self, character: char) -> Result<usize, usize> {
        self.ink.binary_search_by_key(&character, |ink| ink.character)
    }

    /// Returns the positions of the glyphs' first ink pixels.
    pub(super) fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    /// Returns whether a row of a cell is read from its differences to the row above.
    fn is_narrow(&self) -> bool {
        self.scale == 1 && self.columns <= WINDOW
    }

    /// Returns a mask with a bit for each column; a cell has at least one.
    fn all_columns(&self) -> u64 {
        u64::MAX >> (u64::BITS as usize - self.columns)
    }

    /// Returns the rows of ink of the glyphs at `anchor`, from the row of their first ink pixel on:
    /// `count` rows, or all rows of the cell if there are fewer.
    pub(super) fn first_rows(&self, anchor: Anchor, count: usize) -> Vec<Vec<u64>> {
        let is_ink = |row: &u64| row >> anchor.column & 1 == 1;
        let begins = |(row, _): &&(u64, usize)| {
            let right = (row >> anchor.column).trailing_ones() as usize;
            is_ink(row)
                && (anchor.column == 0 || !is_ink(&(row << 1)))
                && anchor.right & length_bit(right) != 0
        };
        let first = self.tree.children(anchor.node).iter().filter(begins);
        let mut found: Vec<_> = first.map(|(row, node)| (vec![*row], *node)).collect();
        for _ in 1..count.min(self.rows - anchor.row) {
            let longer = |(rows, node): (Vec<u64>, usize)| {
                let children = self.tree.children(node).iter();
                children.map(move |(row, node)| ([rows.as_slice(), &[*row]].concat(), *node))
            };
            found = found.into_iter().flat_map(longer).collect();
        }
        let goes_down = |rows: &Vec<u64>| {
            let down = rows.iter().take_while(|row| is_ink(row)).count();
            let goes_on = down == rows.len() && anchor.row + down < self.rows;
            anchor.down & if goes_on { u64::MAX << down } else { length_bit(down) } != 0
        };
        found.into_iter().map(|(rows, _)| rows).filter(goes_down).collect()
    }

    /// Returns whether a panel pixel differs from the one above it. The pixel is `column` columns
    /// to the right of and `row` rows below the first ink pixel of a glyph at `anchor`, whose rows
    /// from there on are `rows`. `None` if the glyph does not determine it.
    pub(super) fn differs(
        &self,
        anchor: Anchor,
        rows: &[u64],
        column: isize,
        row: usize,
    ) -> Option<bool> {
        let column = (anchor.column * self.scale).checked_add_signed(column)?;
        // The pixels above the cell are unknown.
        if column >= self.cell_width() || row / self.scale >= rows.len() || anchor.row + row == 0 {
            return None;
        }
        let row_above = row.checked_sub(1).map_or(0, |above| rows[above / self.scale]);
        Some((rows[row / self.scale] ^ row_above) >> (column / self.scale) & 1 == 1)
    }

    /// Returns the glyph whose first ink pixel is at `x`, `y` on the frame and at `anchor` in its
    /// cell, if the cell touches a changed tile.
    // Few pixels get here: the compiler must not hoist the first computations into the loop over
    // the others.
    #[inline(never)]
    pub(super) fn glyph_at_anchor(
        &self,
        picture: Picture<'_>,
        anchor: Anchor,
        place: (usize, usize),
        changed: Option<&Tiles>,
    ) -> Option<Glyph> {
        let (left, top, colours) = self.cell_at_anchor(picture.frame, anchor, place)?;
        if changed.is_some_and(|changed| !self.has_changed(changed, left, top)) {
            return None;
        }
        let character = self.walk(picture, (left, top), Some(anchor), colours)?;
        let glyph = Glyph { x: left, y: top, character, ink: colours.0, ground: colours.1 };
        self.is_found_at(picture.frame, anchor, place, &glyph).then_some(glyph)
    }

    /// Returns whether the glyph's strokes to the right and downwards have one of the lengths in
    /// [`Anchor`].
    fn is_found_at(
        &self,
        frame: &Frame,
        anchor: Anchor,
        (x, y): (usize, usize),
        glyph: &Glyph,
    ) -> bool {
        let (pixels, width) = (frame.pixels(), frame.width());
        let (right, bottom) = (glyph.x + self.cell_width(), glyph.y + self.cell_height());
        let is_ink = |at: &usize| pixels[*at] == glyph.ink;
        let across = (y * width + x..y * width + right).take_while(is_ink).count();
        let down = (y..bottom).map(|y| y * width + x).take_while(is_ink).count();
        anchor.right & length_bit(across / self.scale) != 0
            && anchor.down & length_bit(down / self.scale) != 0
    }

    /// Returns the result of [`glyph_at_anchor`](Self::glyph_at_anchor), found pixel by pixel.
    #[cfg(test)]
    pub(super) fn glyph_by_pixels(
        &self,
        frame: &Frame,
        anchor: Anchor,
        place: (usize, usize),
    ) -> Option<Glyph> {
        let (x, y, colours) = self.cell_at_anchor(frame, anchor, place)?;
        let (ink, ground) = colours;
        let mut above = (y..place.1).flat_map(|y| (x..x + self.cell_width()).map(move |x| (x, y)));
        if above.any(|(x, y)| frame.pixel(x, y) != Some(ground)) {
            return None;
        }
        let node = self.follow_pixels(frame, (x, y), (0, ROOT), colours)?;
        let character = self.tree.character(node)?;
        let glyph = Glyph { x, y, character, ink, ground };
        self.is_found_at(frame, anchor, place, &glyph).then_some(glyph)
    }

    /// Returns the corner, the ink colour and the background colour of the cell whose first ink
    /// pixel is at `x`, `y` on the frame and at `anchor` in the cell.
    fn cell_at_anchor(
        &self,
        frame: &Frame,
        anchor: Anchor,
        (x, y): (usize, usize),
    ) -> Option<(usize, usize, (u32, u32))> {
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
            // Ink in the corner of the cell: the background is the other colour in the cell.
            (false, false) => (0..self.cell_height())
                .flat_map(|row| &pixels[at + row * width..at + row * width + self.cell_width()])
                .copied()
                .find(|&pixel| pixel != ink)?,
        };
        (ground != ink).then_some((left, top, (ink, ground)))
    }

    /// Returns whether the cell at `left`, `top`, with its margin, touches a changed tile.
    pub(super) fn has_changed(&self, changed: &Tiles, left: usize, top: usize) -> bool {
        changed.meets(
            left.saturating_sub(1)..left + self.cell_width(),
            top.saturating_sub(1)..top + self.cell_height(),
        )
    }

    /// Returns the glyph in the cell whose top left corner is `left`, `top`, in these two colours.
    pub(super) fn glyph_in_cell(
        &self,
        picture: Picture<'_>,
        (left, top): (usize, usize),
        (ink, ground): (u32, u32),
    ) -> Option<Glyph> {
        if !self.fits(picture.frame, left, top) {
            return None;
        }
        let character = self.walk(picture, (left, top), None, (ink, ground))?;
        Some(Glyph { x: left, y: top, character, ink, ground })
    }

    /// Returns whether the cell at `left`, `top` is on the frame and contains only `ground`.
    pub(super) fn is_blank(
        &self,
        picture: Picture<'_>,
        (left, top): (usize, usize),
        ground: u32,
    ) -> bool {
        self.fits(picture.frame, left, top)
            && self.is_flat(picture, (left, top), self.cell_height(), ground)
    }

    fn fits(&self, frame: &Frame, left: usize, top: usize) -> bool {
        left + self.cell_width() <= frame.width() && top + self.cell_height() <= frame.height()
    }

    /// Returns whether the first `height` rows of pixels of a cell are all `ground`.
    fn is_flat(
        &self,
        Picture { frame, edges }: Picture<'_>,
        (left, top): (usize, usize),
        height: usize,
        ground: u32,
    ) -> bool {
        let columns = left..left + self.cell_width();
        let first = &frame.pixels()[top * frame.width()..][columns.clone()];
        height == 0
            || first.iter().fold(0, |others, pixel| others | (pixel ^ ground)) == 0
                && edges.is_even(columns, top + 1..top + height)
    }

    /// Follows the tree from the row of the anchor, with only background above it, or from the
    /// topmost row.
    fn walk(
        &self,
        picture: Picture<'_>,
        (left, top): (usize, usize),
        anchor: Option<Anchor>,
        colours: (u32, u32),
    ) -> Option<char> {
        let (first, node) = anchor.map_or((0, ROOT), |anchor| (anchor.row, anchor.node));
        if !self.is_flat(picture, (left, top), first * self.scale, colours.1) {
            return None;
        }
        let node = if self.is_narrow() {
            self.follow_changes(picture, (left, top), (first, node), colours)?
        } else {
            self.follow_pixels(picture.frame, (left, top), (first, node), colours)?
        };
        self.tree.character(node)
    }

    /// Follows the tree from `node`, which is reached after the first rows of a cell; the last of
    /// these rows, if any, is background. Only pixels that differ from the one above are examined.
    fn follow_changes(
        &self,
        Picture { frame, edges }: Picture<'_>,
        (left, top): (usize, usize),
        (mut first, mut node): (usize, usize),
        (ink, ground): (u32, u32),
    ) -> Option<usize> {
        let line =
            |row: usize| &frame.pixels()[(top + row) * frame.width() + left..][..self.columns];
        let mut bits = 0;
        if first == 0 {
            bits = ink_of(line(0).iter(), ink, ground)?;
            node = self.tree.child(node, bits)?;
            first = 1;
        }
        for row in first..self.rows {
            let mut changes = edges.from(left, top + row) & self.all_columns();
            bits ^= changes;
            let line = line(row);
            while changes != 0 {
                let column = changes.trailing_zeros() as usize;
                if line[column] != (if bits >> column & 1 == 1 { ink } else { ground }) {
                    return None;
                }
                changes &= changes - 1;
            }
            node = self.tree.child(node, bits)?;
        }
        Some(node)
    }

    /// Follows the tree pixel by pixel, and then checks the skipped pixels: every pixel of a
    /// magnified one.
    fn follow_pixels(
        &self,
        frame: &Frame,
        (left, top): (usize, usize),
        (first, mut node): (usize, usize),
        (ink, ground): (u32, u32),
    ) -> Option<usize> {
        for row in first..self.rows {
            let start = (top + row * self.scale) * frame.width() + left;
            let line = frame.pixels()[start..start + self.cell_width()].iter();
            node = self.tree.child(node, ink_of(line.step_by(self.scale), ink, ground)?)?;
        }
        self.is_magnified(frame, left, top).then_some(node)
    }

    /// Returns whether each `scale` × `scale` square of the cell has one colour.
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

/// Returns the bit for a length; lengths above 63 count as 63.
fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

/// Returns the ink of a row of pixels, bit 0 for the first; `None` if one of them is neither ink
/// nor background.
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
