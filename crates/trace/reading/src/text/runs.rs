//! Joins the glyphs of a font to runs: glyphs in adjacent cells, with at most a few blank cells
//! between them.
//!
//! The module handles one font at a time, and does not decide which runs are text.

use core::iter::Peekable;
use core::ops::Range;

use super::edges::Picture;
use super::font::{Font, Glyph};
use super::merged;
use super::stroke::is_stroke;
use ili9341_model::{Frame, Tiles};

/// Maximum number of blank cells between words of one line; a wider gap separates two lines.
pub const MAX_SPACES: usize = 3;

/// Initial capacity of a run in glyphs: most lines of a screen have no more.
const USUAL_LENGTH: usize = 16;

/// Returns whether a text has nothing but strokes and blanks.
pub(super) fn is_strokes(text: &str) -> bool {
    text.chars().all(|character| is_stroke(character) || character == ' ')
}

/// Glyphs that may form a line of text, and the data to decide whether they do.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub glyphs: Vec<Glyph>,
    pub text: String,
    /// Whether the run has only strokes and dots.
    pub is_strokes: bool,
    /// Amount of ink, in panel pixels.
    pub ink: usize,
    /// Whether ink continues outside of the cells, in another glyph or in a shape.
    pub is_touched: bool,
    /// The glyph from which the run was extended.
    pub first: Glyph,
    /// Columns and rows of all pixels that were examined for the run. It depends on these and the
    /// pixels around them.
    pub looked_at: (Range<usize>, Range<usize>),
}

impl Run {
    /// Extends `first`, a glyph on the frame, to both sides.
    fn new(first: Glyph, font: &Font, frame: &Frame, in_cell: impl Fn(usize) -> Cell) -> Self {
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
            is_strokes: is_strokes(&text),
            ink: glyphs.iter().map(|glyph| font.ink_of(glyph.character)).sum(),
            is_touched: (0..glyphs.len())
                .any(|nth| merged::merges(frame, font, &glyphs, nth, |_, _| false)),
            text,
            glyphs,
            first,
            looked_at: (
                start..(x + font.cell_width()).min(frame.width()),
                first.y..first.y + font.cell_height(),
            ),
        }
    }

    /// Returns whether a pixel that was examined for the run, or one around it, is in a changed
    /// tile.
    pub(super) fn has_changed(&self, frame: &Frame, changed: &Tiles) -> bool {
        let grown = |range: &Range<usize>, size: usize| {
            range.start.saturating_sub(1)..(range.end + 1).min(size)
        };
        let (columns, rows) = &self.looked_at;
        changed.meets(grown(columns, frame.width()), grown(rows, frame.height()))
    }
}

/// The content of a cell beside a glyph.
enum Cell {
    Glyph(Glyph),
    Blank,
    Other,
}

/// Joins glyphs (in row order) that are a whole number of cells apart and have the same colours. A
/// glyph whose first pixel touches its neighbour's ink is not in `glyphs`; it is found here, by its
/// position in the line. A run in `known`, whose order is that of the result, is not joined again.
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
            Run::new(first, font, picture.frame, in_cell)
        });
        // The glyphs of a run are consecutive unless glyphs of another line are between them.
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

/// Returns the next of the `known` runs, if it began with `first`. Earlier runs no longer exist and
/// are dropped.
pub(super) fn known_run(
    known: &mut Peekable<impl Iterator<Item = Run>>,
    first: &Glyph,
) -> Option<Run> {
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
    // A known glyph need not be read again: its cell and its ink determine it. A cell without ink
    // has no glyph.
    let glyph = match glyphs.binary_search_by_key(&(y, x, ink), Glyph::order) {
        Ok(known) => Some(glyphs[known]).filter(|glyph| glyph.ground == ground),
        Err(_) if font.is_blank(picture, (x, y), ground) => return Cell::Blank,
        Err(_) => font.glyph_in_cell(picture, (x, y), (ink, ground)),
    };
    glyph.map_or(Cell::Other, Cell::Glyph)
}

/// Returns the text of glyphs in one line.
pub(super) fn text_of(font: &Font, glyphs: &[Glyph]) -> String {
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
