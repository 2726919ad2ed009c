//! The fonts of the Linux console, PC Screen Font version 1 and 2.

use super::error::FontFault;
use super::{GLYPHS_MAX, Glyphs};

const MAGIC_1: &[u8] = &[0x36, 0x04];
const MAGIC_2: &[u8] = &[0x72, 0xB5, 0x4A, 0x86];
/// Bit of `mode` for 512 glyphs, in version 1.
const MODE_512: u8 = 0x01;
/// Bits of `mode` for a table of characters, in version 1.
const MODE_TABLE: u8 = 0x02 | 0x04;
/// Bit of `flags` for a table of characters, in version 2.
const FLAG_TABLE: u32 = 0x01;

/// Reads a PSF file. Without a table of characters the numbers of the glyphs are the characters, as
/// far as ASCII has them.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Glyphs, FontFault> {
    let font = header(bytes)?;
    Glyphs::check_size(font.columns, font.rows)?;
    if font.count > GLYPHS_MAX {
        return Err(FontFault::TooMany);
    }
    let row = font.columns.div_ceil(8) as usize;
    let size = row * font.rows as usize;
    if font.size < size {
        return Err(FontFault::Binary("its header is damaged: the glyphs are too short"));
    }
    let cut = FontFault::Binary("it ends within the glyphs");
    let end = font.size.checked_mul(font.count).and_then(|length| length.checked_add(font.start));
    let glyphs = end.and_then(|end| bytes.get(font.start..end)).ok_or(cut)?;
    let rest = &bytes[font.start + glyphs.len()..];
    let letters = match font.table {
        Table::None => (0..font.count).map(ascii).collect(),
        Table::Utf16 => letters_of_words(rest, font.count),
        Table::Utf8 => letters_of_text(rest, font.count),
    };
    let mut all = Vec::new();
    for (glyph, letters) in glyphs.chunks_exact(font.size.max(1)).zip(letters) {
        let rows: Vec<u64> = glyph[..size].chunks_exact(row.max(1)).map(of_bytes).collect();
        all.extend(letters.into_iter().map(|letter| (letter, rows.clone())));
        if all.len() > GLYPHS_MAX {
            return Err(FontFault::TooMany);
        }
    }
    if all.is_empty() {
        return Err(FontFault::Empty);
    }
    Ok(Glyphs {
        name: name.to_owned(),
        columns: font.columns,
        rows: font.rows,
        all,
        pens: Vec::new(),
    })
}

/// How the characters of the glyphs are stored.
enum Table {
    None,
    /// Little-endian words, `FFFFh` after each glyph.
    Utf16,
    /// UTF-8, `FFh` after each glyph.
    Utf8,
}

struct Header {
    /// Place of the first glyph.
    start: usize,
    count: usize,
    /// Number of bytes of a glyph.
    size: usize,
    columns: u32,
    rows: u32,
    table: Table,
}

fn header(bytes: &[u8]) -> Result<Header, FontFault> {
    if let Some(&[mode, rows, ..]) = bytes.strip_prefix(MAGIC_1) {
        return Ok(Header {
            start: 4,
            count: if mode & MODE_512 != 0 { 512 } else { 256 },
            size: rows.into(),
            columns: 8,
            rows: rows.into(),
            table: if mode & MODE_TABLE != 0 { Table::Utf16 } else { Table::None },
        });
    }
    if !bytes.starts_with(MAGIC_2) {
        return Err(FontFault::Binary(
            "it is no PSF file: it does not begin with 36 04 or 72 B5 4A 86",
        ));
    }
    let (words, _) = bytes.as_chunks::<4>();
    let word = |nth: usize| words.get(nth).map(|word| u32::from_le_bytes(*word));
    let cut = || FontFault::Binary("it ends within its header");
    let [start, flags, count, size, rows, columns] =
        [word(2), word(3), word(4), word(5), word(6), word(7)].map(|word| word.ok_or_else(cut));
    let wide = |word: u32| usize::try_from(word).unwrap_or(usize::MAX);
    Ok(Header {
        start: wide(start?),
        count: wide(count?),
        size: wide(size?),
        columns: columns?,
        rows: rows?,
        table: if flags? & FLAG_TABLE != 0 { Table::Utf8 } else { Table::None },
    })
}

fn ascii(number: usize) -> Vec<char> {
    let letter = u8::try_from(number).ok().filter(u8::is_ascii).map(char::from);
    letter.filter(|letter| !letter.is_control()).into_iter().collect()
}

/// Returns the row of these bytes: the highest bit of the first is the leftmost pixel.
fn of_bytes(bytes: &[u8]) -> u64 {
    let places = bytes.iter().take(8).zip(0..);
    places.fold(0, |row, (byte, nth)| row | u64::from(byte.reverse_bits()) << (8 * nth))
}

fn letters_of_words(rest: &[u8], count: usize) -> Vec<Vec<char>> {
    let (words, _) = rest.as_chunks::<2>();
    let words = words.iter().map(|word| u16::from_le_bytes(*word)).collect::<Vec<_>>();
    let entries = words.split(|word| *word == 0xFFFF).take(count);
    // After FFFEh follow sequences of combining characters.
    let single = |entry: &[u16]| {
        let single = entry.iter().take_while(|word| **word != 0xFFFE);
        single.filter_map(|word| char::from_u32((*word).into())).collect()
    };
    entries.map(single).collect()
}

fn letters_of_text(rest: &[u8], count: usize) -> Vec<Vec<char>> {
    let entries = rest.split(|byte| *byte == 0xFF).take(count);
    let single = |entry: &[u8]| {
        let single = entry.split(|byte| *byte == 0xFE).next().unwrap_or_default();
        str::from_utf8(single).unwrap_or_default().chars().collect()
    };
    entries.map(single).collect()
}
