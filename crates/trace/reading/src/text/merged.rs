//! Glyphs that merge with a shape of their colour outside of their line: on a plate without a
//! margin a `B` looks like a `3`.
//!
//! A glyph merges if an ink pixel at an edge of its cell has a neighbour of the same colour outside
//! of the cell that belongs to no glyph. Glyphs may touch each other: their cells distinguish them.

use super::font::{Font, Glyph};
use super::ink;
use super::proportional::Proportional;
use ili9341_model::Frame;

/// Returns whether the ink of the `nth` glyph of a line continues outside of its cell, where it
/// `is_in_a_glyph` no more.
pub(super) fn merges(
    frame: &Frame,
    font: &Font,
    glyphs: &[Glyph],
    nth: usize,
    is_in_a_glyph: impl Fn((usize, usize), u32) -> bool,
) -> bool {
    if let Some(of) = font.proportional() {
        return spaced_merges(frame, (font, of), glyphs, nth, is_in_a_glyph);
    }
    let Glyph { x, y, character, ink, .. } = glyphs[nth];
    let at = font.at_edges(character);
    let (open_left, open_right) = is_open(font, glyphs, nth);
    let (right, bottom) = (x + font.cell_width(), y + font.cell_height());
    let is_ink = |(x, y)| frame.pixel(x, y) == Some(ink);
    let continues =
        |inside, outside| is_ink(inside) && is_ink(outside) && !is_in_a_glyph(outside, ink);
    let upright = |inside, outside| (y..bottom).any(|y| continues((inside, y), (outside, y)));
    let level = |inside, outside| (x..right).any(|x| continues((x, inside), (x, outside)));
    // No frame has a pixel to the left of column 0 or above row 0.
    open_left && at.left && upright(x, x.wrapping_sub(1))
        || open_right && at.right && upright(right - 1, right)
        || at.top && level(y, y.wrapping_sub(1))
        || at.bottom && level(bottom - 1, bottom)
}

/// Returns whether the pixels to the left and to the right of the `nth` glyph belong to no glyph of
/// its line.
fn is_open(font: &Font, glyphs: &[Glyph], nth: usize) -> (bool, bool) {
    let width = font.cell_width();
    let x = glyphs[nth].x;
    let left = nth.checked_sub(1).is_none_or(|before| glyphs[before].x + width < x);
    let right = glyphs.get(nth + 1).is_none_or(|after| after.x > x + width);
    (left, right)
}

/// Returns the same for a glyph of a proportional font, whose ink may touch that of its neighbours
/// in the line.
fn spaced_merges(
    frame: &Frame,
    (font, of): (&Font, &Proportional),
    glyphs: &[Glyph],
    nth: usize,
    is_in_a_glyph: impl Fn((usize, usize), u32) -> bool,
) -> bool {
    let glyph = &glyphs[nth];
    let is_own = |place| glyphs.iter().any(|glyph| ink::is_of_shape((font, of), glyph, place));
    ink::of_shape((font, of), glyph).any(|(x, y)| {
        let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        around.into_iter().any(|(x, y)| {
            frame.pixel(x, y) == Some(glyph.ink)
                && !is_own((x, y))
                && !is_in_a_glyph((x, y), glyph.ink)
        })
    })
}
