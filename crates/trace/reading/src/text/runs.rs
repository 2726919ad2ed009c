//! Joins the glyphs of a font to runs: what stands in cells beside each other, with a few blank ones between.
//!
//! It knows one font at a time, and does not decide which runs are text.

use core::iter::Peekable;
use core::ops::Range;

use super::edges::Picture;
use super::font::{Font, Glyph};
use ili9341_model::Tiles;

/// As many blank cells in a line are spaces between its words; more part two lines.
pub const MAX_SPACES: usize = 3;

/// Glyphs for which a run has room from the start: most lines of a screen have no more.
const USUAL_LENGTH: usize = 16;

/// Characters that pictures contain by chance: without a letter, digit or other character
/// beside them they are not text.
pub fn is_stroke(character: char) -> bool {
    ".,:;'`\"-_|/\\=~^".contains(character)
}

/// Glyphs that are a line if they are text, and what it takes to decide that.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub glyphs: Vec<Glyph>,
    pub text: String,
    /// Whether there is nothing but strokes and dots in it.
    pub is_strokes: bool,
    /// Panel pixels.
    pub ink: usize,
    /// The glyph that it was begun with.
    first: Glyph,
    /// The columns of all cells that were looked at for it: what it is depends on nothing else.
    looked_at: Range<usize>,
}

impl Run {
    /// The run of a font that is begun with `first`, a glyph on the frame, and goes on to either side.
    fn new(first: Glyph, font: &Font, width: usize, in_cell: impl Fn(usize) -> Cell) -> Self {
        let mut glyphs = Vec::with_capacity(USUAL_LENGTH);
        glyphs.push(first);
        let mut left = first.x;
        let mut start = left;
        while let Some(x) = left.checked_sub(font.pitch()) {
            start = x;
            let Cell::Glyph(glyph) = in_cell(x) else { break };
            left = x;
            glyphs.insert(0, glyph);
        }
        let mut x = first.x;
        let mut blanks = 0;
        while blanks <= MAX_SPACES {
            x += font.pitch();
            match in_cell(x) {
                Cell::Glyph(glyph) => {
                    glyphs.push(glyph);
                    blanks = 0;
                }
                Cell::Blank => blanks += 1,
                Cell::Other => break,
            }
        }
        let text = text_of(font, &glyphs);
        Self {
            is_strokes: text.chars().all(|character| is_stroke(character) || character == ' '),
            ink: glyphs.iter().map(|glyph| font.ink_of(glyph.character)).sum(),
            text,
            glyphs,
            first,
            looked_at: start..(x + font.cell_width()).min(width),
        }
    }

    /// Whether a cell that was looked at for it meets a tile that has changed.
    pub(super) fn has_changed(&self, font: &Font, changed: &Tiles) -> bool {
        let top = self.first.y;
        changed.meets(self.looked_at.clone(), top..top + font.cell_height())
    }
}

/// What stands in a cell behind or before a glyph.
enum Cell {
    Glyph(Glyph),
    Blank,
    Other,
}

/// Joins glyphs, which are in row order, that stand a whole number of cells apart, in the same colours. A glyph whose
/// first pixel touches its neighbour's ink is not among them; it is found here, by its place in the line. A run that is
/// `known`, in the order in which they are found here, is not joined again.
pub(super) fn join(
    picture: Picture<'_>,
    font: &Font,
    glyphs: &[Glyph],
    known: impl Iterator<Item = Run>,
) -> Vec<Run> {
    let mut known = known.peekable();
    let mut used = vec![false; glyphs.len()];
    let mut runs = Vec::new();
    for (index, &first) in glyphs.iter().enumerate() {
        if used[index] {
            continue;
        }
        let run = known_run(&mut known, &first).unwrap_or_else(|| {
            let colours = (first.ink, first.ground);
            let in_cell = |x: usize| in_cell(picture, font, glyphs, (x, first.y), colours);
            Run::new(first, font, picture.frame.width(), in_cell)
        });
        // They follow each other unless another font's, or another line's, stand between.
        let mut next = index;
        for glyph in &run.glyphs {
            let place = match glyphs.get(next) {
                Some(here) if here == glyph => Ok(next),
                _ => glyphs.binary_search_by_key(&glyph.order(), Glyph::order),
            };
            if let Ok(place) = place {
                used[place] = true;
                next = place + 1;
            }
        }
        runs.push(run);
    }
    runs
}

/// The next of the `known` runs, if it was begun with `first`. Those before it are none any more.
fn known_run(known: &mut Peekable<impl Iterator<Item = Run>>, first: &Glyph) -> Option<Run> {
    while known.next_if(|run| run.first.order() < first.order()).is_some() {}
    known.next_if(|run| run.first == *first)
}

fn in_cell(
    picture: Picture<'_>,
    font: &Font,
    glyphs: &[Glyph],
    (x, y): (usize, usize),
    (ink, ground): (u32, u32),
) -> Cell {
    // A glyph that is known need not be read again: its cell and its ink leave no choice. What has no ink is no glyph.
    let glyph = match glyphs.binary_search_by_key(&(y, x, ink), Glyph::order) {
        Ok(known) => Some(glyphs[known]).filter(|glyph| glyph.ground == ground),
        Err(_) if font.is_blank(picture, (x, y), ground) => return Cell::Blank,
        Err(_) => font.glyph_in_cell(picture, (x, y), (ink, ground)),
    };
    glyph.map_or(Cell::Other, Cell::Glyph)
}

fn text_of(font: &Font, glyphs: &[Glyph]) -> String {
    let mut text = String::with_capacity(2 * glyphs.len());
    let mut next = glyphs.first().map_or(0, |glyph| glyph.x);
    for glyph in glyphs {
        while next < glyph.x {
            text.push(' ');
            next += font.pitch();
        }
        text.push(glyph.character);
        next += font.pitch();
    }
    text
}
