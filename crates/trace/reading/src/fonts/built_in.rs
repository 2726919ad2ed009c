//! The monospaced fonts of embedded-graphics, which many programs draw with.

use embedded_graphics::mono_font::{MonoFont, iso_8859_1 as latin};

use super::Glyphs;
use crate::text::glyph_rows;

/// The fonts by their names, which are the sizes of their cells.
const FONTS: [(&str, &MonoFont<'static>); 15] = [
    ("4x6", &latin::FONT_4X6),
    ("5x7", &latin::FONT_5X7),
    ("5x8", &latin::FONT_5X8),
    ("6x9", &latin::FONT_6X9),
    ("6x10", &latin::FONT_6X10),
    ("6x12", &latin::FONT_6X12),
    ("6x13", &latin::FONT_6X13),
    ("6x13-bold", &latin::FONT_6X13_BOLD),
    ("7x13", &latin::FONT_7X13),
    ("7x13-bold", &latin::FONT_7X13_BOLD),
    ("7x14", &latin::FONT_7X14),
    ("8x13", &latin::FONT_8X13),
    ("9x15", &latin::FONT_9X15),
    ("9x18", &latin::FONT_9X18),
    ("10x20", &latin::FONT_10X20),
];

/// Returns the names of the built-in fonts.
pub fn names() -> impl Iterator<Item = &'static str> {
    FONTS.iter().map(|(name, _)| *name)
}

/// Returns the built-in font with this name: the characters of ISO 8859-1.
pub fn built_in(name: &str) -> Option<Glyphs> {
    let (name, font) = FONTS.iter().find(|(known, _)| *known == name)?;
    let size = font.character_size;
    let letters = ('!'..='~').chain('\u{A1}'..='\u{FF}');
    let all = letters.map(|letter| (letter, glyph_rows(font, letter))).collect();
    Some(Glyphs {
        name: (*name).to_owned(),
        columns: size.width,
        rows: size.height,
        all,
        pens: Vec::new(),
    })
}
