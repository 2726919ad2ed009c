//! How many pixels of a frame have changed and where, if it is known in which tiles they may have.

use crate::frame::{Frame, Region};
use crate::lcd::{TILE, Tiles};

/// How many pixels differ, and the smallest region around them; `None` if none does. The frames are equally large, and
/// equal outside `tiles`.
pub(super) fn changed_in(before: &Frame, frame: &Frame, tiles: &Tiles) -> Option<(usize, Region)> {
    let width = frame.width();
    let (mut count, mut left, mut right) = (0, usize::MAX, 0);
    let (mut top, mut bottom) = (usize::MAX, 0);
    for (row, columns) in tiles.runs() {
        let (first, end) = (columns.start * TILE, (columns.end * TILE).min(width));
        for y in row * TILE..((row + 1) * TILE).min(frame.height()) {
            let place = y * width + first..y * width + end;
            let was = before.pixels()[place.clone()].chunks(TILE);
            for (nth, (was, is)) in was.zip(frame.pixels()[place].chunks(TILE)).enumerate() {
                let differing = differing(was, is);
                if differing != 0 {
                    let x = first + nth * TILE;
                    count += differing.count_ones() as usize;
                    left = left.min(x + differing.trailing_zeros() as usize);
                    right = right.max(x + differing.ilog2() as usize);
                    (top, bottom) = (top.min(y), bottom.max(y));
                }
            }
        }
    }
    if count == 0 {
        return None;
    }
    let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
    let (width, height) = (side(right - left + 1), side(bottom - top + 1));
    Some((count, Region { x: side(left), y: side(top), width, height }))
}

/// A bit for each pixel that differs, of a line of a tile.
fn differing(was: &[u32], is: &[u32]) -> u32 {
    let bits = |was: &[u32], is: &[u32]| {
        let pixels = was.iter().zip(is).enumerate();
        pixels.fold(0, |bits, (x, (was, is))| bits | u32::from(was != is) << x)
    };
    match (was.first_chunk::<TILE>(), is.first_chunk::<TILE>()) {
        // The usual case has a loop of known length.
        (Some(was), Some(is)) if was == is => 0,
        (Some(was), Some(is)) => bits(was, is),
        _ => bits(was, is),
    }
}
