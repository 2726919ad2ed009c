//! Golden frames: compares a frame with a stored one on decoded pixels, renders the difference, and
//! reads and writes PNG files (`picture`). [`chain`] compares every frame of a session by hash.
//!
//! [`compare`] requires every pixel to be equal. [`compare_part`] compares one [`Region`] by
//! [`Rules`]: ignored regions, the tolerance of a colour, the number of pixels that may differ.
//! [`relation()`] finds out whether a frame that differs is the golden mirrored, turned, shifted,
//! or in other colours.
//!
//! The module knows no trace and no folder layout: the caller decides which file belongs to which
//! expectation and whether a golden may be written.

pub mod chain;
mod changed;
mod difference;
mod error;
mod hash;
mod picture;
mod relation;
#[cfg(test)]
mod tests;

pub use difference::{Difference, Mismatch};
pub use error::{GoldenError, MAX_SIDE, PngError, PngFault};
pub use picture::{decode_png, encode_png, encode_png_by, read_png, write_png};
pub use relation::{Colours, Placement, Relation, relation};

pub use trace::frame_rules::Rules;

use ili9341_model::frame::{Frame, Region};

/// The colour of differing pixels in [`difference_frame`], `0x00RRGGBB`.
pub const DIFFERENCE_COLOUR: u32 = 0x00FF_2080;

/// Number of pixels of a row that are compared at once.
const CHUNK: usize = 16;

/// Compares every pixel.
///
/// # Errors
/// The difference, if there is one.
pub fn compare(actual: &Frame, expected: &Frame) -> Result<(), Mismatch> {
    compare_at((0, 0), actual, expected, &Rules::default())
}

/// Compares `region` of `actual`, a whole panel, with `expected`, which has the region's size.
/// Columns and rows in the result are the panel's.
///
/// # Errors
/// The difference by the `rules`, if there is one.
pub fn compare_part(
    actual: &Frame,
    expected: &Frame,
    region: Region,
    rules: &Rules,
) -> Result<(), Mismatch> {
    compare_at(region.corner(), &actual.part(region), expected, rules)
}

/// Compares two frames of equal size whose first pixel is at the panel's column and row `corner`.
fn compare_at(
    corner: (usize, usize),
    actual: &Frame,
    expected: &Frame,
    rules: &Rules,
) -> Result<(), Mismatch> {
    if size(actual) != size(expected) {
        return Err(Mismatch::Size { actual: size(actual), expected: size(expected) });
    }
    let mut found: Option<Difference> = None;
    let width = actual.width().max(1);
    let rows = actual.pixels().chunks(width).zip(expected.pixels().chunks(width));
    // Most rows are equal, and comparing whole rows is cheap; so is skipping the equal ends of a
    // row.
    for (row, (is, should)) in rows.enumerate().filter(|(_, (is, should))| is != should) {
        let y = corner.1 + row;
        let found_here = if rules.is_exact() {
            differing(is, should, |_, is, should| is != should)
        } else {
            differing(is, should, |x, is, should| rules.differs(corner.0 + x, y, is, should))
        };
        let Some((first, last, count)) = found_here else { continue };
        let (left, right) = (corner.0 + first, corner.0 + last);
        let difference = found.get_or_insert(Difference {
            first: (left, y),
            count: 0,
            left,
            top: y,
            right,
            bottom: y,
            expected: should[first],
            actual: is[first],
            tolerance: rules.tolerance,
            pixels_off: rules.pixels_off,
        });
        difference.count += count;
        difference.left = difference.left.min(left);
        difference.right = difference.right.max(right);
        difference.bottom = y;
    }
    match found {
        Some(difference) if difference.count > rules.pixels_off => {
            Err(Mismatch::Pixels(difference))
        }
        _ => Ok(()),
    }
}

/// Returns the first and the last column of a row for which `differs` holds, and the number of such
/// columns; `None` if there is none. `differs` must be false for equal pixels.
fn differing(
    is: &[u32],
    should: &[u32],
    differs: impl Fn(usize, u32, u32) -> bool,
) -> Option<(usize, usize, usize)> {
    let mut found = None;
    let mut look = |from: usize, is: &[u32], should: &[u32]| {
        for (column, (is, should)) in (from..).zip(is.iter().zip(should)) {
            if differs(column, *is, *should) {
                let (_, last, count) = found.get_or_insert((column, column, 0));
                (*last, *count) = (column, *count + 1);
            }
        }
    };
    // Most of a row is equal: each chunk is compared in a few instructions.
    let ((chunks, rest), (others, other_rest)) = (is.as_chunks::<CHUNK>(), should.as_chunks());
    for (nth, (is, should)) in chunks.iter().zip(others).enumerate() {
        if is != should {
            look(nth * CHUNK, is, should);
        }
    }
    look(chunks.len() * CHUNK, rest, other_rest);
    found
}

/// Returns the expected frame in dim grey, with the differing pixels in [`DIFFERENCE_COLOUR`]. As
/// large as the larger of the two; a pixel that only one of them has counts as different.
pub fn difference_frame(actual: &Frame, expected: &Frame) -> Frame {
    difference_at((0, 0), actual, expected, &Rules::default())
}

/// Returns the difference picture of what [`compare_part`] compares, by the same rules; as large as
/// the region.
pub fn difference_part(actual: &Frame, expected: &Frame, region: Region, rules: &Rules) -> Frame {
    difference_at(region.corner(), &actual.part(region), expected, rules)
}

fn difference_at(corner: (usize, usize), actual: &Frame, expected: &Frame, rules: &Rules) -> Frame {
    let width = actual.width().max(expected.width());
    let height = actual.height().max(expected.height());
    let pixels = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| match (actual.pixel(x, y), expected.pixel(x, y)) {
            (Some(is), Some(should)) if !rules.differs(corner.0 + x, corner.1 + y, is, should) => {
                dimmed(should)
            }
            _ => DIFFERENCE_COLOUR,
        })
        .collect();
    Frame::from_pixels(width, height, pixels)
}

/// Returns grey with a third of the pixel's brightness, by the weights of ITU-R BT.601.
fn dimmed(rgb: u32) -> u32 {
    let [_, red, green, blue] = rgb.to_be_bytes().map(u32::from);
    let grey = (red * 299 + green * 587 + blue * 114) / 3000;
    grey << 16 | grey << 8 | grey
}

fn size(frame: &Frame) -> (usize, usize) {
    (frame.width(), frame.height())
}
