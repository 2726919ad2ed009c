//! The pixels of glyphs on a frame: of cells of one width, and of the shapes of proportional fonts.

use super::font::{Font, Glyph};
use super::proportional::Proportional;
use ili9341_model::Frame;
use ili9341_model::frame::Region;

/// Returns the number of columns that a glyph occupies: those of its cell, or of its ink in a
/// proportional font.
pub(super) fn width(font: &Font, glyph: &Glyph) -> usize {
    let inked = font.proportional().and_then(|of| of.glyph(glyph.character));
    inked.map_or(font.cell_width(), |inked| inked.columns.len() * font.scale())
}

/// Returns the region of all pixels that glyphs of one line may have ink in: at least one glyph.
pub(super) fn area(font: &Font, glyphs: &[Glyph]) -> Region {
    let first = glyphs[0];
    let right = glyphs.iter().map(|glyph| glyph.x + width(font, glyph)).max().unwrap_or(first.x);
    let (top, bottom) = match font.proportional() {
        None => (first.y, first.y + font.cell_height()),
        Some(of) => {
            let top = top(font, of, &first);
            let bottom = top + (of.rows * font.scale()) as isize;
            (top.max(0) as usize, bottom.max(0) as usize)
        }
    };
    let edge = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
    Region {
        x: edge(first.x),
        y: edge(top),
        width: edge(right - first.x),
        height: edge(bottom - top),
    }
}

/// Returns the ink of a glyph, as indices into the frame's pixels.
pub(super) fn places(frame: &Frame, font: &Font, glyph: &Glyph) -> Vec<usize> {
    if let Some(of) = font.proportional() {
        return of_shape((font, of), glyph).map(|(x, y)| y * frame.width() + x).collect();
    }
    let rows = glyph.y..glyph.y + font.cell_height();
    let cell = rows.flat_map(|y| {
        let start = y * frame.width() + glyph.x;
        start..start + font.cell_width()
    });
    cell.filter(|&at| frame.pixels()[at] == glyph.ink).collect()
}

/// Returns whether a pixel in the rows of a glyph's line belongs to the glyph.
pub(super) fn covers(font: &Font, glyph: &Glyph, (x, y): (usize, usize)) -> bool {
    match font.proportional() {
        None => (glyph.x..glyph.x + font.cell_width()).contains(&x),
        Some(of) => is_of_shape((font, of), glyph, (x, y)),
    }
}

/// Returns the ink of a glyph of a proportional font.
pub(super) fn of_shape<'a>(
    (font, of): (&'a Font, &'a Proportional),
    glyph: &'a Glyph,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let (scale, top) = (font.scale(), top(font, of, glyph));
    let columns = of.glyph(glyph.character).map_or(&[][..], |inked| &inked.columns);
    columns.iter().zip(0..).flat_map(move |(column, nth)| {
        let rows = (0..of.rows).filter(move |row| column >> row & 1 == 1);
        rows.flat_map(move |row| {
            let (x, y) = (glyph.x + nth * scale, top + (row * scale) as isize);
            (0..scale * scale).filter_map(move |at| {
                Some((x + at % scale, y.checked_add_unsigned(at / scale)?.try_into().ok()?))
            })
        })
    })
}

/// Returns whether a pixel is ink of a glyph of a proportional font.
pub(super) fn is_of_shape(
    (font, of): (&Font, &Proportional),
    glyph: &Glyph,
    (x, y): (usize, usize),
) -> bool {
    let Some(inked) = of.glyph(glyph.character) else { return false };
    let scale = font.scale();
    let column = x.checked_sub(glyph.x).and_then(|x| inked.columns.get(x / scale));
    let row = usize::try_from(y as isize - top(font, of, glyph)).map(|y| (y / scale) as u32);
    let Ok(row) = row else { return false };
    column.is_some_and(|column| column.checked_shr(row).unwrap_or(0) & 1 == 1)
}

/// Returns the place of the topmost row of the font, which may be above the frame.
fn top(font: &Font, of: &Proportional, glyph: &Glyph) -> isize {
    glyph.y as isize - (of.core.start * font.scale()) as isize
}
