//! A picture with the glyphs of a font side by side.

use std::collections::HashMap;
use std::io::Cursor;

use super::error::FontFault;
use super::{GLYPHS_MAX, Glyphs};
use crate::golden::decode_png;

/// How a sheet is divided: from left to right, then from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Size of a glyph in pixels.
    pub columns: u32,
    pub rows: u32,
    /// Code point of the first glyph.
    pub first: u32,
}

/// Reads a sheet. The colour that most of its pixels have is the ground, all others are ink.
pub(super) fn read(name: &str, bytes: &[u8], sheet: Sheet) -> Result<Glyphs, FontFault> {
    let Sheet { columns, rows, first } = sheet;
    Glyphs::check_size(columns, rows)?;
    let picture = decode_png(Cursor::new(bytes))?;
    let (width, height) = (picture.width(), picture.height());
    let (wide, high) = (columns as usize, rows as usize);
    if width % wide != 0 || height % high != 0 || width == 0 || height == 0 {
        return Err(FontFault::Division { width, height, columns, rows });
    }
    if (width / wide) * (height / high) > GLYPHS_MAX {
        return Err(FontFault::TooMany);
    }
    let mut counts: HashMap<u32, usize> = HashMap::new();
    picture.pixels().iter().for_each(|pixel| *counts.entry(*pixel).or_default() += 1);
    let ground = counts.into_iter().max_by_key(|(pixel, count)| (*count, *pixel));
    let ground = ground.map_or(0, |(pixel, _)| pixel);
    let row = |x: usize, y: usize| {
        let pixels = &picture.pixels()[y * width + x..][..wide];
        let ink = pixels.iter().zip(0..).filter(|(pixel, _)| **pixel != ground);
        ink.fold(0, |row, (_, column)| row | 1_u64 << column)
    };
    let tops = (0..height).step_by(high);
    let places = tops.flat_map(|y| (0..width).step_by(wide).map(move |x| (x, y)));
    let all = places.zip(first..).filter_map(|((x, y), code)| {
        let rows = (y..y + high).map(|y| row(x, y)).collect::<Vec<_>>();
        let has_ink = rows.iter().any(|row| *row != 0);
        char::from_u32(code).filter(|_| has_ink).map(|letter| (letter, rows))
    });
    let all = all.collect::<Vec<_>>();
    if all.is_empty() {
        return Err(FontFault::Empty);
    }
    Ok(Glyphs { name: name.to_owned(), columns, rows, all, pens: Vec::new() })
}
