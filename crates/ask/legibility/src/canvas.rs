//! A picture rendered as the panel would show it, with a margin that retains everything drawn
//! outside of the panel. This module does not know the bus or any screen.

use core::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Point, Size};
use embedded_graphics::pixelcolor::{Rgb565, RgbColor as _};
use embedded_graphics::primitives::Rectangle;
use ili9341_model::{Frame, Region};

/// Colour that no screen uses: a pixel that retains it was not drawn.
pub const NEVER_DRAWN: u32 = 0x00FF_00FF;

/// Converts `colour` to what the panel shows: `0x00RRGGBB`. The controller expands five bits to six
/// by repeating the first (ILI9341 datasheet, RGB565 expansion); the panel expands six to eight
/// likewise.
pub fn seen(colour: Rgb565) -> u32 {
    let six = |five: u8| u32::from(five << 1 | five >> 4);
    let eight = |six: u32| six << 2 | six >> 4;
    eight(six(colour.r())) << 16 | eight(u32::from(colour.g())) << 8 | eight(six(colour.b()))
}

/// A panel of any size, or a part of one, with a margin of equal width on all sides.
pub struct Canvas {
    frame: Frame,
    /// Area without the margin.
    inside: Rectangle,
    margin: u32,
    /// First and last column and row that were drawn, in coordinates of the frame.
    drawn: Option<[usize; 4]>,
}

impl Canvas {
    /// Creates a panel on which nothing is drawn.
    pub fn new(size: Size, margin: u32) -> Self {
        Self::around(Rectangle::new(Point::zero(), size), margin)
    }

    /// Creates the part `inside` of a panel, on which nothing is drawn.
    pub fn around(inside: Rectangle, margin: u32) -> Self {
        let side = |pixels: u32| pixels.saturating_add(2 * margin) as usize;
        let frame = Frame::filled(side(inside.size.width), side(inside.size.height), NEVER_DRAWN);
        Self { frame, inside, margin, drawn: None }
    }

    /// Returns the picture without the margin.
    pub fn panel(&self) -> Frame {
        let edge = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
        let [x, y] = [edge(self.margin); 2];
        let (width, height) = (edge(self.inside.size.width), edge(self.inside.size.height));
        self.frame.part(Region { x, y, width, height })
    }

    /// Returns the picture with its margin.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns the smallest rectangle that contains everything drawn, relative to the panel's
    /// corner; `None` if nothing is drawn.
    pub fn drawn(&self) -> Option<Rectangle> {
        let [left, top, right, bottom] = self.drawn?;
        let corner = self.place(left, top);
        Some(Rectangle::with_corners(corner, self.place(right, bottom)))
    }

    /// Converts a position on the frame to coordinates relative to the panel's corner.
    pub fn place(&self, x: usize, y: usize) -> Point {
        self.bounding_box().top_left + Point::new(x as i32, y as i32)
    }
}

impl Dimensions for Canvas {
    fn bounding_box(&self) -> Rectangle {
        let margin = Size::new_equal(self.margin);
        Rectangle::new(self.inside.top_left - margin, self.inside.size + margin * 2)
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb565;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        let (width, height) = (self.frame.width(), self.frame.height());
        let corner = self.bounding_box().top_left;
        for Pixel(point, colour) in pixels {
            let at = |side: i32, from: i32| usize::try_from(side.checked_sub(from)?).ok();
            let (Some(x), Some(y)) = (at(point.x, corner.x), at(point.y, corner.y)) else {
                continue;
            };
            if x >= width || y >= height {
                continue;
            }
            self.frame.pixels_mut()[y * width + x] = seen(colour);
            let [left, top, right, bottom] = self.drawn.get_or_insert([x, y, x, y]);
            (*left, *top) = ((*left).min(x), (*top).min(y));
            (*right, *bottom) = ((*right).max(x), (*bottom).max(y));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_off_the_panel_are_retained_within_the_margin() {
        let mut canvas = Canvas::new(Size::new(4, 2), 3);
        let area = Rectangle::new(Point::new(-2, 1), Size::new(100, 2));
        let Ok(()) = canvas.fill_solid(&area, Rgb565::WHITE);
        let drawn = Rectangle::with_corners(Point::new(-2, 1), Point::new(6, 2));
        assert_eq!(canvas.drawn(), Some(drawn));
        let panel = canvas.panel();
        assert_eq!((panel.width(), panel.height()), (4, 2));
        let white = [[NEVER_DRAWN; 4], [0x00FF_FFFF; 4]].concat();
        assert_eq!(panel.pixels(), white);
        assert_eq!(Canvas::new(Size::new(1, 1), 0).drawn(), None);
    }
}
