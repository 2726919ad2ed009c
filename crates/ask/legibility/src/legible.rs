//! Whether text on the LCD is large and bright enough: the height of its capitals, which its font
//! has, and its contrast, which its pixels have.
//!
//! It knows fonts and no screen; what is text is for the [`Reader`] to find.

use embedded_graphics::geometry::Point;
use embedded_graphics::pixelcolor::{Rgb565, RgbColor as _};
use firmware_core::screen::font::Font;
use firmware_core::screen::text::Line;
use firmware_core::screen::theme;
use ili9341_model::Frame;
use reading::text::{Reader, TextLine};

use super::canvas::{Canvas, seen};
use super::vision::{Vision, contrast};

/// The lowest capitals of text that a person must read to play: 1.5 mm on a panel of 2.4 inches.
pub const CAPITALS: usize = 10;
/// The least contrast of text that a person must read to play (WCAG 2.2, 1.4.6, AAA).
pub const READ_TO_PLAY: f64 = 7.0;
/// The least contrast of any other text (WCAG 2.2, 1.4.3, AA).
pub const OTHER: f64 = 4.5;

/// How a line of text looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The line.
    pub line: TextLine,
    /// The name of its font.
    pub font: &'static str,
    /// The height of its capitals, in pixels.
    pub capitals: usize,
    /// The colours of its cells, in ascending order: ink and ground, unless something lies on it.
    pub colours: Vec<u32>,
}

impl Look {
    /// The contrast of ink and ground for that eye; `None` if these are not all of its colours.
    pub fn contrast(&self, vision: Vision) -> Option<f64> {
        match self.colours[..] {
            [one, other] => Some(contrast(vision.sees(one), vision.sees(other))),
            _ => None,
        }
    }
}

/// How each of `lines`, which a reader of the firmware's fonts has found on `frame`, looks.
pub fn looks<'a>(
    lines: impl IntoIterator<Item = TextLine> + 'a,
    frame: &'a Frame,
) -> impl Iterator<Item = Look> + 'a {
    lines.into_iter().map(|line| {
        let (name, font) = theme::FONTS[line.font];
        let mut colours: Vec<u32> = (0..line.width * line.height)
            .filter_map(|at| frame.pixel(line.x + at % line.width, line.y + at / line.width))
            .collect();
        colours.sort_unstable();
        colours.dedup();
        Look { line, font: name, capitals: capitals(font), colours }
    })
}

/// What is wrong with the text on `frame`, if its contrast shall be `least`: the first fault.
pub fn fault(reader: &Reader, frame: &Frame, least: f64) -> Option<String> {
    looks(reader.read(frame).lines, frame).find_map(|look| {
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

/// How high the capitals of `font` are, in pixels.
pub fn capitals(font: &Font) -> usize {
    let mut canvas = Canvas::new(font.character_size, 0);
    let letter = Line { text: "H", font, ink: Rgb565::WHITE, ground: Rgb565::BLACK };
    let Ok(()) = letter.draw(Point::zero(), &mut canvas);
    let frame = canvas.panel();
    let rows = frame.pixels().chunks(frame.width().max(1));
    rows.filter(|row| row.contains(&seen(Rgb565::WHITE))).count()
}
