//! Monospaced fonts that many programs draw with: those of embedded-graphics (most are the
//! misc-fixed fonts of X11, which u8g2 has as well), of its version 0.6, ProFont, the 5x7 of
//! Adafruit GFX, and two of 8x8 pixels.
//!
//! Apart from the fonts of embedded-graphics, only letters, the characters of ASCII and a few signs
//! are read, no lines and blocks of text-mode pictures: a drawn line is no text.

use embedded_graphics::mono_font::{MonoFont, iso_8859_1 as latin};
use embedded_vintage_fonts as vintage;

use super::Glyphs;
use crate::text::{CharacterRows, glyph_rows};

/// How the glyphs of a font are stored.
enum Source {
    /// A font of embedded-graphics with all characters of ISO 8859-1.
    Latin(&'static MonoFont<'static>),
    /// A font of another library with the letters of ISO 8859-1.
    Letters(&'static MonoFont<'static>),
    /// A font of another library with the letters of code page 437.
    Codepage(&'static MonoFont<'static>),
    /// The font of Adafruit GFX.
    Adafruit,
    /// The font of the library font8x8.
    EightByEight,
}

/// The fonts by their names.
const FONTS: [(&str, Source); 27] = [
    ("4x6", Source::Latin(&latin::FONT_4X6)),
    ("5x7", Source::Latin(&latin::FONT_5X7)),
    ("5x8", Source::Latin(&latin::FONT_5X8)),
    ("6x9", Source::Latin(&latin::FONT_6X9)),
    ("6x10", Source::Latin(&latin::FONT_6X10)),
    ("6x12", Source::Latin(&latin::FONT_6X12)),
    ("6x13", Source::Latin(&latin::FONT_6X13)),
    ("6x13-bold", Source::Latin(&latin::FONT_6X13_BOLD)),
    ("7x13", Source::Latin(&latin::FONT_7X13)),
    ("7x13-bold", Source::Latin(&latin::FONT_7X13_BOLD)),
    ("7x14", Source::Latin(&latin::FONT_7X14)),
    ("8x13", Source::Latin(&latin::FONT_8X13)),
    ("9x15", Source::Latin(&latin::FONT_9X15)),
    ("9x18", Source::Latin(&latin::FONT_9X18)),
    ("10x20", Source::Latin(&latin::FONT_10X20)),
    ("vintage-6x8", Source::Letters(&vintage::FONT_6X8)),
    ("vintage-6x12", Source::Letters(&vintage::FONT_6X12)),
    ("vintage-8x16", Source::Letters(&vintage::FONT_8X16)),
    ("profont-7", Source::Letters(&profont::PROFONT_7_POINT)),
    ("profont-9", Source::Letters(&profont::PROFONT_9_POINT)),
    ("profont-10", Source::Letters(&profont::PROFONT_10_POINT)),
    ("profont-12", Source::Letters(&profont::PROFONT_12_POINT)),
    ("profont-14", Source::Letters(&profont::PROFONT_14_POINT)),
    ("adafruit-5x7", Source::Adafruit),
    ("font8x8", Source::EightByEight),
    ("ibm437-8x8", Source::Codepage(&ibm437::IBM437_8X8_REGULAR)),
    ("ibm437-8x8-bold", Source::Codepage(&ibm437::IBM437_8X8_BOLD)),
];

/// Bytes before the glyphs in the font of Adafruit GFX: the width and the height of a glyph.
const ADAFRUIT_START: usize = 2;
/// Size of a cell of that font: the glyph and the blank column after it.
const ADAFRUIT_CELL: (u32, u32) = (6, 8);

/// The characters with the codes 80h to FFh of code page 437.
const CODEPAGE: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

/// Returns the names of the built-in fonts.
pub fn names() -> impl Iterator<Item = &'static str> {
    FONTS.iter().map(|(name, _)| *name)
}

/// Returns the built-in font with this name.
pub fn built_in(name: &str) -> Option<Glyphs> {
    let (name, source) = FONTS.iter().find(|(known, _)| *known == name)?;
    let all = '\u{A1}'..='\u{FF}';
    let (size, all) = match source {
        Source::Latin(font) => of_mono(font, all),
        Source::Letters(font) => of_mono(font, all.filter(is_read)),
        Source::Codepage(font) => of_mono(font, CODEPAGE.chars().filter(is_read)),
        Source::Adafruit => (ADAFRUIT_CELL, adafruit()),
        Source::EightByEight => ((8, 8), eight_by_eight()),
    };
    let (columns, rows) = size;
    Some(Glyphs { name: (*name).to_owned(), columns, rows, all, pens: Vec::new() })
}

/// Returns whether a character outside of ASCII is a letter or a sign that texts have.
fn is_read(character: &char) -> bool {
    character.is_alphabetic() || "¡¢£¥«°±²»¼½¿÷×".contains(*character)
}

fn of_mono(
    font: &MonoFont<'_>,
    more: impl Iterator<Item = char>,
) -> ((u32, u32), Vec<CharacterRows>) {
    let size = font.character_size;
    let letters = ('!'..='~').chain(more);
    let all = letters.map(|letter| (letter, glyph_rows(font, letter)));
    ((size.width + font.character_spacing, size.height), all.collect())
}

fn adafruit() -> Vec<CharacterRows> {
    let bytes = include_bytes!("../../fonts/adafruit-5x8.bin");
    let (glyphs, _) = bytes[ADAFRUIT_START..].as_chunks::<5>();
    let row = |columns: &[u8; 5], row: u32| {
        let columns = columns.iter().enumerate();
        columns.fold(0, |ink, (nth, column)| ink | u64::from(column >> row & 1) << nth)
    };
    let letters = glyphs.iter().zip(0_u8..=u8::MAX).filter_map(|(columns, code)| {
        let letter = match code {
            b'!'..=b'~' => Some(char::from(code)),
            _ => CODEPAGE.chars().nth(code.checked_sub(0x80)?.into()).filter(is_read),
        };
        Some((letter?, (0..8).map(|nth| row(columns, nth)).collect()))
    });
    letters.collect()
}

fn eight_by_eight() -> Vec<CharacterRows> {
    use font8x8::legacy::{BASIC_LEGACY, LATIN_LEGACY};
    let basic = ('\0'..).zip(BASIC_LEGACY).filter(|(letter, _)| letter.is_ascii_graphic());
    let latin = ('\u{A0}'..).zip(LATIN_LEGACY).filter(|(letter, _)| is_read(letter));
    let rows = |(letter, rows): (char, [u8; 8])| (letter, rows.map(u64::from).to_vec());
    basic.chain(latin).map(rows).collect()
}
