//! The Glyph Bitmap Distribution Format, version 2.1 and 2.2 (Adobe, technical note 5005).

use super::error::FontFault;
use super::{Drawn, GLYPHS_MAX, Glyphs};

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
    let mut drawn: Vec<Drawn> = Vec::new();
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
                let advance = glyph.width.unwrap_or(own.width);
                Glyphs::check_size(advance.max(1), font.height)?;
                let mut rows = Vec::new();
                for _ in 0..own.height {
                    let (at, bits) = lines.next().ok_or(missing(number, "ENDCHAR"))?;
                    let bits = parse_row(bits, own.width);
                    rows.push(bits.ok_or(missing(at, "a row of digits"))?);
                }
                let Some(letter) = glyph.letter else { continue };
                let (x, y) = (own.x, -(own.height as i32 + own.y));
                drawn.push(Drawn { letter, line: number + 1, advance, x, y, rows });
                if drawn.len() > GLYPHS_MAX {
                    return Err(FontFault::TooMany);
                }
            }
            _ => {}
        }
    }
    let (first, font) = drawn.first().zip(bounds).ok_or(FontFault::Empty)?;
    if drawn.iter().any(|drawn| drawn.advance != first.advance) {
        return Glyphs::proportional(name, &drawn);
    }
    let columns = first.advance;
    Glyphs::check_size(columns, font.height)?;
    let all = drawn.iter().map(|drawn| Ok((drawn.letter, cell(drawn, font)?)));
    let all = all.collect::<Result<_, FontFault>>()?;
    Ok(Glyphs { name: name.to_owned(), columns, rows: font.height, all, pens: Vec::new() })
}

/// Writes the font as BDF 2.1, with its lowest row on the baseline.
pub(super) fn write(font: &Glyphs) -> String {
    let Glyphs { name, columns, rows, all, .. } = font;
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

/// Returns the rows of a character in a cell of the font: as wide as its advance.
fn cell(drawn: &Drawn, font: Bounds) -> Result<Vec<u64>, FontFault> {
    let mut rows = vec![0; font.height as usize];
    let top = font.height as i32 + font.y + drawn.y;
    // Characters may begin to the left of the pen if all of the font does.
    let x = drawn.x - font.x.min(0);
    for ((line, nth), bits) in (drawn.line..).zip(top..).zip(&drawn.rows) {
        if *bits == 0 {
            continue;
        }
        let row = usize::try_from(nth).ok().and_then(|nth| rows.get_mut(nth));
        let moved = x.try_into().ok().and_then(|x| bits.checked_shl(x));
        let fits = moved.filter(|moved| {
            moved >> x == *bits && (drawn.advance == u64::BITS || moved >> drawn.advance == 0)
        });
        match row.zip(fits) {
            Some((row, moved)) => *row = moved,
            None => {
                return Err(FontFault::Outside {
                    line,
                    character: drawn.letter,
                    columns: drawn.advance,
                    rows: font.height,
                });
            }
        }
    }
    Ok(rows)
}
