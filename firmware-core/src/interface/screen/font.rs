//! A font of the screens: the printable ASCII characters in cells of one size, one bit a pixel.
//!
//! embedded-graphics' own fonts return single pixels; this one returns a row of a cell, because
//! drawing text takes a large part of the firmware's time. It knows no colour and no target.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::image::ImageRaw;
use embedded_graphics::mono_font::mapping::StrGlyphMapping;
use embedded_graphics::mono_font::{DecorationDimensions, MonoFont};
use embedded_graphics::primitives::Rectangle;

/// Number of characters next to each other in the image of a font, as `build.rs` cuts it: a row of
/// the image is then four times as many bytes as a cell is wide.
const CHARACTERS_A_ROW: u32 = 32;

/// Characters of the fonts; any other is shown as `?`.
const ASCII: StrGlyphMapping<'static> =
    StrGlyphMapping::new("\0 ~", UNKNOWN as usize - FIRST as usize);
const FIRST: char = ' ';
const UNKNOWN: char = '?';

/// Width in pixels of the widest cell of which one read returns a row: the row may begin at any bit
/// of a byte.
const WIDEST: u32 = u32::BITS - 7;

/// The printable ASCII characters in one size.
#[derive(Debug, PartialEq, Eq)]
pub struct Font {
    /// Size of a cell in pixels.
    pub character_size: Size,
    /// Distance between two cells in pixels.
    pub character_spacing: u32,
    /// Three rows of characters, the leftmost pixel in the highest bit.
    image: &'static [u8],
}

impl Font {
    /// Creates a font from the characters of `whole` that `build.rs` has written into `image`.
    pub(super) const fn cut(whole: &MonoFont<'_>, image: &'static [u8]) -> Self {
        assert!(whole.character_size.width <= WIDEST);
        Self {
            character_size: whole.character_size,
            character_spacing: whole.character_spacing,
            image,
        }
    }

    /// Returns the same cells as a font of embedded-graphics: for code that reads text off the
    /// panel.
    pub const fn to_mono(&self) -> MonoFont<'static> {
        let Size { width, height } = self.character_size;
        MonoFont {
            image: ImageRaw::new(self.image, CHARACTERS_A_ROW * width),
            glyph_mapping: &ASCII,
            character_size: self.character_size,
            character_spacing: self.character_spacing,
            baseline: height.saturating_sub(1),
            underline: DecorationDimensions::default_underline(height),
            strikethrough: DecorationDimensions::default_strikethrough(height),
        }
    }

    /// Returns the rows of a `part` of a character's cell, which must be inside the cell. The
    /// leftmost pixel is the highest bit, set where there is ink. Bits below the part's width are
    /// undefined.
    pub(super) fn rows(&self, character: char, part: &Rectangle) -> impl Iterator<Item = u32> {
        let Size { width, height } = self.character_size;
        let shown = if (FIRST..='~').contains(&character) { character } else { UNKNOWN };
        let index = shown as u32 - FIRST as u32;
        let corner = Point::new(
            (index % CHARACTERS_A_ROW * width) as i32,
            (index / CHARACTERS_A_ROW * height) as i32,
        ) + part.top_left;
        // A row of the image is a whole number of bytes.
        let stride = (CHARACTERS_A_ROW / u8::BITS * width) as usize;
        let (byte, bit) = (corner.x as usize / 8, corner.x as u32 % 8);
        let mut rest = self.image.get(corner.y as usize * stride + byte..).unwrap_or_default();
        (0..part.size.height).map(move |_| {
            let row = first_word(rest) << bit;
            rest = rest.get(stride..).unwrap_or_default();
            row
        })
    }
}

/// Returns the first four bytes of `image`, padded with zeros after its end.
#[inline]
fn first_word(image: &[u8]) -> u32 {
    match image.first_chunk() {
        Some(bytes) => u32::from_be_bytes(*bytes),
        None => (0..4).fold(0, |word, nth| word << 8 | u32::from(*image.get(nth).unwrap_or(&0))),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use embedded_graphics::geometry::Dimensions as _;
    use embedded_graphics::image::GetPixel as _;
    use embedded_graphics::mono_font::ascii::{FONT_7X14, FONT_7X14_BOLD};
    use embedded_graphics::pixelcolor::BinaryColor;
    use embedded_graphics::primitives::PointsIter as _;
    use profont::{PROFONT_14_POINT, PROFONT_18_POINT, PROFONT_24_POINT};
    use std::vec::Vec;

    use super::*;
    use crate::interface::screen::theme;

    /// Returns the pixels of `part` of a character, from the font that `font` was cut out of.
    fn whole(font: &MonoFont<'_>, character: char, part: &Rectangle) -> Vec<bool> {
        let Size { width, height } = font.character_size;
        let a_row = font.image.bounding_box().size.width / width;
        let index = font.glyph_mapping.index(character) as u32;
        let cell = Point::new((index % a_row * width) as i32, (index / a_row * height) as i32);
        let pixel = |at| font.image.pixel(cell + at) == Some(BinaryColor::On);
        part.points().map(pixel).collect()
    }

    /// Returns the pixels of `part` of a character: whether there is ink.
    fn pixels(font: &Font, character: char, part: &Rectangle) -> Vec<bool> {
        let bits = |row: u32| (0..part.size.width).map(move |column| row << column >> 31 != 0);
        font.rows(character, part).flat_map(bits).collect()
    }

    #[test]
    fn every_character_looks_as_in_the_whole_font() {
        let sources =
            [FONT_7X14_BOLD, FONT_7X14, PROFONT_14_POINT, PROFONT_18_POINT, PROFONT_24_POINT];
        for ((name, font), source) in theme::FONTS.into_iter().zip(sources) {
            let mono = font.to_mono();
            let cell = Rectangle::new(Point::zero(), font.character_size);
            for character in ' '..='~' {
                let mut expected = whole(&source, character, &cell);
                if (name, character) == ("key", '0') {
                    // `build.rs` adds a stroke to it.
                    for (x, y) in [(3, 5), (3, 6), (2, 7), (2, 8)] {
                        expected[(y * font.character_size.width + x) as usize] = true;
                    }
                }
                let cut: Vec<bool> = pixels(font, character, &cell);
                assert_eq!(cut, expected, "{character:?} of {name}");
                assert_eq!(whole(&mono, character, &cell), expected, "{character:?} of {name}");
            }
        }
    }

    #[test]
    fn no_two_characters_look_the_same() {
        for (name, font) in theme::FONTS {
            let cell = Rectangle::new(Point::zero(), font.character_size);
            let mut seen = Vec::<(char, Vec<bool>)>::new();
            for character in theme::CHARACTERS.chars() {
                let pixels: Vec<bool> = pixels(font, character, &cell);
                let same = seen.iter().find(|(_, other)| *other == pixels);
                assert_eq!(same.map(|(other, _)| (*other, character)), None, "in {name}");
                seen.push((character, pixels));
            }
        }
    }

    #[test]
    fn any_part_of_a_cell_can_be_read() {
        let size = theme::TEXT_FONT.character_size;
        for (x, y) in (0..size.width).flat_map(|x| (0..size.height).map(move |y| (x, y))) {
            for (right, bottom) in [(size.width, size.height), (x + 1, y + 1), (size.width, y + 1)]
            {
                let part = Rectangle::new(
                    Point::new(x as i32, y as i32),
                    Size::new(right - x, bottom - y),
                );
                let cut: Vec<bool> = pixels(theme::TEXT_FONT, 'R', &part);
                assert_eq!(cut, whole(&PROFONT_18_POINT, 'R', &part), "{part:?}");
            }
        }
    }

    #[test]
    fn other_than_printable_ascii_is_a_question_mark() {
        let cell = Rectangle::new(Point::zero(), theme::LABEL_FONT.character_size);
        let question: Vec<bool> = pixels(theme::LABEL_FONT, '?', &cell);
        for character in ['\0', '\n', '\u{7F}', 'ä', '→'] {
            let shown: Vec<bool> = pixels(theme::LABEL_FONT, character, &cell);
            assert_eq!(shown, question, "{character:?}");
        }
    }

    #[test]
    fn a_character_that_no_font_has_is_a_question_mark() {
        use embedded_graphics::mono_font::mapping::GlyphMapping as _;
        assert_eq!(ASCII.index('ä'), ASCII.index(UNKNOWN));
        assert_ne!(ASCII.index(UNKNOWN), ASCII.index('~'));
    }
}
