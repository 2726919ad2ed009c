//! Where on a frame text can begin. It knows no font.

use super::font::Candidate;
use super::tiles::{TILE, Tiles};
use crate::Frame;

/// Pixels that are asked together whether any of them is a candidate: a tile's row.
const CHUNK: usize = TILE;

/// The pixels that differ from their left and their upper neighbour (the frame's edge counts
/// as a difference) and lie in one of `tiles`: wherever text begins, there is one. How far a colour goes on is counted up
/// to the `longest` runs, to the right and downwards; pixels whose run to the right no text `begins` with are left out.
pub(super) fn candidates(
    frame: &Frame,
    tiles: &Tiles,
    longest: (usize, usize),
    begins: impl Fn(usize) -> bool,
) -> Vec<Candidate> {
    let (pixels, width) = (frame.pixels(), frame.width());
    if width == 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut push = |x: usize, y: usize| {
        let at = y * width + x;
        let this = pixels[at];
        let row = &pixels[at..][..longest.0.min(width - x)];
        let right = row.iter().position(|other| *other != this).unwrap_or(row.len());
        if !begins(right) {
            return;
        }
        let mut down = 1.min(longest.1);
        while down < longest.1 && pixels.get(at + down * width) == Some(&this) {
            down += 1;
        }
        found.push(Candidate { x, y, right, down });
    };
    let differs = |x: usize, y: usize| {
        let at = y * width + x;
        (x == 0 || pixels[at - 1] != pixels[at]) && (y == 0 || pixels[at - width] != pixels[at])
    };
    for y in 0..frame.height() {
        let row = y * width;
        let mut x = 0;
        while x < width {
            let end = (x + CHUNK).min(width);
            if !tiles.holds(x, y) {
                x = end;
                continue;
            }
            let chunk = |at: usize| pixels.get(at..)?.first_chunk::<CHUNK>();
            let whole = x > 0 && y > 0 && end - x == CHUNK;
            let neighbours =
                || Some((chunk(row + x)?, chunk(row + x - 1)?, chunk(row + x - width)?));
            let Some((this, left, above)) = whole.then(neighbours).flatten() else {
                (x..end).filter(|x| differs(*x, y)).for_each(|x| push(x, y));
                x = end;
                continue;
            };
            // Most of a picture is flat: a chunk without any candidate costs a few comparisons.
            let any = (0..CHUNK)
                .fold(false, |any, at| any | ((this[at] != left[at]) & (this[at] != above[at])));
            if any {
                for at in 0..CHUNK {
                    if this[at] != left[at] && this[at] != above[at] {
                        push(x + at, y);
                    }
                }
            }
            x = end;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::Random;

    const LONGEST: (usize, usize) = (9, 7);

    fn begins(right: usize) -> bool {
        right != 2
    }

    /// What [`candidates`] says it finds, pixel by pixel.
    fn expected(frame: &Frame, tiles: &Tiles) -> Vec<[usize; 4]> {
        let (width, height) = (frame.width(), frame.height());
        let run = |mut along: Box<dyn Iterator<Item = (usize, usize)>>, of: Option<u32>| {
            along.position(|(x, y)| frame.pixel(x, y) != of)
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let mut found = Vec::new();
        for (x, y) in places.filter(|(x, y)| tiles.holds(*x, *y)) {
            let this = frame.pixel(x, y);
            let same = |column: Option<usize>, row: Option<usize>| {
                column.zip(row).is_some_and(|(x, y)| frame.pixel(x, y) == this)
            };
            if same(x.checked_sub(1), Some(y)) || same(Some(x), y.checked_sub(1)) {
                continue;
            }
            let right = run(Box::new((x..width).map(move |x| (x, y))), this).unwrap_or(width - x);
            let down = run(Box::new((y..height).map(move |y| (x, y))), this).unwrap_or(height - y);
            if begins(right.min(LONGEST.0)) {
                found.push([x, y, right.min(LONGEST.0), down.min(LONGEST.1)]);
            }
        }
        found
    }

    fn found(frame: &Frame, tiles: &Tiles) -> Vec<[usize; 4]> {
        let found = candidates(frame, tiles, LONGEST, begins);
        found.iter().map(|found| [found.x, found.y, found.right, found.down]).collect()
    }

    proptest! {
        #[test]
        fn a_candidate_differs_from_its_left_and_its_upper_neighbour(
            width in 1..70_usize, height in 1..24_usize, dots in 0..12_usize, seed: u64,
        ) {
            let mut frame = Frame::filled(width, height, 0);
            let blank = frame.clone();
            let mut random = Random::new(seed);
            for _ in 0..dots {
                let at = random.below((width * height) as u64) as usize;
                frame.pixels_mut()[at] = random.below(3) as u32;
            }
            let all = Tiles::all(&frame);
            prop_assert_eq!(found(&frame, &all), expected(&frame, &all));
            let changed = Tiles::changed(&blank, &frame).unwrap();
            prop_assert_eq!(found(&frame, &changed), expected(&frame, &changed));
        }
    }
}
