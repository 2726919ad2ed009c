//! Checks whether text on the LCD is large and bright enough: the height of its capitals, from its
//! font, and its contrast, from its pixels.
//!
//! This module knows fonts but no screen; the [`Reader`] finds the text.

use embedded_graphics::geometry::Point;
use embedded_graphics::pixelcolor::{Rgb565, RgbColor as _};
use firmware_core::screen::font::Font;
use firmware_core::screen::text::Line;
use firmware_core::screen::theme;
use ili9341_model::Frame;
use reading::text::{Reader, TextLine};

use super::canvas::{Canvas, seen};
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
    pub font: &'static str,
    /// Height of the capitals, in pixels.
    pub capitals: usize,
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

/// Returns the legibility of each of `lines`, which a reader of the firmware's fonts has found on
/// `frame`.
pub fn line_legibility<'a>(
    lines: impl IntoIterator<Item = TextLine> + 'a,
    frame: &'a Frame,
) -> impl Iterator<Item = LineLegibility> + 'a {
    lines.into_iter().map(|line| {
        let (name, font) = theme::FONTS[line.font];
        let mut colours: Vec<u32> = (0..line.width * line.height)
            .filter_map(|at| frame.pixel(line.x + at % line.width, line.y + at / line.width))
            .collect();
        colours.sort_unstable();
        colours.dedup();
        LineLegibility { line, font: name, capitals: capitals(font), colours }
    })
}

/// Returns the first fault of the text on `frame`, if its contrast must be at least `least`.
pub fn fault(reader: &Reader, frame: &Frame, least: f64) -> Option<String> {
    line_legibility(reader.read(frame).lines, frame).find_map(|look| {
        let text = &look.line.text;
        if look.capitals < CAPITALS {
            return Some(format!("{text:?} in {}: capitals of {} px", look.font, look.capitals));
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

/// Returns the height of the capitals of `font`, in pixels.
pub fn capitals(font: &Font) -> usize {
    let mut canvas = Canvas::new(font.character_size, 0);
    let letter = Line { text: "H", font, ink: Rgb565::WHITE, ground: Rgb565::BLACK };
    let Ok(()) = letter.draw(Point::zero(), &mut canvas);
    let frame = canvas.panel();
    let rows = frame.pixels().chunks(frame.width().max(1));
    rows.filter(|row| row.contains(&seen(Rgb565::WHITE))).count()
}
