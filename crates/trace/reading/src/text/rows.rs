//! The pixels of a glyph in the image of a font of embedded-graphics.

use embedded_graphics::geometry::{OriginDimensions, Point};
use embedded_graphics::image::GetPixel;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::pixelcolor::BinaryColor;

/// A character with the ink of its glyph, row by row; bit 0 is the leftmost column.
pub(crate) type CharacterRows = (char, Vec<u64>);

/// Returns the ink of one glyph, row by row; bit 0 is the leftmost column.
pub(crate) fn glyph_rows(font: &MonoFont<'_>, character: char) -> Vec<u64> {
    let size = font.character_size;
    let glyphs_in_a_row = (font.image.size().width / size.width) as usize;
    let index = font.glyph_mapping.index(character);
    let left = (index % glyphs_in_a_row * size.width as usize) as i32;
    let top = (index / glyphs_in_a_row * size.height as usize) as i32;
    (0..size.height as i32)
        .map(|row| {
            (0..size.width as i32)
                .filter(|column| {
                    font.image.pixel(Point::new(left + column, top + row)) == Some(BinaryColor::On)
                })
                .fold(0, |ink, column| ink | 1 << column)
        })
        .collect()
}
