//! Finds the cells that contain glyphs, joins them to runs, and decides between fonts.
//!
//! The reader examines only pixels where a glyph can begin (`edges`). It knows no language: it
//! returns what is drawn.

use core::iter;
use core::ops::Range;
use std::collections::BTreeSet;

use super::edges::{Edges, Picture};
use super::font::{Font, Glyph};
use super::ink;
use super::merged;
use super::runs::{self, Run, is_strokes};
use super::spaced;
use super::starts::{BOX_PIXELS, CELL_PIXELS, Start, Starts};
use super::{ScreenText, TextLine};
use ili9341_model::{Frame, Tiles, frame::Region};

/// Reads text in a set of fonts.
///
/// Text is found if each of its cells, with its margin, has one ink colour on one uniform
/// background, and no ink continues outside of the line in its colour: a glyph that merges with a
/// shape beside, above or under it is not read. Where cells of two fonts overlap, the line with
/// more ink wins, then the font with the larger cell. A line of only strokes and dots (`-`, `|`,
/// `.`, `=` and the like, see [`is_stroke`](super::is_stroke)) counts as part of a picture and is
/// left out, unless it has at least two characters and a line of other characters is at the same
/// height in the same font.
///
/// In a proportional font (`spaced`) a line needs a character that is no stroke, and filled
/// rectangles (often `l` and `I`) are strokes too.
#[derive(Clone, Debug)]
pub struct Reader {
    fonts: Vec<Font>,
    /// Indices of the proportional fonts, and of the fonts of their boxes, which are searched after
    /// all `fonts`.
    boxes: Vec<(usize, usize)>,
    starts: Starts<CELL_PIXELS>,
    /// `None` without proportional fonts.
    box_starts: Option<Starts<BOX_PIXELS>>,
}

impl Reader {
    /// Creates a reader of these fonts; [`TextLine::font`] is an index into them.
    pub fn new(fonts: Vec<Font>) -> Self {
        let boxes =
            |(nth, font): (usize, &Font)| (0..font.boxes().len()).map(move |place| (nth, place));
        let boxes = fonts.iter().enumerate().flat_map(boxes).collect();
        let starts = Starts::of(&fonts.iter().collect::<Vec<_>>());
        let mut this = Self { fonts, boxes, starts, box_starts: None };
        if !this.boxes.is_empty() {
            let boxes: Vec<&Font> = this.searched().skip(this.fonts.len()).collect();
            this.box_starts = Some(Starts::of(&boxes));
        }
        this
    }

    /// Returns the fonts of the reader.
    pub fn fonts(&self) -> &[Font] {
        &self.fonts
    }

    /// Returns the fonts whose glyphs are searched for: all fonts, then the boxes of proportional
    /// fonts.
    pub(super) fn searched(&self) -> impl Iterator<Item = &Font> {
        self.fonts.iter().chain(self.boxes.iter().filter_map(|place| self.box_font(*place)))
    }

    fn box_font(&self, (font, nth): (usize, usize)) -> Option<&Font> {
        self.fonts[font].boxes().get(nth)
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

    /// Returns the glyphs of each searched font whose cells, with their margins, touch a `changed`
    /// tile, in row order of their cells, without duplicates. Without `changed` all glyphs are
    /// returned.
    pub(super) fn glyphs(&self, picture: Picture<'_>, changed: Option<&Tiles>) -> Vec<Vec<Glyph>> {
        let starts = &self.starts;
        let mut found = vec![Vec::new(); self.fonts.len() + self.boxes.len()];
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
        if let Some(starts) = &self.box_starts {
            self.find_boxes(starts, picture, changed, &mut found[self.fonts.len()..]);
        }
        found.iter_mut().for_each(Glyph::put_in_order);
        found
    }

    /// Adds the parts of glyphs of proportional fonts to those that are `found`.
    // Most readers have no such font: their search must not be compiled together with this one.
    #[inline(never)]
    fn find_boxes(
        &self,
        starts: &Starts<BOX_PIXELS>,
        picture: Picture<'_>,
        changed: Option<&Tiles>,
        found: &mut [Vec<Glyph>],
    ) {
        let (widest, highest) = starts.largest_cell();
        let near = changed.map(|changed| changed.grown(widest, highest));
        picture.edges.corners(near.as_ref(), |x, y| {
            for &Start { font, anchor } in starts.at(picture.edges, x, y) {
                let Some(of) = self.box_font(self.boxes[font]) else { continue };
                found[font].extend(of.glyph_at_anchor(picture, anchor, (x, y), changed));
            }
        });
    }

    /// Joins the glyphs of each font to runs. Runs of `before`, on a previous frame, are reused
    /// where nothing has changed since.
    pub(super) fn runs(
        &self,
        picture: Picture<'_>,
        glyphs: &[Vec<Glyph>],
        before: Option<(Vec<Vec<Run>>, &Tiles)>,
    ) -> Vec<Vec<Run>> {
        let fonts = 0..self.fonts.len();
        let Some((before, changed)) = before else {
            return fonts.map(|font| self.join(picture, font, glyphs, iter::empty())).collect();
        };
        let joined = fonts.zip(before).map(|(font, before)| {
            let stays = |run: &Run| !run.has_changed(picture.frame, changed);
            self.join(picture, font, glyphs, before.into_iter().filter(stays))
        });
        joined.collect()
    }

    /// Joins the glyphs of one font to runs.
    fn join(
        &self,
        picture: Picture<'_>,
        nth: usize,
        glyphs: &[Vec<Glyph>],
        known: impl Iterator<Item = Run>,
    ) -> Vec<Run> {
        let font = &self.fonts[nth];
        let Some(of) = font.proportional() else {
            return runs::join(picture, font, &glyphs[nth], known);
        };
        let boxes = self.boxes.iter().zip(&glyphs[self.fonts.len()..]);
        let found = boxes.filter(|((font, _), _)| *font == nth).flat_map(|(_, glyphs)| glyphs);
        spaced::join(picture, font, of, found, known)
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
        let mut taken: Vec<(Region, FontRun<'_>)> = Vec::with_capacity(runs.len());
        runs.into_iter().for_each(|run| self.take(run, frame, &mut taken));
        // Two strokes side by side at the exact height of a text are not accidental; one dot may
        // be: pictures have many.
        let is_beside = |other: &FontRun<'_>, of: &FontRun<'_>| {
            (other.font, other.run.glyphs[0].y) == (of.font, of.run.glyphs[0].y)
        };
        strokes.retain(|of| {
            of.run.glyphs.len() > 1 && taken.iter().any(|(_, other)| is_beside(other, of))
        });
        strokes.into_iter().for_each(|run| self.take(run, frame, &mut taken));
        let mut lines = Vec::with_capacity(taken.len());
        for (_, of) in &taken {
            self.push_lines(of, frame, &taken, &mut lines);
        }
        ScreenText::from_lines(lines)
    }

    /// Adds a run to `taken`, unless it shares ink with a run in `taken`.
    fn take<'a>(&self, of: FontRun<'a>, frame: &Frame, taken: &mut Vec<(Region, FontRun<'a>)>) {
        // Usually no other run overlaps, and no pixel has to be examined.
        let area = ink::area(&self.fonts[of.font], &of.run.glyphs);
        let mut others = taken.iter().filter(|(other, _)| other.meets(area)).peekable();
        if others.peek().is_some() {
            let ink = |of: &FontRun<'_>| -> Vec<usize> {
                let font = &self.fonts[of.font];
                of.run.glyphs.iter().flat_map(|glyph| ink::places(frame, font, glyph)).collect()
            };
            let own: BTreeSet<usize> = ink(&of).into_iter().collect();
            if others.any(|(_, other)| ink(other).iter().any(|at| own.contains(at))) {
                return;
            }
        }
        taken.push((area, of));
    }

    /// Adds the line of a run to `lines`; if glyphs of it merge with a shape that is in no run of
    /// `taken`, the parts between them.
    fn push_lines(
        &self,
        of: &FontRun<'_>,
        frame: &Frame,
        taken: &[(Region, FontRun<'_>)],
        lines: &mut Vec<TextLine>,
    ) {
        let (font, glyphs) = (&self.fonts[of.font], &of.run.glyphs);
        let is_in_a_glyph = |(x, y): (usize, usize), ink: u32| {
            taken.iter().filter(|(area, _)| area.contains(x, y)).any(|(_, other)| {
                let font = &self.fonts[other.font];
                let mut glyphs = other.run.glyphs.iter();
                glyphs.any(|glyph| glyph.ink == ink && ink::covers(font, glyph, (x, y)))
            })
        };
        let merges = |nth: usize| merged::merges(frame, font, glyphs, nth, is_in_a_glyph);
        if !of.run.is_touched || !(0..glyphs.len()).any(merges) {
            lines.push(self.line(of.font, frame, glyphs, of.run.text.clone()));
            return;
        }
        for part in glyphs.iter().enumerate().collect::<Vec<_>>().split(|(nth, _)| merges(*nth)) {
            let part: Vec<Glyph> = part.iter().map(|(_, glyph)| **glyph).collect();
            let (text, is_strokes) = match font.proportional() {
                None => {
                    let text = runs::text_of(font, &part);
                    let is_strokes = is_strokes(&text);
                    (text, is_strokes)
                }
                Some(of) => {
                    let inked = |glyph: &Glyph| of.glyph(glyph.character);
                    let is_letter =
                        |glyph: &Glyph| inked(glyph).is_some_and(|inked| !inked.is_stroke);
                    (spaced::text_of(font, of, &part), !part.iter().any(is_letter))
                }
            };
            if !is_strokes {
                lines.push(self.line(of.font, frame, &part, text));
            }
        }
    }

    /// Returns the line of these glyphs: at least one.
    fn line(&self, font: usize, frame: &Frame, glyphs: &[Glyph], text: String) -> TextLine {
        let (first, last) = (glyphs[0], glyphs[glyphs.len() - 1]);
        let of = &self.fonts[font];
        if of.proportional().is_none() {
            return TextLine {
                x: first.x,
                y: first.y,
                width: last.x + of.cell_width() - first.x,
                height: of.cell_height(),
                pitch: of.pitch(),
                places: Vec::new(),
                text,
                font,
            };
        }
        let mut places: Vec<Range<usize>> = Vec::with_capacity(text.len());
        let mut inked = glyphs.iter().map(|glyph| glyph.x..glyph.x + ink::width(of, glyph));
        let mut next = inked.next();
        for character in text.chars() {
            let end = places.last().map_or(first.x, |place| place.end);
            let start = next.as_ref().map_or(end, |next| next.start);
            places.push(end.min(start)..start.max(end));
            if character != ' '
                && let (Some(place), Some(here)) = (places.last_mut(), next.take())
            {
                *place = here;
                next = inked.next();
            }
        }
        let right = places.iter().map(|place| place.end).max().unwrap_or(first.x);
        TextLine {
            x: first.x,
            y: first.y,
            width: right - first.x,
            height: of.cell_height().min(frame.height() - first.y),
            pitch: 0,
            places,
            text,
            font,
        }
    }
}

/// A run, and the index of its font.
struct FontRun<'a> {
    font: usize,
    run: &'a Run,
}
