//! The fonts of the library Adafruit GFX and its relatives: C headers with an array of bits, an
//! array of glyphs and a structure with the first and the last character (`gfxfont.h`).

use super::error::FontFault;
use super::{Drawn, GLYPHS_MAX, Glyphs};

/// Numbers of a glyph: place of its bits, width, height, distance to the next glyph, and the place
/// of its upper left corner from the origin of the baseline, downwards.
const GLYPH_NUMBERS: usize = 6;

/// Reads a header.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Glyphs, FontFault> {
    let text = without_comments(&String::from_utf8_lossy(bytes));
    let bits = numbers_after(&text, "uint8_t").ok_or(missing("an array of uint8_t"))?;
    let glyphs = numbers_after(&text, "GFXglyph").ok_or(missing("an array of GFXglyph"))?;
    let font = numbers_after(&text, "GFXfont").ok_or(missing("a structure GFXfont"))?;
    let first = font.len().checked_sub(3).and_then(|at| u32::try_from(font[at]).ok());
    let first = first.ok_or(missing("the first character in the structure GFXfont"))?;
    let (glyphs, _) = glyphs.as_chunks::<GLYPH_NUMBERS>();
    if glyphs.len() > GLYPHS_MAX {
        return Err(FontFault::TooMany);
    }
    let letters = glyphs.iter().zip(first..);
    let letters =
        letters.filter_map(|(glyph, code)| Some((Glyph::of(*glyph), char::from_u32(code)?)));
    let letters = letters.collect::<Vec<_>>();
    let Some((cell, _)) = letters.first() else { return Err(FontFault::Empty) };
    if letters.iter().any(|(glyph, _)| glyph.advance != cell.advance) {
        let drawn = letters.iter().map(|(glyph, letter)| glyph.drawn(*letter, &bits));
        return Glyphs::proportional(name, &drawn.collect::<Result<Vec<_>, _>>()?);
    }
    let drawn = || letters.iter().map(|(glyph, _)| glyph).filter(|glyph| glyph.height > 0);
    let top = drawn().map(|glyph| glyph.y).min().unwrap_or_default();
    let bottom = drawn().map(|glyph| glyph.y + glyph.height).max().unwrap_or_default();
    let (columns, rows) = (cell.advance.max(0) as u32, (bottom - top).max(0) as u32);
    Glyphs::check_size(columns, rows)?;
    let mut all = Vec::new();
    for (glyph, letter) in &letters {
        let outside = || FontFault::Outside { line: 1, character: *letter, columns, rows };
        let mut ink = vec![0_u64; rows as usize];
        for at in 0..glyph.width * glyph.height {
            if glyph.has_ink(at, &bits)? {
                let column = glyph.x + at % glyph.width;
                if !(0..i64::from(columns)).contains(&column) {
                    return Err(outside());
                }
                ink[(glyph.y - top + at / glyph.width) as usize] |= 1 << column;
            }
        }
        all.push((*letter, ink));
    }
    Ok(Glyphs { name: name.to_owned(), columns, rows, all, pens: Vec::new() })
}

/// A glyph. No number is larger than 65,535, so that no product overflows.
struct Glyph {
    /// Number of the first bit.
    bits: i64,
    width: i64,
    height: i64,
    advance: i64,
    x: i64,
    y: i64,
}

impl Glyph {
    fn of([place, width, height, advance, x, y]: [i64; GLYPH_NUMBERS]) -> Self {
        let size = |number: i64| number.clamp(0, 0xFF);
        Self {
            bits: 8 * place.clamp(0, 0xFFFF),
            width: size(width),
            height: size(height),
            advance: size(advance),
            x: x.clamp(-0x80, 0x7F),
            y: y.clamp(-0x80, 0x7F),
        }
    }

    /// Returns whether pixel `at` of the glyph is ink, row by row.
    fn has_ink(&self, at: i64, bits: &[i64]) -> Result<bool, FontFault> {
        let bit = self.bits + at;
        let byte = usize::try_from(bit / 8).ok().and_then(|place| bits.get(place));
        let byte = byte.ok_or(missing("bits of the last glyphs"))?;
        Ok(byte >> (7 - bit % 8) & 1 != 0)
    }

    fn drawn(&self, letter: char, bits: &[i64]) -> Result<Drawn, FontFault> {
        let mut rows = vec![0_u64; self.height as usize];
        for at in 0..self.width * self.height {
            if self.has_ink(at, bits)? {
                let row = 1_u64.checked_shl((at % self.width) as u32);
                let (columns, lines) = (self.width as u32, self.height as u32);
                let row = row.ok_or(FontFault::Size { columns, rows: lines })?;
                rows[(at / self.width) as usize] |= row;
            }
        }
        let (x, y) = (self.x as i32, self.y as i32);
        Ok(Drawn { letter, line: 1, advance: self.advance as u32, x, y, rows })
    }
}

fn missing(expected: &'static str) -> FontFault {
    FontFault::Line { line: 1, expected }
}

/// Returns the numbers between the outer braces after `word`. Casts and names are left out.
fn numbers_after(text: &str, word: &str) -> Option<Vec<i64>> {
    let mut rest = text;
    loop {
        let (_, after) = rest.split_once(word)?;
        // A declaration, not a cast: `= {` comes before the next semicolon or parenthesis.
        let end = after.find([';', ')']).unwrap_or(after.len());
        match after[..end].find('{') {
            Some(at) if after[..at].contains('=') => return Some(numbers(&after[at + 1..])),
            _ => rest = after,
        }
    }
}

/// Returns the numbers up to the brace that closes the one before `text`.
fn numbers(text: &str) -> Vec<i64> {
    let mut depth = 1;
    let end = text.find(|letter| {
        depth += match letter {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        depth == 0
    });
    let inside = &text[..end.unwrap_or(text.len())];
    let separates = |letter: char| !letter.is_ascii_alphanumeric() && !"_-".contains(letter);
    inside.split(separates).filter_map(number).collect()
}

fn number(word: &str) -> Option<i64> {
    let (sign, digits) = word.strip_prefix('-').map_or((1, word), |digits| (-1, digits));
    let (radix, digits) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => (16, digits),
        None => (10, digits),
    };
    let number = u32::from_str_radix(digits, radix).ok()?;
    Some(sign * i64::from(number))
}

/// Returns `text` with its comments replaced by spaces.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        out += &rest[..at];
        out.push(' ');
        let end = if rest[at..].starts_with("/*") { "*/" } else { "\n" };
        rest = rest[at + 2..].split_once(end).map_or("", |(_, after)| after);
    }
    out + rest
}
