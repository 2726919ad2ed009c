//! Text in cells of one ink on one flat background.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::font::Font;
use crate::pins::present::{Inks, TextTarget, overlap};

/// One line of text in one font and colour.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    pub text: &'a str,
    pub font: &'a Font,
    /// Colour of the letters.
    pub ink: Rgb565,
    /// Colour of the cells.
    pub ground: Rgb565,
}

impl Line<'_> {
    /// Returns the size of the cells in pixels.
    pub fn size(&self) -> Size {
        let count = self.text.chars().count() as u32;
        // There is no spacing after the last cell.
        let width = (count * pitch(self.font)).saturating_sub(self.font.character_spacing);
        Size::new(width, self.font.character_size.height)
    }

    /// Returns the rectangle of the cells, centred in `area`.
    pub fn centred_in(&self, area: &Rectangle) -> Rectangle {
        centred(self.size(), area)
    }

    /// Draws the cells that touch the target's area, the first at `top_left`.
    ///
    /// # Errors
    /// Errors of the target.
    pub fn draw<D: TextTarget>(&self, top_left: Point, target: &mut D) -> Result<(), D::Error> {
        let inks = Inks { ink: self.ink, ground: self.ground };
        let cells = Rectangle::new(top_left, self.size());
        let Some(visible) = overlap(&cells, &target.bounding_box()) else { return Ok(()) };
        let behind = visible.top_left.x + visible.size.width as i32;
        let cell = self.font.character_size;
        let mut left = top_left.x;
        for character in self.text.chars() {
            let first = left.max(visible.top_left.x);
            let end = (left + cell.width as i32).min(behind);
            if first < end {
                let part = Rectangle::new(
                    Point::new(first, visible.top_left.y),
                    Size::new((end - first) as u32, visible.size.height),
                );
                let inside =
                    Rectangle::new(part.top_left - Point::new(left, top_left.y), part.size);
                target.fill_rows(&part, self.font.rows(character, &inside), inks)?;
            }
            left += pitch(self.font) as i32;
        }
        Ok(())
    }
}

/// Returns the distance in pixels from the left edge of a cell to that of the next.
pub const fn pitch(font: &Font) -> u32 {
    font.character_size.width + font.character_spacing
}

/// Returns the rectangle of `size`, centred in `area`.
pub fn centred(size: Size, area: &Rectangle) -> Rectangle {
    Rectangle::new(area.top_left + area.size.saturating_sub(size) / 2, size)
}
