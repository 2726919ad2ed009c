//! Checks whether text on the LCD is large and bright enough: the height of its capitals, from its
//! font, and its contrast, from its pixels.
//!
//! This module knows no firmware and no screen; the [`Reader`] has the fonts and finds the text.

use ili9341_model::Frame;
use reading::text::{Font, Reader, TextLine};

use super::vision::{Vision, contrast};

/// Minimum height in pixels of the capitals of text that must be read to play: 1.5 mm on a panel of
/// 2.4 inches.
pub const CAPITALS: usize = 10;
/// Minimum contrast of text that must be read to play (WCAG 2.2, 1.4.6, AAA).
pub const READ_TO_PLAY: f64 = 7.0;
/// Minimum contrast of any other text (WCAG 2.2, 1.4.3, AA).
pub const OTHER: f64 = 4.5;

/// Legibility of a line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineLegibility {
    pub line: TextLine,
    /// Name of the font.
    pub font: String,
    /// Height of the capitals, in pixels; `None` if the font does not determine it.
    pub capitals: Option<usize>,
    /// Colours of the line's cells, in ascending order: ink and background, unless something covers
    /// the text.
    pub colours: Vec<u32>,
}

impl LineLegibility {
    /// Returns the contrast of ink and background for that kind of vision; `None` if the line does
    /// not have exactly two colours.
    pub fn contrast(&self, vision: Vision) -> Option<f64> {
        match self.colours[..] {
            [one, other] => Some(contrast(vision.sees(one), vision.sees(other))),
            _ => None,
        }
    }
}

/// Returns the legibility of each of `lines`, which `reader` has found on `frame`.
pub fn line_legibility<'a>(
    lines: impl IntoIterator<Item = TextLine> + 'a,
    frame: &'a Frame,
    reader: &'a Reader,
) -> impl Iterator<Item = LineLegibility> + 'a {
    lines.into_iter().map(|line| {
        let font = reader.fonts().get(line.font);
        let mut colours: Vec<u32> = (0..line.width * line.height)
            .filter_map(|at| frame.pixel(line.x + at % line.width, line.y + at / line.width))
            .collect();
        colours.sort_unstable();
        colours.dedup();
        let name = font.map_or("", Font::name).to_owned();
        LineLegibility { line, font: name, capitals: font.and_then(Font::capital_height), colours }
    })
}

/// Returns the first fault of the text on `frame`, if its contrast must be at least `least`.
pub fn fault(reader: &Reader, frame: &Frame, least: f64) -> Option<String> {
    line_legibility(reader.read(frame).lines, frame, reader).find_map(|look| {
        let text = &look.line.text;
        if let Some(capitals) = look.capitals.filter(|capitals| *capitals < CAPITALS) {
            return Some(format!("{text:?} in {}: capitals of {capitals} px", look.font));
        }
        match look.contrast(Vision::Normal) {
            None => Some(format!("{text:?} has {} colours", look.colours.len())),
            Some(found) if found < least => {
                Some(format!("{text:?}: contrast of {found:.2}, not {least}"))
            }
            Some(_) => None,
        }
    })
}
