//! Finds the cells that hold glyphs, joins them to lines, and decides between fonts.
//!
//! It looks only where a glyph can begin (`edges`). It knows no language: what it returns is what is drawn.

use std::collections::BTreeSet;

use super::edges::{Edges, Picture};
use super::font::{Font, Glyph};
use super::starts::Starts;
use super::{ScreenText, TextLine};
use crate::Frame;
use crate::frame::Region;
use crate::lcd::Tiles;

/// As many blank cells in a line are spaces between its words; more part two lines.
pub const MAX_SPACES: usize = 3;

/// Reads text in a set of fonts.
///
/// Text is found where each of its cells is one ink on one flat ground, the whole cell with
/// its margin. Where cells of two fonts overlap, the line with more ink wins, then the font
/// with the larger cell. A line of nothing but strokes and dots (`-`, `|`, `.`, `=` and the
/// like, see [`is_stroke`]) is taken for a part of a picture and left out, unless there are two or more and
/// a line of other characters stands beside them: in the same font, at the same height.
#[derive(Clone, Debug)]
pub struct Reader {
    fonts: Vec<Font>,
    starts: Starts,
}

/// Characters that pictures contain by chance: without a letter, digit or other character
/// beside them they are not text.
pub fn is_stroke(character: char) -> bool {
    ".,:;'`\"-_|/\\=~^".contains(character)
}

/// A line, and what it takes to decide between it and another.
struct Run {
    glyphs: Vec<Glyph>,
    text: String,
    font: usize,
    /// Panel pixels.
    ink: usize,
}

impl Run {
    fn is_strokes(&self) -> bool {
        self.text.chars().all(|character| is_stroke(character) || character == ' ')
    }
}

impl Reader {
    /// A reader of these fonts; [`TextLine::font`] is an index into them.
    pub fn new(fonts: Vec<Font>) -> Self {
        let starts = Starts::of(&fonts);
        Self { fonts, starts }
    }

    /// The fonts it was made of.
    pub fn fonts(&self) -> &[Font] {
        &self.fonts
    }

    /// Whether text that it reads may hold `character`; white space stands between its words.
    pub fn reads(&self, character: char) -> bool {
        character.is_whitespace() || self.fonts.iter().any(|font| font.reads(character))
    }

    /// All the text on `frame`.
    pub fn read(&self, frame: &Frame) -> ScreenText {
        let picture = Picture { frame, edges: &Edges::of(frame) };
        self.lines(picture, &self.glyphs(picture, None))
    }

    /// The glyphs of each font whose cells, margins included, meet a tile that has `changed`, in row order of their cells,
    /// none twice. All cells do if no tiles are given.
    pub(super) fn glyphs(&self, picture: Picture<'_>, changed: Option<&Tiles>) -> Vec<Vec<Glyph>> {
        let starts = &self.starts;
        let mut found = vec![Vec::new(); self.fonts.len()];
        let (widest, highest) = starts.largest_cell();
        // The first ink pixel of a cell that meets a change is at most a cell away from it.
        let near = changed.map(|changed| changed.grown(widest, highest));
        picture.edges.corners(picture.frame, near.as_ref(), |x, y| {
            for start in starts.at(picture.edges, x, y) {
                let font = &self.fonts[start.font];
                let glyph = font.glyph_at_anchor(picture, start.anchor, (x, y), changed);
                found[start.font].extend(glyph);
            }
        });
        found.iter_mut().for_each(Glyph::put_in_order);
        found
    }

    /// The text that these glyphs of each font are.
    pub(super) fn lines(&self, picture: Picture<'_>, glyphs: &[Vec<Glyph>]) -> ScreenText {
        let mut runs = Vec::new();
        for (index, (font, glyphs)) in self.fonts.iter().zip(glyphs).enumerate() {
            runs.extend(join(picture, font, glyphs).into_iter().map(|glyphs| {
                let text = text_of(font, &glyphs);
                let ink = glyphs.iter().map(|glyph| font.ink_of(glyph.character)).sum();
                Run { glyphs, text, font: index, ink }
            }));
        }
        let (mut runs, mut strokes): (Vec<Run>, Vec<Run>) =
            runs.into_iter().partition(|run| !run.is_strokes());
        for runs in [&mut runs, &mut strokes] {
            runs.sort_by_key(|run| {
                let font = &self.fonts[run.font];
                std::cmp::Reverse((run.ink, font.cell_width() * font.cell_height()))
            });
        }
        let mut taken = Vec::new();
        let mut lines = Vec::new();
        for run in runs {
            lines.extend(self.take(run, picture.frame, &mut taken));
        }
        // Two strokes side by side, at the very height of a text, are no chance of a picture; one
        // dot is: the board's stones have many.
        let is_beside =
            |line: &TextLine, run: &Run| (line.font, line.y) == (run.font, run.glyphs[0].y);
        strokes.retain(|run| run.glyphs.len() > 1 && lines.iter().any(|line| is_beside(line, run)));
        for run in strokes {
            lines.extend(self.take(run, picture.frame, &mut taken));
        }
        ScreenText::from_lines(lines)
    }

    /// The line of `run`, if it has no ink of a line that is `taken`; it is then.
    fn take(&self, run: Run, frame: &Frame, taken: &mut Vec<Taken>) -> Option<TextLine> {
        let font = &self.fonts[run.font];
        let (first, last) = (run.glyphs[0], run.glyphs[run.glyphs.len() - 1]);
        let line = TextLine {
            x: first.x,
            y: first.y,
            width: last.x + font.cell_width() - first.x,
            height: font.cell_height(),
            pitch: font.pitch(),
            text: run.text,
            font: run.font,
        };
        // Nearly always none meets it, and then no pixel has to be looked at.
        let area = line.area();
        let mut others = taken.iter().filter(|other| other.area.meets(area)).peekable();
        if others.peek().is_some() {
            let ink = |font, glyphs: &[Glyph]| -> Vec<usize> {
                glyphs.iter().flat_map(|glyph| ink_pixels(frame, font, glyph)).collect()
            };
            let own: BTreeSet<usize> = ink(font, &run.glyphs).into_iter().collect();
            let shares = |other: &Taken| {
                ink(&self.fonts[other.font], &other.glyphs).iter().any(|at| own.contains(at))
            };
            if others.any(shares) {
                return None;
            }
        }
        taken.push(Taken { area, font: run.font, glyphs: run.glyphs });
        Some(line)
    }
}

/// What a line that was decided for covers.
struct Taken {
    area: Region,
    font: usize,
    glyphs: Vec<Glyph>,
}

/// What stands in a cell behind or before a glyph.
enum Cell {
    Glyph(Glyph),
    Blank,
    Other,
}

/// Joins glyphs that stand a whole number of cells apart, in the same colours. A glyph whose
/// first pixel touches its neighbour's ink is not among them; it is found here, by its place in the line.
fn join(picture: Picture<'_>, font: &Font, glyphs: &[Glyph]) -> Vec<Vec<Glyph>> {
    let place = |glyph: &Glyph| {
        glyphs.binary_search_by_key(&(glyph.y, glyph.x, glyph.ink), |glyph| {
            (glyph.y, glyph.x, glyph.ink)
        })
    };
    // A glyph that is known need not be read again: its cell and its ink leave no choice. What has no ink is no glyph.
    let in_cell = |x: usize, y: usize, (ink, ground): (u32, u32)| {
        let known =
            glyphs.binary_search_by_key(&(y, x, ink), |glyph| (glyph.y, glyph.x, glyph.ink));
        let glyph = match known {
            Ok(known) => Some(glyphs[known]).filter(|glyph| glyph.ground == ground),
            Err(_) if font.is_blank(picture, (x, y), ground) => return Cell::Blank,
            Err(_) => font.glyph_in_cell(picture, (x, y), (ink, ground)),
        };
        glyph.map_or(Cell::Other, Cell::Glyph)
    };
    let mut used = vec![false; glyphs.len()];
    let mut runs = Vec::new();
    for index in 0..glyphs.len() {
        if used[index] {
            continue;
        }
        let first = glyphs[index];
        let colours = (first.ink, first.ground);
        let mut run = vec![first];
        let mut left = first.x;
        while let Some(Cell::Glyph(glyph)) =
            left.checked_sub(font.pitch()).map(|left| in_cell(left, first.y, colours))
        {
            left = glyph.x;
            run.insert(0, glyph);
        }
        let mut x = first.x;
        let mut blanks = 0;
        while blanks <= MAX_SPACES {
            x += font.pitch();
            match in_cell(x, first.y, colours) {
                Cell::Glyph(glyph) => {
                    run.push(glyph);
                    blanks = 0;
                }
                Cell::Blank => blanks += 1,
                Cell::Other => break,
            }
        }
        for glyph in &run {
            if let Ok(place) = place(glyph) {
                used[place] = true;
            }
        }
        runs.push(run);
    }
    runs
}

fn text_of(font: &Font, glyphs: &[Glyph]) -> String {
    let mut text = String::new();
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

/// The glyph's ink, as indices into the frame's pixels.
fn ink_pixels<'a>(
    frame: &'a Frame,
    font: &'a Font,
    glyph: &'a Glyph,
) -> impl Iterator<Item = usize> + 'a {
    (glyph.y..glyph.y + font.cell_height())
        .flat_map(move |y| {
            let start = y * frame.width() + glyph.x;
            start..start + font.cell_width()
        })
        .filter(move |&at| frame.pixels()[at] == glyph.ink)
}
