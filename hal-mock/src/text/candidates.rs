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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::Random;

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
            found.push([x, y, right, down]);
        }
        found
    }

    fn found(frame: &Frame, tiles: &Tiles) -> Vec<[usize; 4]> {
        let found = candidates(frame, tiles);
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
