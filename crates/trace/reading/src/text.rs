//! Text read off the panel's pixels: `expect text` sees what a person sees.
//!
//! Give [`Reader::new`] the bitmap fonts that the firmware draws with, and
//! [`Reader::read`] a [`Frame`](ili9341_model::Frame): it returns every line it finds with its place. A glyph is
//! found only if all pixels of its cell are right, so nothing is ever guessed. [`Reader::read_again`]
//! reads the same where something has changed since the frame before.
//!
//! It knows no font of its own, no screen and no language, and nothing that is not drawn in
//! character cells of one ink on one flat ground.

mod again;
mod edges;
mod font;
mod reader;
mod runs;
mod search;
mod starts;
#[cfg(test)]
mod tests;
mod tree;

use core::fmt;

use ili9341_model::frame::Region;

pub use again::Reading;
pub use font::{Font, MAX_GLYPH_WIDTH};
pub use reader::Reader;
pub use runs::{MAX_SPACES, is_stroke};

/// A line of text on the panel, without blanks at its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLine {
    /// The first cell's left edge, in pixels from the panel's.
    pub x: usize,
    /// The cells' top edge, in pixels from the panel's.
    pub y: usize,
    /// From the first cell's left edge to the last one's right, in pixels.
    pub width: usize,
    /// Of a cell, in pixels.
    pub height: usize,
    /// From one cell's left edge to the next's, in pixels.
    pub pitch: usize,
    /// What it says, a character a cell.
    pub text: String,
    /// The index of its font in [`Reader::fonts`].
    pub font: usize,
}

impl TextLine {
    /// The pixels of its cells.
    pub fn area(&self) -> Region {
        let edge = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
        let [x, y, width, height] = [self.x, self.y, self.width, self.height].map(edge);
        Region { x, y, width, height }
    }

    /// What of it stands in cells that lie wholly inside `region`; `None` if nothing does.
    fn within(&self, region: Region) -> Option<Self> {
        let (left, top) = region.corner();
        let (right, bottom) = (left + usize::from(region.width), top + usize::from(region.height));
        if self.y < top || self.bottom() > bottom {
            return None;
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

    fn bottom(&self) -> usize {
        self.y + self.height
    }

    fn overlaps_sideways(&self, other: &Self) -> bool {
        self.x < other.x + other.width && other.x < self.x + self.width
    }

    /// Whether `below` may go on with a text that this line begins: it stands under it, less
    /// than a line height away (cells may overlap by up to half a line).
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
    /// Lines that stand beside each other (less than half a line apart in height) are in
    /// order from left to right.
    pub lines: Vec<TextLine>,
}

impl ScreenText {
    /// Puts `lines` into reading order.
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

    /// Whether `wanted` can be read somewhere, upper and lower case as given, any white
    /// space taken for one space. It may go on with the line that stands beside it in the same row
    /// of the panel, whatever is between them, or with a line that stands under it: their sides
    /// overlap and less than a line height is between them.
    pub fn contains(&self, wanted: &str) -> bool {
        wanted.trim().is_empty() || self.find(wanted).is_some()
    }

    /// Where `wanted` can be read: the smallest part of the panel that holds the lines, or the
    /// pieces of them, that it stands in.
    pub fn find(&self, wanted: &str) -> Option<Region> {
        search::find(self, wanted)
    }

    /// What can be read in one go: each row of the panel, and each line with those under it.
    pub fn readings(&self) -> Vec<String> {
        search::readings(self)
    }

    /// The text in `region`: the characters whose cells lie wholly inside it.
    pub fn within(&self, region: Region) -> Self {
        Self::from_lines(self.lines.iter().filter_map(|line| line.within(region)).collect())
    }

    /// The lines in rows of the panel: what stands beside each other, from left to right.
    pub fn rows(&self) -> impl Iterator<Item = &[TextLine]> {
        let mut rest = self.lines.as_slice();
        std::iter::from_fn(move || {
            let (row, below) = rest.split_at(row_length(rest));
            rest = below;
            (!row.is_empty()).then_some(row)
        })
    }

    /// The lines right under line `index`: nothing stands between.
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

/// As a person would copy it down: a row of the panel a line, what stands beside each other
/// parted by two spaces.
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

/// How many lines at the head of `lines` stand in one row of the panel with the topmost.
fn row_length(lines: &[TextLine]) -> usize {
    let Some(top) = lines.iter().min_by_key(|line| (line.y, line.x)) else { return 0 };
    let end = top.y + top.height.div_ceil(2);
    lines.iter().take_while(|line| line.y < end).count().max(1)
}
