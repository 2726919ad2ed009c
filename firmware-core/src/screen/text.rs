//! Text in cells of one ink on one flat ground.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::image::GetPixel;
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
        Size::new(count * self.font.character_size.width, self.font.character_size.height)
    }

    /// The rectangle of the cells when they stand in the middle of `area`.
    pub fn centred_in(&self, area: &Rectangle) -> Rectangle {
        let size = self.size();
        let margin = area.size.saturating_sub(size) / 2;
        Rectangle::new(area.top_left + margin, size)
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
            if !cell.intersection(&visible).is_zero_sized() {
                self.draw_cell(character, &cell, target)?;
            }
            cell.top_left.x += cell.size.width as i32;
        }
        Ok(())
    }

    fn draw_cell<D: DrawTarget<Color = Rgb565>>(
        &self,
        character: char,
        cell: &Rectangle,
        target: &mut D,
    ) -> Result<(), D::Error> {
        let image = &self.font.image;
        let a_row = (image.size().width / cell.size.width).max(1);
        let index = self.font.glyph_mapping.index(character) as u32;
        let origin = Point::new(
            (index % a_row * cell.size.width) as i32,
            (index / a_row * cell.size.height) as i32,
        );
        let width = cell.size.width as i32;
        let colours = (0..cell.size.height as i32).flat_map(move |y| {
            (0..width).map(move |x| match image.pixel(origin + Point::new(x, y)) {
                Some(BinaryColor::On) => self.ink,
                _ => self.ground,
            })
        });
        target.fill_contiguous(cell, colours)
    }
}
