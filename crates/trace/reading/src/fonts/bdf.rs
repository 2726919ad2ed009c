//! The Glyph Bitmap Distribution Format, version 2.1 and 2.2 (Adobe, technical note 5005).

use super::error::FontFault;
use super::{GLYPHS_MAX, Glyphs};

/// Reads a BDF file.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Glyphs, FontFault> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().enumerate().map(|(nth, line)| (nth + 1, line.trim()));
    let missing = |line, expected| FontFault::Line { line, expected };
    match lines.next() {
        Some((_, line)) if line.starts_with("STARTFONT") => {}
        _ => return Err(missing(1, "STARTFONT")),
    }
    let mut bounds: Option<Bounds> = None;
    let mut cell: Option<(u32, char)> = None;
    let mut all = Vec::new();
    let mut glyph = Glyph::default();
    while let Some((number, line)) = lines.next() {
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match key {
            "FONTBOUNDINGBOX" => {
                let of = Bounds::parse(rest);
                bounds = Some(of.ok_or(missing(number, "`FONTBOUNDINGBOX width height x y`"))?);
            }
            "STARTCHAR" => glyph = Glyph::default(),
            "ENCODING" => {
                let code = rest.split_whitespace().next().and_then(|code| code.parse().ok());
                glyph.letter = code.and_then(char::from_u32);
            }
            "DWIDTH" => {
                let width = rest.split_whitespace().next().and_then(|width| width.parse().ok());
                glyph.width = Some(width.ok_or(missing(number, "`DWIDTH width 0`"))?);
            }
            "BBX" => {
                let of = Bounds::parse(rest);
                glyph.bounds = Some(of.ok_or(missing(number, "`BBX width height x y`"))?);
            }
            "BITMAP" => {
                let font = bounds.ok_or(missing(number, "FONTBOUNDINGBOX before the glyphs"))?;
                let own = glyph.bounds.unwrap_or(font);
                let width = glyph.width.unwrap_or(own.width);
                Glyphs::check_size(width, font.height)?;
                let mut rows = vec![0; font.height as usize];
                for nth in 0..own.height {
                    let (at, bits) = lines.next().ok_or(missing(number, "ENDCHAR"))?;
                    let bits = parse_row(bits, own.width).ok_or(missing(at, "a row of digits"))?;
                    let Some(letter) = glyph.letter else { continue };
                    place(&mut rows, bits, (own, nth), font, width).ok_or(FontFault::Outside {
                        line: at,
                        character: letter,
                        columns: width,
                        rows: font.height,
                    })?;
                }
                let Some(letter) = glyph.letter else { continue };
                let (first_width, first) = *cell.get_or_insert((width, letter));
                if first_width != width {
                    return Err(FontFault::Proportional {
                        first,
                        width: first_width,
                        second: letter,
                        other: width,
                    });
                }
                all.push((letter, rows));
                if all.len() > GLYPHS_MAX {
                    return Err(FontFault::TooMany);
                }
            }
            _ => {}
        }
    }
    let ((columns, _), font) = cell.zip(bounds).ok_or(FontFault::Empty)?;
    Ok(Glyphs { name: name.to_owned(), columns, rows: font.height, all })
}

/// Writes the font as BDF 2.1, with its lowest row on the baseline.
pub(super) fn write(font: &Glyphs) -> String {
    let Glyphs { name, columns, rows, all } = font;
    let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
    let mut out = format!(
        "STARTFONT 2.1\nFONT {name}\nSIZE {rows} 75 75\nFONTBOUNDINGBOX {columns} {rows} 0 0\n\
         CHARS {}\n",
        all.len()
    );
    let bytes = columns.div_ceil(8);
    for (letter, ink) in all {
        let code = u32::from(*letter);
        out += &format!(
            "STARTCHAR U+{code:04X}\nENCODING {code}\nSWIDTH 500 0\nDWIDTH {columns} 0\n\
             BBX {columns} {rows} 0 0\nBITMAP\n"
        );
        for row in ink {
            let bits = row.reverse_bits() >> (u64::BITS - 8 * bytes);
            out += &format!("{bits:0width$X}\n", width = 2 * bytes as usize);
        }
        out += "ENDCHAR\n";
    }
    out + "ENDFONT\n"
}

/// A glyph whose bitmap has not come yet.
#[derive(Default)]
struct Glyph {
    letter: Option<char>,
    /// Distance to the next glyph in pixels.
    width: Option<u32>,
    bounds: Option<Bounds>,
}

/// A box: size, and place of its lower left corner from the origin of the baseline.
#[derive(Clone, Copy)]
struct Bounds {
    width: u32,
    height: u32,
    x: i32,
    y: i32,
}

impl Bounds {
    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split_whitespace();
        let mut next = || numbers.next()?.parse::<i32>().ok().filter(|number| number.abs() < 4096);
        let (width, height, x, y) = (next()?, next()?, next()?, next()?);
        Some(Self { width: width.try_into().ok()?, height: height.try_into().ok()?, x, y })
    }
}

/// Returns the bits of a row, the leftmost pixel as bit 0. At most 64 pixels have ink.
fn parse_row(digits: &str, width: u32) -> Option<u64> {
    let mut row = 0_u64;
    for (nth, digit) in digits.chars().enumerate() {
        let digit = digit.to_digit(16)?;
        for bit in 0..4 {
            let column = 4 * nth as u32 + bit;
            if digit >> (3 - bit) & 1 != 0 && column < width {
                row |= 1_u64.checked_shl(column)?;
            }
        }
    }
    Some(row)
}

/// Puts row `nth` of a box into the cell of the font, if its ink fits.
fn place(
    rows: &mut [u64],
    bits: u64,
    (own, nth): (Bounds, u32),
    font: Bounds,
    width: u32,
) -> Option<()> {
    if bits == 0 {
        return Some(());
    }
    let top = font.height as i32 + font.y - (own.height as i32 + own.y);
    let row = rows.get_mut(usize::try_from(top + nth as i32).ok()?)?;
    // Glyphs may begin to the left of the origin if all of the font does.
    let x = own.x - font.x.min(0);
    let moved = bits.checked_shl(x.try_into().ok()?)?;
    let fits = moved >> x == bits && (width == u64::BITS || moved >> width == 0);
    fits.then(|| *row = moved)
}
