//! Text in cells of one ink on one flat ground.

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, OriginDimensions, Point, Size};
use embedded_graphics::image::ImageDrawable;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::pixelcolor::{BinaryColor, Rgb565};
use embedded_graphics::primitives::Rectangle;

/// One line of text in one font and colour.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    /// What it says.
    pub text: &'a str,
    /// What it stands in.
    pub font: &'a MonoFont<'a>,
    /// The colour of the letters.
    pub ink: Rgb565,
    /// The colour of the cells.
    pub ground: Rgb565,
}

impl Line<'_> {
    /// The size of the cells in pixels.
    pub fn size(&self) -> Size {
        let count = self.text.chars().count() as u32;
        // Behind the last cell there is no spacing.
        let width = (count * pitch(self.font)).saturating_sub(self.font.character_spacing);
        Size::new(width, self.font.character_size.height)
    }

    /// The rectangle of the cells when they stand in the middle of `area`.
    pub fn centred_in(&self, area: &Rectangle) -> Rectangle {
        centred(self.size(), area)
    }

    /// Draws the cells that touch the target's area, the first at `top_left`.
    ///
    /// # Errors
    /// Those of the target.
    pub fn draw<D: DrawTarget<Color = Rgb565>>(
        &self,
        top_left: Point,
        target: &mut D,
    ) -> Result<(), D::Error> {
        let visible = target.bounding_box();
        let mut cell = Rectangle::new(top_left, self.font.character_size);
        for character in self.text.chars() {
            let part = cell.intersection(&visible);
            if !part.is_zero_sized() {
                self.draw_cell(character, &cell, &part, target)?;
            }
            cell.top_left.x += pitch(self.font) as i32;
        }
        Ok(())
    }

    /// Draws the `part` of the cell that can be seen.
    fn draw_cell<D: DrawTarget<Color = Rgb565>>(
        &self,
        character: char,
        cell: &Rectangle,
        part: &Rectangle,
        target: &mut D,
    ) -> Result<(), D::Error> {
        let image = &self.font.image;
        let a_row = (image.size().width / cell.size.width).max(1);
        let index = glyph(character, self.font);
        let origin = Point::new(
            (index % a_row * cell.size.width) as i32,
            (index / a_row * cell.size.height) as i32,
        );
        let visible = Rectangle::new(origin + (part.top_left - cell.top_left), part.size);
        let mut letters = Letters { target, at: part.top_left, ink: self.ink, ground: self.ground };
        image.draw_sub_image(&mut letters, &visible)
    }
}

/// Paints the bits of a glyph, which is drawn at the origin, at a place of the target.
struct Letters<'a, D> {
    target: &'a mut D,
    at: Point,
    ink: Rgb565,
    ground: Rgb565,
}

impl<D: DrawTarget<Color = Rgb565>> DrawTarget for Letters<'_, D> {
    type Color = BinaryColor;
    type Error = D::Error;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), D::Error> {
        let (at, ink, ground) = (self.at, self.ink, self.ground);
        self.target.draw_iter(
            pixels.into_iter().map(|Pixel(point, bit)| Pixel(at + point, paint(bit, ink, ground))),
        )
    }

    fn fill_contiguous<I: IntoIterator<Item = BinaryColor>>(
        &mut self,
        area: &Rectangle,
        bits: I,
    ) -> Result<(), D::Error> {
        let (ink, ground) = (self.ink, self.ground);
        let area = Rectangle::new(self.at + area.top_left, area.size);
        self.target.fill_contiguous(&area, bits.into_iter().map(|bit| paint(bit, ink, ground)))
    }
}

impl<D: DrawTarget> Dimensions for Letters<'_, D> {
    fn bounding_box(&self) -> Rectangle {
        let area = self.target.bounding_box();
        Rectangle::new(area.top_left - self.at, area.size)
    }
}

fn paint(bit: BinaryColor, ink: Rgb565, ground: Rgb565) -> Rgb565 {
    if bit.is_on() { ink } else { ground }
}

/// The place of a character in the image of `font`. All fonts of the screens begin with the
/// printable ASCII characters in their order; the fonts' own mapping counts up to each.
fn glyph(character: char, font: &MonoFont<'_>) -> u32 {
    match character {
        ' '..='~' => character as u32 - ' ' as u32,
        _ => font.glyph_mapping.index(character) as u32,
    }
}

/// From the left edge of a cell to that of the next, in pixels.
pub const fn pitch(font: &MonoFont<'_>) -> u32 {
    font.character_size.width + font.character_spacing
}

/// The rectangle of `size` in the middle of `area`.
pub fn centred(size: Size, area: &Rectangle) -> Rectangle {
    Rectangle::new(area.top_left + area.size.saturating_sub(size) / 2, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::theme;

    #[test]
    fn every_font_has_the_printable_characters_where_they_are_looked_for() {
        for (name, font) in theme::FONTS {
            for character in ' '..='~' {
                let mapped = font.glyph_mapping.index(character) as u32;
                assert_eq!(glyph(character, font), mapped, "{character:?} of {name}");
            }
        }
    }
}
