//! Where on a frame text can begin. It knows no font.

use super::font::Candidate;
use super::tiles::{TILE, Tiles};
use crate::Frame;

/// Pixels that are asked together whether any of them is a candidate: a tile's row.
const CHUNK: usize = TILE;

/// The pixels that differ from their left and their upper neighbour (the frame's edge counts
/// as a difference) and lie in one of `tiles`: wherever text begins, there is one.
pub(super) fn candidates(frame: &Frame, tiles: &Tiles) -> Vec<Candidate> {
    let (pixels, width) = (frame.pixels(), frame.width());
    if width == 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut push = |x: usize, y: usize| {
        let at = y * width + x;
        let same = |&&other: &&u32| other == pixels[at];
        let right = pixels[at..(y + 1) * width].iter().take_while(same).count();
        let down = pixels[at..].iter().step_by(width).take_while(same).count();
        found.push(Candidate { x, y, right, down });
    };
    let is_candidate = |x: usize, y: usize| {
        let at = y * width + x;
        (x == 0 || pixels[at - 1] != pixels[at]) && (y == 0 || pixels[at - width] != pixels[at])
    };
    for y in 0..frame.height() {
        let row = y * width;
        let mut x = 0;
        while x < width {
            if !tiles.holds(x, y) {
                x += CHUNK;
                continue;
            }
            // Most of a picture is flat: a chunk without any candidate costs a few comparisons.
            if x > 0 && y > 0 && x + CHUNK <= width {
                let this = &pixels[row + x..][..CHUNK];
                let left = &pixels[row + x - 1..][..CHUNK];
                let above = &pixels[row + x - width..][..CHUNK];
                let any =
                    this.iter().zip(left).zip(above).fold(false, |any, ((this, left), above)| {
                        any | ((this != left) & (this != above))
                    });
                if !any {
                    x += CHUNK;
                    continue;
                }
            }
            let end = (x + CHUNK).min(width);
            (x..end).filter(|&x| is_candidate(x, y)).for_each(|x| push(x, y));
            x = end;
        }
    }
    found
}
