//! Finds the cells that contain glyphs, joins them to runs, and decides between fonts.
//!
//! The reader examines only pixels where a glyph can begin (`edges`). It knows no language: it
//! returns what is drawn.

use core::iter;
use std::collections::BTreeSet;

use super::edges::{Edges, Picture};
use super::font::{Font, Glyph};
use super::runs::{Run, join};
use super::starts::Starts;
use super::{ScreenText, TextLine};
use ili9341_model::{Frame, Tiles, frame::Region};

/// Reads text in a set of fonts.
///
/// Text is found if each of its cells, with its margin, has one ink colour on one uniform
/// background. Where cells of two fonts overlap, the line with more ink wins, then the font with
/// the larger cell. A line of only strokes and dots (`-`, `|`, `.`, `=` and the like, see
/// [`is_stroke`](super::is_stroke)) counts as part of a picture and is left out, unless it has at
/// least two characters and a line of other characters is at the same height in the same font.
#[derive(Clone, Debug)]
pub struct Reader {
    fonts: Vec<Font>,
    starts: Starts,
}

impl Reader {
    /// Creates a reader of these fonts; [`TextLine::font`] is an index into them.
    pub fn new(fonts: Vec<Font>) -> Self {
        let starts = Starts::of(&fonts);
        Self { fonts, starts }
    }

    /// Returns the fonts of the reader.
    pub fn fonts(&self) -> &[Font] {
        &self.fonts
    }

    /// Returns whether text that the reader finds may contain `character`; white space separates
    /// words.
    pub fn reads(&self, character: char) -> bool {
        character.is_whitespace() || self.fonts.iter().any(|font| font.reads(character))
    }

    /// Returns all text on `frame`.
    pub fn read(&self, frame: &Frame) -> ScreenText {
        let picture = Picture { frame, edges: &Edges::of(frame) };
        self.text(frame, &self.runs(picture, &self.glyphs(picture, None), None))
    }

    /// Returns the glyphs of each font whose cells, with their margins, touch a `changed` tile, in
    /// row order of their cells, without duplicates. Without `changed` all glyphs are returned.
    pub(super) fn glyphs(&self, picture: Picture<'_>, changed: Option<&Tiles>) -> Vec<Vec<Glyph>> {
        let starts = &self.starts;
        let mut found = vec![Vec::new(); self.fonts.len()];
        let (widest, highest) = starts.largest_cell();
        // The first ink pixel of a cell that touches a changed tile is at most a cell away from the
        // tile.
        let near = changed.map(|changed| changed.grown(widest, highest));
        picture.edges.corners(near.as_ref(), |x, y| {
            for start in starts.at(picture.edges, x, y) {
                let font = &self.fonts[start.font];
                let glyph = font.glyph_at_anchor(picture, start.anchor, (x, y), changed);
                found[start.font].extend(glyph);
            }
        });
        found.iter_mut().for_each(Glyph::put_in_order);
        found
    }

    /// Joins the glyphs of each font to runs. Runs of `before`, on a previous frame, are reused
    /// where nothing has changed since.
    pub(super) fn runs(
        &self,
        picture: Picture<'_>,
        glyphs: &[Vec<Glyph>],
        before: Option<(Vec<Vec<Run>>, &Tiles)>,
    ) -> Vec<Vec<Run>> {
        let fonts = self.fonts.iter().zip(glyphs);
        let Some((before, changed)) = before else {
            let joined = fonts.map(|(font, glyphs)| join(picture, font, glyphs, iter::empty()));
            return joined.collect();
        };
        let joined = fonts.zip(before).map(|((font, glyphs), before)| {
            let stays = |run: &Run| !run.has_changed(font, changed);
            join(picture, font, glyphs, before.into_iter().filter(stays))
        });
        joined.collect()
    }

    /// Returns the text of these runs of each font.
    pub(super) fn text(&self, frame: &Frame, runs: &[Vec<Run>]) -> ScreenText {
        let all = runs
            .iter()
            .enumerate()
            .flat_map(|(font, runs)| runs.iter().map(move |run| FontRun { font, run }));
        let (mut strokes, mut runs): (Vec<_>, Vec<_>) = all.partition(|of| of.run.is_strokes);
        for runs in [&mut runs, &mut strokes] {
            runs.sort_by_key(|FontRun { font, run }| {
                let font = &self.fonts[*font];
                std::cmp::Reverse((run.ink, font.cell_width() * font.cell_height()))
            });
        }
        let mut taken = Vec::with_capacity(runs.len());
        let mut lines = Vec::with_capacity(runs.len());
        for run in runs {
            lines.extend(self.take(run, frame, &mut taken));
        }
        // Two strokes side by side at the exact height of a text are not accidental; one dot may
        // be: the board's stones have many.
        let is_beside = |line: &TextLine, of: &FontRun<'_>| {
            (line.font, line.y) == (of.font, of.run.glyphs[0].y)
        };
        strokes
            .retain(|of| of.run.glyphs.len() > 1 && lines.iter().any(|line| is_beside(line, of)));
        for run in strokes {
            lines.extend(self.take(run, frame, &mut taken));
        }
        ScreenText::from_lines(lines)
    }

    /// Returns the line of a run and adds the run to `taken`, unless it shares ink with a run in
    /// `taken`.
    fn take<'a>(
        &self,
        of: FontRun<'a>,
        frame: &Frame,
        taken: &mut Vec<(Region, FontRun<'a>)>,
    ) -> Option<TextLine> {
        let (font, glyphs) = (&self.fonts[of.font], &of.run.glyphs);
        let (first, last) = (glyphs[0], glyphs[glyphs.len() - 1]);
        let line = TextLine {
            x: first.x,
            y: first.y,
            width: last.x + font.cell_width() - first.x,
            height: font.cell_height(),
            pitch: font.pitch(),
            text: of.run.text.clone(),
            font: of.font,
        };
        // Usually no other run overlaps, and no pixel has to be examined.
        let area = line.area();
        let mut others = taken.iter().filter(|(other, _)| other.meets(area)).peekable();
        if others.peek().is_some() {
            let ink = |of: &FontRun<'_>| -> Vec<usize> {
                let font = &self.fonts[of.font];
                of.run.glyphs.iter().flat_map(|glyph| ink_pixels(frame, font, glyph)).collect()
            };
            let own: BTreeSet<usize> = ink(&of).into_iter().collect();
            if others.any(|(_, other)| ink(other).iter().any(|at| own.contains(at))) {
                return None;
            }
        }
        taken.push((area, of));
        Some(line)
    }
}

/// A run, and the index of its font.
struct FontRun<'a> {
    font: usize,
    run: &'a Run,
}

/// Returns the glyph's ink, as indices into the frame's pixels.
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
