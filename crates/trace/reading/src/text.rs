//! Text recognition on the panel's pixels: `expect text` reads what a person reads.
//!
//! [`Reader::new`] takes the bitmap fonts that the firmware draws with, and [`Reader::read`] a
//! `Frame`; it returns every line that it finds, with its position. A glyph is
//! found only if all pixels of its cell are right, so the reader never guesses.
//! [`Reader::read_again`] returns the same result, but reads only what has changed since the
//! previous frame.
//!
//! The module knows no font of its own, no screen and no language. It finds only text of one ink
//! colour on one uniform background: in character cells of one width, and in proportional fonts.

mod again;
mod edges;
mod font;
mod ink;
mod merged;
mod proportional;
mod reader;
mod rows;
mod runs;
mod search;
mod spaced;
mod starts;
mod stroke;
#[cfg(test)]
pub(crate) mod tests;
mod tree;

use core::fmt;
use core::ops::Range;

use ili9341_model::frame::Region;

pub use again::Reading;
pub use font::{Font, MAX_GLYPH_WIDTH};
pub use proportional::{MAX_ROWS, Shape};
pub use reader::Reader;
pub(crate) use rows::{CharacterRows, glyph_rows};
pub use runs::MAX_SPACES;
pub use stroke::is_stroke;

/// A line of text on the panel, without spaces at its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLine {
    /// Left edge of the first cell, or of the first ink in a proportional font, in pixels from the
    /// panel's left edge.
    pub x: usize,
    /// Top edge of the cells, in pixels from the panel's top edge.
    pub y: usize,
    /// Distance from there to the last cell's right edge, or to that of the last ink, in pixels.
    pub width: usize,
    /// Height of a cell, in pixels.
    pub height: usize,
    /// Distance from one cell's left edge to the next cell's, in pixels; 0 in a proportional font.
    pub pitch: usize,
    /// Columns of each character's ink in a proportional font; otherwise empty.
    pub places: Vec<Range<usize>>,
    /// The text, one character per cell.
    pub text: String,
    /// Index of the font in [`Reader::fonts`].
    pub font: usize,
}

impl TextLine {
    /// Returns the region that the cells cover.
    pub fn area(&self) -> Region {
        let edge = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
        let [x, y, width, height] = [self.x, self.y, self.width, self.height].map(edge);
        Region { x, y, width, height }
    }

    /// Returns the parts of the line between two or more spaces: texts that only stand side by side.
    pub fn pieces(&self) -> Vec<Self> {
        let letters: Vec<char> = self.text.chars().collect();
        let is_gap = |at: usize| letters[at] == ' ' && letters.get(at + 1) == Some(&' ');
        let mut found = Vec::new();
        let mut at = 0;
        while at < letters.len() {
            let end = (at..letters.len()).find(|at| is_gap(*at)).unwrap_or(letters.len());
            if end > at {
                found.push(self.part(&letters, at..end));
            }
            at = (end..letters.len()).find(|at| letters[*at] != ' ').unwrap_or(letters.len());
        }
        found
    }

    /// Returns the part of the line with these of its `letters`, of which there is at least one.
    fn part(&self, letters: &[char], range: Range<usize>) -> Self {
        let text = letters[range.clone()].iter().collect();
        match self.places.get(range.clone()) {
            Some(places) if !places.is_empty() => {
                let (x, end) = (places[0].start, places[places.len() - 1].end);
                Self { x, width: end - x, text, places: places.to_vec(), ..self.clone() }
            }
            _ => {
                let cell = self.width - self.pitch * (letters.len() - 1);
                let width = self.pitch * (range.len() - 1) + cell;
                Self { x: self.x + self.pitch * range.start, width, text, ..self.clone() }
            }
        }
    }

    /// Returns the part of the line whose cells are entirely inside `region`; `None` if there is
    /// none.
    fn within(&self, region: Region) -> Option<Self> {
        let (left, top) = region.corner();
        let (right, bottom) = (left + usize::from(region.width), top + usize::from(region.height));
        if self.y < top || self.bottom() > bottom {
            return None;
        }
        if !self.places.is_empty() {
            return self.places_within(left..right);
        }
        let cell = self.width - self.pitch * self.text.chars().count().saturating_sub(1);
        let places = (self.x..).step_by(self.pitch.max(1));
        let inside = |x: usize| x >= left && x + cell <= right;
        let mut kept = self
            .text
            .chars()
            .zip(places)
            .filter(|(_, x)| inside(*x))
            .skip_while(|(character, _)| *character == ' ');
        let (first, x) = kept.next()?;
        let text: String =
            std::iter::once(first).chain(kept.map(|(character, _)| character)).collect();
        let text = text.trim_end().to_owned();
        let width = self.pitch * (text.chars().count() - 1) + cell;
        Some(Self { x, width, text, ..self.clone() })
    }

    /// Returns the part of a line in a proportional font whose ink is entirely inside these
    /// columns.
    fn places_within(&self, columns: Range<usize>) -> Option<Self> {
        let inside =
            |place: &Range<usize>| place.start >= columns.start && place.end <= columns.end;
        let kept = self.text.chars().zip(&self.places).filter(|(_, place)| inside(place));
        let mut kept: Vec<_> = kept.skip_while(|(letter, _)| *letter == ' ').collect();
        while kept.last().is_some_and(|(letter, _)| *letter == ' ') {
            kept.pop();
        }
        let x = kept.first()?.1.start;
        let places: Vec<Range<usize>> = kept.iter().map(|(_, place)| (*place).clone()).collect();
        let width = places.iter().map(|place| place.end).max()? - x;
        let text = kept.iter().map(|(letter, _)| *letter).collect();
        Some(Self { x, width, text, places, ..self.clone() })
    }

    fn bottom(&self) -> usize {
        self.y + self.height
    }

    fn overlaps_sideways(&self, other: &Self) -> bool {
        self.x < other.x + other.width && other.x < self.x + self.width
    }

    /// Returns whether `below` may continue a text that this line begins: it is under this line,
    /// less than a line height away (cells may overlap by up to half a line).
    fn is_continued_by(&self, below: &Self) -> bool {
        let line = self.height.min(below.height);
        self.overlaps_sideways(below)
            && below.y + line / 2 >= self.bottom()
            && below.y < self.bottom() + line
    }
}

/// All the text on a frame, top to bottom, left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScreenText {
    /// Lines side by side (less than half a line apart in height) are ordered from left to right.
    pub lines: Vec<TextLine>,
}

impl ScreenText {
    /// Sorts `lines` into reading order.
    pub fn from_lines(mut lines: Vec<TextLine>) -> Self {
        lines.sort_by_key(|line| (line.y, line.x));
        let mut start = 0;
        while start < lines.len() {
            let end = start + row_length(&lines[start..]);
            lines[start..end].sort_by_key(|line| (line.x, line.y));
            start = end;
        }
        Self { lines }
    }

    /// Returns whether `wanted` is on the screen. Case matters; any white space counts as one
    /// space. The text may continue in the line beside it in the same row of the panel, whatever is
    /// between them, or in the line under it, if their sides overlap and less than a line height is
    /// between them.
    pub fn contains(&self, wanted: &str) -> bool {
        wanted.trim().is_empty() || self.find(wanted).is_some()
    }

    /// Returns where `wanted` is on the screen: the smallest region that contains the lines, or
    /// parts of lines, with the text.
    pub fn find(&self, wanted: &str) -> Option<Region> {
        search::find(self, wanted)
    }

    /// Returns every continuous text: each row of the panel, and each line with the lines under it.
    pub fn readings(&self) -> Vec<String> {
        search::readings(self)
    }

    /// Returns the text in `region`: the characters whose cells are entirely inside it.
    pub fn within(&self, region: Region) -> Self {
        Self::from_lines(self.lines.iter().filter_map(|line| line.within(region)).collect())
    }

    /// Returns the lines by rows of the panel: lines side by side, from left to right.
    pub fn rows(&self) -> impl Iterator<Item = &[TextLine]> {
        let mut rest = self.lines.as_slice();
        std::iter::from_fn(move || {
            let (row, below) = rest.split_at(row_length(rest));
            rest = below;
            (!row.is_empty()).then_some(row)
        })
    }

    /// Returns the indices of the lines directly under line `index`, with no line between.
    fn below(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let line = &self.lines[index];
        let under = move |other: &TextLine| line.is_continued_by(other);
        self.lines.iter().enumerate().filter(move |(_, below)| under(below)).filter_map(
            move |(place, below)| {
                let between = |other: &TextLine| under(other) && other.is_continued_by(below);
                (!self.lines.iter().any(between)).then_some(place)
            },
        )
    }
}

/// Writes the text as a person would copy it: one row of the panel per line, with two spaces
/// between lines side by side.
impl fmt::Display for ScreenText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, row) in self.rows().enumerate() {
            out.write_str(if number > 0 { "\n" } else { "" })?;
            for (place, line) in row.iter().enumerate() {
                out.write_str(if place > 0 { "  " } else { "" })?;
                out.write_str(&line.text)?;
            }
        }
        Ok(())
    }
}

/// Returns the number of lines at the head of `lines` that are in one row of the panel with the
/// topmost.
fn row_length(lines: &[TextLine]) -> usize {
    let Some(top) = lines.iter().min_by_key(|line| (line.y, line.x)) else { return 0 };
    let end = top.y + top.height.div_ceil(2);
    lines.iter().take_while(|line| line.y < end).count().max(1)
}
