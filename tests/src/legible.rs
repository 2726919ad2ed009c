//! Whether text on the LCD is large and bright enough: the height of its capitals, which its font
//! has, and its contrast, which its pixels have.
//!
//! It knows fonts and no screen; what is text is for [`Eye`] to find.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::{Rgb565, RgbColor as _};
use firmware_core::screen::font::Font;
use firmware_core::screen::text::Line;
use firmware_core::screen::theme;
use hal_mock::Frame;

use crate::glance::{Eye, seen};
use crate::paper::{NEVER_DRAWN, Paper};
use crate::vision::contrast;

/// The lowest capitals of text that a person must read to play: 1.5 mm on a panel of 2.4 inches.
pub const CAPITALS: usize = 10;
/// The least contrast of text that a person must read to play (WCAG 2.2, 1.4.6, AAA).
pub const READ_TO_PLAY: f64 = 7.0;
/// The least contrast of any other text (WCAG 2.2, 1.4.3, AA).
pub const OTHER: f64 = 4.5;

/// What is wrong with the text on `frame`, if its contrast shall be `least`: the first fault.
pub fn fault(eye: &Eye, frame: &Frame, least: f64) -> Option<String> {
    eye.text(frame).lines.into_iter().find_map(|line| {
        let (name, font) = theme::FONTS[line.font];
        let capitals = capitals(font);
        if capitals < CAPITALS {
            return Some(format!("{:?} in {name}: capitals of {capitals} px", line.text));
        }
        let mut colours: Vec<u32> = (0..line.width * line.height)
            .filter_map(|at| frame.pixel(line.x + at % line.width, line.y + at / line.width))
            .collect();
        colours.sort_unstable();
        colours.dedup();
        let [one, other] = colours[..] else {
            return Some(format!("{:?} has {} colours", line.text, colours.len()));
        };
        let found = contrast(one, other);
        (found < least).then(|| format!("{:?}: contrast of {found:.2}, not {least}", line.text))
    })
}

/// How high the capitals of `font` are, in pixels.
pub fn capitals(font: &Font) -> usize {
    let Size { width, height } = font.character_size;
    let mut paper = Paper(Frame::filled(width as usize, height as usize, NEVER_DRAWN));
    let letter = Line { text: "H", font, ink: Rgb565::WHITE, ground: Rgb565::BLACK };
    let Ok(()) = letter.draw(Point::zero(), &mut paper);
    let rows = paper.0.pixels().chunks(width as usize);
    rows.filter(|row| row.contains(&seen(Rgb565::WHITE))).count()
}
