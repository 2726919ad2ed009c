//! A bitmap font prepared for reading: every glyph's rows of ink in a tree ([`Tree`]), and the places
//! in the cell where a glyph's first ink pixel may stand.
//!
//! It knows no frame layout and no line of text: it answers "which character is in this
//! cell?", and [`super::Reader`] asks.

use embedded_graphics::geometry::{OriginDimensions, Point};
use embedded_graphics::image::GetPixel;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::pixelcolor::BinaryColor;

use super::edges::{Picture, WINDOW};
use super::tree::{ROOT, Tree};
use ili9341_model::{Frame, Tiles};

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
    tree: Tree,
    anchors: Vec<Anchor>,
    twins: Vec<(char, char)>,
    /// Of each character that is read, in order of the characters.
    ink: Vec<Ink>,
}

/// The ink of a glyph that is read.
#[derive(Clone, Copy, Debug)]
struct Ink {
    character: char,
    /// Panel pixels.
    pixels: usize,
}

/// Where the first ink pixel of some glyphs is: in the topmost row with ink, the leftmost.
///
/// Other glyphs that have ink there in their topmost row, none to the left of it, and as much to the right and downwards
/// are found there too, though they begin further to the left: their own first pixel may touch something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Anchor {
    column: usize,
    row: usize,
    /// The node below `row` rows without ink.
    node: usize,
    /// How many ink pixels follow each other from it to the right, cut off at the cell's edge: bit n for n.
    right: u64,
    /// The same downwards, lengths past 63 counted as 63.
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
    /// By which glyphs are in row order of their cells.
    pub(super) fn order(&self) -> (usize, usize, u32) {
        (self.y, self.x, self.ink)
    }

    /// Row order of the cells, none twice. A cell and its ink leave no choice of ground and character.
    pub(super) fn put_in_order(glyphs: &mut Vec<Self>) {
        glyphs.sort_unstable_by_key(Self::order);
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
        let mut glyphs: Vec<(Vec<u64>, char)> = Vec::new();
        let mut twins = Vec::new();
        if size.width > 0 && font.image.size().width >= size.width {
            let full = u64::MAX >> (u64::BITS - size.width);
            for character in characters.chars() {
                let rows = glyph_rows(font, character);
                if rows.iter().all(|row| *row == 0) || rows.iter().all(|row| *row == full) {
                    continue;
                }
                match glyphs.iter().find(|(other, _)| *other == rows) {
                    Some((_, taken)) if *taken != character => twins.push((*taken, character)),
                    Some(_) => {}
                    None => glyphs.push((rows, character)),
                }
            }
        }
        let tree =
            Tree::of(glyphs.iter().map(|(rows, letter)| (rows.as_slice(), *letter)).collect());
        let mut this = Self {
            name: name.to_owned(),
            columns: size.width as usize,
            rows: size.height as usize,
            pitch: (size.width + font.character_spacing) as usize * scale as usize,
            scale: scale as usize,
            tree,
            anchors: Vec::new(),
            twins,
            ink: Vec::new(),
        };
        glyphs.iter().for_each(|(rows, character)| this.add(*character, rows));
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

    /// Adds the ink and the anchor of a glyph, which has some ink.
    fn add(&mut self, character: char, rows: &[u64]) {
        let pixels = rows.iter().map(|row| row.count_ones() as usize).sum::<usize>();
        self.ink.push(Ink { character, pixels: pixels * self.scale * self.scale });
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

    /// Where the first ink pixel of its glyphs is.
    pub(super) fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    /// Whether a row of a cell is read by what differs from the row above.
    fn is_narrow(&self) -> bool {
        self.scale == 1 && self.columns <= WINDOW
    }

    /// A bit for each column; a cell has some.
    fn all_columns(&self) -> u64 {
        u64::MAX >> (u64::BITS as usize - self.columns)
    }

    /// The rows of ink of the glyphs at `anchor`, from that of their first ink pixel on: so many, or all that the cell has.
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

    /// Whether a panel pixel differs from the one above it that is so many columns to the right and rows below the first ink pixel
    /// of a glyph at `anchor`, whose `rows` from there on are these; `None` if that is not known.
    pub(super) fn differs(
        &self,
        anchor: Anchor,
        rows: &[u64],
        column: isize,
        row: usize,
    ) -> Option<bool> {
        let column = (anchor.column * self.scale).checked_add_signed(column)?;
        // What is above the cell is not known.
        if column >= self.cell_width() || row / self.scale >= rows.len() || anchor.row + row == 0 {
            return None;
        }
        let row_above = row.checked_sub(1).map_or(0, |above| rows[above / self.scale]);
        Some((rows[row / self.scale] ^ row_above) >> (column / self.scale) & 1 == 1)
    }

    /// The glyph whose first ink pixel is that at `x`, `y` and stands at `anchor`, if its cell meets a change.
    // Few pixels get here: what it computes first must not be done ahead of the loop over the others.
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

    /// Whether the ink of a glyph goes on as far to the right and downwards as [`Anchor`] says.
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

    /// The same, pixel by pixel.
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

    /// The corner of the cell whose first ink pixel is that at `x`, `y` and stands at `anchor`, and its ink and ground.
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
            // Ink in the cell's very corner: the ground is whatever else the cell holds.
            (false, false) => (0..self.cell_height())
                .flat_map(|row| &pixels[at + row * width..at + row * width + self.cell_width()])
                .copied()
                .find(|&pixel| pixel != ink)?,
        };
        (ground != ink).then_some((left, top, (ink, ground)))
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

    /// Whether the cell at `left`, `top` is on the frame and nothing but `ground`.
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

    /// Whether so many rows of pixels of a cell are `ground`.
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

    /// Follows the tree: from the row of the anchor, above which is nothing but ground, or from the topmost one.
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

    /// Follows the tree from `node`, which is below the first rows of a cell: their last one is ground, if there is one.
    /// Only pixels are looked at that differ from the upper ones.
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

    /// The same pixel by pixel, and then makes sure of what it skipped: every pixel of a magnified one.
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

/// The bit for a length, those past 63 counted as 63.
fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
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
