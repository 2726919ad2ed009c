//! Text read off the panel's pixels: `expect text` sees what a person sees.
//!
//! Give [`Reader::new`] the bitmap fonts that the firmware draws with, and
//! [`Reader::read`] a [`Frame`](crate::Frame): it returns every line it finds with its place. A glyph is
//! found only if all pixels of its cell are right, so nothing is ever guessed.
//!
//! It knows no font of its own, no screen and no language, and nothing that is not drawn in
//! character cells of one ink on one flat ground.

mod font;
mod reader;
#[cfg(test)]
mod tests;

use core::fmt;
use std::collections::BTreeSet;

pub use font::{Font, MAX_GLYPH_WIDTH};
pub use reader::{MAX_SPACES, Reader, is_stroke};

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
    /// What it says.
    pub text: String,
    /// The index of its font in [`Reader::fonts`].
    pub font: usize,
}

impl TextLine {
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
            && below.y > self.y
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
    /// space taken for one space. It may run over several lines that stand under each other:
    /// their sides overlap and less than a line height is between them.
    pub fn contains(&self, wanted: &str) -> bool {
        let wanted = fold(wanted);
        let lines: Vec<String> = self.lines.iter().map(|line| fold(&line.text)).collect();
        if wanted.is_empty() || lines.iter().any(|line| line.contains(&wanted)) {
            return true;
        }
        // From here on it can only be a text that begins with the end of some line.
        let mut search = Search { screen: self, lines: &lines, failed: BTreeSet::new() };
        lines.iter().enumerate().any(|(index, line)| {
            line.char_indices().any(|(start, _)| {
                wanted
                    .strip_prefix(&line[start..])
                    .and_then(|rest| rest.strip_prefix(' '))
                    .is_some_and(|rest| search.goes_on_below(index, rest))
            })
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

/// The search for a text over several lines; it remembers what led nowhere, so its work is
/// bounded by lines times letters.
struct Search<'a> {
    screen: &'a ScreenText,
    lines: &'a [String],
    failed: BTreeSet<(usize, usize)>,
}

impl Search<'_> {
    fn goes_on_below(&mut self, index: usize, rest: &str) -> bool {
        if self.failed.contains(&(index, rest.len())) {
            return false;
        }
        let screen = self.screen;
        let found = screen.below(index).any(|below| {
            let line = &self.lines[below];
            line.starts_with(rest)
                || rest
                    .strip_prefix(line.as_str())
                    .and_then(|rest| rest.strip_prefix(' '))
                    .is_some_and(|rest| self.goes_on_below(below, rest))
        });
        if !found {
            self.failed.insert((index, rest.len()));
        }
        found
    }
}

/// As a person would copy it down: a row of the panel a line, what stands beside each other
/// parted by two spaces.
impl fmt::Display for ScreenText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.lines.as_slice();
        while !rest.is_empty() {
            let (row, below) = rest.split_at(row_length(rest));
            if rest.len() < self.lines.len() {
                out.write_str("\n")?;
            }
            for (place, line) in row.iter().enumerate() {
                out.write_str(if place > 0 { "  " } else { "" })?;
                out.write_str(&line.text)?;
            }
            rest = below;
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

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
